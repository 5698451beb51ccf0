// Command srpatch applies the SEARCH/REPLACE blocks of a language model's reply to a tree of files.
//
// The manual is srpatch --help, and srpatch VERB --help. Whatever the verb, stdout carries its
// product alone; refusals, diagnostics and usage errors go to stderr. The exit status is 0 when
// every block is applied or was applied already, 1 when some block was refused or an attempted edit
// was not understood, and 2 for trouble: usage, I/O, a reply without any edit.
//
// The command imports the library and adds a terminal: it decides nothing about where a block
// belongs.
package main

import (
	"context"
	"os"
)

func main() {
	os.Exit(run(context.Background(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr, os.Getenv))
}
