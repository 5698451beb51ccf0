// Package parser turns a model's reply into blocks.
//
// A reply is prose with edits in it: SEARCH/REPLACE blocks in several families of markers, whose
// grammar is in package [github.com/srpatch/srpatch/fsm], or edits in other tools' formats, which
// are converted to the same form. [Parse] reads a reply, [ParseLast] the last answer of a chat log.
//
// The package promises that
//
//   - every line of the reply belongs to a block, a name, a shell block, prose or a diagnostic: an
//     attempt at an edit that was not understood is reported, and the rest is still read;
//   - content is bytes: line ends, trailing blanks and invalid UTF-8 stay as they are, and only
//     markers, a block's indentation and backslashes before markers are removed;
//   - if a block can be divided in more than one way, all ways are returned;
//   - a reply that is cut off gives no block that the whole would not, unless the block says so;
//   - what [Print] writes parses back.
//
// A line goes through the stages of route.go, which gives reasons for their order. These have
// packages of their own, which don't import this one: what a line is (internal/mdline), which file
// it names (internal/filename), the formats of other tools (internal/envelope, with JSON in
// internal/jsontext), traces of edits that nobody read (internal/unread), and the answers in a log
// (internal/chatlog). This package has the types that callers see, and connects the others.
//
// The package knows no files: callers find out whether a name exists and which reading matches. It
// does no I/O and runs nothing.
package parser
