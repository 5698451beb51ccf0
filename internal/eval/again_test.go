package eval

import (
	"regexp"
	"strings"
	"testing"
)

// Second runs are counted by what was run. A deletion shows both faults.
func TestTwice(t *testing.T) {
	qs, err := ReadQuestions([]byte(`{"id": "good", "path": "f", "content": "a = count(1)\nb\n", "search": "a = count(1)\n", "replace": "a = count(2)\n"}
{"id": "gone", "path": "f", "content": "a = count(1)\nb\n", "search": "a = count(1)\n", "replace": ""}
{"id": "more", "path": "f", "content": "b\n", "search": "b\n", "replace": "b\n\n"}
{"id": 7, "files": {"f": "a = count(1)\nb = count(2)\n"}, "reply": "f\n<<<<<<< SEARCH\na = count(1)\n=======\na = count(3)\n>>>>>>> REPLACE\n<<<<<<< SEARCH\nb = count(2)\n=======\n>>>>>>> REPLACE\n"}
`))
	if err != nil {
		t.Fatal(err)
	}
	got, err := Twice(t.Context(), qs)
	if err != nil {
		t.Fatal(err)
	}
	var found strings.Builder
	if err := got.Write(&found, "total"); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"gone: whole: refused\n  block 1: applied exact -> not-found", "gone: partial: refused\n",
		"more: whole: changed\n", "more: partial: changed\n",
		"7: whole: refused\n  block 2:", "7: block 2, only: refused\n", "7: block 2, only, then whole: left out\n",
	} {
		if !strings.Contains(found.String(), want) {
			t.Errorf("%q is not listed", want)
		}
	}
	if strings.Contains(found.String(), "good") || strings.Contains(found.String(), "block 1, only") {
		t.Errorf("listed a right answer:\n%s", found.String())
	}
	for _, want := range []string{"whole +4 +1 +2 ", "only +2 "} {
		if !regexp.MustCompile("(?m)^" + want).MatchString(found.String()) {
			t.Errorf("%q is not counted in\n%s", want, found.String())
		}
	}
}
