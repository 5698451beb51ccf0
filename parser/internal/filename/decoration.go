package filename

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/srpatch/srpatch/internal/text"
	"github.com/srpatch/srpatch/parser/internal/mdline"
)

// decorated is a line whose decoration around a name is being removed. The flags say what was
// removed.
type decorated struct {
	text     string
	quoted   bool // quotes, emphasis, or a link
	code     bool // backticks
	labelled bool // a label, a tag, or a rule on both sides
	heading  bool // the signs of a heading
	listed   bool // the sign or number of a list item
}

// strip removes all decoration.
func (d *decorated) strip() {
	for range 12 { // more than any real line has
		before := d.text
		d.stripBefore()
		d.stripAfter()
		d.stripAround()
		if d.text == before {
			return
		}
	}
}

// stripBefore removes decoration before a name: the sign of a heading, quote, list or comment, a
// number, or a label.
func (d *decorated) stripBefore() {
	t := d.text
	switch {
	case strings.HasPrefix(t, "#"):
		if rest := strings.TrimLeft(t, "#"); rest != "" {
			d.heading = d.heading || rest[0] == ' '
			t = rest
		}
	case strings.HasPrefix(t, "> "):
		t = t[2:]
	case strings.HasPrefix(t, "- "), strings.HasPrefix(t, "* "), strings.HasPrefix(t, "+ "), strings.HasPrefix(t, "• "):
		_, t, _ = strings.Cut(t, " ")
		if len(t) > 3 && t[0] == '[' && t[2] == ']' && t[3] == ' ' {
			t = t[4:] // a checkbox
		}
		d.listed = true
	case strings.HasPrefix(t, "+++ "), strings.HasPrefix(t, "--- ") && !strings.HasSuffix(t, "---"):
		if rest := t[4:]; Likely(rest) {
			t = rest
		}
	case strings.HasPrefix(t, "---"): // a rule on both sides, see stripAround
	default:
		if said, ok := text.Comment([]byte(t)); ok {
			t = string(said)
		} else if first, size := utf8.DecodeRuneInString(t); unicode.IsSymbol(first) && first >= utf8.RuneSelf {
			// An emoji, perhaps with a variation selector.
			t = strings.TrimPrefix(t[size:], "\ufe0f")
		} else if rest, ok := cutNumber(t); ok {
			t = rest
			d.listed = !d.heading
		} else if rest, ok := cutLabel(t); ok {
			t = rest
			d.labelled = true
		}
	}
	d.text = strings.TrimSpace(t)
}

// cutNumber removes a list item's number: "1. a.go", "2) b.go". It returns false if there is none.
func cutNumber(t string) (string, bool) {
	rest := strings.TrimLeft(t, "0123456789")
	if len(rest) == len(t) || !strings.HasPrefix(rest, ". ") && !strings.HasPrefix(rest, ") ") {
		return t, false
	}
	return rest[2:], true
}

// stripAfter removes decoration after a name: a colon, a comma, or a remark in brackets.
func (d *decorated) stripAfter() {
	t := strings.TrimRight(d.text, ":, ")
	for _, end := range [...]string{"<br>", "<br/>", "<br />", "，", "。"} {
		t = strings.TrimSuffix(t, end)
	}
	if strings.HasSuffix(t, ")") {
		if i := strings.LastIndexByte(t, '('); i > 0 && (t[i-1] == ' ' || t[i-1] == '`' || t[i-1] == '*') {
			t = t[:i]
		}
	}
	if i := strings.LastIndex(t, "（"); i > 0 && strings.HasSuffix(t, "）") {
		t = t[:i]
	}
	d.text = strings.TrimSpace(t)
}

// stripAround removes quotes, emphasis, rules, tags and link syntax around a name: "`a.py`", "---
// a.py ---", "<path>a.py</path>", "[a.py](src/a.py)". Only the outermost quotes are removed.
func (d *decorated) stripAround() {
	t := d.text
	for _, q := range [...][2]string{
		{"`", "`"}, {"**", "**"}, {"*", "*"}, {`"`, `"`}, {"'", "'"}, {"“", "”"}, {"‘", "’"},
		{"„", "“"}, {"«", "»"}, {"‹", "›"}, {"「", "」"}, {"『", "』"}, {"【", "】"}, {"《", "》"},
		{"（", "）"}, {"==>", "<=="}, {"[", "]"},
	} {
		if len(t) > len(q[0])+len(q[1]) && strings.HasPrefix(t, q[0]) && strings.HasSuffix(t, q[1]) {
			t = t[len(q[0]) : len(t)-len(q[1])]
			d.quoted = true
			d.code = d.code || q[0] == "`"
			break
		}
	}
	// If only the label is emphasised, the emphasis ends before the name. Otherwise one of two
	// signs may be missing.
	t = strings.TrimSpace(t)
	if t = strings.TrimPrefix(strings.TrimSuffix(t, "**"), "**"); strings.Count(t, "`")%2 == 1 {
		t = strings.Trim(t, "`")
	}
	for _, c := range [...]string{"===", "---"} {
		if strings.HasPrefix(t, c) && strings.HasSuffix(t, c) {
			t = strings.Trim(t, c[:1]+" ")
			d.labelled = true
		}
	}
	if name, ok := mdline.TagName(t); ok {
		t = name
		d.labelled = true
	} else if inner, ok := mdline.Element(t); ok {
		t = inner
		d.labelled = true
	} else if inner := strings.Trim(t, "<>()"); len(inner) == len(t)-2 &&
		(t[0] == '<' || t[0] == '(') && Likely(inner) {
		t = inner
		d.quoted = true
	}
	if strings.HasPrefix(t, "[") && strings.HasSuffix(t, ")") { // a link: [a.py](src/a.py:12)
		text, target, ok := strings.Cut(t[1:len(t)-1], "](")
		if ok && strings.HasSuffix(cutPosition(target), cutPosition(strings.Trim(text, "`*"))) {
			t = text
			d.quoted = true
		}
	}
	d.text = strings.TrimSpace(t)
}

// leading returns the name at the beginning of a line that continues with a remark: "`src/a.py`:
// the imports", "src/a.py - the imports", "### src/a.py, as in src/b.py". ok is false if there is
// no such remark or no name.
func (d *decorated) leading() (name string, ok bool) {
	word, rest, _ := strings.Cut(d.text, " ")
	second, _, _ := strings.Cut(rest, " ")
	compares := d.heading && strings.HasSuffix(word, ",") &&
		(second == "as" || introducesComparison(second))
	remark := strings.HasPrefix(rest, "- ") || strings.HasPrefix(rest, "–") ||
		strings.HasPrefix(rest, "—") || strings.HasPrefix(rest, "(")
	if !strings.HasSuffix(word, ":") && !compares && !remark {
		return "", false
	}
	e := decorated{text: word}
	e.strip()
	name, how := judge(e.text, e.quoted)
	return name, how >= Plain
}

// isLabelled reports whether the name in a line is preceded by a label or enclosed in an HTML
// element.
func isLabelled(line []byte) bool {
	d := decorated{text: string(line)}
	d.strip()
	return d.labelled
}
