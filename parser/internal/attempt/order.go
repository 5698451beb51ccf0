package attempt

import (
	"github.com/srpatch/srpatch/parser/internal/envelope"
)

// When says at which point on a line's way through the parser a watcher is asked. The points are in the order of that way.
type When uint8

const (
	// AtFirst is before anything else: what was begun goes on.
	AtFirst When = 1 << iota
	// AtFence is after a line that opens or closes a fence.
	AtFence
	// AtMarker is for lines that are no markers of a block.
	AtMarker
	// AtText is for lines with which no envelope begins either.
	AtText
)

// row is a watcher in the table.
type row struct {
	Watcher
	when  When
	reads bool // the request reads edits of which the watcher's are failed attempts
}

// Watchers are all watchers, each with what it has seen.
type Watchers struct {
	marker marker
	json   json
	call   call
	words  words
	tags   tags
	rows   [9]row

	callable bool // calls and JSON are looked for
}

// Request is what is read.
type Request struct {
	Format  string // "" for all
	Markers bool   // blocks between markers are
	Bare    bool   // nothing else is
}

// Begin makes the table, which is the order of the watchers:
//
//   - JSON that has begun goes on over any line, for a text in it may look like a fence. It begins below, after markers and
//     envelopes, because most of what begins like it is JSON indeed;
//   - labels are above fences, so they are looked at where one opens; a fence ends a call;
//   - markers come before envelopes, whose signs they may have inside;
//   - of the others a call comes first, as it may begin anywhere in a line; then come those that one line decides, for they are certain; then
//     tags and words, which need a second line; last a string, which is a whole reply in quotes.
func (w *Watchers) Begin(r Request) {
	all := r.Format == "" && !r.Bare
	w.callable = !r.Bare && (r.Format == "" || r.Format == envelope.JSON)
	w.rows = [...]row{
		{&w.json, AtFirst | AtText, w.callable},
		{&w.marker, AtMarker, r.Markers},
		{&w.call, AtFence | AtText, w.callable},
		{&w.words, AtFence, all},
		{cut{}, AtText, true},
		{foreign{}, AtText, all},
		{&w.tags, AtText, all},
		{&w.words, AtText, all},
		{quoted{}, AtText, all},
	}
}

// Ask asks the watchers that are due at a point, in their order. It returns the first finding; nil if there is none.
func (w *Watchers) Ask(when When, l *Line) *Finding {
	l.Asked = when
	for i := range w.rows {
		if r := &w.rows[i]; r.when&when != 0 && r.reads {
			if f := r.Watch(l); f != nil {
				return f
			}
		}
	}
	return nil
}

// Notice tells all watchers of an event.
func (w *Watchers) Notice(e Event) {
	for i := range w.rows {
		w.rows[i].Notice(e)
	}
}

// Following reports whether lines are watched that begin like nothing special.
func (w *Watchers) Following() bool { return w.json.lines > 0 }

// MayBegin reports quickly whether a line that begins like nothing special has to be shown to [Watchers.Prose].
func (w *Watchers) MayBegin(raw []byte) bool { return w.callable && (w.call.lines > 0 || mayCall(raw)) }

// Prose looks at a line that begins like nothing special: only a call may begin or go on in it.
func (w *Watchers) Prose(l *Line) *Finding { return w.call.Watch(l) }

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
