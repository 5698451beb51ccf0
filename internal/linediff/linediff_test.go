package linediff

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func lines(s string) [][]byte {
	var out [][]byte
	for line := range strings.Lines(s) {
		out = append(out, []byte(line))
	}
	return out
}

func TestDiff(t *testing.T) {
	for name, c := range map[string]struct {
		a, b string
		want []Op
	}{
		"both empty": {"", "", nil},
		"equal":      {"x\ny\n", "x\ny\n", []Op{{Equal, 0, 2, 0, 2}}},
		"created":    {"", "x\ny\n", []Op{{Insert, 0, 0, 0, 2}}},
		"deleted":    {"x\ny\n", "", []Op{{Delete, 0, 2, 0, 0}}},
		"replaced, deletion first": {"x\na\ny\n", "x\nb\nc\ny\n",
			[]Op{{Equal, 0, 1, 0, 1}, {Delete, 1, 2, 1, 1}, {Insert, 2, 2, 1, 3}, {Equal, 2, 3, 3, 4}}},
		"two regions": {"a\nk\nb\n", "c\nk\nd\n",
			[]Op{{Delete, 0, 1, 0, 0}, {Insert, 1, 1, 0, 1}, {Equal, 1, 2, 1, 2}, {Delete, 2, 3, 2, 2}, {Insert, 3, 3, 2, 3}}},
		"repeated line grows":  {"x\nx\n", "x\nx\nx\n", []Op{{Equal, 0, 2, 0, 2}, {Insert, 2, 2, 2, 3}}},
		"line ends differ":     {"x\r\n", "x\n", []Op{{Delete, 0, 1, 0, 0}, {Insert, 1, 1, 0, 1}}},
		"invalid bytes differ": {"caf\xe9\n", "caf\xe8\n", []Op{{Delete, 0, 1, 0, 0}, {Insert, 1, 1, 0, 1}}},
	} {
		t.Run(name, func(t *testing.T) {
			if got := Diff(lines(c.a), lines(c.b)); !slices.Equal(got, c.want) {
				t.Errorf("got %v, want %v", got, c.want)
			}
		})
	}
}

// TestManyDifferentLines crosses the range of the surrogates, which are no runes of a string.
func TestManyDifferentLines(t *testing.T) {
	var a [][]byte
	for i := range 70_000 {
		a = append(a, fmt.Appendf(nil, "line %d", i))
	}
	b := slices.Clone(a)
	b[0], b[69_999] = []byte("first"), []byte("last")
	b = slices.Delete(b, 60_000, 60_002)
	want := []Op{
		{Delete, 0, 1, 0, 0}, {Insert, 1, 1, 0, 1}, {Equal, 1, 60_000, 1, 60_000}, {Delete, 60_000, 60_002, 60_000, 60_000},
		{Equal, 60_002, 69_999, 60_000, 69_997}, {Delete, 69_999, 70_000, 69_997, 69_997}, {Insert, 70_000, 70_000, 69_997, 69_998},
	}
	if got := Diff(a, b); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// TestScript: whatever the sides, the script turns one into the other, is as short as possible, and has the promised
// form; a second call gives the same.
func TestScript(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		side := rapid.SliceOfN(rapid.SampledFrom([][]byte{{}, []byte("a"), []byte("b"), []byte("\r"), []byte("\xff"), []byte("}")}), 0, 30)
		a, b := side.Draw(t, "a"), side.Draw(t, "b")
		ops := Diff(a, b)
		checkScript(t, a, b, ops)
		if again := Diff(a, b); !slices.Equal(ops, again) {
			t.Fatalf("a second call gives %v, not %v", again, ops)
		}
	})
}

func checkScript(t *rapid.T, a, b [][]byte, ops []Op) {
	atA, atB, common := 0, 0, 0
	for i, op := range ops {
		if op.A0 != atA || op.B0 != atB {
			t.Fatalf("op %d of %v does not follow on the one before", i, ops)
		}
		if i > 0 && (op.Kind == ops[i-1].Kind || op.Kind == Delete && ops[i-1].Kind == Insert) {
			t.Fatalf("op %d of %v is out of order", i, ops)
		}
		deleted, inserted := op.A1-op.A0, op.B1-op.B0
		switch op.Kind {
		case Equal:
			if deleted != inserted || deleted == 0 || !slices.EqualFunc(a[op.A0:op.A1], b[op.B0:op.B1], bytes.Equal) {
				t.Fatalf("op %d of %v keeps lines that differ", i, ops)
			}
			common += deleted
		case Delete:
			if deleted == 0 || inserted != 0 {
				t.Fatalf("op %d of %v is no deletion", i, ops)
			}
		case Insert:
			if inserted == 0 || deleted != 0 {
				t.Fatalf("op %d of %v is no insertion", i, ops)
			}
		}
		atA, atB = op.A1, op.B1
	}
	if atA != len(a) || atB != len(b) {
		t.Fatalf("%v does not cover %d and %d lines", ops, len(a), len(b))
	}
	if want := longestCommon(a, b); common != want {
		t.Fatalf("%v keeps %d lines where %d can be kept", ops, common, want)
	}
}

func longestCommon(a, b [][]byte) int {
	row := make([]int, len(b)+1)
	for _, x := range a {
		diagonal := 0
		for j, y := range b {
			best := max(row[j+1], row[j])
			if bytes.Equal(x, y) {
				best = diagonal + 1
			}
			diagonal, row[j+1] = row[j+1], best
		}
	}
	return row[len(b)]
}
