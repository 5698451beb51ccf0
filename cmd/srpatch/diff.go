package main

import (
	"errors"

	"github.com/srpatch/srpatch/apply"
)

// printDiff writes what the plan changes.
func (c *command) printDiff(plan *apply.Plan) error { return errors.ErrUnsupported }
