// Package text is the lexer that parser, strategy, indent and apply share. It knows what lines
// consist of in any language: blanks, tokens and words, comment signs, quotes and escapes. It
// doesn't interpret them.
package text
