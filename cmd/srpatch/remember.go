package main

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"github.com/srpatch/srpatch/internal/remedy"
	"hash"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"unicode"

	"github.com/srpatch/srpatch/apply"
	"github.com/srpatch/srpatch/apply/report"
	"github.com/srpatch/srpatch/apply/workspace"
	"github.com/srpatch/srpatch/internal/retry"
	"github.com/srpatch/srpatch/parser"
)

// refusedRun is what is remembered of a run that was refused, or of which a part was: its reply as it was understood, and how it was
// to be applied. docs/journal.md describes the file.
type refusedRun struct {
	Version int `json:"version"`
	// Reply is the hash of what was read.
	Reply string `json:"reply"`
	// Replies are those that it was put together from, by retries too.
	Replies []string `json:"replies,omitempty"`
	// Stands are the blocks of these for which its own stand, by number.
	Stands map[int][]parser.Block `json:"stands,omitempty"`
	// Names are the files that the reply came from, absolute.
	Names []string `json:"names"`
	// Flags are the values of the flags that hold for the retry.
	Flags map[string]json.RawMessage `json:"flags"`
	// Blocks are all blocks of the run, Located the attempts that were not understood.
	Blocks   []parser.Block   `json:"blocks"`
	Located  []report.Located `json:"located"`
	Attempts []parser.Attempt `json:"attempts"`
	// Done are the blocks that are written.
	Done []doneBlock `json:"done"`
	// Verify is what the command of --verify came to, where the run was taken back for it.
	Verify *report.Verify `json:"verify,omitempty"`
	// Refused are the numbers of the blocks that were refused.
	Refused []int `json:"refused,omitempty"`
	// Ambiguous are the blocks that fitted several places, by file.
	Ambiguous []ambiguousBlock `json:"ambiguous,omitempty"`
	// Told says that another run has named this one.
	Told bool `json:"told,omitempty"`
}

// ambiguousBlock is a block that was refused for that.
type ambiguousBlock struct {
	ID   int    `json:"id"`
	Path string `json:"path"`
}

// WasAmbiguous implements [apply.Witness]: the refused run that is remembered tells it as well, whoever has changed the file since.
func (t *tree) WasAmbiguous(path string, search []byte) bool {
	text, err := t.Remembered()
	var known refusedRun
	if err == nil && text != nil && json.Unmarshal(text, &known) == nil {
		for _, b := range known.Blocks {
			if slices.Contains(known.Ambiguous, ambiguousBlock{b.ID, path}) && bytes.Equal(bytes.TrimSpace(b.Search), bytes.TrimSpace(search)) {
				return true
			}
		}
	}
	return t.Workspace.WasAmbiguous(path, search)
}

// doneBlock is a block that a run wrote, or found in the file, while others were refused.
type doneBlock struct {
	ID   int    `json:"id"`
	Run  string `json:"run"`
	Path string `json:"path"`
}

const refusedVersion = 1

// errForeign is something that JSON does not give back as it was.
var errForeign = errors.New("a name in it is not UTF-8")

// isHeld reports whether a flag holds for the retry of a run: those that are about places, what is written and what becomes of that, and nothing
// else.
func isHeld(f *flagDef) bool {
	return f.verbs&vPlacing == vPlacing && f.verbs&(vParse|vLog) == 0 || slices.Contains([]string{"verify", "commit"}, f.name)
}

// heldFlags are the values of the flags that hold for a retry.
func (c *command) heldFlags() (map[string]json.RawMessage, error) {
	held := map[string]json.RawMessage{}
	for f := range flags(&c.config) {
		if !isHeld(&f) || !c.given[f.name] {
			continue
		}
		value, err := json.Marshal(f.target)
		if err != nil {
			return nil, err
		}
		held[f.name] = value
	}
	return held, nil
}

// holdFlags sets the flags that the remembered run had and this command line does not give anew.
func (c *command) holdFlags(held map[string]json.RawMessage) error {
	for f := range flags(&c.config) {
		value, ok := held[f.name]
		if !ok || !isHeld(&f) {
			continue
		}
		delete(held, f.name)
		if c.given[f.name] {
			continue
		}
		denied := slices.Clone(c.deny) // which Unmarshal may write over
		if err := json.Unmarshal(value, f.target); err != nil {
			return fmt.Errorf("--%s of the refused run: %w", f.name, err)
		}
		if f.name == "deny" { // what the file of flags denies stays denied
			c.deny = slices.Compact(slices.Sorted(slices.Values(slices.Concat(c.deny, denied))))
		}
		c.given[f.name] = true
	}
	for name := range held {
		return fmt.Errorf("the refused run had --%s, which is unknown here; apply the reply again", name)
	}
	return c.validate()
}

