package eval

import (
	"strings"
	"testing"
)

func TestRunApplier(t *testing.T) {
	file := map[string]string{"a.txt": "one\ntwo\nthree\n"}
	cases := []*Case{
		{ID: "1", Path: "a.txt", Files: file, Search: "two\n", Replace: "2\n",
			Expected: map[string]string{"a.txt": "one\n2\nthree\n"}},
		{ID: "2", Path: "a.txt", Files: file, Search: "four\n", Replace: "4\n"},
	}
	if got := cases[0].line(); got != 2 {
		t.Errorf("the first edit is in line %d, want 2", got)
	}
	for _, test := range []struct {
		command               string
		right, wrong, refused int
		err                   string
	}{
		{command: `sed 's/,"path".*/}/'`, right: 1, refused: 1},          // refuses everything
		{command: `cat`, wrong: 2},                                       // leaves the file as it is
		{command: `sed 's/\\ntwo\\n/\\n2\\n/'`, right: 1, wrong: 1},      // right, except the refusal
		{command: `sed 's/"1"/"7"/'`, err: "answers must come in order"}, // another id
		{command: `head -n 1`, err: "without an answer to request 2"},    // ends early
		{command: `cat; exit 3`, err: "exit status 3"},
		{command: `cat; yes`, err: "more than an answer"},
	} {
		outcomes, took, err := RunApplier(t.Context(), test.command, cases)
		if test.err != "" {
			if err == nil || !strings.Contains(err.Error(), test.err) {
				t.Errorf("%s: the error is %v, want %q", test.command, err, test.err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", test.command, err)
			continue
		}
		got := ScoreApplier(Applier{}, cases, outcomes, took).Total
		if got.Right != test.right || got.Wrong != test.wrong || got.Refused != test.refused {
			t.Errorf("%s: %+v", test.command, got)
		}
	}
}
