// Package filename finds file names in the lines of a reply: whether a line is a name, with
// any decoration ([OfLine]), which names a sentence mentions ([InProse]), and which of the
// lines above a block names its file ([Found]). Names are ranked by [Strength] or by
// nearness; the caller finds out whether a file of that name exists.
//
// It imports fsm, mdline and internal/text. It promises that an answer depends on the lines
// alone, and that names are returned without decoration but otherwise as written.
// Its lists of words, such as languages and extensions, are in words.txt.
package filename
