package parser

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/srpatch/srpatch/fsm"
)

// seenDraft is a draft, and how many items came before it.
type seenDraft struct {
	Draft
	items int
}

// scanDrafts reads all of src, and asks for a draft at each pause.
func scanDrafts(src io.Reader, size int) (items []Item, drafts []seenDraft, err error) {
	s := NewScanner(src, WithPauses())
	s.in.buf = make([]byte, size)
	for it := range s.Items() {
		if it != (Item{}) {
			items = append(items, it)
			continue
		}
		if d, ok := s.Draft(); ok {
			d.Search, d.Replace = bytes.Clone(d.Search), bytes.Clone(d.Replace)
			drafts = append(drafts, seenDraft{d, len(items)})
		}
	}
	return items, drafts, s.Err()
}

func itemsOf(s *Scanner) []Item { return slices.Collect(s.Items()) }

// itemsOfWhole are the items of a reply that is there at once.
func itemsOfWhole(reply []byte) []Item {
	s := newScanner(nil)
	s.in.buf, s.in.end, s.in.eof = reply, len(reply), true
	return itemsOf(s)
}

func sameItems(a, b []Item) string {
	for i := range min(len(a), len(b)) {
		x, y := a[i], b[i]
		if x.Block != nil && y.Block != nil {
			m, n := normal(*x.Block), normal(*y.Block)
			x.Block, y.Block = &m, &n
		}
		if !reflect.DeepEqual(x, y) {
			return fmt.Sprintf("item %d is %s, not %s", i+1, showItem(a[i]), showItem(b[i]))
		}
	}
	if len(a) != len(b) {
		return fmt.Sprintf("%d items, not %d", len(a), len(b))
	}
	return ""
}

func showItem(it Item) string {
	switch {
	case it.Block != nil:
		return fmt.Sprintf("%+v", *it.Block)
	case it.Shell != nil:
		return fmt.Sprintf("%+v", *it.Shell)
	case it.Noticed != nil:
		return fmt.Sprintf("%+v", *it.Noticed)
	case it.Diagnostic != nil:
		return fmt.Sprintf("%+v", *it.Diagnostic)
	}
	return "a pause"
}

// checkDraft holds what Draft promises against the items of the whole.
func checkDraft(t fataler, reply []byte, d *seenDraft, items []Item) {
	for _, it := range items[d.items:] {
		switch b, a := it.Block, it.Attempt; {
		case b != nil && b.Lines[0] == d.Lines[0]:
			if d.Path != "" && d.Path != b.Path {
				t.Fatalf("the draft %+v is for another file than %+v of\n%s", d, *b, reply)
			}
			if !bytes.HasPrefix(b.Search, d.Search) && !marginMayGo(reply, d.Lines[0]) && !startsWithRule(b) {
				t.Fatalf("SEARCH of the draft in lines %v is %q, of the block %q in\n%s", d.Lines, d.Search, b.Search, reply)
			}
			return
		case a != nil && a.Lines[0] <= d.Lines[0] && d.Lines[0] <= a.Lines[1], it.Diagnostic != nil && it.Diagnostic.Line == d.Lines[0]:
			return
		case it.Diagnostic != nil && it.Diagnostic.Code == string(fsm.TooLong):
			return
		}
	}
	t.Fatalf("nothing came of the draft %+v of\n%s", d, reply)
}

// marginMayGo reports whether the opener in a line is indented or quoted.
func marginMayGo(reply []byte, line int) bool {
	lines := bytes.SplitAfter(reply, []byte("\n"))
	return len(fsm.Classify(lines[line-1]).Prefix) > 0
}

// startsWithRule reports whether SEARCH begins with a line that separates a head from it, as a rule.
func startsWithRule(b *Block) bool { return bytes.HasPrefix(b.Search, []byte("---")) }

// checkStream reads a reply in pieces: the items are those of the whole, in their order, and drafts are what they promise.
func checkStream(t fataler, reply []byte, src io.Reader, size int) (drafts int) {
	want := itemsOfWhole(bytes.Clone(reply))
	got, seen, err := scanDrafts(src, size)
	if err != nil {
		t.Fatalf("%v", err)
	}
	if diff := sameItems(got, want); diff != "" {
		t.Fatalf("%s in\n%s", diff, reply)
	}
	for i := range seen {
		checkDraft(t, reply, &seen[i], want)
	}
	return len(seen)
}

// everyReply calls f with all replies of the tables, with both line ends.
func everyReply(t testing.TB, f func(reply []byte)) {
	both := func(reply []byte) {
		f(reply)
		f(bytes.ReplaceAll(reply, []byte("\n"), []byte("\r\n")))
	}
	for _, table := range markerTables {
		markerReplies(t, table, func(_ string, reply []byte, _ *[]byte) { both(reply) })
	}
	conformance(t, func(_, _ string, reply []byte, _ *[]byte) { both(reply) })
}

