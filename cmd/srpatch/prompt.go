package main

import (
	"context"
	"io"

	"github.com/srpatch/srpatch/internal/lesson"
)

// prompt prints the instructions for a model, in the format that it is to write.
func (c *command) prompt(context.Context) error {
	text, err := lesson.In(c.format)
	if err != nil {
		return err
	}
	_, err = io.WriteString(c.stdout, text)
	return err
}
