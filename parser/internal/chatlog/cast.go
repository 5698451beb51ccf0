package chatlog

import (
	"bytes"
	"slices"
	"strings"

	"github.com/srpatch/srpatch/internal/text"
	"github.com/srpatch/srpatch/parser/internal/mdline"
)

// cast is who speaks in a log, by the labels that are alone on their lines.
//
// A log calls the user by one name in one setting throughout, and models by names in one setting.
// Many programs write such logs, and people have names, so only one of the two has to be known: the
// other one's label is the one that comes in turn with it. Where labels come in turn and neither is
// known, the text may as well be one answer in sections, and it cannot be known which is the last.
type cast struct {
	user, model string // the labels' keys
	set         string // in what labels of known models are set
	unsure      bool   // a label begins a turn, but it is not known whose
}

// said is a caption in its place.
type said struct {
	caption
	who   Speaker
	known bool
}

// castOf looks for the speakers in a text that is known to be a log or a part of one.
func castOf(text []byte) (cast, bool) {
	all, top := captionsIn(text)
	if c, ok := bothKnown(all); ok {
		return c, true
	}
	for _, one := range [...]Speaker{User, Model} {
		i := slices.IndexFunc(all, func(s said) bool { return s.known && s.who == one })
		if i < 0 {
			continue
		}
		c := all[i].caption
		other, n := inTurn(all, c, one == Model)
		found := cast{user: c.key(), model: other, unsure: other == ""}
		if one == Model {
			found = cast{user: other, model: c.key(), set: c.set, unsure: other == ""}
		}
		found.unsure = found.unsure || n == 1
		return found, n > 1 || top && other != ""
	}
	return neitherKnown(all, top)
}

// captionsIn lists the captions outside of fences: those of known speakers, and others that are set
// off. top says that nothing but a title comes above the first.
func captionsIn(log []byte) (all []said, top bool) {
	var open mdline.Fence
	fenced, blank, titles := false, true, true
	for raw := range bytes.Lines(log) {
		if m, ok := mdline.ParseFence(raw); ok {
			if fenced && open.ClosedBy(m) {
				fenced = false
			} else if !fenced && m.Opens {
				open, fenced = m, true
			}
			blank, titles = false, false
			continue
		}
		above := blank
		if blank = text.Blank(raw) || isRule(raw); blank || fenced {
			continue
		}
		if c, ok := captionOf(raw); ok {
			if who, known := c.speaker(); known || above && !c.plain() {
				top = top || len(all) == 0 && titles
				all = append(all, said{c, who, known})
			}
		}
		titles = titles && (raw[0] == '#' || raw[0] == '<' || raw[0] == '_')
	}
	return all, top
}

// isRule reports whether a line is one that divides a text.
func isRule(raw []byte) bool {
	line := text.Chomp(raw)
	return len(line) >= 3 && len(bytes.Trim(line, "-*_= ")) == 0
}

// bothKnown takes the first known user that a known model answers, those that are set alike before
// others.
func bothKnown(all []said) (cast, bool) {
	last, lastAlike := -1, map[string]int{} // the last known model, and the last one in each setting
	for i, s := range all {
		if s.known && s.who == Model {
			last, lastAlike[s.set] = i, i
		}
	}
	for _, alike := range [...]bool{true, false} {
		for i, u := range all {
			answered := lastAlike[u.set] > i || !alike && last > i
			if !u.known || u.who != User || !answered {
				continue
			}
			for _, m := range all[i+1:] {
				if m.known && m.who == Model && (m.set == u.set || !alike) {
					return cast{user: u.key(), model: m.key(), set: m.set}, true
				}
			}
		}
	}
	return cast{}, false
}

// inTurn finds the key of the caption that comes in turn with one, set as it is: the first after
// each, or the last before each. It also says how often the one occurs.
func inTurn(all []said, one caption, before bool) (other string, n int) {
	key := one.key()
	var each []string
	near := ""
	for _, s := range all {
		switch {
		case s.key() == key:
			if each = append(each, near); n > 0 || before {
				near = ""
			}
			n++
		case s.set == one.set && (near == "" || before) && (n > 0 || before):
			near = s.key()
		}
	}
	if each = append(each, near); before {
		each = each[:n]
	} else {
		each = each[1:]
	}
	// A log may begin with the end of an answer, and end with a question.
	if before && each[0] == "" {
		each = each[1:]
	} else if !before && each[len(each)-1] == "" {
		each = each[:len(each)-1]
	}
	if len(each) == 0 || each[0] == "" || len(slices.Compact(each)) > 1 {
		return "", n
	}
	return each[0], n
}

// neitherKnown finds two labels that are set alike and come in turn from the top of the text on,
// each more than once.
func neitherKnown(all []said, top bool) (cast, bool) {
	if len(all) == 0 || !top {
		return cast{}, false
	}
	first := all[0].caption
	other, n := inTurn(all, first, false)
	if n < 2 || other == "" || isPart(first.name) || strings.Count(keysOf(all), other+"\n") < 2 {
		return cast{}, false
	}
	return cast{user: first.key(), model: other, unsure: true}, true
}

func keysOf(all []said) string {
	var b strings.Builder
	for _, s := range all {
		b.WriteString(s.key() + "\n")
	}
	return b.String()
}

// isPart reports whether a label names a part of an edit, or a file, rather than somebody.
func isPart(name string) bool {
	switch name {
	case "before", "after", "old", "new", "original", "updated", "search", "find", "replace", "current", "change", "file", "from", "to":
		return true
	}
	return strings.ContainsAny(name, "./\\")
}
