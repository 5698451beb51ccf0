package parser

import (
	"bytes"
	"fmt"
	"hash/crc32"
	"io"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"testing/iotest"

	"github.com/srpatch/srpatch/internal/effort"
)

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
	return "nothing"
}

// checkStream reads a reply in pieces: the items are those of the whole, in their order.
func checkStream(t fataler, reply []byte, src io.Reader, size int) {
	s := NewScanner(src)
	s.in.buf = make([]byte, size)
	got := itemsOf(s)
	if err := s.Err(); err != nil {
		t.Fatalf("%v", err)
	}
	if diff := sameItems(got, itemsOfWhole(bytes.Clone(reply))); diff != "" {
		t.Fatalf("%s in\n%s", diff, reply)
	}
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
	everyReply(t, func(reply []byte) {
		if !effort.Tries(string(reply), 4) {
			return
		}
		rnd := rand.New(rand.NewPCG(uint64(crc32.ChecksumIEEE(reply)), 1)) // of the reply alone, whatever others there are
		checkStream(t, reply, iotest.OneByteReader(bytes.NewReader(reply)), 64)
		checkStream(t, reply, &chunks{bytes.Clone(reply), rnd}, 300)
	})
}
