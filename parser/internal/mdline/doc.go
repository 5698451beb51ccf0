// Package mdline recognises the kind of a line in a reply, in Markdown as models write it: a fence,
// a list item, an element, a sentence, the opener of a block. Each function looks at one line, or
// at the lines of one text, and not at the text around it.
//
// The package imports fsm and internal/text, and no other package of the parser. It promises that a
// result depends only on the bytes of the line.
package mdline
