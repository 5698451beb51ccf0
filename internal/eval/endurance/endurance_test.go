package endurance

import (
	"bytes"
	"encoding/json"
	"strings"
	"sync/atomic"
	"testing"
)

// Each request depends on the seed and its number alone; there are all forms, long ones and broken ones.
func TestMix(t *testing.T) {
	mix, err := NewMix("../../../testdata", 1)
	if err != nil {
		t.Fatal(err)
	}
	again, err := NewMix("../../../testdata", 1)
	if err != nil {
		t.Fatal(err)
	}
	const n = 500
	seen := map[string]int{}
	for i := range n {
		line, err := mix.line(i)
		if err != nil {
			t.Fatal(err)
		}
		other, err := again.line(i)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(line, other) {
			t.Fatalf("request %d differs", i)
		}
		if bytes.IndexByte(line, '\n') >= 0 {
			t.Fatalf("request %d is several lines", i)
		}
		var request map[string]any
		if json.Unmarshal(line, &request) != nil {
			seen["no JSON"]++
		}
		for key := range request {
			seen[key]++
		}
		if len(line) > 100<<10 {
			seen["long"]++
		}
	}
	for _, key := range []string{"no JSON", "long", "reply", "search", "old", "files", "files_b64", "want", "start_line"} {
		if seen[key] == 0 {
			t.Errorf("of %d requests none is or has %s", n, key)
		}
	}
}

// The sums of answers do not depend on where the input was cut, and on all else.
func TestSums(t *testing.T) {
	sum := func(answers string, requests ...int) []string {
		var parts []Part
		for _, n := range requests {
			parts = append(parts, Part{"part", n})
		}
		out := make([]string, len(parts))
		if err := sums(strings.NewReader(answers), parts, out, new(atomic.Int64)); err != nil {
			return nil
		}
		return out
	}
	first, second := `{"id":1,"status":"applied"}`+"\n", `{"id":2,"status":"error","error":{"code":"x"},"line":2}`+"\n"
	both := sum(first+second, 1, 1)
	if len(both) != 2 || both[0] != sum(first, 1)[0] || both[1] != sum(strings.Replace(second, `:2}`, `:1}`, 1), 1)[0] {
		t.Error("the sum of a part differs")
	}
	if both[0] == sum(strings.Replace(first, "applied", "refused", 1), 1)[0] {
		t.Error("another answer has the same sum")
	}
	if sum(first, 2) != nil || sum(first+second, 1) != nil {
		t.Error("an answer too few or too many is no error")
	}
}
