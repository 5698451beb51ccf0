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
)

// BenchmarkCommit writes one and five files of 8 KiB, with and without a journal, on the disk and in memory where there is such
// a file system. It reports how many times as long that takes as to overwrite the files in place without any sync, and as
// to overwrite and sync each, measured in turns; and the number of syncs.
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
