package workspace

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/srpatch/srpatch/apply"
	"github.com/srpatch/srpatch/internal/effort"
)

// BenchmarkCommit writes one and five files of 8 KiB, with and without a journal, on the disk and
// in memory where there is such a file system. It reports how many times as long that takes as to
// overwrite the files in place without any sync, and as to overwrite and sync each, measured in
// turns; and the number of syncs.
func BenchmarkCommit(b *testing.B) {
	for _, place := range []struct {
		name string
		dir  func(testing.TB) string
	}{{"disk", func(b testing.TB) string { return b.TempDir() }}, {"memory", memoryDir}} {
		for _, n := range []int{1, 5} {
			for _, opt := range []Options{{}, {NoJournal: true}} {
				b.Run(fmt.Sprintf("%s/files=%d/journal=%v", place.name, n, !opt.NoJournal), func(b *testing.B) {
					opt.StateDir = filepath.Join(place.dir(b), "state")
					benchmarkCommit(b, place.dir(b), n, opt)
				})
			}
		}
	}
}

func benchmarkCommit(b *testing.B, dir string, n int, opt Options) {
	text := bytes.Repeat([]byte("some text\n"), 819)
	writeFiles := func(base string, sync bool) time.Duration {
		start := time.Now()
		for i := range n {
			f, err := os.Create(filepath.Join(dir, fmt.Sprint(base, i)))
			if err != nil {
				b.Fatal(err)
			}
			_, _ = f.Write(text)
			if sync {
				_ = f.Sync()
			}
			_ = f.Close()
		}
		return time.Since(start)
	}
	commit := func(next []byte, p *plug) {
		wrap := func(d disk) disk { return d }
		if p != nil {
			wrap = p.wrap
		}
		var changes []apply.FileChange
		for i := range n {
			changes = append(changes, change(fmt.Sprint("f", i), text, next))
		}
		w, err := open(dir, opt, wrap)
		if err != nil {
			b.Fatal(err)
		}
		defer w.Close()
		if _, err := w.Commit(context.Background(), planOf(changes...)); err != nil {
			b.Fatal(err)
		}
		text = next
	}
	writeFiles("f", true)
	var plain, synced, run time.Duration
	for b.Loop() {
		plain += writeFiles("plain", false)
		synced += writeFiles("synced", true)
		start := time.Now()
		commit(append([]byte("x"), text[:8000]...), nil)
		run += time.Since(start)
	}
	p := &plug{}
	commit([]byte("last\n"), p)
	b.ReportMetric(float64(run)/float64(plain), "times-plain")
	b.ReportMetric(float64(run)/float64(synced), "times-synced")
	b.ReportMetric(float64(strings.Count(strings.Join(p.ops, "\n"), "fsync ")), "syncs")
}

// BenchmarkUndo takes a run over 5,000 files back, and reports how many times as long as the run
// that takes. Two is the limit.
func BenchmarkUndo(b *testing.B) {
	files := effort.Of(100, 5000, 5000)
	ctx := context.Background()
	dir, opt := b.TempDir(), Options{StateDir: filepath.Join(b.TempDir(), "state")}
	old, next := bytes.Repeat([]byte("some text\n"), 80), bytes.Repeat([]byte("other text\n"), 80)
	var changes []apply.FileChange
	for i := range files {
		name := fmt.Sprintf("f%04d", i)
		if err := os.WriteFile(filepath.Join(dir, name), old, 0o666); err != nil {
			b.Fatal(err)
		}
		changes = append(changes, change(name, old, next))
	}
	timed := func(do func(*Workspace) (string, error)) time.Duration {
		w, err := Open(dir, opt)
		if err != nil {
			b.Fatal(err)
		}
		defer w.Close()
		start := time.Now()
		if _, err := do(w); err != nil {
			b.Fatal(err)
		}
		return time.Since(start)
	}
	var run, undo time.Duration
	for b.Loop() {
		run += timed(func(w *Workspace) (string, error) { return w.Commit(ctx, planOf(changes...)) })
		undo += timed(func(w *Workspace) (string, error) { return w.Undo(ctx, "", UndoOptions{}) })
	}
	b.ReportMetric(float64(undo)/float64(run), "times-run")
}
