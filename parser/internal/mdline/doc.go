// Package mdline recognises what a line of a reply is, in Markdown as models write it: a
// fence, an item, an element, a sentence, the opener of a block. Each function looks at one line,
// or at the lines of one text, and at nothing around it.
//
// It imports fsm and internal/text, and no other package of the parser. It promises that an answer
// depends on the bytes of the line alone, and that no answer keeps them.
package mdline
