package apply_test

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"github.com/srpatch/srpatch/apply"
	"github.com/srpatch/srpatch/parser"
)

var errNo = errors.New("not in this file")

// A veto sees what each kind of block is about to do, and refuses it.
func TestVeto(t *testing.T) {
	block := func(path, search, replace string) string {
		return path + "\n<<<<<<< SEARCH\n" + search + "=======\n" + replace + ">>>>>>> REPLACE\n\n"
	}
	for name, c := range map[string]struct {
		reply string
		opt   apply.Options
		want  []string
	}{
		"an edit": {block("a.txt", "one\n", "1\n"), apply.Options{},
			[]string{`a.txt  "one\ntwo\n" -> "1\ntwo\n" [1 1] exact`}},
		"two edits, of which one fits": {block("a.txt", "one\n", "1\n") +
			block("a.txt", "three\n", "3\n"), apply.Options{},
			[]string{`a.txt  "one\ntwo\n" -> "1\ntwo\n" [1 1] exact`}},
		"one on the other": {block("a.txt", "one\n", "1\n") +
			block("a.txt", "1\n", "eins\n"), apply.Options{},
			[]string{`a.txt  "one\ntwo\n" -> "1\ntwo\n" [1 1] exact`,
				`a.txt  "1\ntwo\n" -> "eins\ntwo\n" [1 1] exact`}},
		"a new file": {block("new.txt", "", "hello\n"), apply.Options{},
			[]string{`new.txt  "" -> "hello\n"  `}},
		"an empty file": {block("empty.txt", "", "hello\n"), apply.Options{},
			[]string{`empty.txt  "" -> "hello\n"  `}},
		"at the end": {block("a.txt", "", "three\n"),
			apply.Options{AppendEmpty: true}, []string{`a.txt  "one\ntwo\n" -> "one\ntwo\nthree\n"  `}},
		"the reference mode": {block("a.txt", " two\n", "2\n"),
			apply.Options{Policy: apply.Loose, Splice: apply.Verbatim},
			[]string{`a.txt  "one\ntwo\n" -> "one\n2\n\n" [2 2] line-trimmed`}},
		"a deletion": {"*** Begin Patch\n*** Delete File: a.txt\n*** End Patch\n",
			apply.Options{}, []string{`a.txt  "one\ntwo\n" -> ""  `}},
		"a move":          {"*** Begin Patch\n*** Update File: a.txt\n*** Move to: b.txt\n*** End Patch\n", apply.Options{}, []string{`a.txt b.txt "one\ntwo\n" -> "one\ntwo\n"  `}},
		"all occurrences": {`{"path": "twice.txt", "old_string": "x", "new_string": "y", "replace_all": true}`, apply.Options{}, []string{`twice.txt  "x\nx\n" -> "y\ny\n" [1 2] exact`}},
		"nothing to do":   {block("a.txt", "one\n", "one\n"), apply.Options{}, nil},
		"several places":  {block("twice.txt", "x\n", "y\n"), apply.Options{}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			tree := apply.Files{"a.txt": []byte("one\ntwo\n"), "empty.txt": {}, "twice.txt": []byte("x\nx\n")}
			reply := parser.Parse([]byte(c.reply))
			without := planned(t, tree, reply, c.opt)
			var seen []string
			var answer error
			c.opt.Veto = func(p *apply.Placement) error {
				if p.Block.ID == 1 || !bytes.Equal(p.Text, []byte("x\nx\n")) {
					lines := ""
					if p.Lines != nil {
						lines = fmt.Sprint(*p.Lines)
					}
					seen = append(seen,
						fmt.Sprintf("%s %s %q -> %q %s %s", p.Path, p.NewPath, p.Text, p.Result(), lines, p.Strategy))
				}
				return answer
			}
			if got := planned(t, tree, reply, c.opt); !reflect.DeepEqual(got.Blocks, without.Blocks) {
				t.Errorf("a veto that lets all pass changes the plan:\n%s\n%s", reports(without), reports(got))
			}
			if name != "several places" && !reflect.DeepEqual(seen, c.want) { // there, corrected blocks are proved
				t.Errorf("asked about %q, want %q", seen, c.want)
			}
			for answer, reason := range map[error]apply.Reason{errNo: apply.Vetoed,
				&apply.ReasonError{Reason: apply.Denied, Err: errNo}: apply.Denied} {
				c.opt.Veto = func(*apply.Placement) error { return answer }
				plan := planned(t, tree, reply, c.opt)
				if b := plan.Blocks[0]; c.want != nil &&
					(b.Reason != reason || b.Message != errNo.Error() || len(plan.Files) > 0) {
					t.Errorf("not refused: %s", reports(plan))
				}
			}
		})
	}
}

// A veto never makes another place the block's.
func TestVetoOnlyRefuses(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tree, b := drawBent(t)
		opt := apply.Options{Policy: drawPolicy(t)}
		without := planned(t, tree, one(b), opt)
		first := rapid.IntRange(0, 3).Draw(t, "objects from line")
		opt.Veto = func(p *apply.Placement) error {
			if p.Lines == nil || p.Lines[0] > first {
				return errNo
			}
			return nil
		}
		plan := planned(t, tree, one(b), opt)
		switch was, is := &without.Blocks[0], &plan.Blocks[0]; {
		case is.Reason == apply.Vetoed:
			if was.Status != apply.BlockApplied {
				t.Fatalf("it was not to be applied:\n%s\n%s", reports(without), reports(plan))
			}
		case len(plan.Files) > 0 && !reflect.DeepEqual(plan.Files, without.Files),
			was.Status != is.Status, was.Reason != is.Reason:
			t.Fatalf("another outcome:\n%s\n%s", reports(without), reports(plan))
		}
	})
}
