package vanish

import (
	"math/rand/v2"
	"slices"
	"strings"
)

// damage is a way in which a written edit goes wrong.
type damage struct {
	name string
	// do returns a damaged copy of a layout, or nil if there is nothing to damage in this way.
	do func(r *rand.Rand, l layout) layout
	// cuts says that the reply ends there.
	cuts bool
	// markers says that it is only for edits with markers.
	markers bool
	// words says that it may hit the words of a side. That makes another edit, which nobody could
	// tell from a good one.
	words bool
	// frame says that it damages the fence or the name around the texts. If a form has nothing else
	// to mark an edit, such as a file below its name, anybody would take the rest for an example.
	frame bool
}

func damages() []damage {
	markers := slices.Concat(signDamages(), labelDamages())
	for i := range markers {
		markers[i].markers = true
	}
	frame := slices.Concat(nameDamages(), fenceDamages())
	for i := range frame {
		frame[i].frame = true
	}
	return slices.Concat(markers, lineDamages(), frame, endDamages())
}

// lineDamages returns the damages of lines of the form, whatever they say.
func lineDamages() []damage {
	return []damage{
		{name: "line_dropped", do: func(r *rand.Rand, l layout) layout {
			if len(l.all(signRoles)) < 2 {
				return nil // nothing would be left to read
			}
			return change(r, l, signRoles, func(x line) []line {
				if strings.HasPrefix(x.text, "{") && strings.HasSuffix(x.text, "}") {
					return []line{x} // the whole edit is on it, and none would be left
				}
				return nil
			})
		}},
		{name: "line_repeated", do: func(r *rand.Rand, l layout) layout {
			return change(r, l, signRoles, func(x line) []line { return []line{x, x} })
		}},
		{name: "line_indented", do: decorate([]string{"  ", "    ", "\t"}, "")},
		{name: "line_quoted", do: decorate([]string{"> ", ">"}, "")},
		{name: "line_listed", do: decorate([]string{"- ", "* ", "1. ", "+ "}, "")},
		{name: "line_commented", do: decorate([]string{"# ", "// ", "-- ", "; "}, "")},
		{name: "line_html_comment", do: decorate([]string{"<!-- "}, " -->")},
		{name: "line_bold", do: decorate([]string{"**"}, "**")},
		{name: "line_code", do: decorate([]string{"`"}, "`")},
		{name: "line_heading", do: decorate([]string{"### "}, "")},
		{name: "line_escaped", do: decorate([]string{`\`}, "")},
		{name: "line_numbered", do: decorate([]string{"12 | ", "12: ", "  12\t"}, "")},
		{name: "line_zero_width", do: decorate([]string{"\u200b", "\ufeff", "\u00a0"}, "")},
		{name: "line_trailing_text", do: decorate([]string{""}, " (see above)")},
		{name: "line_joined", do: join},
		{name: "line_letters_swapped", words: true, do: func(r *rand.Rand, l layout) layout {
			return change(r, l, signRoles, func(x line) []line { return one(x, swapLetters(r, x.text)) })
		}},
		{name: "lines_all_indented", do: everywhere([]string{"  ", "    ", "\t"})},
		{name: "lines_all_quoted", do: everywhere([]string{"> "})},
		{name: "lines_all_commented", do: everywhere([]string{"# ", "// "})},
		{name: "lines_all_numbered", do: everywhere([]string{"12 | "})},
		{name: "lines_html_commented", do: func(_ *rand.Rand, l layout) layout {
			return slices.Concat(layout{{tag, "<!--"}}, l, layout{{tag, "-->"}})
		}},
		{name: "lines_folded_away", do: func(_ *rand.Rand, l layout) layout {
			return slices.Concat(layout{{tag, "<details>"}, {tag, "<summary>Change</summary>"},
				{content, ""}}, l, layout{{content, ""}, {tag, "</details>"}})
		}},
	}
}

// endDamages returns the damages that end the reply within the edit.
func endDamages() []damage {
	return []damage{
		{name: "cut_after_line", cuts: true, do: func(r *rand.Rand, l layout) layout {
			first := slices.IndexFunc(l,
				func(x line) bool { return x.role != naming && x.role != fence && x.role != content })
			if first < 0 || first+1 >= len(l) {
				return nil
			}
			return l[:first+1+r.IntN(len(l)-first-1)]
		}},
		{name: "cut_within_line", cuts: true, do: func(r *rand.Rand, l layout) layout {
			at, ok := pickOf(r, l.all(signRoles))
			if !ok || len(l[at].text) < least+2 {
				return nil
			}
			out := slices.Clone(l[:at+1])
			out[at].text = out[at].text[:least+r.IntN(len(out[at].text)-least-1)]
			return out
		}},
	}
}

// least is how many characters of a cut line remain. Fewer could begin any text, as "<<" and "*** "
// do.
const least = 5

// change replaces one line that has one of the roles.
func change(r *rand.Rand, l layout, roles string, f func(line) []line) layout {
	at, ok := pickOf(r, l.all(roles))
	if !ok {
		return nil
	}
	lines := f(l[at])
	if len(lines) == 1 && lines[0] == l[at] {
		return nil
	}
	return slices.Concat(l[:at], lines, l[at+1:])
}

// decorate puts text around one line of the form.
func decorate(before []string, after string) func(*rand.Rand, layout) layout {
	return func(r *rand.Rand, l layout) layout {
		return change(r, l, signRoles, func(x line) []line { return one(x, pick(r, before)+x.text+after) })
	}
}

// everywhere puts text before all lines of the edit.
func everywhere(before []string) func(*rand.Rand, layout) layout {
	return func(r *rand.Rand, l layout) layout {
		sign := pick(r, before)
		out := slices.Clone(l)
		for i := range out {
			out[i].text = sign + out[i].text
		}
		return out
	}
}

// join joins a line of the form with the next one.
func join(r *rand.Rand, l layout) layout {
	at, ok := pickOf(r, l.all(signRoles+string(naming)))
	if !ok || at+1 >= len(l) {
		return nil
	}
	out := slices.Delete(slices.Clone(l), at+1, at+2)
	out[at].text += pick(r, []string{" ", ""}) + l[at+1].text
	return out
}

func one(x line, text string) []line { return []line{{x.role, text}} }

func pick[T any](r *rand.Rand, of []T) T { return of[r.IntN(len(of))] }

func pickOf(r *rand.Rand, of []int) (int, bool) {
	if len(of) == 0 {
		return 0, false
	}
	return pick(r, of), true
}

// swapLetters swaps two letters of a word.
func swapLetters(r *rand.Rand, text string) string {
	b := []byte(text)
	var at []int
	for i := 1; i < len(b); i++ {
		if isLetter(b[i-1]) && isLetter(b[i]) && b[i-1] != b[i] {
			at = append(at, i)
		}
	}
	if i, ok := pickOf(r, at); ok {
		b[i-1], b[i] = b[i], b[i-1]
	}
	return string(b)
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }
