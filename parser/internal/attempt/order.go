package attempt

import (
	"math/bits"
	"sync"

	"github.com/srpatch/srpatch/parser/internal/envelope"
	"github.com/srpatch/srpatch/parser/internal/mdline"
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
	labels labels
	spelt  spelt
	tags   tags
	anchor anchored
	bars   bars
	keys   keys
	change changes

	due      *masks
	reads    uint32 // a bit for each row of the table that the request needs
	callable bool   // calls and JSON are looked for
	marked   bool   // all formats are
}

// Request is what is read.
type Request struct {
	Format  string // "" for all
	Markers bool   // blocks between markers are
	Bare    bool   // nothing else is
}

// edits says which edits a request has to read for a watcher to be needed: those of which it finds failed attempts.
type edits uint8

const (
	some    edits = iota // any
	markers              // blocks between markers
	calls                // JSON and calls
	all                  // all formats
)

// row is a watcher in the table.
type row struct {
	when  When
	first string       // the bytes with which a line that it looks at begins, after blanks; "" for any
	has   mdline.Signs // of which the line has one; 0 for any line
	who   func(w *Watchers) Watcher
	reads edits
	again bool // it looks at a line of which an envelope made nothing
}

// order has the watchers in the order in which they are asked:
//
//   - JSON that has begun goes on over any line, for a text in it may look like a fence or a marker. What begins is looked at below, after
//     envelopes, because most of what begins like JSON is JSON;
//   - a fence ends a call, and labels are above fences;
//   - markers come before envelopes, whose signs they may have around them;
//   - of what is left, a call comes first, as it may begin anywhere in a line; then what one line decides, for it is certain; then tags, anchors
//     and words, which need a second line; then a string that holds a whole reply; then what is an edit but for what is before it on its line; last, for whatever nobody else knows, what all markers and all calls have in
//     common.
func order() [20]row {
	json := func(w *Watchers) Watcher { return &w.json }
	call := func(w *Watchers) Watcher { return &w.call }
	words := func(w *Watchers) Watcher { return &w.words }
	labels := func(w *Watchers) Watcher { return &w.labels }
	return [...]row{
		{AtFirst, "", 0, json, calls, false},
		{AtFence, "", 0, call, calls, false},
		{AtFence, "", 0, words, all, false},
		{AtFence, "", 0, labels, all, false},
		{AtMarker, "", mdline.Run | mdline.Entity, func(w *Watchers) Watcher { return &w.marker }, markers, false},
		{AtText, "", 0, json, calls, false},
		{AtText, "", 0, call, calls, false},
		{AtText, "<*-@", 0, func(*Watchers) Watcher { return cut{} }, some, true},
		{AtText, "<&", 0, func(*Watchers) Watcher { return foreign{} }, all, false},
		{AtText, "<", 0, func(w *Watchers) Watcher { return &w.tags }, all, false},
		{AtText, "@\xc2", 0, func(w *Watchers) Watcher { return &w.anchor }, all, false},
		{AtText, "FSR", 0, words, all, false},
		{AtText, "", 0, labels, all, false},
		{AtText, `"`, 0, func(*Watchers) Watcher { return quoted{} }, all, false},
		{AtText, veils, mdline.Brace | mdline.Star | mdline.Angle, func(*Watchers) Watcher { return veiled{} }, all, false},
		{AtText, "", mdline.Run, func(w *Watchers) Watcher { return &w.bars }, all, true},
		{AtText, "", mdline.Angle | mdline.Quotes, func(w *Watchers) Watcher { return &w.keys }, all, true},
		{AtText, "", 0, func(w *Watchers) Watcher { return &w.spelt }, all, false},
		{AtText, "", 0, func(*Watchers) Watcher { return sentence{} }, all, false},
		{AtText, "-+@#/>;0123456789", 0, func(w *Watchers) Watcher { return &w.change }, all, true},
	}
}

var table = order()

// Begin begins to watch.
func (w *Watchers) Begin(r Request) {
	w.due = allMasks()
	reads := [...]bool{some: true, markers: r.Markers, all: !r.Bare && r.Format == "",
		calls: !r.Bare && (r.Format == "" || r.Format == envelope.JSON)}
	for i := range table {
		if reads[table[i].reads] {
			w.reads |= 1 << i
		}
	}
	w.callable, w.marked = reads[calls], reads[all]
}

