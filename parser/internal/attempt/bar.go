package attempt

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/srpatch/srpatch/fsm"
	"github.com/srpatch/srpatch/internal/diagnosis"
	"github.com/srpatch/srpatch/internal/typography"
	"github.com/srpatch/srpatch/parser/internal/mdline"
)

// bars watches for blocks whose markers nobody else knows, for all of them are written in a way of their own: with other signs, "<<<",
// "««««", "=== SEARCH ===", the word before the signs, or something before them on the line. It goes by what all of these have in common:
// lines of signs, the first for the old text and the last for the new one by their words or by the way the signs point, with a line of signs
// between them. Where the words of both say so, it is an attempt; else text may look the same, and is noticed.
type bars struct {
	begun
	opener  bar
	named   bool // a file's name is above it, behind the same signs
	divider int  // the number of the line of signs between the texts; 0 if there is none
}

// bar is a line of signs, with words or without.
type bar struct {
	sign byte
	n    int
	side side
	word bool // its words say the side, not the signs alone
	git  bool // git writes the same
	bare bool // nothing is before the signs
	mute bool // nothing is after them, where git has a label
}

// side is what a bar begins or ends.
type side uint8

const (
	noSide side = iota
	oldSide
	newSide
	between
)

// Notice forgets the bar where an edit begins or was read, or another speaker.
func (b *bars) Notice(Event) { *b = bars{} }

// Watch looks at one line.
func (b *bars) Watch(l *Line) *Finding {
	if l.First == '=' && l.Mark.Kind == fsm.Divider {
		b.divider = l.At.Line
		return nil
	}
	if len(l.Raw) > maxBar {
		return nil
	}
	this, ok := readBar(string(l.Raw))
	if !ok {
		return nil
	}
	if this.sign == '|' { // of a conflict that shows its base
		*b = bars{}
		return nil
	}
	switch {
	case this.side == oldSide, this.side == between && this.sign == '-' && b.line == 0:
		if b.line > 0 && l.At.Line-b.line < minBar {
			b.line = l.At.Line // no room for two texts is between them, so that whose file it is can wait
			return nil
		}
		*b = bars{begun: begun{l.At.Line, mdline.Excerpt(l.Raw), l.File()}, opener: this}
		if above := l.Scene.Above(l.At.Start); !this.bare {
			b.named = slices.ContainsFunc(above[:min(len(above), maxApart)], namesFile)
		}
	case this.side == between:
		b.divider = l.At.Line
	case this.side == newSide:
		before := *b
		if *b = (bars{}); l.At.Line-max(before.line, before.divider) <= maxOldSide {
			return before.end(this, l)
		}
	}
	return nil
}

// end is what a bar for the new text makes of those before it.
func (b *bars) end(this bar, l *Line) *Finding {
	words := b.opener.word && this.word
	heading := b.opener.sign == '#' || b.opener.sign == '*'
	divided := b.divider > b.line
	if b.line == 0 { // what began the old text got lost
		if !divided || !this.word || !this.bare || this.sign != '>' {
			return nil
		}
		b.begun = begun{line: b.divider, file: l.File()}
		if b.file.Path() == "" {
			return nil
		}
		return b.doubt(l.At.Line, "text that looks like the end of a block")
	}
	direct := b.file.Direct() || b.named
	switch {
	case !divided && (!words || heading), !words && heading, !direct && !(b.opener.bare && this.bare):
		return nil // text with rules and headings, or that shows markers
	case b.opener.side == between: // "-------", which in texts is a rule
		if this.sign != '+' || this.word || this.n != b.opener.n || !direct {
			return nil
		}
	case b.opener.git && this.git, !words && !direct && (b.opener.git || b.file.Path() == "" && !(b.opener.mute && this.mute)):
		return nil
	}
	if !words || !direct || heading || b.opener.git {
		return b.doubt(l.At.Line, "text that looks like a block")
	}
	b.found = fmt.Sprintf("%q", b.found)
	return b.finding(diagnosis.Malformed, fmt.Sprintf("%q", fsm.Aider.Opener(separator)), "write the block again, with its markers alone on their lines")
}

// maxLabel is how long the words and the name next to signs may be, in bytes.
const maxLabel = 80

// separator is how many signs git and most tools write.
const separator = 7

// minBar is how many signs a line of them has.
const minBar = 3

// maxBar is how long a line of signs may be, in bytes: wide ones have three each.
const maxBar = 160

