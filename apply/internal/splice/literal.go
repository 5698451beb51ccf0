package splice

import (
	"bytes"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/srpatch/srpatch/indent"
	"github.com/srpatch/srpatch/internal/linediff"
	"github.com/srpatch/srpatch/internal/text"
)

// literal is a string or here-document of several lines whose blanks are text: the lines from first to last. It begins on the
// line opener.
type literal struct{ opener, first, last int }

// literals finds them in d, the text of a file with this name. A docstring is none, as it is indented with its code.
func literals(d linediff.Lines, name string) []literal {
	begins := beginsLiteral(name)
	var out []literal
	for i := 0; i < d.Len(); i++ {
		ends := begins(d.Line(i))
		if ends == nil {
			continue
		}
		for last := i + 1; last < d.Len(); last++ {
			if ends(d.Line(last)) {
				out = append(out, literal{i, i + 1, last})
				i = last
				break
			}
		}
	}
	return out
}

// beginsLiteral returns a function for the lines of a file with this name. Of a line on which a literal begins it says what ends
// the literal, of other lines nil.
func beginsLiteral(name string) func(line []byte) (ends func(line []byte) bool) {
	switch path.Ext(name) {
	case ".go", ".js", ".jsx", ".mjs", ".cjs", ".ts", ".tsx", ".vue", ".svelte":
		return quotedBy("`")
	case ".py", ".pyi", ".pyx", ".java", ".kt", ".kts", ".scala", ".swift", ".toml", ".ex", ".exs", ".jl", ".dart", ".cs", ".groovy", ".graphql":
		return quotedBy(`"""`, "'''")
	case ".rs":
		raw := regexp.MustCompile(`r(#+)"`)
		return func(line []byte) func([]byte) bool {
			m := raw.FindSubmatchIndex(line)
			if m == nil {
				return nil
			}
			end := slices.Concat([]byte{'"'}, line[m[2]:m[3]])
			if bytes.Contains(line[m[1]:], end) {
				return nil
			}
			return func(line []byte) bool { return bytes.Contains(line, end) }
		}
	case ".c", ".h", ".cc", ".cpp", ".cxx", ".hpp", ".hh", ".m", ".mm", ".html", ".htm", ".xml", ".css", ".md", ".rst", ".json", ".hs", ".zig":
		return func([]byte) func([]byte) bool { return nil }
	}
	return hereDocument()
}

// quotedBy is for literals between the same signs.
func quotedBy(signs ...string) func(line []byte) (ends func(line []byte) bool) {
	return func(line []byte) func([]byte) bool {
		for _, sign := range signs {
			odd := func(line []byte) bool { return bytes.Count(line, []byte(sign))%2 == 1 }
			if odd(line) && !strings.HasPrefix(strings.TrimLeft(string(line), " \trRbBuUfF"), sign) {
				return odd
			}
		}
		return nil
	}
}

// hereDocument is for those of shells and similar languages. `<<~` is indented with the code.
func hereDocument() func(line []byte) (ends func(line []byte) bool) {
	opener := regexp.MustCompile(`(?:^|[^<])(?:<<|<<<)-?[ \t]*['"\\]?([A-Za-z_][A-Za-z_0-9]*)['"]?`)
	return func(line []byte) func([]byte) bool {
		if !bytes.Contains(line, []byte("<<")) {
			return nil
		}
		m := opener.FindSubmatch(line)
		if m == nil {
			return nil
		}
		return func(line []byte) bool { return bytes.Equal(bytes.TrimRight(bytes.TrimSpace(line), ";"), m[1]) }
	}
}

// withLiterals decides about added literals with translated margins: if some of their lines are no deeper than the line on which
// the literal begins, their blanks may be text rather than indentation. Literals in SEARCH show which, by the file's margins.
// Without any, it is not known: rival are the margins with such literals as written.
func (s *Splice) withLiterals(name string, pairs []indent.Pair, margins [][]byte) (settled, rival [][]byte) {
	asText := slices.Clone(margins)
	kept := s.Reading.Counterparts()
	for _, l := range literals(s.Replace, name) {
		added, shallow := false, false
		for r := l.first; r <= l.last; r++ {
			line := s.Replace.Line(r)
			added = added || !kept[r].Kept
			shallow = shallow || !text.Blank(line) && len(text.Margin(line)) <= len(text.Margin(s.Replace.Line(l.opener)))
		}
		if !added || !shallow {
			continue
		}
		for r := l.first; r <= l.last; r++ {
			asText[r] = text.Margin(s.Replace.Line(r))
		}
	}
	if slices.EqualFunc(margins, asText, bytes.Equal) {
		return margins, nil
	}
	moved, stayed := 0, 0
	for _, l := range literals(s.Search, name) {
		for _, q := range pairs {
			switch {
			case q.Line < l.first || q.Line > l.last:
			case bytes.Equal(q.Search, q.File):
				stayed++
			default:
				moved++
			}
		}
	}
	switch {
	case moved > 0 && stayed == 0:
		return margins, nil
	case stayed > 0 && moved == 0:
		return asText, nil
	}
	return margins, asText
}