// masks say which rows are due, a bit for each.
type masks struct {
	at    [points]uint32 // at a point
	again uint32         // after an envelope
	first [256]uint32    // for lines with a certain first byte
	has   [256]uint32    // for lines with certain signs
}

var allMasks = sync.OnceValue(newMasks)

func newMasks() *masks {
	m := &masks{}
	for i, row := range table {
		m.at[row.when] |= 1 << i
		if row.again {
			m.again |= 1 << i
		}
		for _, c := range []byte(row.first) {
			m.first[c] |= 1 << i
		}
		for c := range m.first {
			if row.first == "" {
				m.first[c] |= 1 << i
			}
			if row.has == 0 || row.has&mdline.Signs(c) != 0 {
				m.has[c] |= 1 << i
			}
		}
	}
	return m
}

// Ask asks the watchers that are due at a point, in their order. It returns the first finding; nil if there is none.
func (w *Watchers) Ask(when When, l *Line) *Finding {
	l.Asked = when
	f := w.ask(w.due.at[when], l)
	if f != nil {
		w.bars, w.keys, w.labels, w.spelt, w.change.named = bars{}, keys{}, labels{}, spelt{}, false // what they have seen is part of it
	}
	return f
}

// ask asks those of some rows that may have something to say of the line.
func (w *Watchers) ask(rows uint32, l *Line) *Finding {
	for rows &= w.reads & w.due.first[l.First] & w.due.has[l.Signs]; rows != 0; rows &= rows - 1 {
		if f := table[bits.TrailingZeros32(rows)].who(w).Watch(l); f != nil {
			return f
		}
	}
	return nil
}

// Notice tells all watchers of an event.
func (w *Watchers) Notice(e Event) {
	w.marker.Notice(e)
	w.json.Notice(e)
	w.call.Notice(e)
	w.words.Notice(e)
	w.labels.Notice(e)
	w.spelt.Notice(e)
	w.tags.Notice(e)
	w.anchor.Notice(e)
	w.bars.Notice(e)
	w.keys.Notice(e)
	w.change.Notice(e)
}

// Following reports whether lines are watched that begin like nothing special.
func (w *Watchers) Following() bool { return w.json.lines > 0 || w.labels.following() }

// MayBegin reports quickly whether a line that begins like nothing special has to be shown to [Watchers.Prose].
func (w *Watchers) MayBegin(raw []byte) bool {
	return w.callable && (w.call.lines > 0 || mayCall(raw)) || w.marked && (endsInSigns(raw) || mayLabelSide(raw) || w.labels.line > 0 && !w.labels.text || w.spelt.line > 0 || maySpell(raw) || mayRequest(raw))
}

// Prose looks at a line that begins like nothing special: a call may begin or go on in it, or signs may end it.
func (w *Watchers) Prose(l *Line) *Finding {
	l.Asked = AtText
	if w.callable {
		if f := w.call.Watch(l); f != nil {
			w.bars, w.keys, w.spelt = bars{}, keys{}, spelt{}
			return f
		}
		if l.Signs&(mdline.Angle|mdline.Quotes) != 0 {
			if f := w.keys.Watch(l); f != nil && w.marked {
				w.spelt = spelt{}
				return f
			}
		}
	}
	if !w.marked {
		return nil
	}
	if f := w.spelt.Watch(l); f != nil {
		return f
	}
	if f := (sentence{}).Watch(l); f != nil {
		return f
	}
	if f := w.labels.Watch(l); f != nil || !endsInSigns(l.Raw) {
		return f
	}
	return w.bars.Watch(l)
}

// Again looks at a line with which an envelope began of which nothing came: as nobody else knows it, it may be part of what has no form.
// Only V4A's words, behind asterisks, are nobody else's.
func (w *Watchers) Again(l *Line) *Finding {
	if !w.marked || l.First == '*' {
		return nil
	}
	l.Asked = AtText
	return w.ask(w.due.again, l)
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
