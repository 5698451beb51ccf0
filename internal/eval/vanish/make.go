package vanish

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// Case is a reply with one damaged edit.
type Case struct {
	// ID names the reply and the number of the case.
	ID string
	// Form is how the edit is written, or "as_written" if that is unchanged. Damage says what
	// happened to it then, or is "".
	Form, Damage string
	// Reply is the damaged reply.
	Reply string
	// Lines are the first and last line of the damaged edit in Reply, 1-based and inclusive; the
	// last is less than the first if nothing of it is left.
	Lines [2]int
	// Edit is what the edit asks for.
	Edit Edit
	// Nameless says that nothing in these lines names the file anymore.
	Nameless bool
	// Neighbours are the edits around it.
	Neighbours []Neighbour
}

// Mutation returns a name for form and damage, as tables have it.
func (c *Case) Mutation() string {
	switch {
	case c.Form == asWritten && c.Damage == "":
		return "nothing"
	case c.Form == asWritten:
		return c.Damage
	case c.Damage == "":
		return "as " + c.Form
	default:
		return "as " + c.Form + ", damaged"
	}
}

const asWritten = "as_written"

// Maker makes cases.
type Maker struct {
	seed    uint64
	replies []Reply
	places  bag[int] // indices of the replies with edits to damage
	sites   map[int][]site
	donors  bag[Edit]
	forms   []form
	damages []damage
}

// NewMaker returns a maker of cases. It skips replies that aren't fully understood.
func NewMaker(replies []Reply, seed uint64) (*Maker, error) {
	m := &Maker{seed: seed, replies: replies, sites: map[int][]site{}, forms: forms(), damages: damages()}
	for i, r := range replies {
		s := sites(r.Text)
		if len(s) == 0 {
			continue
		}
		m.places.put(i, r.Text)
		m.sites[i] = s
		for _, x := range s {
			if x.edit.Search != "" && strings.Count(x.edit.Search+x.edit.Replace, "\n") < 20 &&
				strings.HasSuffix(x.edit.Search, "\n") {
				m.donors.put(x.edit, x.edit.Path+"\n"+x.edit.Search+x.edit.Replace)
			}
		}
	}
	if len(m.donors.items) == 0 {
		return nil, errors.New("no reply has an edit that could be damaged")
	}
	return m, nil
}

// Replies counts the replies from which cases are made, and their edits.
func (m *Maker) Replies() (replies, edits int) {
	for _, s := range m.sites {
		edits += len(s)
	}
	return len(m.places.items), edits
}

// maxTries bounds how many draws a case may take.
const maxTries = 200

// Case returns case n, or nil if no draw fits together.
func (m *Maker) Case(n int) *Case {
	r := rand.New(rand.NewPCG(m.seed, uint64(n)))
	for range maxTries {
		var f *form
		var d *damage
		kind := n % 4 // half of the cases keep their form, a quarter only change it
		if len(m.damages) > 0 && (kind != 2 || len(m.forms) == 0) {
			d = &m.damages[r.IntN(len(m.damages))]
		}
		if len(m.forms) > 0 && (kind >= 2 || len(m.damages) == 0) {
			f = &m.forms[r.IntN(len(m.forms))]
		}
		for _, reply := range m.places.draw(r.Uint64(), 8) {
			if c := m.make(rand.New(rand.NewPCG(m.seed, reply.key)), reply.thing, f, d); c != nil {
				c.ID = fmt.Sprintf("%s#%d", c.ID, n)
				return c
			}
		}
	}
	return nil
}

// Untouched returns undamaged cases, with an edit of each reply.
func (m *Maker) Untouched() (out []*Case) {
	for _, reply := range m.places.items {
		r := rand.New(rand.NewPCG(m.seed, reply.key))
		for range 8 {
			if c := m.make(r, reply.thing, nil, nil); c != nil {
				out = append(out, c)
				break
			}
		}
	}
	return out
}