// settleMemory remembers a run that was refused, or of which a part was, for its retry, and forgets one that is done. It reports
// whether there is something to retry.
func (c *command) settleMemory(t *tree, u *understood, plan *apply.Plan, done *report.Run) bool {
	err := c.tryMemory(t, u, plan, done)
	if _, ok := errors.AsType[*apply.ReasonError](err); ok && c.noJournal {
		return false // nothing is kept, as asked
	}
	if err != nil {
		fmt.Fprintf(c.stderr, "srpatch: the run cannot be retried: %s\n", report.Clean(remedy.Words(err)))
	}
	return err == nil && plan.Status != apply.Applied
}

func (c *command) tryMemory(t *tree, u *understood, plan *apply.Plan, done *report.Run) error {
	switch {
	case c.noJournal:
		return &apply.ReasonError{Reason: workspace.NoState, Err: errors.New("no journal is kept")}
	case plan.Status == apply.Refused && c.past != nil && !c.past.joined.Moved && c.past.run.Verify == nil && done.Verify == nil:
		return nil // the answer was about something else, and what is remembered stays
	case plan.Status != apply.Applied:
		return c.remember(t, u, plan, done)
	case c.past != nil:
		return t.Remember(nil)
	}
	return c.leaveMemory(t, u, plan)
}

// leaveMemory forgets the refused run of a reply that is applied now, also if its file was edited since, and a reply
// without edits. If another refused reply for the same file waits, it says so once: models send their corrections alone,
// and without retry the rest is lost.
func (c *command) leaveMemory(t *tree, u *understood, plan *apply.Plan) error {
	text, err := t.Remembered()
	var known refusedRun
	if err != nil || text == nil || json.Unmarshal(text, &known) != nil || len(c.only) > 0 || c.interactive {
		return nil // whoever retries is told
	}
	if known.Reply == u.sum() || known.isEmpty() || len(known.Names) > 0 && slices.Equal(known.Names, absolute(u.names)) {
		return t.Remember(nil)
	}
	same := func(b apply.BlockReport) bool {
		return slices.ContainsFunc(known.Blocks, func(k parser.Block) bool { return k.Path == b.Path })
	}
	if known.Told || c.quiet || !slices.ContainsFunc(plan.Blocks, same) {
		return nil
	}
	fmt.Fprintln(c.stderr, "srpatch: an earlier reply for the same files was refused; if this was the answer to it,",
		"srpatch retry"+c.inTree()+" ANSWER applies it together with that reply (srpatch retry"+c.inTree()+" --forget drops it)")
	known.Told = true
	if text, err = json.Marshal(&known); err != nil {
		return err
	}
	return t.Remember(text)
}

// giveUp says how an answer leaves out what was refused first; "" if nothing was.
func (r *refusedRun) giveUp() string {
	what := ""
	switch {
	case len(r.Refused) > 0:
		what = fmt.Sprintf("skip block %d", r.Refused[0])
	case len(r.Located) > 0:
		what = fmt.Sprintf("skip line %d", r.Located[0].Line)
	default:
		return ""
	}
	return fmt.Sprintf("; to give up an edit, write a line such as %q", what)
}

// isEmpty reports whether what is remembered is a reply without any edit.
func (r *refusedRun) isEmpty() bool { return len(r.Blocks)+len(r.Located) == 0 }

// remembersEdits reports whether a refused run with edits is remembered, or something that cannot be read.
func (t *tree) remembersEdits() bool {
	text, err := t.Remembered()
	var known refusedRun
	return err == nil && text != nil && (json.Unmarshal(text, &known) != nil || !known.isEmpty())
}

// inTree is what a hint has after "srpatch retry" to name the tree of this run, for a shell; "" if it needs nothing.
func (c *command) inTree() string {
	if !c.given["directory"] {
		return ""
	}
	return " -d " + shellWord(filepath.ToSlash(c.dir))
}

// shellWord is s as shells read it as one word.
func shellWord(s string) string {
	special := func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("_./-+,:@", r)
	}
	if s == "" || strings.ContainsFunc(s, special) {
		s = "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
	}
	return report.Clean(s)
}

// errTellModel is the next step after a reply without edits.
var errTellModel = errors.New("run srpatch prompt for instructions for the model, for the start of a chat")

// withoutEdits adds the next step to the error of a reply without edits that is only looked at.
func (c *command) withoutEdits(err error) error {
	if code(err) != string(codeNoEdits) || c.past != nil || c.notReply() != "" {
		return err
	}
	return errors.Join(err, errTellModel)
}

