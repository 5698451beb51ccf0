package parser

import (
	"bytes"
	"strings"
	"testing"

	"github.com/srpatch/srpatch/internal/effort"
)

// TestRemedyShowsACorrectExampleOnce parses the examples in remedies.
func TestRemedyShowsACorrectExampleOnce(t *testing.T) {
	markerReplies(t, "malformed", func(name string, reply []byte, _ *[]byte) {
		for i, d := range Parse(reply).Diagnostics {
			_, example, shown := strings.Cut(d.Remedy, ":\n")
			if shown != (i == 0) {
				t.Errorf("%s: diagnostic %d shows an example: %v", name, i+1, shown)
			}
			if r := Parse([]byte(example)); shown &&
				(len(r.Blocks) != 1 || len(r.Diagnostics) > 0 || r.Blocks[0].Search == nil) {
				t.Errorf("%s: the example is wrong: %+v\n%s", name, r, example)
			}
		}
	})
}

func TestTooManyReadings(t *testing.T) {
	block := func(n int) string {
		return "a.txt\n<<<<<<< SEARCH\na\n" + strings.Repeat("=======\nb\n", n) + ">>>>>>> REPLACE\n"
	}
	if r := Parse([]byte(block(maxReadings))); len(r.Blocks) != 1 || len(r.Blocks[0].Readings) != maxReadings {
		t.Errorf("%d ways: %+v", maxReadings, r.Diagnostics)
	}
	for _, n := range []int{maxReadings + 1, 1000} {
		r := Parse([]byte(block(n)))
		if len(r.Blocks) != 0 || len(r.Diagnostics) != 1 || r.Diagnostics[0].Code != "malformed" ||
			r.Diagnostics[0].Line != 2 {
			t.Errorf("%d ways: %d blocks, %+v", n, len(r.Blocks), r.Diagnostics)
		}
	}
}

func TestFormatRestrictsTheDialect(t *testing.T) {
	reply := []byte("a.py\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n------- SEARCH\na\n=======\nb\n+++++++ REPLACE\n")
	for format, want := range map[string]int{"": 2, "aider": 1, "roo": 1, "cline": 1, "v4a": 0} {
		if r := Parse(reply, WithFormat(format)); len(r.Blocks) != want || len(r.Diagnostics) != 0 {
			t.Errorf("format %q: %d blocks, want %d, %+v", format, len(r.Blocks), want, r.Diagnostics)
		}
	}
	if r := Parse([]byte("a.py\n<<<< SEARCH\na\n"), WithFormat("v4a")); len(r.Diagnostics) != 0 {
		t.Errorf("format v4a reports a marker: %+v", r.Diagnostics)
	}
}

func TestByteOrderMarkBeforeTheFirstMarker(t *testing.T) {
	r := Parse([]byte("\ufeff<<<<<<< SEARCH a.py\na\n=======\nb\n>>>>>>> REPLACE\n"))
	if len(r.Blocks) != 1 || r.Blocks[0].Path != "a.py" {
		t.Errorf("%+v", r)
	}
}

// TestLargeInputs checks that a large reply and a long line are read like any other.
func TestLargeInputs(t *testing.T) {
	long := strings.Repeat("x", 1<<20) + "\n"
	r := Parse([]byte("a.py\n<<<<<<< SEARCH\n" + long + "=======\n" + long + long + ">>>>>>> REPLACE\n"))
	if len(r.Blocks) != 1 || len(r.Blocks[0].Search) != len(long) || len(r.Blocks[0].Replace) != 2*len(long) {
		t.Errorf("%d blocks, %+v", len(r.Blocks), r.Diagnostics)
	}
	one := benchReply()
	many := bytes.Repeat(one, effort.Of(10, 50, 50)<<20/len(one)+1)
	if r = Parse(many); len(r.Blocks) != 40*(len(many)/len(one)) || len(r.Diagnostics) > 0 {
		t.Errorf("%d blocks, %+v", len(r.Blocks), r.Diagnostics)
	}
}
