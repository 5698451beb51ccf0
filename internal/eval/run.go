package eval

import (
	"context"
	"fmt"
	"maps"
	"strings"

	"github.com/srpatch/srpatch/apply"
	"github.com/srpatch/srpatch/parser"
)

// Run asks the engine about each case, in parallel, and returns the outcomes in the order of the
// cases.
func Run(ctx context.Context, cases []*Case, opt apply.Options) ([]Outcome, error) {
	out := make([]Outcome, len(cases))
	return out, Each(ctx, len(cases), func(i int) (err error) {
		if out[i], err = runOne(ctx, cases[i], opt); err != nil {
			err = fmt.Errorf("case %s: %w", cases[i].ID, err)
		}
		return err
	})
}

func runOne(ctx context.Context, c *Case, opt apply.Options) (Outcome, error) {
	reply := &parser.Reply{Blocks: []parser.Block{{
		ID: 1, Op: parser.OpEdit, Path: c.Path, Search: []byte(c.Search),
		Replace: []byte(c.Replace), StartLine: c.StartLine,
	}}}
	if c.Reply != "" {
		reply = parser.Parse([]byte(c.Reply))
	}
	plan, err := planOf(ctx, c, opt, reply)
	if err != nil {
		return Outcome{}, err
	}
	var notes []string
	for _, b := range plan.Blocks {
		notes = append(notes, fmt.Sprintf("%s (score %.3f) %s", note(b), b.Score, strings.Join(b.Warnings, "; ")))
	}
	for _, d := range plan.Diagnostics {
		notes = append(notes, fmt.Sprintf("diagnostic %s, line %d", d.Code, d.Line))
	}
	o := Outcome{Note: strings.Join(notes, "\n"), Files: filesAfter(c, plan)}
	if o.Files != nil || c.Reply != "" {
		return o, nil
	}
	for _, text := range plan.Blocks[0].Corrected {
		// A user applies the corrected block in a new run with the same policy.
		again, err := planOf(ctx, c, apply.Options{Policy: opt.Policy}, parser.Parse([]byte(text)))
		if err != nil {
			return Outcome{}, err
		}
		o.Corrected = append(o.Corrected, Corrected{Text: text, Files: filesAfter(c, again)})
	}
	return o, nil
}

// planOf returns a fresh engine's plan for a reply to the files of a case.
func planOf(ctx context.Context, c *Case, opt apply.Options, reply *parser.Reply) (*apply.Plan, error) {
	tree := apply.Files{}
	for p, text := range c.Files {
		tree[p] = []byte(text)
	}
	opt.Single = c.Path
	return apply.New(tree, opt).Plan(ctx, reply)
}

// filesAfter returns the contents of all files of the case after the plan, or nil if it was
// refused.
func filesAfter(c *Case, plan *apply.Plan) map[string]string {
	if plan.Status != apply.Applied && plan.Status != apply.Partial {
		return nil
	}
	files := maps.Clone(c.Files)
	for _, f := range plan.Files {
		if f.From != "" {
			delete(files, f.From)
		}
		if f.Action == apply.Delete {
			delete(files, f.Path)
			continue
		}
		files[f.Path] = string(f.After)
	}
	return files
}
