package eval

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/srpatch/srpatch/apply"
	"github.com/srpatch/srpatch/parser"
)

// inMemory is an [applier] that asks the engine, and keeps nothing but the files.
type inMemory struct {
	path  string
	reply *parser.Reply
	files map[string]string
}

func newInMemory(q *Question) *inMemory {
	reply, _ := q.parsed()
	return &inMemory{q.Path, reply, maps.Clone(q.Files)}
}

func (m *inMemory) run(ctx context.Context, only int, partial bool) (ran, error) {
	reply := *m.reply
	reply.Blocks = slices.Clone(reply.Blocks)
	if only > 0 {
		reply = parser.Reply{Blocks: slices.DeleteFunc(reply.Blocks, func(b parser.Block) bool { return b.ID != only })}
	}
	tree := apply.Files{}
	for p, text := range m.files {
		tree[p] = []byte(text)
	}
	plan, err := apply.New(tree, apply.Options{Single: m.path, Strip: -1, Partial: partial}).Plan(ctx, &reply)
	if err != nil {
		return ran{}, err
	}
	out := ran{written: plan.Status != apply.Refused, blocks: blockOutcomes(plan.Blocks)}
	if out.written {
		m.files = filesAfter(&Case{Files: m.files}, plan)
	}
	out.files = m.files
	return out, nil
}

func (m *inMemory) close() error { return nil }

// blockOutcomes are what became of the reported blocks, by number.
func blockOutcomes(reports []apply.BlockReport) map[int]blockOutcome {
	out := map[int]blockOutcome{}
	for _, r := range reports {
		o := blockOutcome{status: string(r.Status), note: fmt.Sprintf("%s %s", r.Status, r.Strategy)}
		if r.Reason != "" {
			o.note = fmt.Sprintf("%s: %s", r.Reason, r.Message)
		}
		out[r.ID] = o
	}
	return out
}

// onDisk is an [applier] that calls the command.
type onDisk struct {
	binary string
	dir    string // holds the tree, the state and the reply
}

// errNoReply is a request that cannot be given to the command.
var errNoReply = errors.New("no reply can say this edit")

func newOnDisk(q *Question, binary, below string) (d *onDisk, err error) {
	_, text := q.parsed()
	if text == nil {
		return nil, errNoReply
	}
	d = &onDisk{binary: binary}
	if d.dir, err = os.MkdirTemp(below, "again"); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, d.close())
		}
	}()
	if err := os.Mkdir(d.tree(), 0o777); err != nil {
		return nil, err
	}
	for name, content := range q.Files {
		if !filepath.IsLocal(filepath.FromSlash(name)) {
			continue
		}
		full := filepath.Join(d.tree(), filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(full), 0o777); err != nil {
			return nil, err
		}
		if err := os.WriteFile(full, []byte(content), 0o666); err != nil {
			return nil, err
		}
	}
	return d, os.WriteFile(d.reply(), text, 0o666)
}

func (d *onDisk) tree() string  { return filepath.Join(d.dir, "tree") }
func (d *onDisk) reply() string { return filepath.Join(d.dir, "reply.md") }

func (d *onDisk) run(ctx context.Context, only int, partial bool) (ran, error) {
	args := []string{"--json", "-d", d.tree(), "--state-dir", filepath.Join(d.dir, "state")}
	if only > 0 {
		args = append(args, "--only", strconv.Itoa(only))
	}
	if partial {
		args = append(args, "--partial")
	}
	cmd := exec.CommandContext(ctx, d.binary, append(args, d.reply())...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	if _, ended := errors.AsType[*exec.ExitError](err); err != nil && !ended {
		return ran{}, err
	}
	var answer struct {
		Status apply.Status
		Blocks []apply.BlockReport
		Error  *struct{ Message string }
	}
	if err := json.Unmarshal(stdout.Bytes(), &answer); err != nil {
		return ran{}, fmt.Errorf("%s: %w", strings.TrimSpace(stderr.String()), err)
	}
	out := ran{written: answer.Status == apply.Applied || answer.Status == apply.Partial, blocks: blockOutcomes(answer.Blocks)}
	out.files, err = readTree(d.tree())
	return out, err
}

func (d *onDisk) close() error { return os.RemoveAll(d.dir) }

// readTree reads all files below dir.
func readTree(dir string) (map[string]string, error) {
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		text, err := os.ReadFile(name)
		rel, errRel := filepath.Rel(dir, name)
		files[filepath.ToSlash(rel)] = string(text)
		return cmp.Or(err, errRel)
	})
	return files, err
}
