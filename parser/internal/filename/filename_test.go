package filename

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestOfLine(t *testing.T) {
	for _, c := range []struct {
		line, name string
		how        Strength
	}{
		{"src/a.py\n", "src/a.py", Plain},
		{"Makefile\n", "Makefile", Plain},
		{"### `src/a.py`\n", "src/a.py", marked},
		{"**File:** src/a.py\n", "src/a.py", marked},
		{"File: `the plan`\n", "the plan", marked},
		{"src/a.py:12\n", "src/a.py", Plain},
		{"`my notes.md`\n", "my notes.md", marked},
		{"**All of my notes.md**\n", "All of my notes.md", Weak},
		{"$HOME/a.py\n", "$HOME/a.py", Plain},
		{"python\n", "", none},
		{"https://example.org/a.py\n", "", none},
		{"and/or\n", "and/or", Weak},
		{"e.g.\n", "", none},
		{"This is a sentence.\n", "", none},
		{"----\n", "", none},
		{strings.Repeat("a", MaxLine) + ".py\n", "", none},
	} {
		if name, how := OfLine([]byte(c.line)); how != c.how || how != none && name != c.name {
			t.Errorf("OfLine(%.40q) = %q, %d; want %q, %d", c.line, name, how, c.name, c.how)
		}
	}
}

func TestSearch(t *testing.T) {
	for _, c := range []struct {
		above      string // the lines above a block, as they are in the reply
		path       string
		candidates []string
	}{
		{"src/a.py\n```python\n", "src/a.py", nil},
		{"```python:src/a.py\n", "src/a.py", nil},
		{"src/a.py\n\n```\n", "src/a.py", nil},
		{"```\nsrc/a.py\n```\n```python\n", "src/a.py", nil},
		{"src/a.py\nb.py\n", "b.py", nil},
		{"src/a.py\n(unchanged below)\n", "src/a.py", nil},
		{"In `src/a.py` the handler is as long as before, so we make it shorter:\n", "", []string{"src/a.py"}},
		{"- src/a.py\n- src/b.py\n", "", []string{"src/a.py", "src/b.py"}},
		{"src/a.py\n```\nx = 1\n```\n```python\n", "", nil}, // another fence is between them
		{"one\ntwo\nthree\nfour\n", "", nil},
		{"", "", nil},
	} {
		lines := slices.Collect(strings.Lines(c.above))
		var nearest [][]byte
		for _, line := range slices.Backward(lines) {
			nearest = append(nearest, []byte(line))
		}
		var f Found
		f.Search(nearest, nil, &Memo{})
		var names []string
		for _, n := range f.Names {
			if strings.Contains(n.Text, ".") {
				names = append(names, n.Text)
			}
		}
		slices.Sort(names)
		if f.Path != c.path || !slices.Equal(names, c.candidates) {
			t.Errorf("above %q: %q, %q; want %q, %q", c.above, f.Path, names, c.path, c.candidates)
		}
	}
}

func TestCandidatesAreFew(t *testing.T) {
	var f Found
	for i := range 2 * MaxNames {
		f.Add(Name{Text: fmt.Sprintf("%d.py", i/2)})
	}
	f.Add(Name{Text: "last.py"})
	if got := f.Names; len(got) != MaxNames || got[MaxNames-1].Text != "7.py" {
		t.Errorf("%d candidates: %v", len(got), got)
	}
}

func TestWords(t *testing.T) {
	for _, c := range []struct {
		word            string
		language, known bool
		extension       bool // a name that ends in it has a known one
		same            string
	}{
		{"python", true, false, false, "python"},
		{"Python", true, false, false, "python"},
		{"py", true, false, true, "python"},
		{"tsx", true, false, true, "javascript"},
		{"c#", true, false, false, "csharp"},
		{"go.mod", true, true, true, ""},
		{"Dockerfile", true, true, true, ""},
		{"Dockerfile.dev", false, true, false, ""},
		{"LICENSE", false, true, false, ""},
		{"path", false, false, false, ""},
		{"zsh", true, false, true, ""}, // the last of its section
		{"", false, false, false, ""},
	} {
		if IsLanguage(c.word) != c.language || IsKnown(c.word) != c.known ||
			HasKnownExt("a."+c.word) != c.extension || LanguageOf(c.word) != c.same {
			t.Errorf("%q: %v, %v, %v, %q", c.word, IsLanguage(c.word), IsKnown(c.word),
				HasKnownExt("a."+c.word), LanguageOf(c.word))
		}
	}
}

func TestSaysDelete(t *testing.T) {
	for line, want := range map[string]bool{
		"Delete `src/a.py`:\n":               true,
		"### 2. Remove the file src/a.py\n":  true,
		"Delete the line from `src/a.py`:\n": false,
		"Delete `a` in `src/a.py`:\n":        false,
		"Delete `src/a.py` and `src/b.py`\n": false,
		"We delete `src/a.py`\n":             false,
		"Delete it\n":                        false,
	} {
		if got := SaysDelete([]byte(line)); got != want {
			t.Errorf("SaysDelete(%q) = %v", line, got)
		}
	}
}