func TestStreamsAreReadAsTheWhole(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 1))
	drafts := 0
	everyReply(t, func(reply []byte) {
		drafts += checkStream(t, reply, iotest.OneByteReader(bytes.NewReader(reply)), 64)
		drafts += checkStream(t, reply, &chunks{bytes.Clone(reply), rnd}, 300)
	})
	if drafts < 10000 {
		t.Errorf("only %d drafts seen", drafts)
	}
}

// TestDraft reads one byte after the other; want has the drafts that differ from the one before.
func TestDraft(t *testing.T) {
	for name, c := range map[string]struct{ reply, want string }{
		"both sides": {"a.py\n<<<<<<< SEARCH\nold\n=======\nnew\n>>>>>>> REPLACE\n", `
			a.py "" | a.py "o" | a.py "ol" | a.py "old" | a.py "old\n" | a.py "old\n" "" | a.py "old\n" "n" | a.py "old\n" "ne" |
			a.py "old\n" "new" | a.py "old\n" "new\n"`},
		"what may be a marker waits for its line to end": {"<<<<<<< SEARCH\n  =x\n", ` "" |  "  =x\n"`},
		"no part of a character":                         {"<<<<<<< SEARCH\naé世", ` "" |  "a" |  "aé" |  "aé世"`},
		"a head, and its line":                           {"<<<<<<< SEARCH\n:start_line:7\n-------\na", ` "" | 7 "" | 7 "a"`},
		"indented as a whole":                            {"  <<<<<<< SEARCH\n  a\n  =======\n  b", ` "" |  "a" |  "a\n" |  "a\n" "" |  "a\n" "b"`},
		"an escaped marker":                              {"<<<<<<< SEARCH\n\\=======\n", ` "" |  "=======\n"`},
		"a divider unlike the opener is text if one like it follows": {"<<<<<<< SEARCH\n=====\n=======\n",
			` "" |  "" "" |  "=====\n" ""`},
		"a new file that may be no file's name": {"a.py\n<<<<<<< SEARCH\nx\n=======\ny\n>>>>>>> REPLACE\n```js\n<<<<<<< SEARCH\n=======\nz", `
			a.py "" | a.py "x" | a.py "x\n" | a.py "x\n" "" | a.py "x\n" "y" | a.py "x\n" "y\n" |  "" |  "" "" |  "" "z"`},
		"one that waits for the lines after it": {"a.py\n```\n<<<<<<< SEARCH\nx\n=======\n>>>>>>> REPLACE\n\n", `
			a.py "" | a.py "x" | a.py "x\n" | a.py "x\n" "" | a.py "x\n" "" closed`},
		"what may be a merge conflict": {"<<<<<<< HEAD\na\n=======\nb", ""},
		"prose":                        {"Some text.\n\na.py\n```\ncode\n", ""},
	} {
		t.Run(name, func(t *testing.T) {
			_, drafts, err := scanDrafts(iotest.OneByteReader(strings.NewReader(c.reply)), 64)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, d := range drafts {
				text := d.Path + " "
				if d.StartLine > 0 {
					text = fmt.Sprintf("%d ", d.StartLine)
				}
				text += fmt.Sprintf("%q", d.Search)
				if d.InReplace {
					text += fmt.Sprintf(" %q", d.Replace)
				}
				if d.Closed {
					text += " closed"
				}
				if len(got) == 0 || got[len(got)-1] != text {
					got = append(got, text)
				}
			}
			want := strings.Trim(strings.ReplaceAll(strings.ReplaceAll(c.want, "|\n\t\t\t", "| "), "\n\t\t\t", ""), "\n")
			if have := strings.Join(got, " | "); have != want {
				t.Errorf("got  %s\nwant %s", have, want)
			}
		})
	}
}

// A rule below a divider that turns out to be text shows nothing about the rule above it, and a divider below a closer that counts nothing
// about the one above it.
func TestDraftWithUnlikelyMarkers(t *testing.T) {
	for _, text := range []string{
		"a.py\n<<<<<<<< SEARCH\n:end_line:7\n-------\n=======\n-------\n========\n>>>>>>>> REPLACE\n",
		"<<<<<<< SEARCH\n========\n>>>>>>>> REPLACE\n\nMakefile\n------- SEARCH\n=======\n+++++++ REPLACE\n",
		"a.py\n<<<<<<<< SEARCH\n> <<<<<<< SEARCH\n> =======\n========\n>>>>>>>> REPLACE\n",
		"a.py\n<<<<<<< SEARCH\n> x = 1\n> =======\n> x = 2\n> >>>>>>> REPLACE\n",
	} {
		reply := []byte(text)
		if n := checkStream(t, reply, iotest.OneByteReader(bytes.NewReader(reply)), 8); n == 0 {
			t.Errorf("no drafts in %q", text)
		}
	}
}
