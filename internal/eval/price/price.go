package price

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/srpatch/srpatch/internal/ablate"
	"github.com/srpatch/srpatch/internal/ablate/toggle"
	"github.com/srpatch/srpatch/internal/eval"
)

// Packages are those whose rules have a price.
func Packages() []string {
	return append(ablate.Packages(), "apply/internal/breakage", "fsm", "indent", "parser/internal/command")
}

// Cases are the questions of a collection, as a scale for [ablate.Probe].
func Cases(ctx context.Context, qs []*eval.Question, scale int) (cases []ablate.Case) {
	for _, q := range qs {
		cases = append(cases, ablate.Case{Name: q.ID, Scale: scale, Ask: func() ablate.Answer {
			a, err := q.Ask(ctx)
			if err != nil {
				panic(err)
			}
			text, err := json.Marshal(a)
			if err != nil {
				panic(err)
			}
			return ablate.Answer{Substance: sha256.Sum256(text), Worth: string(q.Judge(a))}
		}})
	}
	return cases
}

// Row is the price of a rule or a room.
type Row struct {
	// Name is that of the room, or the rule's file and name with the constant that was put in its place.
	Name   string
	IsRoom bool
	Lines  int
	// Real and Made are how many answers change in the files and among the made edits. Where not all questions were asked, which Sampled
	// says, they are extrapolated.
	Real, Made float64
	Sampled    bool
	// Moves count them by what the answer was worth and is.
	Moves map[string]float64
	// Keeps is the promise that it keeps.
	Keeps string
}

// Answers are all that change.
func (r *Row) Answers() float64 { return r.Real + r.Made }

// PerAnswer are the lines for each changed answer.
func (r *Row) PerAnswer() float64 { return float64(r.Lines) / r.Answers() }

// Pricer measures.
type Pricer struct {
	// Root is the module's folder, Package the command in internal/eval that calls [ablate.Probe] when it is called with "probe", the number
	// of switches, and Files.
	Root, Package string
	// Files are collections of questions, a scale each; those from Made on are made edits.
	Files []string
	Made  int
	// Most is how many questions of each collection are asked for a rule, and Rooms for a room. If Most is 0, only rooms have a price.
	Most, Rooms int
	Processes   int
}

// Measure returns the rows, those with the most lines for each changed answer first.
func (p *Pricer) Measure(ctx context.Context) ([]*Row, error) {
	rules, err := ablate.Rules(p.Root, Packages())
	if err != nil {
		return nil, err
	}
	rooms, err := Rooms(p.Root, len(rules))
	if err != nil {
		return nil, err
	}
	declared, err := os.ReadFile(filepath.Join(p.Root, "internal", "ablate", "declared.txt"))
	if err != nil {
		return nil, err
	}
	kept := promises(string(declared))
	all := slices.Clone(rules)
	var jobs []ablate.Job
	var rows []*Row // of the jobs
	for _, r := range rooms {
		all = append(all, r.Entries...)
		jobs = append(jobs, ablate.Job{Rule: r.Entries[0], Setting: toggle.Off, Most: p.Rooms})
		rows = append(rows, &Row{Name: r.Name, IsRoom: true, Lines: r.Lines, Keeps: keeps(kept, "room", r.Name)})
	}
	for _, r := range rules {
		for _, s := range r.Settings() {
			if p.Most > 0 {
				jobs = append(jobs, ablate.Job{Rule: r, Setting: s, Most: p.Most})
				rows = append(rows, &Row{Name: r.Key() + " " + string(s), Lines: r.Lines, Keeps: keeps(kept, r.File, r.Name)})
			}
		}
	}
	w, err := ablate.NewWorkshop(p.Root, all)
	if err != nil {
		return nil, err
	}
	defer w.Close()
	binary, err := w.Build(ctx, "internal/eval", p.Package)
	if err != nil {
		return nil, err
	}
	args := append([]string{"probe", fmt.Sprint(len(rules) + len(rooms))}, p.Files...)
	tallies, err := w.Tallies(ctx, binary, args, jobs, p.Processes)
	if err != nil {
		return nil, err
	}
	var priced []*Row
	for i, r := range rows {
		r.add(tallies[i], p.Made)
		if i == 0 || jobs[i].Rule != jobs[i-1].Rule {
			priced = append(priced, r)
		} else if last := len(priced) - 1; r.Answers() < priced[last].Answers() {
			priced[last] = r // of the two constants the one that changes less
		}
	}
	slices.SortStableFunc(priced, func(a, b *Row) int {
		return cmp.Or(cmp.Compare(b.PerAnswer(), a.PerAnswer()), cmp.Compare(b.Lines, a.Lines))
	})
	return priced, nil
}

// add scales the tallies up. Those from made on are of made edits.
func (r *Row) add(tallies []ablate.Tally, made int) {
	r.Moves = map[string]float64{}
	for scale, t := range tallies {
		for move, n := range t.Moves {
			up := float64(n) * float64(t.Of) / float64(t.Asked)
			r.Moves[move] += up
			if scale < made {
				r.Real += up
			} else {
				r.Made += up
			}
		}
		r.Sampled = r.Sampled || t.Asked < t.Of
	}
}

// Dear is how many lines a changed answer may cost before something needs a promise.
const Dear = 50

// Write prints the rows as a table, or as one for a page.
func Write(w io.Writer, rows []*Row, page bool) error {
	moves := []string{"right wrong", "wrong right", "right refused", "refused right"}
	table := [][]string{{"lines", "answers", "real", "made", "right to wrong", "wrong to right", "right to refused", "refused to right", "lines an answer", "without", "keeps"}}
	if page {
		table = append(table, append(slices.Repeat([]string{"--:"}, 9), "---", "---"))
	}
	number := func(n float64) string { return fmt.Sprintf("%.0f", n) }
	for _, r := range rows {
		about, each, name, keeps := "", "-", r.Name, ""
		if r.Sampled {
			about = "~"
		}
		if r.Answers() > 0 {
			each = number(math.Ceil(r.PerAnswer()))
		}
		if r.IsRoom && !page {
			name = "ROOM " + name
		}
		if r.PerAnswer() > Dear {
			keeps = cmp.Or(r.Keeps, "nothing: to go")
		}
		cells := []string{fmt.Sprint(r.Lines), about + number(r.Answers()), number(r.Real), number(r.Made)}
		for _, m := range moves {
			cells = append(cells, number(r.Moves[m]))
		}
		table = append(table, append(cells, each, name, keeps))
	}
	if page {
		for _, cells := range table {
			if _, err := fmt.Fprintf(w, "| %s |\n", strings.Join(cells, " | ")); err != nil {
				return err
			}
		}
		return nil
	}
	tabs := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, cells := range table {
		fmt.Fprintln(tabs, strings.Join(cells, "\t"))
	}
	return tabs.Flush()
}