// barSign folds a character that models write in the place of a sign: brackets that point, and wide forms.
func barSign(r rune) rune {
	switch r {
	case '«', '‹', '≪', '⟨', '⟪', '❮', '◀':
		return '<'
	case '»', '›', '≫', '⟩', '⟫', '❯', '▶':
		return '>'
	case '─', '━':
		return '-'
	case '═':
		return '='
	}
	r, _ = typography.Fold(r)
	return r
}

// endsInSigns reports quickly whether a line that begins like nothing special may have signs at its end.
func endsInSigns(raw []byte) bool {
	n := len(raw) - 1
	if n > 0 && raw[n] == '\n' {
		n--
	}
	return n >= minBar && raw[n] == raw[n-1] && raw[n] == raw[n-2] && (raw[n] == '<' || raw[n] == '>' || raw[n] == '=')
}

// readBar reads a line of signs; ok is false for other lines.
func readBar(raw string) (b bar, ok bool) {
	line := strings.TrimSpace(raw)
	c, n, label := leadingSigns(line)
	if n < minBar || strings.ContainsFunc(label, func(r rune) bool { return r >= utf8.RuneSelf }) {
		line = strings.Map(barSign, withoutMarks(withoutColours(line)))
		c, n, label = leadingSigns(line)
	}
	if n < minBar {
		c, n, label = trailingSigns(line)
	} else if _, m, before := trailingSigns(label); m >= minBar {
		label = before
	}
	if n < minBar {
		return b, false
	}
	if label = strings.Trim(label, " *_`:.()[]{}#\"'<>"); len(label) > maxLabel {
		return b, false
	}
	b = bar{sign: c, n: n, mute: label == "" && n >= separator, bare: strings.HasPrefix(strings.TrimSpace(raw), string(c))}
	old, new := sidesOf(label)
	switch {
	case old && new: // in a script that is not read here
		b.side, b.word = newSide, c == '>' || c == '+'
		if c == '<' || c == '-' {
			b.side, b.word = oldSide, true
		}
	case old:
		b.side, b.word = oldSide, true
	case new:
		b.side, b.word = newSide, true
	case label == "" && (c == '=' || c == '-'), c == '=':
		b.side = between
	case c == '<' && mayLabel(label):
		b.side = oldSide
	case c == '>' && mayLabel(label), c == '+' && label == "":
		b.side = newSide
	}
	b.git = n == separator && label != "" && (c == '<' && (!b.word || strings.EqualFold(label, "current")) || c == '>' && !b.word)
	return b, b.side != noSide || c == '|'
}

// withoutMarks removes what may be before a bar on its line: marks of quotations, lists, comments and bold text, numbers.
func withoutMarks(line string) string {
	line = strings.TrimSpace(line)
	for {
		if _, n, _ := leadingSigns(line); n >= minBar {
			return line
		}
		bare := strings.TrimLeft(withoutNumber(line), "\u200b\ufeff\u00a0 \t")
		for _, mark := range [...]string{"- ", "* ", "+ ", "> ", "# ", "// ", "-- ", "; ", "% ", "<!--", "/*", "**", "__", "`"} {
			rest, ok := strings.CutPrefix(bare, mark)
			if bare = strings.TrimSpace(rest); ok {
				break
			}
		}
		if len(bare) == len(line) {
			return line
		}
		line = bare
	}
}

// leadingSigns counts the signs with which a line begins, whatever blanks and backslashes are between them.
func leadingSigns(line string) (c byte, n int, rest string) {
	rest = strings.TrimLeft(line, `\`)
	if rest == "" || strings.IndexByte(mdline.BarSigns, rest[0]) < 0 {
		return 0, 0, line
	}
	c = rest[0]
	for next := rest; next != "" && next[0] == c; n++ {
		rest = next[1:]
		if next = rest; next != "" && next[0] != c {
			next = strings.TrimLeft(next, ` \`)
		}
	}
	return c, n, rest
}

// trailingSigns counts the signs with which a line ends.
func trailingSigns(line string) (c byte, n int, rest string) {
	line = strings.TrimRight(line, " *_`")
	if line == "" || strings.IndexByte(mdline.BarSigns, line[len(line)-1]) < 0 {
		return 0, 0, line
	}
	c = line[len(line)-1]
	rest = strings.TrimRight(line, string(c))
	return c, len(line) - len(rest), rest
}

// EndsNew reports whether a line of signs has words for the text that takes another's place.
func EndsNew(raw []byte) bool {
	b, ok := readBar(string(raw))
	return ok && b.side == newSide && b.word
}
