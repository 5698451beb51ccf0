package filename

import "slices"

// Memo caches the results of reading short lines, because a line may be above several short blocks.
// The zero value is an empty cache.
type Memo struct {
	lines map[string]*reading
}

// reading is the result of reading a line.
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

// of returns the cached reading of a line, or nil if the line is too long to be cached. It reads
// the line if the cache lacks it, and empties a full cache.
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

// OfLine is like the function [OfLine], with a cache.
func (m *Memo) OfLine(line []byte) (string, Strength) {
	if r := m.of(line); r != nil {
		return r.name, r.strength
	}
	return OfLine(line)
}

// inProse returns all names that [InProse] yields.
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
