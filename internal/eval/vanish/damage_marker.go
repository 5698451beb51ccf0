package vanish

import (
	"math/rand/v2"
	"slices"
	"strings"
)

// marker is a line with a marker, in parts: "  <<<<<<< SEARCH".
type marker struct{ margin, signs, label string }

func parseMarker(text string) (m marker, ok bool) {
	rest := strings.TrimLeft(text, " \t")
	m.margin = text[:len(text)-len(rest)]
	if rest == "" || !strings.Contains("<=>-+", rest[:1]) {
		return m, false
	}
	label := strings.TrimLeft(rest, rest[:1])
	m.signs, m.label = rest[:len(rest)-len(label)], strings.TrimSpace(label)
	return m, len(m.signs) >= 3
}

func (m marker) String() string { return m.margin + strings.TrimRight(m.signs+" "+m.label, " ") }

// remark changes one marker, or all of them.
func remark(roles string, all bool, f func(*rand.Rand, marker) string) func(*rand.Rand, layout) layout {
	return func(r *rand.Rand, l layout) layout {
		at := l.all(roles)
		if i, ok := pickOf(r, at); ok && !all {
			at = []int{i}
		}
		out, seed := slices.Clone(l), r.Uint64()
		for _, i := range at {
			m, ok := parseMarker(l[i].text)
			if !ok {
				return nil
			}
			// The random choices are the same for all markers.
			out[i].text = f(rand.New(rand.NewPCG(seed, 0)), m)
		}
		if slices.Equal(out, l) {
			return nil
		}
		return out
	}
}

// plain is a change that isn't random.
func plain(f func(string) string) func(*rand.Rand, string) string {
	return func(_ *rand.Rand, s string) string { return f(s) }
}

// counted changes the number of a marker's signs.
func counted(n func(r *rand.Rand, n int) int) func(*rand.Rand, marker) string {
	return func(r *rand.Rand, m marker) string {
		m.signs = strings.Repeat(m.signs[:1], n(r, len(m.signs)))
		return m.String()
	}
}

