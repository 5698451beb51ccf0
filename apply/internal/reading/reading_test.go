package reading

import (
	"fmt"
	"slices"
	"testing"

	"github.com/srpatch/srpatch/strategy"
)

func TestHabitsAreUndoneWhereTheFileProvesThem(t *testing.T) {
	for _, c := range []struct {
		name, file, search, replace string
		want                        []string // habits: SEARCH -> REPLACE
	}{
		{"line numbers", "a = 1\nb = 2\n", "1 | a = 1\n2 | b = 2\n", "1 | a = 1\n2 | b = 3\n",
			[]string{`[line-numbers]: "a = 1\nb = 2" -> "a = 1\nb = 3\n" at 1`}},
		{"line numbers on SEARCH alone", "x\na = 1\nb = 2\n", "2: a = 1\n3: b = 2\n", "a = 1\nb = 3\n",
			[]string{`[line-numbers]: "a = 1\nb = 2" -> "a = 1\nb = 3\n" at 2`}},
		{"numbers that do not count up give no hint",
			"a = 1\nb = 2\n", "1 | a = 1\n5 | b = 2\n", "1 | a = 1\n5 | b = 3\n",
			[]string{`[line-numbers]: "a = 1\nb = 2" -> "a = 1\nb = 3\n" at 0`}},
		{"entities", "if a < b {\n", "if a &lt; b {\n", "if a &gt; b {\n",
			[]string{`[html-entities]: "if a < b {" -> "if a > b {\n" at 0`}},
		{"entities that the file has", "if a &lt; b {\n", "if a &lt; b {\n", "if a &gt; b {\n", nil},
		{"escaped quotes", "print(\"hi\")\n", `print(\"hi\")` + "\n", `print(\"ho\")` + "\n",
			[]string{`[escaped-quotes]: "print(\"hi\")" -> "print(\"ho\")\n" at 0`,
				`[escapes]: "print(\"hi\")" -> "print(\"ho\")\n" at 0`}},
		{"a fence around both sides", "x = 1\n", "```py\nx = 1\n```\n", "```py\nx = 2\n```\n",
			[]string{`[wrapping]: "x = 1" -> "x = 2\n" at 0`}},
		{"the file's name on the first line", "x = 1\n", "a.py\nx = 1\n", "a.py\nx = 2\n",
			[]string{`[wrapping]: "x = 1" -> "x = 2\n" at 0`}},
		{"no habit", "x = 1\n", "x = 1\n", "x = 2\n", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, r := range Undone(strategy.NewDocument([]byte(c.file)), "a.py",
				New([]byte(c.search), []byte(c.replace), 0)) {
				got = append(got,
					fmt.Sprintf("%s: %q -> %q at %d", r.Habits, r.Bare().Search.Text(),
						r.Replace.Text(), r.Search.Hint))
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

func TestWhatABlockChanges(t *testing.T) {
	for _, c := range []struct {
		name, search, replace string
		hunks                 []Hunk
		facts                 string
	}{
		{"a line", "a\nb\nc\n", "a\nB\nc\n", []Hunk{{1, 2, 1, 2}}, "adds keeps"},
		{"two lines that are not next to each other",
			"a\nb\nc\n", "A\nb\nC\n", []Hunk{{0, 1, 0, 1}, {2, 3, 2, 3}}, "adds keeps"},
		{"a line comes in", "a\nb\n", "a\nx\nb\n", []Hunk{{1, 1, 1, 2}}, "adds inserts keeps"},
		{"a line goes", "a\nb\nc\n", "a\nc\n", []Hunk{{1, 2, 1, 1}}, "keeps"},
		{"the one line that is not blank goes", "a\n\n", "\n", []Hunk{{0, 1, 0, 0}}, "deletes one line"},
		{"all lines go", "a\nb\n", "", []Hunk{{0, 2, 0, 0}}, ""},
		{"blanks at the end of a line", "a\nb\n", "a\nb  \n", []Hunk{{1, 2, 1, 2}}, "adds keeps"},
	} {
		t.Run(c.name, func(t *testing.T) {
			v := New([]byte(c.search), []byte(c.replace), 0)
			if got := v.Hunks(); !slices.Equal(got, c.hunks) {
				t.Errorf("hunks %v, want %v", got, c.hunks)
			}
			facts := ""
			for _, f := range []struct {
				name string
				is   bool
			}{{"adds", v.Adds()}, {"inserts", v.Inserts()},
				{"deletes one line", v.DeletesOneLine()}, {"keeps", v.Keeps()}} {
				if f.is && facts != "" {
					facts += " "
				}
				if f.is {
					facts += f.name
				}
			}
			if facts != c.facts {
				t.Errorf("the block %q, want %q", facts, c.facts)
			}
		})
	}
}

func TestNearestLineThatAReplacedLineComesFrom(t *testing.T) {
	for _, c := range []struct {
		hunk Hunk
		r, s int
	}{
		{Hunk{2, 4, 5, 7}, 5, 2}, // same number of lines: each replaces one
		{Hunk{2, 4, 5, 7}, 6, 3},
		{Hunk{2, 3, 5, 8}, 7, 2}, // more lines than before: the nearest
	} {
		if got := c.hunk.Near(c.r); got != c.s {
			t.Errorf("line %d of %v replaces line %d, want %d", c.r, c.hunk, got, c.s)
		}
	}
}

func TestResultIsLookedForAsSearch(t *testing.T) {
	r := New([]byte("a\nb\n"), []byte("a\nc\n"), 7).Result()
	if got := string(r.Bare().Search.Text()); got != "a\nc" {
		t.Errorf("it is %q", got)
	}
}
