//go:build unix

package workspace

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// BenchmarkCommit writes one file of 8 KiB, with and without a journal. It reports how many times as long that takes as
// to write and sync one file the plain way, measured in turns, and the number of syncs.
func BenchmarkCommit(b *testing.B) {
	for name, opt := range map[string]Options{"journal": {}, "no journal": {NoJournal: true}} {
		b.Run(name, func(b *testing.B) {
			dir := b.TempDir()
			opt.StateDir = filepath.Join(b.TempDir(), "state")
			text := bytes.Repeat([]byte("some text\n"), 819)
			writeFile := func(name string) {
				f, err := os.Create(filepath.Join(dir, name))
				if err != nil {
					b.Fatal(err)
				}
				_, _ = f.Write(text)
				_ = f.Sync()
				_ = f.Close()
			}
			writeFile("f")
			var plain, run time.Duration
			for b.Loop() {
				start := time.Now()
				writeFile("plain")
				plain += time.Since(start)
				next := append([]byte("x"), text...)
				start = time.Now()
				w, err := Open(dir, opt)
				if err != nil {
					b.Fatal(err)
				}
				if _, err := w.Commit(context.Background(), planOf(change("f", text, next))); err != nil {
					b.Fatal(err)
				}
				w.Close()
				run += time.Since(start)
				text = next
			}
			p := &plug{}
			w, err := open(dir, opt, p.wrap)
			if err != nil {
				b.Fatal(err)
			}
			defer w.Close()
			if _, err := w.Commit(context.Background(), planOf(change("f", text, append(text, 'x')))); err != nil {
				b.Fatal(err)
			}
			b.ReportMetric(float64(run)/float64(plain), "times-plain")
			b.ReportMetric(float64(strings.Count(strings.Join(p.ops, "\n"), "fsync ")), "syncs")
		})
	}
}
