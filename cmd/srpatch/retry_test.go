package main

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/srpatch/srpatch/internal/effort"
)

// loop is a reply of which some blocks are refused, and an answer to that.
type loop struct {
	*testing.T
	rand  *rand.Rand
	dir   string
	edits []loopEdit
}

// loopEdit changes one line of a file.
type loopEdit struct {
	file      string
	at        int
	old, new  string
	hurt      string // what is wrong with it in the reply; "" for nothing
	number    int    // in the reply; 0 if it is not understood
	corrected bool   // the answer has it
}

const loopLines = 40

// line is a line of a file, unlike all others.
func (l *loop) line(file string, n int) string {
	return fmt.Sprintf("%s%s = compute_%d(%s_%d, \"item %d\")", strings.Repeat("    ", n%3),
		strings.TrimSuffix(file, ".py"), n, []string{"width", "height", "depth"}[n%3], n*7, n)
}

func (l *loop) text(file string, edits []loopEdit) string {
	var b strings.Builder
	for n := range loopLines {
		line := l.line(file, n)
		for _, e := range edits {
			if e.file == file && e.at == n {
				line = e.new
			}
		}
		b.WriteString(line + "\n")
	}
	return b.String()
}

// draw makes edits of some files, hurts some of them, and lays the files out.
func (l *loop) draw() {
	files := []string{"alpha.py", "beta.py", "gamma.py"}
	for _, file := range files {
		for at := l.rand.IntN(4); at < loopLines; at += 3 + l.rand.IntN(20) {
			old := l.line(file, at)
			l.edits = append(l.edits,
				loopEdit{file: file, at: at, old: old,
					new: strings.Replace(old, "compute", "measure", 1) + fmt.Sprintf("  # %d", l.rand.IntN(1000))})
		}
		if err := os.WriteFile(filepath.Join(l.dir, file), []byte(l.text(file, nil)), 0o666); err != nil {
			l.Fatal(err)
		}
	}
	for i := range l.edits {
		if l.rand.IntN(3) == 0 {
			l.edits[i].hurt = []string{"another name", "another line", "no file", "other file",
				"cut off"}[l.rand.IntN(5)]
		}
	}
	if n := len(l.edits) - 1; !slices.ContainsFunc(l.edits, func(e loopEdit) bool { return e.hurt != "" }) {
		l.edits[n].hurt = "another name"
	}
}

// block writes an edit as a reply has it.
func (l *loop) block(e *loopEdit, hurt string) string {
	file, search, replace := e.file, e.old+"\n", e.new+"\n"
	if e.at > 0 && l.rand.IntN(2) == 0 {
		above := l.line(e.file, e.at-1) + "\n"
		if !slices.ContainsFunc(l.edits, func(o loopEdit) bool { return o.file == e.file && o.at == e.at-1 }) {
			search, replace = above+search, above+replace
		}
	}
	switch hurt {
	case "another name":
		search = strings.ReplaceAll(search, "compute_", "calculate_the_")
	case "another line":
		search = "result = frobnicate(everything, else)\n" + search
	case "no file":
		file = "lost/" + strings.Replace(file, ".py", "_module.py", 1)
	case "other file":
		file = map[string]string{"alpha.py": "beta.py", "beta.py": "gamma.py", "gamma.py": "alpha.py"}[file]
	case "cut off": // there is no divider
		return fmt.Sprintf("%s\n<<<<<<< SEARCH\n%s%s>>>>>>> REPLACE\n\n", file, search, replace)
	}
	return fmt.Sprintf("%s\n<<<<<<< SEARCH\n%s=======\n%s>>>>>>> REPLACE\n\n", file, search, replace)
}

func (l *loop) files() map[string]string {
	got := map[string]string{}
	for _, file := range []string{"alpha.py", "beta.py", "gamma.py"} {
		text, err := os.ReadFile(filepath.Join(l.dir, file))
		if err != nil {
			l.Fatal(err)
		}
		got[file] = string(text)
	}
	return got
}

func (l *loop) srpatch(stdin string, args ...string) (int, string) {
	var out bytes.Buffer
	args = append(args, "-d", filepath.Join(l.dir), "--state-dir", l.dir+"-state")
	code := run(context.Background(), args, strings.NewReader(stdin), &out, &out, func(string) string { return "" })
	return code, out.String()
}