// signDamages returns the damages of markers' signs.
func signDamages() []damage {
	fewer := counted(func(_ *rand.Rand, n int) int { return n - 1 })
	more := counted(func(_ *rand.Rand, n int) int { return n + 1 })
	few := counted(func(r *rand.Rand, _ int) int { return 3 + r.IntN(2) })
	many := counted(func(r *rand.Rand, _ int) int { return 10 + r.IntN(12) })
	wide := strings.NewReplacer("<", "＜", "=", "＝", ">", "＞", "-", "－", "+", "＋")
	escaped := strings.NewReplacer("<", "&lt;", ">", "&gt;")
	signs := func(f func(*rand.Rand, string) string) func(*rand.Rand, marker) string {
		return func(r *rand.Rand, m marker) string {
			m.signs = f(r, m.signs)
			return m.String()
		}
	}
	var out []damage
	for _, x := range []struct {
		name string
		do   func(*rand.Rand, marker) string
	}{{"fewer", fewer}, {"more", more}, {"few", few}, {"many", many}, {"wide", signs(plain(wide.Replace))}} {
		out = append(out, damage{name: "sign_" + x.name, do: remark(markerRoles, false, x.do)},
			damage{name: "signs_" + x.name, do: remark(markerRoles, true, x.do)})
	}
	return append(out, []damage{
		{name: "signs_escaped_html", do: remark(markerRoles, true, signs(plain(escaped.Replace)))},
		{name: "sign_another", do: remark(markerRoles, false, signs(func(r *rand.Rand, s string) string {
			return strings.Repeat(pick(r, []string{"<", ">", "=", "-", "~", "#", "*", "+"}), len(s))
		}))},
		{name: "sign_spaced", do: remark(markerRoles, false, signs(plain(func(s string) string {
			return strings.TrimRight(strings.Repeat(s[:1]+" ", len(s)), " ")
		})))},
		{name: "sign_broken", do: remark(markerRoles, false,
			signs(plain(func(s string) string { return s[:3] + " " + s[3:] })))},
		{name: "sign_backslashes", do: remark(markerRoles, false, signs(plain(func(s string) string {
			return strings.Repeat(`\`+s[:1], len(s))
		})))},
		{name: "markers_turned", do: func(_ *rand.Rand, l layout) layout {
			o, c := l.all(string(opener)), l.all(string(closer))
			if len(o) != 1 || len(c) != 1 {
				return nil
			}
			out := slices.Clone(l)
			out[o[0]].text, out[c[0]].text = l[c[0]].text, l[o[0]].text
			return out
		}},
	}...)
}

// labelDamages returns the damages of markers' words.
func labelDamages() []damage {
	const labelled = string(opener) + string(closer)
	label := func(f func(*rand.Rand, string) string) func(*rand.Rand, marker) string {
		return func(r *rand.Rand, m marker) string {
			m.label = f(r, m.label)
			return m.String()
		}
	}
	return []damage{
		{name: "label_swapped", do: remark(labelled, false, label(swapLetters))},
		{name: "label_letter_lost", do: remark(labelled, false, label(func(r *rand.Rand, s string) string {
			if len(s) < 2 {
				return s
			}
			i := r.IntN(len(s))
			return s[:i] + s[i+1:]
		}))},
		{name: "label_letter_doubled", do: remark(labelled, false, label(func(r *rand.Rand, s string) string {
			if s == "" {
				return s
			}
			i := r.IntN(len(s))
			return s[:i+1] + s[i:]
		}))},
		{name: "label_missing", do: remark(labelled, false, label(plain(func(string) string { return "" })))},
		{name: "labels_missing", do: remark(labelled, true, label(plain(func(string) string { return "" })))},
		{name: "label_lower", do: remark(labelled, false,
			label(plain(func(s string) string { return strings.ToLower(s) })))},
		{name: "label_more", do: remark(labelled, false, label(func(r *rand.Rand, s string) string {
			return s + pick(r, []string{":", " block", " (1)", " BLOCK", " #1", ".", " >>>", " <<<"})
		}))},
		{name: "label_glued", do: remark(labelled, false,
			func(_ *rand.Rand, m marker) string { return m.margin + m.signs + m.label })},
		{name: "label_first", do: remark(labelled, false,
			func(_ *rand.Rand, m marker) string { return m.margin + m.label + " " + m.signs })},
		{name: "label_bold", do: remark(labelled, false,
			label(plain(func(s string) string { return "**" + s + "**" })))},
		{name: "label_on_divider",
			do: remark(string(divider), false, label(func(r *rand.Rand, s string) string {
				return s + pick(r, []string{"REPLACE", "DIVIDER", "WITH"})
			}))},
		{name: "label_same_meaning", do: relabel(false, meanings())},
		{name: "labels_same_meaning", do: relabel(true, meanings())},
		{name: "label_translated", do: relabel(false, translations())},
		{name: "labels_translated", do: relabel(true, translations())},
	}
}

// relabel replaces the words of markers, or one of them.
func relabel(both bool, pairs [][2]string) func(*rand.Rand, layout) layout {
	return func(r *rand.Rand, l layout) layout {
		o, c := l.all(string(opener)), l.all(string(closer))
		if len(o) != 1 || len(c) != 1 {
			return nil
		}
		out, pair, which := slices.Clone(l), pick(r, pairs), r.IntN(2)
		for i, at := range []int{o[0], c[0]} {
			m, ok := parseMarker(l[at].text)
			if !ok {
				return nil
			}
			if both || i == which {
				m.label = pair[i]
				out[at].text = m.String()
			}
		}
		if slices.Equal(out, l) {
			return nil
		}
		return out
	}
}

func meanings() [][2]string {
	return [][2]string{{"FIND", "REPLACE"}, {"ORIGINAL", "UPDATED"}, {"OLD", "NEW"},
		{"BEFORE", "AFTER"}, {"HEAD", "updated"}, {"FROM", "TO"},
		{"CURRENT", "PROPOSED"}, {"SEARCH", "END"}, {"LOCATE", "SUBSTITUTE"},
		{"EXISTING", "REPLACEMENT"}, {"MATCH", "CHANGE"}, {"Old code", "New code"}}
}

func translations() [][2]string {
	return [][2]string{{"SUCHEN", "ERSETZEN"}, {"BUSCAR", "REEMPLAZAR"},
		{"RECHERCHER", "REMPLACER"}, {"搜索", "替换"}, {"検索", "置換"}, {"ПОИСК", "ЗАМЕНА"},
		{"CERCA", "SOSTITUISCI"}, {"찾기", "바꾸기"}, {"BUSCAR", "SUBSTITUIR"}, {"Suche", "Ersetze"}}
}
