package attempt

import (
	"strings"
	"testing"

	"github.com/srpatch/srpatch/fsm"
)

// page is the scene of a text in which no fence is open, with all edits for one file.
type page struct{ file named }

func (p page) File(fsm.Pos) File { return p.file }

func (p page) LabelAbove(at fsm.Pos) ([]byte, fsm.Pos) { return nil, at }

func (p page) Above(int) [][]byte { return nil }

func (p page) Fence() (line int, code, open bool) { return 0, false, false }

// fenced is a page in which a fence is open.
type fenced struct{ page }

func (fenced) Fence() (line int, code, open bool) { return 1, false, true }

// The head of a diff says only in a fence that it is one: "--- a.py" may be a rule with words.
func TestHeadOfADiffIsCutInAFence(t *testing.T) {
	for line, want := range map[string]bool{"--- a/sr": true, "@@ -3": true, "--- a word": false, "--- a/sr\n": false} {
		f := cut{}.Watch(&Line{Raw: []byte(line), Scene: fenced{}})
		if got := f != nil; got != want {
			t.Errorf("%q: %v", line, f)
		}
	}
}

// named is a file with the name next to the edit; "" if it has none.
type named string

func (n named) Path() string    { return string(n) }
func (n named) Direct() bool    { return n != "" }
func (n named) Inherited() bool { return false }
func (n named) Offered() bool   { return false }

// findings are the codes of what the watchers find in a text, when they are asked about each line at all points.
func findings(w *Watchers, text string, file named) string {
	var codes []string
	scene := page{file}
	number := 0
	for raw := range strings.Lines(text) {
		number++
		var first byte
		if begin := strings.TrimLeft(raw, " \t"); begin != "" {
			first = begin[0]
		}
		l := &Line{Scene: scene, Mark: fsm.Classify([]byte(raw))}
		l.Set([]byte(raw), first, fsm.Pos{Line: number})
		for _, when := range [...]When{AtFirst, AtMarker, AtText} {
			if f := w.Ask(when, l); f != nil {
				codes = append(codes, f.Code)
				break
			}
		}
	}
	return strings.Join(codes, " ")
}

func TestWatchers(t *testing.T) {
	for _, c := range []struct {
		name string
		bare bool
		text string
		file named
		want string
	}{
		{"words of an edit", false, "FIND:\na = 1\nREPLACE WITH:\na = 2\n", "a.py", "malformed"},
		{"words without a file", false, "FIND:\na = 1\nREPLACE WITH:\na = 2\n", "", ""},
		{"words in the wrong order", false, "REPLACE:\na = 1\nFIND:\na = 2\n", "a.py", ""},
		{"tags", false, "<old_code>\na = 1\n</old_code>\n<new_code>\na = 2\n</new_code>\n", "a.py", "malformed"},
		{"tags without a file", false, "<old_code>\na = 1\n</old_code>\n<new_code>\na = 2\n</new_code>\n", "", ""},
		{"tags of other names", false, "<old_code>\na = 1\n</old_code>\n<new_text>\n", "a.py", ""},
		{"a tool's tag", false, "<write_to_file>\n", "", "malformed"},
		{"a tag of HTML", false, "<div>\n", "a.py", ""},
		{"a cut opener", false, "<<<<<<< SEA", "", "truncated"},
		{"a cut opener that ends its line", false, "<<<<<<< SEA\n", "", ""},
		{"a cut patch", false, "*** Begin P", "", "truncated"},
		{"a cut tag", false, "<original_code file_path=\"src/a", "", "truncated"},
		{"a cut tag of a call", false, "<tool_call>", "", "truncated"},
		{"git's opener, cut in its word", false, "<<<<<<< HE", "", "truncated"},
		{"the head of a diff, cut, without a fence", false, "--- a/b.py", "", ""},
		{"a list that is cut off", false, "* an item", "", ""},
		{"a marker in a comment", false, "# <<<<<<< SEARCH\na\n# =======\nb\n# >>>>>>> REPLACE\n", "a.py", "malformed"},
		{"a call", false, "edit(path=\"a.py\", old_string=\"a\", new_string=\"b\")\n", "", "malformed"},
		{"a call over lines", false, "edit(\n  path=\"a.py\",\n  old_string=\"a\",\n  new_string=\"b\")\n", "", "malformed"},
		{"a call of something else", false, "print(path=\"a.py\", text=\"old\")\n", "", ""},
		{"nothing but markers is read", true, "edit(path=\"a.py\", old_string=\"a\", new_string=\"b\")\n<write_to_file>\n", "", ""},
	} {
		var w Watchers
		w.Begin(c.bare)
		if got := findings(&w, c.text, c.file); got != c.want {
			t.Errorf("%s: found %q, want %q", c.name, got, c.want)
		}
	}
}

// What has begun is forgotten when an edit begins; other events end some attempts, and not others.
func TestNotice(t *testing.T) {
	for _, c := range []struct {
		name        string
		event       Event
		begin, rest string
		want        string
	}{
		{"a word, an edit begins", Begins, "FIND:\n", "REPLACE WITH:\n", ""},
		{"a word, the user speaks", Speaks, "FIND:\n", "REPLACE WITH:\n", "malformed"},
		{"a tag, the user speaks", Speaks, "<old_code>\n", "<new_code>\n", ""},
		{"a tag, an envelope gives edits", Gives, "<old_code>\n", "<new_code>\n", "malformed"},
		{"a call, the user speaks", Speaks, "edit(old_string=\"a\",\n", "path=\"a.py\", new_string=\"b\")\n", "malformed"},
		{"a call, an envelope gives edits", Gives, "edit(old_string=\"a\",\n", "path=\"a.py\", new_string=\"b\")\n", ""},
	} {
		var w Watchers
		w.Begin(false)
		if got := findings(&w, c.begin, "a.py"); got != "" {
			t.Errorf("%s: found %q too early", c.name, got)
		}
		w.Notice(c.event)
		if got := findings(&w, c.rest, "a.py"); got != c.want {
			t.Errorf("%s: found %q, want %q", c.name, got, c.want)
		}
	}
}

func TestMayBegin(t *testing.T) {
	for line, want := range map[string]bool{"edit(\n": true, "x = {\r\n": true, "\"b\")": true, "a, b,\n": true, "It is so.\n": false, "\n": false, "": false} {
		var w Watchers
		w.Begin(false)
		if got := w.MayBegin([]byte(line)); got != want {
			t.Errorf("MayBegin(%q) = %v", line, got)
		}
		w = Watchers{}
		if w.Begin(true); w.MayBegin([]byte(line)) {
			t.Errorf("MayBegin(%q) for markers alone", line)
		}
	}
}
