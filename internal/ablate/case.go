package ablate

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"hash"
	"io"
	"maps"
	"slices"

	"github.com/srpatch/srpatch/apply"
	"github.com/srpatch/srpatch/parser"
	"github.com/srpatch/srpatch/strategy"
)

// Case is a question to the product.
type Case struct {
	Name string
	Ask  func() Answer
	// Scale numbers the collections that cases are counted in, from 0.
	Scale int
}

// Answer is what came of a case, short enough to keep thousands.
type Answer struct {
	// Substance is what a user would miss: statuses, reasons, places, texts, corrected blocks. Wording is the rest.
	Substance, Wording [sha256.Size]byte
	// Judged says that the truth of the case is known, Right that the answer is it.
	Judged, Right bool
	// Worth is a word for it, for counts.
	Worth string
}

// Difference says how an answer differs from that of the product as it is, from nothing to the most telling.
type Difference int

// Differences.
const (
	Same    Difference = iota
	Better             // the truth of the case is known, and only this answer is it
	Wording            // only messages, scores and the like
	Changed            // the truth of the case is known, and both or none are it
	Fails              // another answer, or one that is no longer right
)

// against compares an answer with that of the product as it is.
func (a Answer) against(own Answer) Difference {
	switch {
	case a.Substance == own.Substance && a.Wording == own.Wording:
		return Same
	case a.Substance == own.Substance:
		return Wording
	case own.Judged && a.Right && !own.Right:
		return Better
	case own.Judged && a.Right == own.Right:
		return Changed
	}
	return Fails
}

// digest takes in what an answer says.
type digest struct{ substance, wording hash.Hash }

func newDigest() *digest { return &digest{sha256.New(), sha256.New()} }

func (d *digest) answer() (a Answer) {
	d.substance.Sum(a.Substance[:0])
	d.wording.Sum(a.Wording[:0])
	return a
}

// write takes in values of any type as JSON, which writes maps in order and quotes all text.
func write(h hash.Hash, values ...any) {
	enc := json.NewEncoder(h)
	for _, v := range values {
		if err := enc.Encode(v); err != nil {
			panic(fmt.Sprintf("an answer cannot be written: %v", err))
		}
	}
}

func (d *digest) reply(r *parser.Reply) {
	for _, b := range r.Blocks {
		write(d.substance, len(b.Warnings))
		write(d.wording, b.Warnings)
		b.Warnings = nil
		write(d.substance, b)
	}
	write(d.substance, r.Shell, r.Turns, r.Attempts)
	d.diagnostics(r.Diagnostics)
}

func (d *digest) diagnostics(of []parser.Diagnostic) {
	for _, g := range of {
		write(d.substance, g.Code, g.Line)
		write(d.wording, g)
	}
}

func (d *digest) plan(p *apply.Plan) {
	write(d.substance, p.Status)
	for _, b := range p.Blocks {
		write(d.substance, b.Status, b.Reason, b.Path, b.Strategy, b.Lines, b.Candidates, len(b.Warnings), b.Corrected, b.Appended)
		write(d.wording, b)
	}
	for _, f := range p.Files {
		write(d.substance, f.Path, f.From, f.Action, f.After)
		write(d.wording, f.Edits())
	}
	d.diagnostics(p.Diagnostics)
}

// parseCase asks the parser about a reply: whole, as a log, in small pieces, and written down again.
func parseCase(name string, reply []byte) Case {
	return Case{Name: name, Ask: func() Answer {
		d := newDigest()
		whole := parser.Parse(reply)
		d.reply(whole)
		d.reply(whole.Last())
		d.reply(parser.Parse(reply, parser.WithWholeFiles()))
		d.reply(parser.ParseLog(reply))
		last, err := parser.ParseLast(bytes.NewReader(reply))
		write(d.substance, err == nil)
		if err == nil {
			d.reply(last)
		}
		s := parser.NewScanner(&pieces{reply})
		for it := range s.Items() {
			write(d.substance, it.Block == nil, it.Shell == nil, it.Diagnostic == nil)
		}
		for _, b := range whole.Blocks {
			text, err := parser.Format([]parser.Block{b})
			write(d.substance, text, err == nil)
			write(d.wording, fmt.Sprint(err))
		}
		return d.answer()
	}}
}

// pieces reads a few bytes at a time.
type pieces struct{ rest []byte }

// Read reads at most seven bytes.
func (p *pieces) Read(to []byte) (int, error) {
	n := copy(to[:min(len(to), 7)], p.rest)
	p.rest = p.rest[n:]
	if n == 0 {
		return 0, io.EOF
	}
	return n, nil
}

// planCase asks what a reply does to a tree, and what it does to the result when it comes once more. truth, where it is not
// nil, says whether the tree after, nil for a refusal, is right.
func planCase(name string, tree apply.Files, opt apply.Options, reply func() *parser.Reply, truth func(after apply.Files) bool) Case {
	return Case{Name: name, Ask: func() Answer {
		d := newDigest()
		plan := planOf(tree, opt, reply())
		d.plan(plan)
		after := result(tree, plan)
		again := true
		if after != nil && opt.Policy != apply.Loose && opt.Splice != apply.Verbatim {
			second := planOf(after, opt, reply())
			d.plan(second)
			again = slices.Equal(kept(after), kept(result(after, second)))
		}
		a := d.answer()
		if truth != nil {
			a.Judged, a.Right = true, truth(after) && again
		}
		return a
	}}
}

func planOf(tree apply.Files, opt apply.Options, reply *parser.Reply) *apply.Plan {
	plan, err := apply.New(tree, opt).Plan(context.Background(), reply)
	if err != nil {
		panic(fmt.Sprintf("no plan: %v", err)) // only a context that ended fails a plan
	}
	return plan
}

// kept lists a tree in order.
func kept(tree apply.Files) (list []string) {
	for _, p := range slices.Sorted(maps.Keys(tree)) {
		list = append(list, p, string(tree[p]))
	}
	return list
}

// result is the tree after the plan, nil when it was refused.
func result(tree apply.Files, plan *apply.Plan) apply.Files {
	if plan.Status == apply.Refused {
		return nil
	}
	after := maps.Clone(tree)
	for _, f := range plan.Files {
		delete(after, f.From)
		if f.Action == apply.Delete {
			delete(after, f.Path)
		} else {
			after[f.Path] = f.After
		}
	}
	return after
}

// replaceCase asks the reference cascade.
func replaceCase(name string, content, old, new string, all bool) Case {
	return Case{Name: name, Ask: func() Answer {
		d := newDigest()
		text, by, err := strategy.Replace([]byte(content), []byte(old), []byte(new), all)
		write(d.substance, text, by, fmt.Sprint(err))
		return d.answer()
	}}
}

// edit makes a reply of one block.
func edit(path, search, replace string, line int) func() *parser.Reply {
	return func() *parser.Reply {
		b := parser.Block{ID: 1, Op: parser.OpEdit, Path: path, Search: []byte(search), Replace: []byte(replace), StartLine: line}
		if len(b.Search) == 0 {
			b.Op = parser.OpCreate
		}
		return &parser.Reply{Blocks: []parser.Block{b}}
	}
}

func parsed(text string) func() *parser.Reply {
	return func() *parser.Reply { return parser.Parse([]byte(text)) }
}

// sameFiles reports whether a tree holds these texts and no others.
func sameFiles(tree apply.Files, texts map[string]string) bool {
	return tree != nil && maps.EqualFunc(tree, texts, func(a []byte, b string) bool { return string(a) == b })
}
