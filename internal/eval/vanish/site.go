package vanish

import (
	"slices"
	"strings"

	"github.com/srpatch/srpatch/parser"
)

// site is an edit of a reply and where it is written.
type site struct {
	edit Edit
	// from and to are the lines with name and fence, 0-based, end exclusive.
	from, to int
	layout   layout
	// shared is the line that opens the fence around this edit and others; "" if there is none.
	shared string
	// neighbours are the other edits of the reply.
	neighbours []Neighbour
}

// Neighbour is an edit next to the damaged one.
type Neighbour struct {
	Edit
	// Lines are where the edit is in the damaged reply, 1-based and inclusive.
	Lines [2]int
	// Inherits says that the reply names its file above an earlier edit only.
	Inherits bool
}

// sites returns the edits of a reply that can be damaged: those with markers whose text has nothing
// that looks like a marker or a fence. Replies that aren't fully understood, and logs of chats,
// have none.
func sites(text string) (out []site) {
	r := parser.Parse([]byte(text))
	if len(r.Diagnostics) > 0 || len(r.Shell) > 0 || strings.ContainsRune(text, '\r') {
		return nil
	}
	if slices.ContainsFunc(r.Blocks, func(b parser.Block) bool { return len(b.Warnings) > 0 }) {
		return nil // something was forgiven already
	}
	lines := splitLines(text)
	for i := range r.Blocks {
		b := &r.Blocks[i]
		if b.Op != parser.OpEdit && b.Op != parser.OpCreate || b.Path == "" || b.ReplaceAll || len(b.Readings) > 0 ||
			slices.Contains(parser.EnvelopeFormats(), b.Dialect) || !isPlain(b.Search) || !isPlain(b.Replace) {
			continue
		}
		s := site{edit: editOf(b), from: b.Lines[0] - 1, to: b.Lines[1]}
		if !s.findLayout(lines) {
			continue
		}
		for j := range r.Blocks {
			if o := &r.Blocks[j]; j != i {
				s.neighbours = append(s.neighbours, Neighbour{editOf(o), o.Lines, o.Inherited})
			}
		}
		out = append(out, s)
	}
	return out
}

// isPlain reports whether a side can be written in every format unchanged.
func isPlain(side []byte) bool {
	text := string(side)
	for _, sign := range []string{"```", "~~~", "<<<<", "====", ">>>>", "----", "++++", "]]>", "<!--"} {
		if strings.Contains(text, sign) {
			return false
		}
	}
	return strings.Count(text, "\n") <= 60
}

// findLayout finds name, fence and markers of the edit in the lines of the reply. It reports
// whether the markers differ from all other lines.
func (s *site) findLayout(lines []string) bool {
	roles := s.markers(lines[s.from:s.to])
	if roles == nil {
		return false
	}
	first, name := s.from, -1
	above := func(n int) string {
		if first < n {
			return ""
		}
		return lines[first-n]
	}
	if !isFenceLine(above(1)) && s.names(above(1)) {
		first--
		name = first
	}
	fenced := isFenceLine(above(1)) && s.to < len(lines) && isFenceLine(lines[s.to])
	if fenced {
		first--
	}
	for n := 1; n <= 2 && name < 0; n++ {
		if !isFenceLine(above(n)) && s.names(above(n)) {
			first -= n
			name = first
		}
	}
	for i := first; i < s.from; i++ {
		x := line{content, lines[i]}
		switch {
		case i == name:
			x.role = naming
		case isFenceLine(lines[i]):
			x.role = fence
		}
		s.layout = append(s.layout, x)
	}
	for i, r := range roles {
		s.layout = append(s.layout, line{r, lines[s.from+i]})
	}
	if fenced {
		s.layout = append(s.layout, line{unfence, lines[s.to]})
		s.to++
	} else {
		s.shared = openFence(lines[:first])
	}
	s.from = first
	return true
}

// names reports whether a line names the edit's file, in few words.
func (s *site) names(line string) bool {
	return strings.Contains(line, s.edit.Path) && len(line) < len(s.edit.Path)+40
}

// markers returns the roles of a block's lines, or nil if its divider is unclear.
func (s *site) markers(lines []string) []role {
	if len(lines) < 3 || !strings.ContainsAny(lines[0], "<-") || !strings.ContainsAny(lines[len(lines)-1], ">+") {
		return nil
	}
	roles := make([]role, len(lines))
	dividers := 0
	for i, x := range lines {
		roles[i] = content
		if bare := strings.Trim(x, " \t>"); len(bare) >= 3 && strings.Trim(bare, "=") == "" {
			roles[i] = divider
			dividers++
		}
	}
	if dividers != 1 {
		return nil
	}
	roles[0], roles[len(roles)-1] = opener, closer
	return roles
}

func isFenceLine(line string) bool {
	bare := strings.TrimLeft(line, " \t>")
	return strings.HasPrefix(bare, "```") || strings.HasPrefix(bare, "~~~")
}

// openFence returns the line that opened the fence still open after the lines, or "".
func openFence(lines []string) (open string) {
	for _, x := range lines {
		switch {
		case !isFenceLine(x):
		case open == "":
			open = x
		default:
			open = ""
		}
	}
	return open
}

// splitLines returns the lines of a text without their ends.
func splitLines(text string) []string {
	return strings.Split(strings.TrimSuffix(text, "\n"), "\n")
}