// TestRetryLoop: whatever is wrong with some blocks of a reply, and however much of the rest an
// answer repeats, in whatever order, the files are what the reply would have made of them; and
// before all is answered nothing is written, or with --partial what fits. Without numbers a block
// may be asked for once more, but no edit is lost.
func TestRetryLoop(t *testing.T) {
	t.Run("numbers", func(t *testing.T) { loops(t, effort.Of(5, 20, 500), true) })
	t.Run("none", func(t *testing.T) { loops(t, effort.Of(20, 200, 1000), false) })
}

func loops(t *testing.T, n int, numbers bool) {
	for seed := range n {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			l := &loop{T: t, rand: rand.New(rand.NewPCG(uint64(seed), 17)), dir: filepath.Join(memoryDir(t), "tree")}
			if err := os.Mkdir(l.dir, 0o777); err != nil {
				t.Fatal(err)
			}
			l.draw()
			l.play(seed%3 == 0, numbers)
		})
	}
}

func (l *loop) play(partial, numbers bool) {
	want := map[string]string{}
	before := l.files()
	for file := range before {
		want[file] = l.text(file, l.edits)
	}
	var reply strings.Builder
	number := 0
	for i := range l.edits {
		if l.edits[i].hurt != "cut off" {
			number++
			l.edits[i].number = number
		}
		reply.WriteString(l.block(&l.edits[i], l.edits[i].hurt))
	}
	var flags []string
	if partial {
		flags = []string{"--partial"}
	}
	if code, report := l.srpatch(reply.String(), flags...); code != exitRefused {
		l.Fatalf("status %d\n%s\n%s", code, report, reply.String())
	}
	if !partial && !maps.Equal(l.files(), before) {
		l.Fatal("a refused run has written")
	}
	repeats := []string{"none", "some", "all"}[l.rand.IntN(3)]
	for round := 0; ; round++ {
		if round == 5 {
			if !numbers {
				return // it still asks, so that nothing is lost
			}
			l.Fatal("the loop does not end")
		}
		if code, message := l.srpatch("", "retry"); code != exitRefused ||
			!strings.Contains(message, "could not be applied") {
			l.Fatalf("status %d, message %q", code, message)
		}
		var blocks []string
		open := 0
		send := func(e *loopEdit) {
			text := l.block(e, "")
			if numbers && e.number > 0 && e.hurt != "" {
				text = fmt.Sprintf("Block %d\n", e.number) + text
			}
			blocks = append(blocks, text)
		}
		for i := range l.edits {
			e := &l.edits[i]
			switch {
			case e.hurt != "" && !e.corrected && (l.rand.IntN(4) > 0 || round == 4):
				e.corrected = true
				send(e)
			case e.hurt != "" && !e.corrected:
				open++
			case repeats == "all", repeats == "some" && l.rand.IntN(2) == 0:
				send(e)
			}
		}
		if len(blocks) == 0 {
			continue
		}
		if l.rand.IntN(2) == 0 {
			l.rand.Shuffle(len(blocks), func(i, j int) { blocks[i], blocks[j] = blocks[j], blocks[i] })
		}
		answer := strings.Join(blocks, "")
		code, report := l.srpatch(answer, "retry")
		if !numbers && open == 0 && code == exitRefused {
			repeats = "all"
			continue
		}
		if open == 0 {
			if code != exitOK {
				l.Fatalf("status %d\n%s\nreply\n%s\nanswer\n%s", code, report, reply.String(), answer)
			}
			break
		}
		if code != exitRefused {
			l.Fatalf("status %d with %d open\n%s", code, open, report)
		}
		if !partial && !maps.Equal(l.files(), before) {
			l.Fatal("a refused run has written")
		}
	}
	if d := cmp.Diff(want, l.files()); d != "" {
		l.Errorf("the files differ (-want +got):\n%s\nreply\n%s", d, reply.String())
	}
	if code, _ := l.srpatch("", "retry"); code != exitTrouble {
		l.Errorf("status %d: there is something left to retry", code)
	}
}
