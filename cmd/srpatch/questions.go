package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"github.com/srpatch/srpatch/internal/remedy"
	"io"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/srpatch/srpatch/apply"
	"github.com/srpatch/srpatch/apply/report"
	"github.com/srpatch/srpatch/parser"
)

// asking is a round of questions.
type asking struct {
	*command
	// plan places blocks, those that can be placed.
	plan func(context.Context, []parser.Block) (*apply.Plan, error)

	// ctx is parent, ended by an interrupt too. While an editor runs nothing listens.
	parent, ctx context.Context
	stop        context.CancelFunc

	// in is where answers are read; nil before the first question. tty is what was opened for it, if anything.
	in  io.Reader
	tty io.Closer

	choices []choice
	// order are the choices that there are questions about: those first that no answer about another gives a place.
	order []int
	// at is the question at hand, an index in questions.
	at int
	// stale says that what was turned down, or changed, may leave others without a place, or give them one.
	stale bool
	// changed says that a block is another than was placed.
	changed bool
	quit    bool
}

// question is one that is to be asked: about a choice, or about one of its parts.
type question struct {
	choice int
	part   int // -1 for the whole block
}

// listen makes an interrupt end the questions.
func (a *asking) listen() { a.ctx, a.stop = interruptible(a.parent) }

func (a *asking) close() {
	a.stop()
	if a.tty != nil {
		a.tty.Close()
	}
}

// look places what is not turned down, and takes back the yes to what has no place now.
func (a *asking) look() error {
	a.stale, a.changed = false, false
	plan, err := a.plan(a.ctx, a.blocks())
	if err != nil {
		return err
	}
	reports := map[int]apply.BlockReport{}
	for _, r := range plan.Blocks {
		reports[r.ID] = r
	}
	first := a.order == nil
	for i := range a.choices {
		c := &a.choices[i]
		r, placed := reports[c.block.ID]
		if !placed {
			continue // turned down
		}
		c.report = r
		switch asked, known := a.isAsked(c), slices.Contains(a.order, i); {
		case asked && !known:
			a.order = append(a.order, i)
		case asked && c.isRefused():
			c.answer, c.parts = undecided, nil
		case known && !asked:
			c.answer, c.parts = yes, nil // and the report says that it changes nothing
		}
	}
	if first {
		slices.SortStableFunc(a.order, func(i, j int) int {
			switch is, other := a.choices[i].comesFirst(), a.choices[j].comesFirst(); {
			case is == other:
				return 0
			case is:
				return -1
			}
			return 1
		})
	}
	return nil
}

// questions are all of them, answered or not.
func (a *asking) questions() (all []question) {
	for _, i := range a.order {
		if a.choices[i].parts == nil {
			all = append(all, question{i, -1})
		}
		for part := range a.choices[i].parts {
			all = append(all, question{i, part})
		}
	}
	return all
}

func (a *asking) isOpen(q question) bool {
	c := &a.choices[q.choice]
	if q.part >= 0 {
		return c.parts[q.part] == undecided
	}
	return c.answer == undecided
}

// set answers a question. A block of which every part is turned down is turned down.
func (a *asking) set(q question, to decision) {
	c := &a.choices[q.choice]
	if q.part < 0 {
		c.answer = to
	} else if c.parts[q.part] = to; !slices.ContainsFunc(c.parts, func(is decision) bool { return is != no }) {
		c.answer = no
	}
	a.stale = a.stale || to == no
}

// askAll asks until everything is answered and has its place.
func (a *asking) askAll() error {
	for {
		for !a.changed {
			all := a.questions()
			at := nextOpen(all, a.at, a.isOpen)
			if at < 0 || a.stale && a.choices[all[at].choice].isRefused() { // which what was turned down may have changed
				break
			}
			a.at = at
			if err := a.ask(all); err != nil {
				return err
			}
		}
		if a.quit || !a.stale && !a.changed {
			return nil
		}
		if err := a.look(); err != nil {
			return err
		}
	}
}

// nextOpen is the first open question from the one at on, in turn; -1 if there is none.
func nextOpen(all []question, at int, isOpen func(question) bool) int {
	for i := range all {
		if i = (at + i) % len(all); isOpen(all[i]) {
			return i
		}
	}
	return -1
}

// ask shows what the question at hand is about, and asks until it knows what to do.
func (a *asking) ask(all []question) error {
	q := all[a.at]
	c := &a.choices[q.choice]
	if err := a.show(c, q); err != nil {
		return err
	}
	keys, err := a.keys(c, q, all)
	if err != nil {
		return err
	}
	var names []string
	for _, k := range keys {
		names = append(names, k.name)
	}
	prompt := fmt.Sprintf("(%d/%d) %s [%s]? ", a.at+1, len(all), c.asks(q), strings.Join(names, ","))
	for {
		typed, err := a.answered(prompt)
		if err != nil {
			return err
		}
		i := slices.IndexFunc(keys, func(k key) bool { return k.is(typed) })
		if i < 0 || keys[i].do == nil {
			a.help(keys)
			continue
		}
		err = keys[i].do()
		if complaint, ok := errors.AsType[*cannot](err); ok {
			fmt.Fprintf(a.stderr, "srpatch: %s\n", report.Clean(remedy.Words(complaint)))
			continue
		}
		return err
	}
}

