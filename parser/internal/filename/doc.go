// Package filename finds the names of files in lines of a reply: whether a line is a name, with
// whatever decoration ([OfLine]), which names a sentence mentions ([InProse]), and which of the
// lines above a block names its file ([Found]). The answers are ranked, by [Strength] or by
// nearness; whether a file of that name exists is for others to find out.
//
// It imports the room mdline and internal/text. It promises that an answer depends on the lines
// alone, and that what it takes for a name it returns without decoration and otherwise as written.
// Its words, such as languages and extensions, are in words.txt.
package filename
