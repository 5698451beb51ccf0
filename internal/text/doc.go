// Package text is the lexer shared by parser, strategy, indent and apply. It recognizes the parts
// of a line in any language: blanks, tokens and words, comment signs, quotes and escapes. It
// doesn't interpret them.
package text