// afterNoEdits remembers a reply without edits, unless a refused run with edits is remembered, and says what to do about it.
func (c *command) afterNoEdits(ctx context.Context, u *understood, write bool, done *report.Run) error {
	next := []error{errTellModel}
	t, err := c.openTree(u)
	if err != nil {
		return next[0]
	}
	defer c.progress.clear()
	defer t.Close()
	write = write && c.prepare(ctx, t, true) == nil
	switch {
	case write && t.remembersEdits():
		next = append(next, errors.New("an earlier reply was refused; to ask for its correction, run srpatch retry"+c.inTree()))
	case write:
		done.Remembered = c.settleMemory(t, u, &apply.Plan{Status: apply.Refused}, done)
	}
	if done.Remembered {
		next = append(next, errors.New("to ask for the same change as blocks, run srpatch retry"+c.inTree()+
			"; to apply the answer, srpatch retry"+c.inTree()+" ANSWER"))
	}
	if len(u.whole.Blocks) > 0 {
		if plan, err := c.planOn(ctx, t, &u.whole); err == nil && plan.Status == apply.Applied {
			next = append(next, errors.New("--whole-files writes the files that the reply gives in full"))
		}
	}
	slices.Reverse(next)
	return errors.Join(next...)
}

// absolute are the names of files, without those of streams.
func absolute(names []string) (out []string) {
	for _, name := range names {
		if abs, err := filepath.Abs(name); err == nil && name != "" {
			out = append(out, abs)
		}
	}
	return out
}

func (c *command) remember(t *tree, u *understood, plan *apply.Plan, done *report.Run) error {
	flags, err := c.heldFlags()
	if err != nil {
		return err
	}
	r := refusedRun{
		Version: refusedVersion, Reply: u.sum(), Replies: u.replies, Names: absolute(u.names), Flags: flags, Located: u.located, Attempts: u.Attempts, Verify: done.Verify,
	}
	if c.past != nil {
		for _, e := range c.past.run.made() {
			r.Blocks = append(r.Blocks, e.Block)
		}
	}
	for i := range plan.Blocks { // those that were declined one by one are not among them
		r.Blocks = append(r.Blocks, *plan.Blocks[i].Block)
		b := &plan.Blocks[i]
		if b.Status == apply.BlockFailed {
			r.Refused = append(r.Refused, b.ID)
		}
		if b.Reason == apply.Ambiguous {
			r.Ambiguous = append(r.Ambiguous, ambiguousBlock{b.ID, b.Path})
		}
	}
	if c.past != nil {
		r.Replies, r.Stands = c.past.replies, c.past.stands
		r.Done, r.Located = slices.Clone(c.past.run.Done), retry.ToAsk(u.located, c.past.faults, c.past.joined.Open)
	}
	if plan.Status == apply.Partial {
		for i := range plan.Blocks {
			if b := &plan.Blocks[i]; b.Status != apply.BlockFailed {
				r.Done = append(r.Done, doneBlock{b.ID, done.Run, b.Path})
			}
		}
	}
	text, err := json.Marshal(&r)
	if err != nil {
		return err
	}
	var back refusedRun
	if err := json.Unmarshal(text, &back); err != nil || !reflect.DeepEqual(back.Blocks, r.Blocks) {
		return errors.Join(err, errForeign)
	}
	return t.Remember(text)
}

// recalled reads what is remembered of the tree, or of the one around it; nil if that is nothing.
func (c *command) recalled() (run *refusedRun, text []byte, err error) {
	if err := c.findRefused(); err != nil {
		return nil, nil, err
	}
	t, err := c.openTree(nil)
	if err != nil {
		return nil, nil, err
	}
	defer func() { err = errors.Join(err, t.Close()) }()
	if text, err = t.Remembered(); err != nil || text == nil {
		return nil, nil, err
	}
	run = &refusedRun{}
	if err := json.Unmarshal(text, run); err != nil {
		return nil, nil, fmt.Errorf("the record of the refused run cannot be read: %w; apply the reply again", err)
	}
	if run.Version > refusedVersion {
		return nil, nil, &apply.ReasonError{Reason: workspace.JournalVersion, Err: errors.New("the refused run was recorded by a newer srpatch; apply the reply again")}
	}
	return run, text, c.dropDone(t, run)
}

// dropDone leaves out the blocks that are written, unless their file was put back since.
func (c *command) dropDone(t *tree, run *refusedRun) error {
	if len(run.Done) == 0 {
		return nil
	}
	log, err := t.Log()
	if err != nil {
		return err
	}
	undone := map[doneBlock]bool{}
	for i := range log {
		for _, f := range log[i].Files {
			undone[doneBlock{0, log[i].ID, f.Path}] = f.Undone
		}
	}
	run.Done = slices.DeleteFunc(run.Done, func(d doneBlock) bool { return undone[doneBlock{0, d.Run, d.Path}] })
	return nil
}

// isDone reports whether the block is written.
func (r *refusedRun) isDone(id int) bool {
	return slices.ContainsFunc(r.Done, func(d doneBlock) bool { return d.ID == id })
}

// sum is the hash of what was read, in hexadecimal.
func (u *understood) sum() string { return sumOf(u.hash) }

func sumOf(h hash.Hash) string { return hex.EncodeToString(h.Sum(nil)) }
