// Package vanish counts edits that a reply loses without a word.
//
// It takes replies that are understood, damages one edit of each the way models misspell theirs, or
// writes it in another format, and parses what comes out. The edit must then be read, be refused by
// a diagnostic, or at least be noticed; if another edit of the reply is read and nothing is said of
// this one, a run would end with exit status 0 and the edit would be lost. The edits around it must
// be what they were before.
//
// What the damaged edit was is known before it is damaged, and so are the lines on which it is
// after that. Nothing but [Parse] calls the parser for a verdict. The same seed makes the same
// cases.
package vanish
