// Package parser turns a model's reply into blocks.
//
// A reply is prose with edits in it: SEARCH/REPLACE blocks in several families of markers, whose
// grammar is in package [github.com/srpatch/srpatch/fsm], or edits in other tools' formats, which
// are converted to the same form. [Parse] reads a reply; [ParseLast] reads the last answer in a
// chat log.
//
// The package promises that
//
//   - every line of the reply belongs to a block, a name, a shell block, prose or a diagnostic: an
//     attempted edit that was not understood is reported, and the rest is still read;
//   - content is bytes: line ends, trailing blanks and invalid UTF-8 are preserved, and only
//     markers, a block's indentation and backslashes before markers are removed;
//   - if a block can be divided in more than one way, all ways are returned;
//   - a reply that is cut off gives no block that the whole reply would not, unless the block
//     carries a warning;
//   - what [Format] writes parses back.
//
// A line goes through the stages in route.go, which explains their order. Some tasks have separate
// packages, which don't import this one: what a line is (internal/mdline), which file it names
// (internal/filename), the formats of other tools (internal/envelope, with JSON in
// internal/jsontext), traces of edits that were not read (internal/unread), and the answers in a
// log (internal/chatlog). This package defines the types that callers see and connects the others.
//
// The package doesn't look at files: callers check whether a named file exists and which reading
// matches. The package does no I/O and runs nothing.
package parser
