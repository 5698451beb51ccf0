package remedy

import (
	"errors"
	"fmt"
	"testing"

	"github.com/srpatch/srpatch/apply"
	"github.com/srpatch/srpatch/apply/workspace"
)

func TestAnErrorNamesFlagsAndItsFileAsItIs(t *testing.T) {
	locked := &apply.ReasonError{Reason: workspace.IO, Err: &workspace.Problem{
		Path: "Options.Force", What: "the file is larger than the limit", Remedy: "raise Limits.FileSize",
	}}
	const want = "Options.Force: the file is larger than the limit; raise --max-size"
	if got := Words(fmt.Errorf("block 2: %w", errors.Join(errors.New("first"), locked))); got != "block 2: first\n"+want {
		t.Errorf("%q", got)
	}
	if got := Words(errors.New("Limits.FileSize")); got != "Limits.FileSize" {
		t.Errorf("an error of something else is %q", got)
	}
}
