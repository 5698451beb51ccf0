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

	due   *masks
	reads uint32 // a bit for each row of the table that is asked
	bare  bool   // nothing but markers is read
}

// row is a watcher in the table.
type row struct {
	when  When
	first string       // the bytes with which a line that it looks at begins, after blanks; "" for any
	has   mdline.Signs // of which the line has one; 0 for any line
	who   func(w *Watchers) Watcher
	bare  bool // it is asked also where nothing but markers is read
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
		{AtFirst, "", 0, json, false, false},
		{AtFence, "", 0, call, false, false},
		{AtFence, "", 0, words, false, false},
		{AtFence, "", 0, labels, false, false},
		{AtMarker, "", mdline.Run | mdline.Entity, func(w *Watchers) Watcher { return &w.marker }, true, false},
		{AtText, "", 0, json, false, false},
		{AtText, "", 0, call, false, false},
		{AtText, "<*-@", 0, func(*Watchers) Watcher { return cut{} }, true, true},
		{AtText, "<&", 0, func(*Watchers) Watcher { return foreign{} }, false, false},
		{AtText, "<", 0, func(w *Watchers) Watcher { return &w.tags }, false, false},
		{AtText, "@\xc2", 0, func(w *Watchers) Watcher { return &w.anchor }, false, false},
		{AtText, "FSR", 0, words, false, false},
		{AtText, "", 0, labels, false, false},
		{AtText, `"`, 0, func(*Watchers) Watcher { return quoted{} }, false, false},
		{AtText, veils, mdline.Brace | mdline.Star | mdline.Angle, func(*Watchers) Watcher { return veiled{} }, false, false},
		{AtText, "", mdline.Run, func(w *Watchers) Watcher { return &w.bars }, false, true},
		{AtText, "", mdline.Angle | mdline.Quotes, func(w *Watchers) Watcher { return &w.keys }, false, true},
		{AtText, "", 0, func(w *Watchers) Watcher { return &w.spelt }, false, false},
		{AtText, "", 0, func(*Watchers) Watcher { return sentence{} }, false, false},
		{AtText, "-+@#/>;0123456789", 0, func(w *Watchers) Watcher { return &w.change }, false, true},
	}
}

var table = order()

// Begin begins to watch; bare says that nothing but markers is read.
func (w *Watchers) Begin(bare bool) {
	w.due, w.bare = allMasks(), bare
	for i := range table {
		if table[i].bare || !bare {
			w.reads |= 1 << i
		}
	}
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
	return !w.bare && (w.call.lines > 0 || mayCall(raw) || endsInSigns(raw) || mayLabelSide(raw) || w.labels.line > 0 && !w.labels.text || w.spelt.line > 0 || maySpell(raw) || mayRequest(raw))
}

// Prose looks at a line that begins like nothing special: a call may begin or go on in it, or signs may end it.
func (w *Watchers) Prose(l *Line) *Finding {
	l.Asked = AtText
	if w.bare {
		return nil
	}
	if f := w.call.Watch(l); f != nil {
		w.bars, w.keys, w.spelt = bars{}, keys{}, spelt{}
		return f
	}
	if l.Signs&(mdline.Angle|mdline.Quotes) != 0 {
		if f := w.keys.Watch(l); f != nil {
			w.spelt = spelt{}
			return f
		}
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
	if w.bare || l.First == '*' {
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
