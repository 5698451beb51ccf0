package eval

import (
	"slices"
	"strings"
)

// standIns blocks have characters that look like others, beyond quotes and dashes: dots in one
// character, ligatures, characters without width.
func standIns(g *gen, d *draft) *Case {
	variant := choose(g, 0, []string{"ellipsis", "ellipsis", "ligatures", "zero_width",
		"soft_hyphen", "further", "both_forms"})
	if has(d.src, "…") ||
		slices.ContainsFunc(d.src.lines, func(l string) bool { return strings.ContainsAny(l, "\u200b\u00ad﹣′´ﬁﬂ") }) {
		return nil
	}
	d.note(variant)
	var f func(string) string
	dots := strings.NewReplacer("...", "…").Replace
	inside := func(mark string) func(string) string {
		return g.onSome(0.4, func(l string) string {
			in := indentOf(l)
			if rest := l[len(in):]; len(rest) > 6 {
				k := g.between(1, len(rest)-2)
				if rest[k] < 0x80 && rest[k-1] < 0x80 {
					return in + rest[:k] + mark + rest[k:]
				}
			}
			return l
		})
	}
	switch variant {
	case "ellipsis":
		f = dots
	case "ligatures":
		f = strings.NewReplacer("ffi", "ﬃ", "ff", "ﬀ", "fi", "ﬁ", "fl", "ﬂ").Replace
	case "zero_width":
		f = inside(pick(g.rng, []string{"\u200b", "\u2060", "\ufeff", "\u200d"}))
	case "soft_hyphen":
		f = inside("\u00ad")
	case "further":
		f = strings.NewReplacer("-", pick(g.rng, []string{"\u2043", "\ufe58", "\ufe63"}), "'",
			pick(g.rng, []string{"\u00b4", "\u2035"}), `"`, "\u301e").Replace
	case "both_forms":
		// The other form is in the file, too, but is not meant.
		twin := mapped(d.before(), dots)
		if slices.Equal(twin, d.before()) {
			return nil
		}
		d.below = slices.Concat(twin, d.below)
		return d.finish()
	}
	// It is open whether a new line should have the block's characters.
	changes := d.some(func(r row) bool { return r.op == added && f(r.text) != r.text })
	where := old
	if !changes {
		where = every
	}
	if !d.bend(where, f) {
		return nil
	}
	return g.finishHinted(d)
}
