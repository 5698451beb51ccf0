package eval

import (
	"slices"
	"strings"
)

// op says where a row occurs: in the file before, in the file after, in SEARCH, in REPLACE.
type op struct{ before, after, search, replace bool }

// The rows a block and its file can have between them.
var (
	kept     = op{true, true, true, true}
	deleted  = op{before: true, search: true}
	added    = op{after: true, replace: true}
	unsaid   = op{before: true, after: true}   // in the file, left out of the block
	invented = op{search: true, replace: true} // in the block, not in the file
	misread  = op{search: true}                // in SEARCH only, and not in the file
	present  = op{true, true, false, true}     // in the file already, and added by REPLACE
)

// row is one line of an edit.
type row struct {
	op
	// text is the line of the file, or the line that the edit should add.
	text string
	// search and replace are what the block says instead.
	search, replace string
}

func rowOf(o op, text string) row { return row{op: o, text: text, search: text, replace: text} }

func rowsOf(o op, lines []string) (rows []row) {
	for _, l := range lines {
		rows = append(rows, rowOf(o, l))
	}
	return rows
}

// draft is a case in the making: a window of a file as rows, and the lines around it.
type draft struct {
	src           *source
	above, below  []string
	rows          []row
	variant       string
	hint          int // 1-based; 0 none
	refuse        bool
	refuseOK      bool
	meant         bool // the block has a meaning, though it must be refused
	acceptFinalNL bool // the final newline may differ
	bytes         style
}

// line returns the window's first line in the file, 1-based.
func (d *draft) line() int { return len(d.above) + 1 }

func (d *draft) lines(in func(op) bool, text func(row) string) []string {
	var out []string
	for _, r := range d.rows {
		if in(r.op) {
			out = append(out, text(r))
		}
	}
	return out
}

func (d *draft) search() []string {
	return d.lines(func(o op) bool { return o.search }, func(r row) string { return r.search })
}

func (d *draft) replace() []string {
	return d.lines(func(o op) bool { return o.replace }, func(r row) string { return r.replace })
}

func fileText(r row) string { return r.text }

func (d *draft) before() []string { return d.lines(func(o op) bool { return o.before }, fileText) }

// added returns the lines that the edit adds.
func (d *draft) added() []string {
	return d.lines(func(o op) bool { return o == added }, fileText)
}

func (d *draft) after() []string { return d.lines(func(o op) bool { return o.after }, fileText) }

// content returns the lines of the whole file before the edit, and result the text after it.
func (d *draft) content() []string { return slices.Concat(d.above, d.before(), d.below) }

func (d *draft) result() string { return join(slices.Concat(d.above, d.after(), d.below)) }

// vanish removes SEARCH's lines from the file, so that the block's place is gone.
func (d *draft) vanish() {
	for i := range d.rows {
		switch d.rows[i].op {
		case kept:
			d.rows[i].op = invented
		case deleted:
			d.rows[i].op = misread
		}
	}
}

func (d *draft) note(s string) {
	if d.variant != "" {
		d.variant += "+"
	}
	d.variant += s
}

// bend changes the spelling of the block's lines that satisfy where. It reports whether a line of
// SEARCH that is in the file changed.
func (d *draft) bend(where func(row) bool, f func(string) string) bool {
	changed := false
	for i := range d.rows {
		r := &d.rows[i]
		if !where(*r) {
			continue
		}
		if r.op.search {
			s := f(r.search)
			changed = changed || r.op.before && s != r.search
			r.search = s
		}
		if r.op.replace {
			r.replace = f(r.replace)
		}
	}
	return changed
}

func every(row) bool { return true }

// old reports whether a row is in SEARCH.
func old(r row) bool { return r.op.search }

// touchesEdit reports whether the row before or after row i is part of the edit.
func (d *draft) touchesEdit(i int) bool {
	edits := func(k int) bool {
		return k >= 0 && k < len(d.rows) && d.rows[k].op.search != d.rows[k].op.replace
	}
	return edits(i-1) || edits(i) || edits(i+1)
}

// loose lists the rows that satisfy want and are away from the edit and from the block's first and
// last line.
func (d *draft) loose(want func(row) bool) []int {
	var out []int
	for i, r := range d.rows {
		if i > 0 && i < len(d.rows)-1 && r.op == kept && !d.touchesEdit(i) && want(r) {
			out = append(out, i)
		}
	}
	return out
}

func join(lines []string) string {
	if len(lines) == 0 {
		return ""
	}
	return strings.Join(lines, "\n") + "\n"
}

// soundMoves returns false if a line is deleted and added again, and the file's bytes differ from
// the block's. It is then unclear whose bytes the new line should have.
func (d *draft) soundMoves() bool {
	return !d.some(func(r row) bool {
		return r.op == deleted && strings.TrimLeft(r.search, " \t") != strings.TrimLeft(r.text, " \t") &&
			d.some(func(a row) bool {
				return a.op == added && squeeze(a.replace) == squeeze(r.search)
			})
	})
}

// oneReading returns false if it is unclear which of some equal lines the block keeps, and which it
// changes or forgets, and the result depends on that.
func (d *draft) oneReading() bool {
	for i, r := range d.rows {
		switch r.op {
		case added, deleted:
			for _, k := range d.rows {
				said := r.replace
				if r.op == deleted {
					said = r.search
				}
				if k.op == kept && said == k.search && (d.bytes.other != nil || r.text != k.text) {
					return false
				}
			}
		case unsaid, invented, misread:
			same := func(k int) bool {
				return k >= 0 && k < len(d.rows) &&
					strings.TrimRight(d.rows[k].text, " \t") == strings.TrimRight(r.text, " \t")
			}
			// The edit may as well begin on the other side of a line it repeats.
			repeated := func(k int) bool {
				return k >= 0 && k < len(d.rows) && d.some(func(x row) bool {
					return (x.op == added || x.op == deleted) && squeeze(x.text) == squeeze(d.rows[k].text)
				})
			}
			if same(i-1) || same(i+1) || repeated(i-1) || repeated(i+1) {
				return false
			}
		}
	}
	return true
}

// finish returns the draft as a case, or nil if it is nil or not sound.
func (d *draft) finish() *Case {
	if d == nil || !d.refuse && (!d.soundMoves() || !d.oneReading()) {
		return nil
	}
	c := &Case{Path: d.src.path, Variant: d.variant, Search: join(d.search()), Replace: join(d.replace()),
		StartLine: d.hint, RefuseOK: d.refuseOK}
	if c.Search == "" || c.Search == c.Replace {
		return nil
	}
	before, after, ok := d.bytes.render(d)
	if !ok || before == after && !d.refuse && !d.settled() {
		return nil
	}
	c.Files = map[string]string{c.Path: before}
	if d.bytes.blockCRLF {
		c.Search, c.Replace = strings.ReplaceAll(c.Search, "\n", "\r\n"), strings.ReplaceAll(c.Replace, "\n", "\r\n")
	}
	if d.refuse {
		if d.meant {
			c.Meant = map[string]string{c.Path: after}
		}
		return c
	}
	c.Expected = map[string]string{c.Path: after}
	if d.acceptFinalNL {
		c.Accept = []map[string]string{{c.Path: after + d.bytes.end(0)}}
	}
	return c
}

// settled reports whether the file already has the edit, so that nothing is left to do.
func (d *draft) settled() bool {
	return !d.some(func(r row) bool { return r.op.before != r.op.after })
}
