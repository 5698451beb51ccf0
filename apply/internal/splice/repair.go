package splice

import (
	"bytes"
	"maps"
	"slices"
	"unicode/utf8"

	"github.com/srpatch/srpatch/apply/internal/align"
	"github.com/srpatch/srpatch/apply/internal/reading"
	"github.com/srpatch/srpatch/internal/text"
	"github.com/srpatch/srpatch/internal/typography"
	"github.com/srpatch/srpatch/strategy"
)

// lineRepair returns a function that undoes habits of the model in a line of the block: blanks at
// line ends, and typographic characters for plain ones, such as “ for ". Only habits that the
// aligned lines prove in SEARCH are undone. It returns nil if there are none.
func lineRepair(doc *strategy.Document, pat *strategy.Pattern, a align.Alignment) func([]byte) []byte {
	bent := map[string]bool{} // whether each habit, named as by habitOf, is proved
	if typography.Has(pat.Text()) {
		for _, r := range string(pat.Text()) {
			h, ok := habitOf(r)
			if _, asked := bent[h]; ok && !asked {
				bent[h] = proved(doc, pat, a, func(line []byte) bool { return hasStandIn(line, h) })
			}
		}
	}
	trim := proved(doc, pat, a, func(line []byte) bool { return text.Trailing(line) > 0 })
	if !trim && !slices.Contains(slices.Collect(maps.Values(bent)), true) {
		return nil
	}
	return func(line []byte) []byte {
		if typography.Has(line) {
			line = withoutStandIns(line, bent)
		}
		if trim {
			line = bytes.TrimRight(line, " \t")
		}
		return line
	}
}

// fitted returns line, which c adds or changes, without what SEARCH has other than the file: habits
// (see lineRepair), the kind of quotes, and misspelled words.
func (s *Splice) fitted(line []byte, c reading.Hunk) []byte {
	return s.respell(s.requoted(s.repaired(line), c))
}

// respell returns line with the file's spelling of the words that SEARCH misspells.
func (s *Splice) respell(line []byte) []byte {
	if len(s.respelled) == 0 {
		return line
	}
	return rewritten(line, text.EachToken(line), func(word []byte) []byte {
		if right, wrong := s.respelled[string(word)]; wrong {
			return []byte(right)
		}
		return word
	})
}

// habitOf returns the name of the habit of writing r. The name is the plain text that r stands for,
// which other characters may stand for, too. If r stands for nothing, it's a separate habit. ok is
// false if r isn't a stand-in.
func habitOf(r rune) (name string, ok bool) {
	if typography.ZeroWidth(r) {
		return string(r), true
	}
	return typography.StandIn(r)
}

// withoutStandIns returns line with plain text instead of the stand-ins whose habit is in bent.
func withoutStandIns(line []byte, bent map[string]bool) []byte {
	out := make([]byte, 0, len(line))
	for len(line) > 0 {
		r, n := utf8.DecodeRune(line)
		if h, ok := habitOf(r); ok && bent[h] {
			plain, _ := typography.StandIn(r)
			out = append(out, plain...)
		} else {
			out = append(out, line[:n]...)
		}
		line = line[n:]
	}
	return out
}

// hasStandIn reports whether line has a character of the habit.
func hasStandIn(line []byte, habit string) bool {
	return bytes.ContainsFunc(line, func(r rune) bool {
		h, ok := habitOf(r)
		return ok && h == habit
	})
}

// proved reports whether a habit is visible in a line of SEARCH but not in the paired file line or
// any other file line of the alignment.
func proved(doc *strategy.Document, pat *strategy.Pattern, a align.Alignment, shows func(line []byte) bool) bool {
	yes := false
	for _, p := range a {
		if p.Search < 0 || p.File < 0 || !shows(pat.Line(p.Search)) {
			continue
		}
		if shows(doc.Line(p.File)) {
			return false
		}
		yes = true
	}
	return yes
}
