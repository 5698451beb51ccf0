// Package parser turns a model's reply into blocks.
//
// A reply is prose with edits in it: SEARCH/REPLACE blocks in several families of markers, whose
// grammar is package [github.com/srpatch/srpatch/fsm]'s, or the formats of other tools, which are
// brought into the same form. [Parse] reads a reply, [ParseLast] the last answer of a chat's log.
//
// The package promises that
//
//   - every line of the reply belongs to a block, a name, a shell block, prose or a diagnostic: an attempt at an edit
//     that was not understood is reported, with line, finding, expectation and remedy, and the others are still read;
//   - content is bytes: line ends, trailing blanks and what is no UTF-8 stay as they are, and only markers, the
//     indentation of a block as a whole and backslashes before markers are removed;
//   - where a block can be divided in more than one way, all ways are handed out;
//   - text that is cut off gives no block that the whole would not have given, unless the block says so;
//   - what [Print] writes parses back.
//
// A line goes through the stages of route.go, in the order that is argued there. What a line is
// (internal/mdline), which file it names (internal/filename), the formats of other tools
// (internal/envelope, with JSON in internal/jsontext), traces of edits that nobody read
// (internal/unread), and the answers in a log (internal/chatlog) have rooms of their own, which
// import no room above them and not this package. Here are the types that callers see, and what
// connects the rooms: lines, route, context, markers, output.
//
// It knows no files: whether a name exists and which reading fits is for others to find out. It
// does no I/O, and runs nothing.
package parser
