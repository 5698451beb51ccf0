package eval

import (
	"strings"
	"testing"
)

// What a second run does is counted by what was run, and a deletion shows both faults.
func TestTwiceInMemory(t *testing.T) {
	qs, err := ReadQuestions(strings.NewReader(`{"id": "good", "path": "f", "content": "a = count(1)\nb\n", "search": "a = count(1)\n", "replace": "a = count(2)\n"}
{"id": "gone", "path": "f", "content": "a = count(1)\nb\n", "search": "a = count(1)\n", "replace": ""}
{"id": "more", "path": "f", "content": "b\n", "search": "b\n", "replace": "b\n\n"}
{"id": 7, "files": {"f": "a = count(1)\nb = count(2)\n"}, "reply": "f\n<<<<<<< SEARCH\na = count(1)\n=======\na = count(3)\n>>>>>>> REPLACE\n<<<<<<< SEARCH\nb = count(2)\n=======\n>>>>>>> REPLACE\n"}
`))
	if err != nil {
		t.Fatal(err)
	}
	got, err := TwiceInMemory(t.Context(), qs)
	if err != nil {
		t.Fatal(err)
	}
	var found strings.Builder
	if err := got.WriteList(&found); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"gone: whole: refused\n  block 1: applied exact -> not-found", "gone: partial: refused\n", "more: whole: changed\n", "more: partial: changed\n",
		"7: whole: refused\n  block 2:", "7: block 2, only: refused\n", "7: block 2, only, then whole: left out\n",
	} {
		if !strings.Contains(found.String(), want) {
			t.Errorf("%q is not found", want)
		}
	}
	if strings.Contains(found.String(), "good") || strings.Contains(found.String(), "block 1, only") {
		t.Errorf("found what is right:\n%s", found.String())
	}
	if got.Runs[stepWhole] != 4 || got.Runs[stepOnly] != 2 || got.Count("", Changed) != 2 {
		t.Errorf("%v, %d changed", got.Runs, got.Count("", Changed))
	}
}
