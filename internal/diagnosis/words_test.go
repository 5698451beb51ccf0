package diagnosis

import (
	"errors"
	"testing"
)

func TestWords(t *testing.T) {
	err := errors.Join(errors.New("first"),
		errors.New("Options.Force: too large; raise Limits.FileSize; or run Workspace.Undo"))
	const want = "first\nOptions.Force: too large; raise --max-size; or run srpatch undo"
	if got := Words(err); got != want {
		t.Errorf("%q", got)
	}
}
