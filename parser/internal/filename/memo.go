package filename

// Memo caches the results of [OfLine] for short lines, because a line may be above several short
// blocks: without it, elements around many edits take twice as long. The zero value is an empty cache.
type Memo struct{ lines map[string]lineName }

type lineName struct {
	name     string
	strength Strength
}

const (
	maxRemembered = 256 // lines
	maxShortLine  = 80  // bytes
)

// OfLine is like the function [OfLine], with a cache, which it empties when it is full.
func (m *Memo) OfLine(line []byte) (string, Strength) {
	if len(line) > maxShortLine {
		return OfLine(line)
	}
	found, ok := m.lines[string(line)]
	if !ok {
		if m.lines == nil || len(m.lines) == maxRemembered {
			m.lines = map[string]lineName{}
		}
		found.name, found.strength = OfLine(line)
		m.lines[string(line)] = found
	}
	return found.name, found.strength
}
