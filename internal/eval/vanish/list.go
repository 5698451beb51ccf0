package vanish

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
)

// Is reports whether a verdict is one of the outcomes, which may also be those of neighbours:
// "lost", "swallowed", "moved", "bent".
func (v Verdict) Is(names []string) bool {
	return slices.Contains(names, string(v.Outcome)) ||
		v.Lost > 0 && slices.Contains(names, "lost") || v.Swallowed > 0 && slices.Contains(names, "swallowed") ||
		v.Moved > 0 && slices.Contains(names, "moved") || v.Bent > 0 && slices.Contains(names, "bent")
}

// WriteCase prints a case: the damage, the outcome, the reply with a bar before the lines of the
// damaged edit, and what was read there.
func WriteCase(w io.Writer, r Result) error {
	c, v := r.Case, r.Verdict
	var b strings.Builder
	fmt.Fprintf(&b, "== %s: form %s, damage %s: %s", c.ID, c.Form, cmp.Or(c.Damage, "none"), v.Outcome)
	for _, n := range []struct {
		name string
		n    int
	}{{"swallowed", v.Swallowed}, {"moved", v.Moved}, {"bent", v.Bent}, {"lost", v.Lost}} {
		if n.n > 0 {
			fmt.Fprintf(&b, ", %d neighbours %s", n.n, n.name)
		}
	}
	b.WriteByte('\n')
	for i, l := range splitLines(c.Reply) {
		sign := "  "
		if n := i + 1; c.Lines[0] <= n && n <= c.Lines[1] {
			sign = "| "
		}
		b.WriteString(sign + l + "\n")
	}
	for _, x := range Parse(c.Reply).Blocks {
		if overlap(x.Lines, c.Lines) {
			fmt.Fprintf(&b, "read in lines %d to %d: %q, %q to %q\n", x.Lines[0], x.Lines[1],
				x.Path, x.Search, x.Replace)
		}
	}
	b.WriteByte('\n')
	_, err := io.WriteString(w, b.String())
	return err
}

// Only keeps the named forms and damages. It keeps all forms if none is named, and all damages
// likewise.
func (m *Maker) Only(names []string) error {
	unknown := slices.Clone(names)
	keepOnly(&m.forms, &unknown, names, func(f form) string { return f.name })
	keepOnly(&m.damages, &unknown, names, func(d damage) string { return d.name })
	if len(unknown) > 0 {
		return fmt.Errorf("no form or damage %q; there are %s", unknown[0], strings.Join(Names(), ", "))
	}
	return nil
}

// keepOnly keeps what is named, or everything if nothing is. It removes those names from unknown.
func keepOnly[T any](list *[]T, unknown *[]string, names []string, nameOf func(T) string) {
	named := func(v T) bool { return slices.Contains(names, nameOf(v)) }
	if !slices.ContainsFunc(*list, named) {
		return
	}
	*list = slices.DeleteFunc(*list, func(v T) bool { return !named(v) })
	*unknown = slices.DeleteFunc(*unknown, func(n string) bool {
		return slices.ContainsFunc(*list, func(v T) bool { return nameOf(v) == n })
	})
}

// OnlyUnderstood keeps the forms that are read if undamaged. What is lost then was lost by damage.
func (m *Maker) OnlyUnderstood() {
	m.forms = slices.DeleteFunc(m.forms, func(f form) bool {
		e := Edit{"src/new.py", "one\n\ttwo \"2\"\n", "one\n\ttwo \"3\"\n"}
		if f.means == short {
			e.Search, e.Replace = "two\n", "three\n"
		}
		text := f.write(e).text()
		c := Case{Edit: f.truth(e), Reply: text + "\nDone.\n", Lines: [2]int{1, len(splitLines(text))}}
		return Judge(&c, Parse(c.Reply)).Outcome != Read
	})
}

// Names returns the names of all forms and damages.
func Names() (out []string) {
	for _, f := range forms() {
		out = append(out, f.name)
	}
	for _, d := range damages() {
		out = append(out, d.name)
	}
	return out
}
