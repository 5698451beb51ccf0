// Package fsm is the marker grammar of SEARCH/REPLACE blocks as a state machine.
//
// It knows lines, not files: [Classify] says what a single line is, a [Machine] follows one block
// from its opener to its end and keeps every line that could be the divider. Who reads the lines,
// names files and cuts out the text is the parser's business. The package does no I/O and never
// looks at content lines beyond their first bytes.
//
// There is one grammar: what the machine rejects is never extracted, and what it accepts needs no
// second look.
package fsm
