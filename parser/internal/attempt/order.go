package attempt

import (
	"bytes"
	"math/bits"

	"github.com/srpatch/srpatch/parser/internal/envelope"
)

// When says at which point on a line's way through the parser a watcher is asked. The points are in the order of that way.
type When uint8

// The points.
const (
	// AtFirst is before anything else: what was begun goes on.
	AtFirst When = iota
	// AtFence is after a line that opens or closes a fence.
	AtFence
	// AtMarker is for lines that are no markers of a block.
	AtMarker
	// AtText is for lines with which no envelope begins either.
	AtText

	points = iota
)

// Watchers are all watchers, each with what it has seen.
type Watchers struct {
	marker marker
	json   json
	call   call
	words  words
	tags   tags

	order    [rows]Watcher // in their order
	reads    uint16        // a bit for each that the request needs
	callable bool          // calls and JSON are looked for
}

// Request is what is read.
type Request struct {
	Format  string // "" for all
	Markers bool   // blocks between markers are
	Bare    bool   // nothing else is
}

// row is a watcher in the table.
type row struct {
	when  When
	first string // the bytes with which a line that it looks at begins, after blanks; "" for any
	who   Watcher
	reads bool // the request reads edits of which those are failed attempts
}

const rows = 11

// table has the watchers in the order in which they are asked:
//
//   - JSON that has begun goes on over any line, for a text in it may look like a fence or a marker. What begins is looked at below, after
//     envelopes, because most of what begins like JSON is JSON;
//   - a fence ends a call, and labels are above fences;
//   - markers come before envelopes, whose signs they may have around them;
//   - of what is left, a call comes first, as it may begin anywhere in a line; then what one line decides, for it is certain; then tags and
//     words, which need a second line; last a string that holds a whole reply.
func (w *Watchers) table(r Request) [rows]row {
	all := r.Format == "" && !r.Bare
	callable := !r.Bare && (r.Format == "" || r.Format == envelope.JSON)
	return [...]row{
		{AtFirst, "", &w.json, callable},
		{AtFence, "", &w.call, callable},
		{AtFence, "", &w.words, all},
		{AtMarker, "", &w.marker, r.Markers},
		{AtText, "", &w.json, callable},
		{AtText, "", &w.call, callable},
		{AtText, "<*-", cut{}, true},
		{AtText, "<", foreign{}, all},
		{AtText, "<", &w.tags, all},
		{AtText, "FSR", &w.words, all},
		{AtText, `"`, quoted{}, all},
	}
}

// Begin begins to watch.
func (w *Watchers) Begin(r Request) {
	for i, row := range w.table(r) {
		w.order[i] = row.who
		if row.reads {
			w.reads |= 1 << i
			w.callable = w.callable || row.who == &w.call
		}
	}
}

// masks say which rows are due, a bit for each.
type masks struct {
	at   [points]uint16 // at a point
	any  uint16         // for lines with any first byte
	some [256]uint16    // for lines with a certain one
}

var due = newMasks()

func newMasks() *masks {
	m := &masks{}
	for i, row := range new(Watchers).table(Request{}) {
		m.at[row.when] |= 1 << i
		if row.first == "" {
			m.any |= 1 << i
		}
		for _, c := range []byte(row.first) {
			m.some[c] |= 1 << i
		}
	}
	return m
}

// Ask asks the watchers that are due at a point, in their order. It returns the first finding; nil if there is none.
func (w *Watchers) Ask(when When, l *Line) *Finding {
	l.Asked = when
	var first byte
	if text := bytes.TrimLeft(l.Raw, " \t"); len(text) > 0 {
		first = text[0]
	}
	for rows := w.reads & due.at[when] & (due.any | due.some[first]); rows != 0; rows &= rows - 1 {
		if f := w.order[bits.TrailingZeros16(rows)].Watch(l); f != nil {
			return f
		}
	}
	return nil
}

// Notice tells all watchers of an event.
func (w *Watchers) Notice(e Event) {
	for _, who := range [...]Watcher{&w.marker, &w.json, &w.call, &w.words, &w.tags} {
		who.Notice(e)
	}
}

// Following reports whether lines are watched that begin like nothing special.
func (w *Watchers) Following() bool { return w.json.lines > 0 }

// MayBegin reports quickly whether a line that begins like nothing special has to be shown to [Watchers.Prose].
func (w *Watchers) MayBegin(raw []byte) bool { return w.callable && (w.call.lines > 0 || mayCall(raw)) }

// Prose looks at a line that begins like nothing special: only a call may begin or go on in it.
func (w *Watchers) Prose(l *Line) *Finding {
	l.Asked = AtText
	return w.call.Watch(l)
}

// Reject hands over lines that an envelope took for JSON.
func (w *Watchers) Reject(r *envelope.Rejection, scene Scene) {
	if w.json.lines == 0 {
		w.json.begin(r, scene)
	}
}

// Close looks at a closer of a block that was not opened. ended says that it ends an attempt, which may be no more than an example; then
// there is no finding.
func (w *Watchers) Close(l *Line) (f *Finding, ended bool) {
	ended = w.marker.sure || w.marker.divided
	if ended {
		f = w.marker.report(l)
	}
	w.marker = marker{}
	return f, ended
}

// ForgetMarker forgets a marker at or below a line, because it is part of something else.
func (w *Watchers) ForgetMarker(since int) {
	if w.marker.line >= since {
		w.marker = marker{}
	}
}

// one is a watcher that a single line decides.
type one struct{}

func (one) Notice(Event) {}
