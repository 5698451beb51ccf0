// Package fsm implements the marker grammar of SEARCH/REPLACE blocks as a state machine.
//
// It deals with lines, not files: [Classify] says what a line is, and a [Machine] tracks one block
// from its opener to its end and records every line that may be the divider. The parser reads the
// lines, finds the files' names and extracts the text. The package does no I/O and never looks at
// content lines beyond their first bytes.
//
// There is only one grammar: what the machine rejects is never extracted, and what it accepts is
// not checked again.
package fsm