// asks is the question in words.
func (c *choice) asks(q question) string {
	block := fmt.Sprintf("block %d", c.block.ID)
	switch to := report.Clean(c.report.Path); {
	case q.part >= 0:
		return fmt.Sprintf("Apply hunk %d of %s to %s", q.part+1, block, to)
	case !c.isRefused():
		return fmt.Sprintf("Apply %s to %s", block, to)
	case len(c.corrections()) == 1:
		return fmt.Sprintf("Apply the corrected block instead of %s", block)
	case len(c.corrections()) > 1:
		return fmt.Sprintf("Apply which of these instead of %s", block)
	default:
		return fmt.Sprintf("Block %d is refused. Edit it or leave it out", c.block.ID)
	}
}

// show prints what a question is about: what would change, or why nothing can.
func (a *asking) show(c *choice, q question) error {
	p := a.printer(a.stderr)
	if c.isRefused() {
		(&report.Run{Blocks: []apply.BlockReport{c.report}}).Text(p, p, report.Quiet)
		return nil
	}
	b := c.block
	if q.part >= 0 {
		b = withHunks(b, hunksOf(&b), func(hunk int) bool { return hunk == q.part })
	}
	diff, err := a.diffAlone(&b)
	if err != nil {
		return err
	}
	if len(diff) > 0 {
		report.Diff(p, diff)
	} else {
		report.Sides(p, &b)
	}
	report.Tolerated(p, &c.report)
	return nil
}

// diffAlone is what a block changes by itself; nothing if it has no place without the blocks before it.
func (a *asking) diffAlone(b *parser.Block) ([]byte, error) {
	plan, err := a.plan(a.ctx, []parser.Block{*b})
	if err != nil {
		return nil, err
	}
	return plan.Diff(), nil
}

// key is one of the answers to a question.
type key struct {
	name, about string
	do          func() error
}

// is reports whether it was typed. A y and an n may be written out.
func (k key) is(typed string) bool {
	return typed == k.name || typed == "yes" && k.name == "y" || typed == "no" && k.name == "n"
}

// cannot is why an answer cannot be followed; the question is asked again.
type cannot struct{ why string }

func (c *cannot) Error() string { return c.why }

// keys are the answers that a question has now, in the order of the prompt.
func (a *asking) keys(c *choice, q question, all []question) (keys []key, err error) {
	add := func(name, about string, do func() error) { keys = append(keys, key{name, about, do}) }
	answering := func(to decision) func() error {
		return func() error { a.set(q, to); return nil }
	}
	what := "this block"
	if q.part >= 0 {
		what = "this hunk"
	}
	switch instead := c.corrections(); {
	case !c.isRefused():
		add("y", "apply "+what, answering(yes))
	case len(instead) == 1:
		add("y", "apply the corrected block", func() error { a.take(c, instead[0], yes); return nil })
	default:
		for i, b := range instead {
			add(strconv.Itoa(i+1), fmt.Sprintf("apply the corrected block %d of those above", i+1), func() error { a.take(c, b, yes); return nil })
		}
	}
	add("n", "leave it out", answering(no))
	add("q", "quit: apply neither "+what+" nor any other that you have not answered", func() error {
		a.quit = true
		a.setOpen(all, no, func(*choice) bool { return true })
		return nil
	})
	ofFile := func(other *choice) bool { return other.report.Path == c.report.Path }
	if !c.isRefused() {
		add("a", "apply "+what+" and the rest of its file", func() error {
			a.setOpen(all, yes, func(other *choice) bool { return ofFile(other) && !other.isRefused() })
			return nil
		})
	}
	add("d", "apply neither "+what+" nor the rest of its file", func() error { a.setOpen(all, no, ofFile); return nil })
	switch {
	case q.part >= 0:
	case c.isRefused():
		add("e", "edit it first", func() error { return a.editBlock(c) })
	default:
		block, err := a.settled(c)
		if err != nil {
			return nil, err
		}
		if block == nil {
			break
		}
		add("e", "edit the text it writes first", func() error { return a.editReplace(c, *block) })
		if n := len(hunksOf(block)); n > 1 {
			add("s", fmt.Sprintf("split it into its %d hunks", n), func() error {
				c.block, c.parts = *block, make([]decision, n)
				return nil
			})
		}
	}
	if later := nextOpen(all[a.at+1:], 0, a.isOpen); later >= 0 {
		add("j", "leave it for now; see the next one", func() error { a.at += 1 + later; return nil })
	}
	if earlier := lastOpen(all[:a.at], a.isOpen); earlier >= 0 {
		add("k", "leave it for now; see the one before", func() error { a.at = earlier; return nil })
	}
	add("?", "print this help", nil)
	return keys, nil
}

