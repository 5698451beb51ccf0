// Package filename finds file names in the lines of a reply. [OfLine] reads a line as a name, with
// any decoration; [InProse] finds the names that a sentence mentions; and [Found] finds the name of
// a block's file in the lines above the block. Names are ranked by [Strength] or by nearness; the
// caller checks whether the file exists.
//
// The package imports fsm, mdline and internal/text. It promises that a result depends only on the
// lines, and that names are returned without decoration but otherwise as written. Its lists of
// words, such as languages and extensions, are in words.txt.
package filename
