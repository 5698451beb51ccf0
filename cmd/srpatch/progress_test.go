package main

import (
	"strings"
	"testing"
	"time"
)

// TestProgress: nothing is said of the first second, then every tenth of one, and the line goes when the run is done.
func TestProgress(t *testing.T) {
	var b strings.Builder
	now := time.Unix(0, 0)
	p := startProgress(&b, func() time.Time { return now })
	step := p.of("writing")
	for i := range 130 {
		now = now.Add(10 * time.Millisecond)
		step(i, 200)
	}
	p.clear()
	p.clear()
	if got, want := b.String(), "\r\x1b[Ksrpatch: writing: 49%\r\x1b[Ksrpatch: writing: 54%\r\x1b[Ksrpatch: writing: 59%\r\x1b[Ksrpatch: writing: 64%\r\x1b[K"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	var none *progress
	if none.of("x") != nil {
		t.Error("where nobody looks something is counted")
	}
	none.clear()
}
