package vanish

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

// Tally counts the cases of a mutation.
type Tally struct {
	N        int
	Outcomes map[Outcome]int
	// Neighbours are all of them; the others are described with [Verdict].
	Neighbours, Lost, Swallowed, Moved, Bent int
}

// Add counts one more.
func (t *Tally) Add(c *Case, v Verdict) {
	if t.Outcomes == nil {
		t.Outcomes = map[Outcome]int{}
	}
	t.N++
	t.Outcomes[v.Outcome]++
	t.Neighbours += len(c.Neighbours)
	t.Lost, t.Swallowed, t.Moved, t.Bent = t.Lost+v.Lost, t.Swallowed+v.Swallowed, t.Moved+v.Moved, t.Bent+v.Bent
}

// Table counts cases by mutation.
type Table struct {
	// By names the row of a case.
	By        func(*Case) string
	Total     Tally
	Mutations map[string]*Tally
}

// Add counts one more.
func (t *Table) Add(r Result) {
	if t.Mutations == nil {
		t.Mutations = map[string]*Tally{}
	}
	name := t.By(r.Case)
	if t.Mutations[name] == nil {
		t.Mutations[name] = &Tally{}
	}
	t.Mutations[name].Add(r.Case, r.Verdict)
	t.Total.Add(r.Case, r.Verdict)
}

// Write prints a line per mutation, those that vanish most first, and the total.
func (t *Table) Write(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%-34s %7s", "mutation", "n")
	for _, o := range Outcomes() {
		fmt.Fprintf(&b, " %9s", o)
	}
	fmt.Fprintf(&b, " | neighbours: %9s %7s %7s %7s\n", "swallowed", "moved", "bent", "lost")
	row := func(name string, x *Tally) {
		fmt.Fprintf(&b, "%-34s %7d", name, x.N)
		for _, o := range Outcomes() {
			fmt.Fprintf(&b, " %9d", x.Outcomes[o])
		}
		fmt.Fprintf(&b, " | %11d %9d %7d %7d %7d\n", x.Neighbours, x.Swallowed, x.Moved, x.Bent, x.Lost)
	}
	names := slices.Sorted(maps.Keys(t.Mutations))
	share := func(name string) float64 {
		x := t.Mutations[name]
		return float64(x.Outcomes[Vanished]) / float64(x.N)
	}
	slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(share(b), share(a)) })
	for _, name := range names {
		row(name, t.Mutations[name])
	}
	row("total", &t.Total)
	_, err := io.WriteString(w, b.String())
	return err
}

// WriteMarkdown prints a table for the documentation: a row per mutation, in the order of names.
func (t *Table) WriteMarkdown(w io.Writer) error {
	var b strings.Builder
	b.WriteString("| mutation | of | read | refused | noticed | vanish | otherwise |\n|---|--:|--:|--:|--:|--:|--:|\n")
	row := func(name string, x *Tally) {
		refused := x.Outcomes[Refused] + x.Outcomes[Elsewhere]
		rest := x.N - x.Outcomes[Read] - refused - x.Outcomes[Noticed] - x.Outcomes[Vanished]
		fmt.Fprintf(&b, "| %s | %d | %d | %d | %d | %d | %d |\n", name, x.N, x.Outcomes[Read],
			refused, x.Outcomes[Noticed], x.Outcomes[Vanished], rest)
	}
	for _, name := range slices.Sorted(maps.Keys(t.Mutations)) {
		label := "`" + name + "`"
		if name == "" {
			label = "(undamaged)"
		}
		row(label, t.Mutations[name])
	}
	row("all", &t.Total)
	_, err := io.WriteString(w, b.String())
	return err
}
