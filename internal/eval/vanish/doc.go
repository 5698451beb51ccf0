// Package vanish counts edits that get lost silently.
//
// It takes replies that are fully understood, damages one edit of each as models do, or writes it
// in another format, and parses the result. The edit must then be read, refused by a diagnostic, or
// at least noticed. If it isn't, and another edit of the reply is read, a run would end with exit
// status 0 and the edit would be lost. The edits around it must be the same as before.
//
// The edit is known before it is damaged, and its lines afterwards are known, too. Only [Parse]
// calls the parser for a verdict. The same seed makes the same cases.
package vanish
