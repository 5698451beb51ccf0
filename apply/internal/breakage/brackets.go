package breakage

import "github.com/srpatch/srpatch/internal/warning"

// count is how many more brackets of each sort are opened than closed.
type count [3]int

// brackets are the sorts of a count, opening ones first.
const brackets = "()[]{}"

// add counts a byte of text.
func (n *count) add(c byte) {
	switch c {
	case '(':
		n[0]++
	case ')':
		n[0]--
	case '[':
		n[1]++
	case ']':
		n[1]--
	case '{':
		n[2]++
	case '}':
		n[2]--
	}
}

// outweighs counts what a span changes in the number of brackets, wherever they are.
func (c *Change) outweighs(s Span) (n count) {
	for _, b := range c.added(s) {
		n.add(b)
	}
	var was count
	for _, b := range c.removed(s) {
		was.add(b)
	}
	for i := range n {
		n[i] -= was[i]
	}
	return n
}

// unbalanced finds brackets that are left open, or that close nothing, in a file in which all of them were balanced. Two counts have to
// agree: a plain one of what comes and goes, which most edits end with, and one that leaves out comments and literals. So a quote that is
// none in some language cannot hide what balances a bracket.
func unbalanced(c *Change) *Finding {
	var plain count
	for _, s := range c.Spans {
		n := c.outweighs(s)
		for i := range n {
			plain[i] += n[i]
		}
	}
	if plain == (count{}) {
		return nil
	}
	lang := languageOf(c.Path)
	if lang == nil {
		return nil
	}
	now, _ := lang.balance(c.After)
	for i, n := range now {
		if n*plain[i] <= 0 {
			continue
		}
		if _, nested := lang.balance(c.Before); !nested {
			return nil
		}
		span := c.blamed(len(c.After))
		says, bracket := `leaves "%c" open`, brackets[2*i]
		if n < 0 {
			says, bracket = `closes "%c" once too often`, brackets[2*i+1]
		}
		f := c.at(warning.Unbalanced, span, c.Spans[span].AfterStart, says+", and all brackets were balanced; look there for a lost or repeated line", bracket)
		return &f
	}
	return nil
}

// balance counts the brackets of the text, and says whether each is closed by its own.
func (l *language) balance(text []byte) (n count, nested bool) {
	var open []byte
	nested = true
	for p := range l.scan(text) {
		if p.hidden {
			continue
		}
		b := text[p.from]
		n.add(b)
		switch b {
		case '(', '[', '{':
			open = append(open, b)
			continue
		}
		last := len(open) - 1
		if last < 0 || open[last] != map[byte]byte{')': '(', ']': '[', '}': '{'}[b] {
			nested = false
			continue
		}
		open = open[:last]
	}
	return n, nested && len(open) == 0
}
