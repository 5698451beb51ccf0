// Package envelope reads the edit formats of other tools and converts their edits to one form,
// [Block]. Each format has a row in the table formats and one or more source files named after it.
// A row's function recognises the first line ([Start]) and returns an [Envelope], which then reads
// the lines or has already read them.
//
// The package imports fsm, internal/text, mdline, filename and jsontext. If a format contains
// marker blocks, the parser reads them through [Markers]. The package promises that
//
//   - a text that is cut off gives no block that the whole text would not give;
//   - an edit that cannot be converted is reported as a [Fault], and text that is not an edit is
//     left to the parser.
package envelope
