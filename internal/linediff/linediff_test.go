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

// TestShortest: whatever the sides, the changes turn one into the other, are as short as possible,
// and apart; a second call gives the same.
func TestShortest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		side := rapid.SliceOfN(rapid.SampledFrom([][]byte{{}, []byte("a"), []byte("b"),
			[]byte("\r"), []byte("\xff"), []byte("}")}), 0, 30)
		a, b := Slice(side.Draw(t, "a")), Slice(side.Draw(t, "b"))
		changes := Diff(a, b)
		if common, most := checkChanges(t, a, b, changes), longestCommon(a, b); common != most {
			t.Fatalf("%v keeps %d lines where %d can be kept", changes, common, most)
		}
		if again := Diff(a, b); !slices.Equal(changes, again) {
			t.Fatalf("a second call gives %v, not %v", again, changes)
		}
	})
}

// TestDivide: what is compared in parts is a script as well, and keeps the lines that occur once as
// far as they keep their order.
func TestDivide(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var names [][]byte
		for c := 'a'; c <= 'p'; c++ {
			names = append(names, []byte(string(c)))
		}
		side := rapid.SliceOfN(rapid.SampledFrom(names), 0, 30)
		a, b := Slice(side.Draw(t, "a")), Slice(side.Draw(t, "b"))
		all := Change{0, len(a), 0, len(b)}
		left, right, _ := all.intern(a, b)
		kept := checkChanges(t, a, b, all.divide(left, right, rapid.IntRange(0, 20).Draw(t, "most")))
		if once := len(anchors(left, right)); kept < once {
			t.Fatalf("%d lines are kept, of %d that occur once", kept, once)
		}
	})
}

// TestReversedLines would take minutes if all of the lines were compared at once.
func TestReversedLines(t *testing.T) {
	var a Slice
	for i := range 100_000 {
		a = append(a, fmt.Appendf(nil, "line %d", i))
	}
	b := slices.Clone(a)
	slices.Reverse(b)
	if got := Diff(a, b); len(got) == 0 || got[0].A0 != 0 || got[len(got)-1].A1 != len(a) {
		t.Errorf("got %v", got)
	}
}

// checkChanges returns how many lines the changes keep.
func checkChanges(t *rapid.T, a, b Slice, changes []Change) (common int) {
	atA, atB := 0, 0
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
	return common
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
