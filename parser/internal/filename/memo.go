package filename

import "slices"

// Memo keeps what short lines were read as: a line is above several blocks where they are many and
// short. The zero value is empty.
type Memo struct {
	lines map[string]*reading
}

// reading is what a line was read as.
type reading struct {
	name      string
	strength  Strength
	prose     []string // see InProse
	collected bool     // prose is set
}

const (
	maxRemembered = 256 // lines
	maxShortLine  = 80  // bytes
)

// of is the reading of a line; nil if the line is too long to be kept.
func (m *Memo) of(line []byte) *reading {
	if len(line) > maxShortLine {
		return nil
	}
	r := m.lines[string(line)]
	if r == nil {
		if m.lines == nil || len(m.lines) == maxRemembered {
			m.lines = map[string]*reading{}
		}
		r = &reading{}
		r.name, r.strength = OfLine(line)
		m.lines[string(line)] = r
	}
	return r
}

// OfLine is [OfLine], with a memory.
func (m *Memo) OfLine(line []byte) (string, Strength) {
	if r := m.of(line); r != nil {
		return r.name, r.strength
	}
	return OfLine(line)
}

// inProse has all of [InProse].
func (m *Memo) inProse(line []byte) []string {
	r := m.of(line)
	if r == nil {
		return slices.Collect(InProse(line))
	}
	if !r.collected {
		r.prose, r.collected = slices.Collect(InProse(line)), true
	}
	return r.prose
}
