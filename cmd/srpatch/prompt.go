package main

import (
	"context"
	_ "embed"
	"io"
)

//go:embed prompt.md
var instructions string

// prompt prints the instructions for a model.
func (c *command) prompt(context.Context) error {
	if len(c.args) > 0 {
		return usagef("prompt takes no arguments")
	}
	_, err := io.WriteString(c.stdout, instructions)
	return err
}
