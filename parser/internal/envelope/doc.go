// Package envelope reads the edit formats of other tools and turns their edits into one form,
// [Block]. Each format has a row in the table formats and one or more files named after it. A row
// has a function that recognises the first line ([Start]) and returns an [Envelope], which then
// reads the lines, or has read them already.
//
// It imports fsm, internal/text, and the packages mdline, filename and jsontext. If a format
// contains blocks between markers, the parser reads those, as [Markers]. The package promises that
//
//   - a text that breaks off gives no block that the whole text would not have given;
//   - text that cannot be turned into an edit is a [Fault], and text that is no edit is given back.
package envelope
