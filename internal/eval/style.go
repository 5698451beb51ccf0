package eval

import "strings"

// style says how lines become bytes.
type style struct {
	// main is the file's line end; "" means "\n".
	main string
	// other lists lines with the other line end, by their index in the old file.
	other     func(line int) bool
	bom       bool
	noFinal   bool // the last line has no line end
	blockCRLF bool // the block comes with CRLF
}

func (s style) end(line int) string {
	crlf := s.main == "\r\n"
	if s.other != nil && s.other(line) {
		crlf = !crlf
	}
	if crlf {
		return "\r\n"
	}
	return "\n"
}

// render returns the file before and after. New lines take the line end of the lines around them.
// ok is false if these differ, because more than one result would then be right.
func (s style) render(d *draft) (before, after string, ok bool) {
	var b, a strings.Builder
	if s.bom {
		b.WriteString("\ufeff")
		a.WriteString("\ufeff")
	}
	n := 0 // lines of the old file written so far
	both := func(l string) {
		l += s.end(n)
		b.WriteString(l)
		a.WriteString(l)
		n++
	}
	for _, l := range d.above {
		both(l)
	}
	total := len(d.content())
	ok = true
	var fresh []string // lines added since the last line that stays
	from := n          // where that run of changes began
	flush := func() {
		if len(fresh) > 0 {
			e := s.end(max(from-1, 0))
			for k := max(from-1, 0); k <= min(n, total-1); k++ {
				ok = ok && s.end(k) == e
			}
			for _, l := range fresh {
				a.WriteString(l + e)
			}
		}
		fresh = nil
	}
	for _, r := range d.rows {
		switch {
		case r.op.before && r.op.after:
			flush()
			both(r.text)
			from = n
		case r.op.before:
			b.WriteString(r.text + s.end(n))
			n++
		case r.op.after:
			fresh = append(fresh, r.text)
		}
	}
	flush()
	for _, l := range d.below {
		both(l)
	}
	before, after = b.String(), a.String()
	if s.noFinal {
		before, after = chop(before), chop(after)
	}
	return before, after, ok
}

// chop removes one final line end.
func chop(s string) string { return strings.TrimSuffix(strings.TrimSuffix(s, "\n"), "\r") }
