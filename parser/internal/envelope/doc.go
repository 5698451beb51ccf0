// Package envelope reads the edit formats of other tools, and brings their edits into one form,
// [Block]. Each format has a row in the table formats and a file of its own, or a few with its name
// in front: what begins one ([Start]), and an [Envelope] that takes the lines, or has read them.
//
// It imports fsm, internal/text, and the rooms mdline, filename and jsontext. Blocks between
// markers, which some formats have inside, it gets from the parser, as [Markers]. It promises that
//
//   - a text that breaks off gives no block that the whole would not have given;
//   - what no edit can be made of is a [Fault], and what is no edit at all is given back.
package envelope
