package eval

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"
	"text/tabwriter"

	"github.com/srpatch/srpatch/apply"
	"github.com/srpatch/srpatch/strategy"
)

// Stages counts the blocks of some questions by the stage of the cascade that found their places.
func Stages(ctx context.Context, qs []*Question) (map[string]int, error) {
	found := map[string]int{}
	var lock sync.Mutex
	return found, Each(ctx, len(qs), func(i int) error {
		if qs[i].Files == nil {
			return nil
		}
		c := &Case{Path: qs[i].Path, Files: qs[i].Files}
		plan, err := planOf(ctx, c, qs[i].Options, qs[i].parsed())
		if err != nil {
			return fmt.Errorf("%s: %w", qs[i].ID, err)
		}
		lock.Lock()
		defer lock.Unlock()
		for _, b := range plan.Blocks {
			if b.Status != apply.BlockFailed && b.Strategy != "" {
				found[b.Strategy]++
			}
		}
		return nil
	})
}

// tolerances returns what strategies forgive, by name.
func tolerances() map[string]strategy.Tolerance {
	names := map[string]strategy.Tolerance{"levenshtein": strategy.Lines}
	for _, s := range strategy.Strategies() {
		names[s.Name()] = strategy.ToleranceOf(s)
	}
	return names
}

// WriteStages prints the table of docs/accuracy.md: a row for each stage, the strategies first,
// with the blocks of each titled count, and how many of the tolerant places strategies found.
func WriteStages(w io.Writer, titles []string, counts []map[string]int) error {
	const noStrategy = strategy.Lines + 1
	words := map[strategy.Tolerance]string{
		strategy.Nothing: "nothing", strategy.Blanks: "blanks", strategy.Lines: "lines", noStrategy: "(no strategy)",
	}
	forgives := tolerances()
	last := counts[len(counts)-1]
	for _, c := range counts {
		for name := range c {
			if _, ok := forgives[name]; !ok {
				forgives[name] = noStrategy
			}
		}
	}
	names := slices.SortedFunc(maps.Keys(forgives), func(a, b string) int {
		return cmp.Or(cmp.Compare(forgives[a], forgives[b]), last[b]-last[a], strings.Compare(a, b))
	})
	tabs := tabwriter.NewWriter(w, 0, 0, 1, ' ', 0)
	row := func(name, forgives string, cell func(count map[string]int) string) {
		fmt.Fprintf(tabs, "| %s\t| %s", name, forgives)
		for _, c := range counts {
			fmt.Fprintf(tabs, "\t| %s", cell(c))
		}
		fmt.Fprint(tabs, "\t|\n")
	}
	fmt.Fprintf(tabs, "| stage\t| forgives\t| %s\t|\n", strings.Join(titles, "\t| "))
	row("---", "---", func(map[string]int) string { return "--:" })
	for _, name := range names {
		row(name, words[forgives[name]], func(c map[string]int) string { return fmt.Sprint(c[name]) })
	}
	row("tolerant, by a strategy", "", func(c map[string]int) string {
		ten, all := 0, 0
		for name, n := range c {
			if forgives[name] != strategy.Nothing {
				all += n
			}
			if f := forgives[name]; f != strategy.Nothing && f != noStrategy {
				ten += n
			}
		}
		return fmt.Sprintf("%.1f %%", 100*float64(ten)/float64(max(1, all)))
	})
	return tabs.Flush()
}
