// Package text is the lexer that parser, strategy, indent and apply share. It knows what a line is
// made of in any language: blanks, tokens and words, the signs of comments, quotes and escapes.
// What a line means is for its callers to say.
package text