func lastOpen(all []question, isOpen func(question) bool) int {
	for i := len(all) - 1; i >= 0; i-- {
		if isOpen(all[i]) {
			return i
		}
	}
	return -1
}

func (a *asking) help(keys []key) {
	for _, k := range keys {
		fmt.Fprintf(a.stderr, "%s - %s\n", k.name, k.about)
	}
	io.WriteString(a.stderr, "Nothing is written before the last answer; Ctrl-C leaves everything as it is.\n")
}

// setOpen answers the open questions about choices of a kind.
func (a *asking) setOpen(all []question, to decision, of func(*choice) bool) {
	for _, q := range all {
		if a.isOpen(q) && of(&a.choices[q.choice]) {
			a.set(q, to)
		}
	}
}

// take puts another block in the place of the choice's.
func (a *asking) take(c *choice, b parser.Block, answer decision) {
	c.block, c.answer, c.parts = b, answer, nil
	a.changed = true
}

// editReplace has REPLACE edited. The block is shown then and asked about again.
func (a *asking) editReplace(c *choice, b parser.Block) error {
	text, err := a.inEditor(b.Replace, c.report.Path)
	if err != nil || bytes.Equal(text, b.Replace) {
		return err
	}
	b.Replace = text
	a.take(c, b, undecided)
	return nil
}

// editBlock has all of a block edited that has no place.
func (a *asking) editBlock(c *choice) error {
	before, err := c.asText()
	if err != nil {
		return &cannot{remedy.Words(err)}
	}
	text, err := a.inEditor(before, ".md")
	if err != nil || bytes.Equal(text, before) {
		return err
	}
	b, err := c.instead(text)
	if err != nil {
		return &cannot{remedy.Words(err)}
	}
	a.take(c, b, undecided)
	return nil
}

// inEditor has a text edited. Meanwhile an interrupt is the editor's.
func (a *asking) inEditor(text []byte, name string) ([]byte, error) {
	a.stop()
	text, err := a.edited(text, name, a.in)
	a.listen()
	if err != nil {
		return nil, &cannot{"the editor failed, and the block is as it was: " + remedy.Words(err)}
	}
	return text, nil
}

// settled is the choice's block in the one reading in which it changes what it changes; nil where that is not known of a block that
// divides in several ways.
func (a *asking) settled(c *choice) (*parser.Block, error) {
	if len(c.block.Readings) == 0 {
		return &c.block, nil
	}
	want, err := a.diffAlone(&c.block)
	if err != nil || len(want) == 0 {
		return nil, err
	}
	for _, r := range c.block.Readings {
		b := c.block
		b.Search, b.Replace, b.Readings = r.Search, r.Replace, nil
		if diff, err := a.diffAlone(&b); err != nil || bytes.Equal(diff, want) {
			return &b, err
		}
	}
	return nil, nil
}

// answered asks and reads a line of the answers. Their end is an error: a person who is gone has not said yes.
func (a *asking) answered(prompt string) (string, error) {
	if a.in == nil {
		if err := a.open(); err != nil {
			return "", err
		}
	}
	io.WriteString(a.stderr, prompt)
	type read struct {
		line string
		err  error
	}
	got := make(chan read, 1)
	go func() {
		line, err := typedLine(a.in)
		got <- read{line, err}
	}()
	select {
	case r := <-got:
		if r.err != nil || !isTerminal(a.in) {
			fmt.Fprintln(a.stderr) // a terminal shows the one that is typed
		}
		if answer := strings.ToLower(strings.TrimSpace(r.line)); answer != "" || r.err == nil {
			return answer, nil
		}
		return "", &trouble{codeNoAnswer, errors.New("the answers ended before the last question; nothing was written")}
	case <-a.ctx.Done():
		fmt.Fprintln(a.stderr)
		return "", a.ctx.Err()
	}
}

// typedLine reads one line, and no byte more: the next one may be for an editor, or for the questions of another run.
func typedLine(r io.Reader) (string, error) {
	var line []byte
	for b := make([]byte, 1); ; {
		n, err := r.Read(b)
		if n > 0 && b[0] == '\n' {
			return string(line), nil
		}
		line = append(line, b[:n]...)
		if err != nil {
			return string(line), err
		}
	}
}

// open finds where answers are read: stdin, unless a reply comes from there.
func (a *asking) open() error {
	if !a.readsStdin() {
		a.in = a.stdin
		return nil
	}
	tty, err := a.terminal()
	if err != nil {
		flag := "-i"
		if a.confirm {
			flag = "--confirm"
		}
		return usagef("%s: no terminal to ask on (%v); give the reply as a file, and the answers on stdin", flag, err)
	}
	a.in, a.tty = tty, tty
	return nil
}

// openTerminal opens the terminal of the process, whatever its standard streams are.
func openTerminal() (io.ReadCloser, error) {
	name := "/dev/tty"
	if runtime.GOOS == "windows" {
		name = "CONIN$"
	}
	return os.Open(name)
}
