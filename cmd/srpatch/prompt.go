package main

import (
	"context"
	"io"

	"github.com/srpatch/srpatch/internal/lesson"
	"github.com/srpatch/srpatch/parser"
)

// prompt prints the instructions for a model, in the format that it is to write.
func (c *command) prompt(context.Context) error {
	if len(c.args) > 0 {
		return usagef("prompt takes no arguments; for another format, use --format, such as --format=%s",
			parser.EnvelopeFormats()[0])
	}
	text, err := lesson.In(c.format)
	if err != nil {
		return err
	}
	_, err = io.WriteString(c.stdout, text)
	return err
}
