package parser

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"testing"
)

// counted gives one byte at a time, and counts them.
type counted struct {
	data []byte
	n    int
}

func (c *counted) Read(p []byte) (int, error) {
	if c.n == len(c.data) {
		return 0, io.EOF
	}
	p[0] = c.data[c.n]
	c.n++
	return 1, nil
}

type arrival struct {
	Item
	at int // how many bytes were read
}

func arrivals(reply []byte) (list []arrival) {
	src := &counted{data: reply}
	s := NewScanner(src)
	for it := range s.Items() {
		list = append(list, arrival{it, src.n})
	}
	return list
}

// lastLineOf is the number of the last line that an item is about.
func lastLineOf(it Item) int {
	switch {
	case it.Block != nil:
		return it.Block.Lines[1]
	case it.Shell != nil:
		return it.Shell.Lines[1]
	case it.Noticed != nil:
		return it.Noticed.Lines[1]
	case it.Attempt != nil:
		return it.Attempt.Lines[1]
	}
	return it.Diagnostic.Line
}

// further are beginnings of what may follow. What an item is may depend on them.
func further() []string {
	const rest = "b = 1\n=======\nb = 2\n>>>>>>> REPLACE\n"
	const block = "<<<<<<< SEARCH\n" + rest
	return []string{"", "```\n", "```\n\n", "~~~\n", "x = 1\n", "c.py\nFor this file.\n", "```\nc.py\nFor this file.\n",
		"</source>\nc.py\nFor this file.\n", "+++ REPLACE\n",
		"+++++++ REPLACE\n", "+++++++++ REPLACE\n", ">>>>>>> REPLACE\n", block, "=======\n" + rest, rest + ">>>>>>> REPLACE\n", "=======\n" + rest + ">>>>>>> REPLACE\n",
		block + ">>>>>>> REPLACE\n", "=========\nb\n+++++++++ REPLACE\n"}
}

// decided reports whether an item is sure to come once the text before it is read, as far as further shows.
func decided(text []byte, it Item) (string, bool) {
	for _, f := range further() {
		items := itemsOfWhole(append(bytes.Clone(text), f...))
		if !slices.ContainsFunc(items, func(have Item) bool { return sameItems([]Item{have}, []Item{it}) == "" }) {
			return f, false
		}
	}
	return "", true
}

// TestItemsComeAsSoonAsTheyAreCertain reads byte by byte. An item that comes later than with its last line might have been another
// one at each line end before.
func TestItemsComeAsSoonAsTheyAreCertain(t *testing.T) {
	late := map[string]bool{}
	everyReply(t, func(reply []byte) {
		ends := lineEnds(reply)
		for _, a := range arrivals(reply) {
			last := ends[min(lastLineOf(a.Item), len(ends))-1] // lines may end in CR only
			for _, end := range ends {
				if end < last || end >= a.at || ofEnvelope(a.Item) || isTruncated(a.Item) || isRequest(a.Item) {
					continue
				}
				if _, sure := decided(reply[:end:end], a.Item); sure {
					late[fmt.Sprintf("%d bytes after %q: %s\n%s", a.at-end, tailOf(reply[:end]), showItem(a.Item), reply)] = true
				}
			}
		}
	})
	for text := range late {
		t.Errorf("%s", text)
	}
}

// ofEnvelope reports whether an item is from an envelope, all of whose items come at its end.
func ofEnvelope(it Item) bool {
	if it.Block != nil {
		return slices.Contains(EnvelopeFormats(), it.Block.Dialect)
	}
	return it.Diagnostic != nil && it.Attempt == nil
}

// isRequest reports whether an item is an edit in words, which a block at the end of the reply may carry out.
func isRequest(it Item) bool { return it.Noticed != nil && it.Noticed.new != "" }

// lineEnds are the offsets after the lines.
func lineEnds(text []byte) (ends []int) {
	n := 0
	for line := range bytes.Lines(text) {
		n += len(line)
		ends = append(ends, n)
	}
	return ends
}

// A reply that begins like JSON may be the log of a chat, until it is no longer JSON.
func TestBracketsAtTheBeginningDelayNothing(t *testing.T) {
	const block = "a.py\n<<<<<<< SEARCH\nx\n=======\ny\n>>>>>>> REPLACE\n"
	for _, begin := range []string{"[Note] Two changes.\n", "{ok}\n", "[1, 2]\n", "[1,\n2]\nDone:\n"} {
		reply := []byte(begin + block + "That is all.\n")
		if got := arrivals(reply); len(got) != 1 || got[0].at != len(begin+block) {
			t.Errorf("%q: %+v", begin, got)
		}
	}
}

func TestCutOff(t *testing.T) {
	const block = "a.py\n<<<<<<< SEARCH\nx\n=======\ny\n>>>>>>> REPLACE"
	for reply, want := range map[string]bool{
		block:                                  false,
		block + "\n":                           false,
		block[:30]:                             true,
		block[:30] + "\nb.py\n" + block + "\n": false, // refused, but not at the end
		"Only text.\n```\nx\n":                 false,
		"*** Begin Patch\n*** Update File: a.py\n@@\n-x\n+y\n":                true,
		"*** Begin Patch\n*** Update File: a.py\n@@\n-x\n+y\n*** End Patch\n": false,
		"<think>\n" + block + "\n":                                            true,
		"<<<<<<< HEAD\nx\n=======\ny\n":                                       false, // a merge conflict
		`{"path": "a", "old_string": "x", "new_string": "y"}` + "\n":          false,
		`{"path": "a", "old_string": "x", "new_st`:                            true,
		"a.py\n```\n<<<<<<< SEARCH\nx\n=======\ny\n=======\n```\n":            false, // the second divider is its closer
	} {
		s := NewScanner(bytes.NewReader([]byte(reply)))
		itemsOf(s)
		if s.CutOff() != want {
			t.Errorf("cut off is %v after\n%s", s.CutOff(), reply)
		}
	}
}
