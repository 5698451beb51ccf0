package report

import (
	"iter"
	"strings"
)

// codeSpan is text as code in a line of Markdown, whatever backticks it has.
func codeSpan(s string) string {
	longest := 0
	for run := range backticks(s) {
		longest = max(longest, run)
	}
	if longest == 0 {
		return "`" + s + "`"
	}
	fence := strings.Repeat("`", longest+1)
	return fence + " " + s + " " + fence
}

// inline is text with code of ours or others in a line of Markdown. Backticks that pair with none of the same number would take
// those that come after it in the line.
func inline(s string) string {
	unpaired := map[int]bool{}
	for run := range backticks(s) {
		if unpaired[run] {
			delete(unpaired, run)
		} else {
			unpaired[run] = true
		}
	}
	if len(unpaired) == 0 {
		return s
	}
	return codeSpan(s)
}

// backticks yields how long each run of backticks is.
func backticks(s string) iter.Seq[int] {
	return func(yield func(int) bool) {
		for s != "" {
			i := strings.IndexByte(s, '`')
			if i < 0 {
				return
			}
			rest := strings.TrimLeft(s[i:], "`")
			if !yield(len(s) - i - len(rest)) {
				return
			}
			s = rest
		}
	}
}