func (m *Maker) make(r *rand.Rand, reply int, f *form, d *damage) *Case {
	s, text, ok := m.place(r, reply)
	if !ok {
		return nil
	}
	c := &Case{ID: m.replies[reply].ID, Form: asWritten, Edit: s.edit}
	l := s.layout
	if f != nil {
		c.Form, c.Edit, l = f.name, f.truth(s.edit), f.write(s.edit)
	}
	if d != nil && d.frame && f != nil && len(l.all(signRoles)) == 0 {
		return nil
	}
	if d != nil && l != nil {
		c.Damage = d.name
		whole := l
		if l = d.damage(r, l, f == nil); d.words && l != nil && !sameWords(s.edit, whole, l) {
			l = nil
		}
	}
	if l == nil {
		return nil
	}
	c.Nameless = !strings.Contains(l.text(), s.edit.Path)
	if f != nil && s.shared != "" {
		l = slices.Concat(layout{{unfence, "```"}}, l, layout{{fence, s.shared}})
	}
	c.write(splitLines(text), s, l, d != nil && d.cuts)
	return c
}

// sameWords reports whether a damaged layout has each text of an edit that the whole one has.
func sameWords(e Edit, whole, damaged layout) bool {
	before, after := whole.text(), damaged.text()
	for _, side := range [...]string{e.Search, e.Replace, patchOf(e)} {
		for _, text := range [...]string{strings.TrimSuffix(side, "\n"), strings.Trim(inJSON(side), `"`)} {
			if strings.Contains(before, text) && !strings.Contains(after, text) {
				return false
			}
		}
	}
	return true
}

// damage damages a layout. A written form may have other markers than the reply.
func (d *damage) damage(r *rand.Rand, l layout, written bool) layout {
	if d.markers && !written && len(l.all(markerRoles)) == 0 {
		return nil
	}
	return d.do(r, l)
}

// place draws an edit of a reply. A reply with one edit gets another one, before or after it.
func (m *Maker) place(r *rand.Rand, reply int) (site, string, bool) {
	all, text := m.sites[reply], m.replies[reply].Text
	s := pick(r, all)
	if len(s.neighbours) > 0 {
		return s, text, true
	}
	if !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	before := r.IntN(2) == 0
	for _, donor := range m.donors.draw(r.Uint64(), 3) {
		if donor.thing.Path == s.edit.Path || sameSides(donor.thing, s.edit) {
			continue
		}
		other := forms()[0].write(donor.thing)
		if other == nil {
			continue
		}
		both := text + "\n" + other.text()
		if before {
			both = other.text() + "\n" + text
		}
		// With the other edit, the reply must still be understood and its own edit unchanged.
		now := sites(both)
		if i := slices.IndexFunc(now, func(o site) bool { return o.edit == s.edit }); len(now) == 2 && i >= 0 {
			return now[i], both, true
		}
	}
	return s, "", false
}

// write replaces an edit with a layout.
func (c *Case) write(lines []string, s site, l layout, cut bool) {
	rest := lines[s.to:]
	if cut {
		rest = nil
	}
	head := strings.Join(lines[:s.from], "\n")
	if s.from > 0 {
		head += "\n"
	}
	c.Reply = head + l.text()
	if len(rest) > 0 {
		c.Reply += strings.Join(rest, "\n") + "\n"
	}
	if cut {
		c.Reply = strings.TrimSuffix(c.Reply, "\n")
	}
	c.Lines = [2]int{s.from + 1, s.from + len(splitLines(l.text()))}
	if len(l) == 0 {
		c.Lines[1] = s.from
	}
	shift := c.Lines[1] - s.to
	for _, n := range s.neighbours {
		if n.Lines[0] > s.to {
			if cut {
				continue
			}
			n.Lines[0] += shift
			n.Lines[1] += shift
		}
		c.Neighbours = append(c.Neighbours, n)
	}
}
