package linediff

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func lines(s string) Slice {
	var out Slice
	for line := range strings.Lines(s) {
		out = append(out, []byte(line))
	}
	return out
}

func TestDiff(t *testing.T) {
	for name, c := range map[string]struct {
		a, b string
		want []Change
	}{
		"both empty":           {"", "", nil},
		"equal":                {"x\ny\n", "x\ny\n", nil},
		"created":              {"", "x\ny\n", []Change{{0, 0, 0, 2}}},
		"deleted":              {"x\ny\n", "", []Change{{0, 2, 0, 0}}},
		"replaced":             {"x\na\ny\n", "x\nb\nc\ny\n", []Change{{1, 2, 1, 3}}},
		"two regions":          {"a\nk\nb\n", "c\nk\nd\n", []Change{{0, 1, 0, 1}, {2, 3, 2, 3}}},
		"repeated line grows":  {"x\nx\n", "x\nx\nx\n", []Change{{2, 2, 2, 3}}},
		"line ends differ":     {"x\r\n", "x\n", []Change{{0, 1, 0, 1}}},
		"invalid bytes differ": {"caf\xe9\n", "caf\xe8\n", []Change{{0, 1, 0, 1}}},
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
	var a Slice
	for i := range 70_000 {
		a = append(a, fmt.Appendf(nil, "line %d", i))
	}
	b := slices.Clone(a)
	b[0], b[69_999] = []byte("first"), []byte("last")
	b = slices.Delete(b, 60_000, 60_002)
	want := []Change{{0, 1, 0, 1}, {60_000, 60_002, 60_000, 60_000}, {69_999, 70_000, 69_997, 69_998}}
	if got := Diff(a, b); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// TestScript: whatever the sides, the changes turn one into the other, are as short as possible, and apart; a second call
// gives the same.
func TestScript(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		side := rapid.SliceOfN(rapid.SampledFrom([][]byte{{}, []byte("a"), []byte("b"), []byte("\r"), []byte("\xff"), []byte("}")}), 0, 30)
		a, b := Slice(side.Draw(t, "a")), Slice(side.Draw(t, "b"))
		changes := Diff(a, b)
		checkScript(t, a, b, changes)
		if again := Diff(a, b); !slices.Equal(changes, again) {
			t.Fatalf("a second call gives %v, not %v", again, changes)
		}
	})
}

func checkScript(t *rapid.T, a, b Slice, changes []Change) {
	atA, atB, common := 0, 0, 0
	keep := func(toA, toB int) {
		if toA-atA != toB-atB || !slices.EqualFunc(a[atA:toA], b[atB:toB], bytes.Equal) {
			t.Fatalf("%v keeps lines that differ", changes)
		}
		common += toA - atA
	}
	for i, c := range changes {
		if i > 0 && c.A0 == atA || c.A0 == c.A1 && c.B0 == c.B1 {
			t.Fatalf("change %d of %v is none, or part of the one before", i, changes)
		}
		keep(c.A0, c.B0)
		atA, atB = c.A1, c.B1
	}
	keep(len(a), len(b))
	if want := longestCommon(a, b); common != want {
		t.Fatalf("%v keeps %d lines where %d can be kept", changes, common, want)
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
