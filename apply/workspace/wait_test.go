//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package workspace

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// Who has to wait is told so after a second, once, and because of which
// directory; and waits as long as was said.
func TestWaitingIsSaid(t *testing.T) {
	outer := t.TempDir()
	inner := filepath.Join(outer, "in")
	if err := os.Mkdir(inner, 0o777); err != nil {
		t.Fatal(err)
	}
	opt := testOptions(t)
	for _, c := range []struct {
		held, wanted string
		wait         time.Duration
		want         string // "" waits no second
	}{
		{outer, outer, 0, "(" + outer + " is locked)"},
		{outer, inner, 5 * time.Second, "inside or around it (" + outer + " is locked)"},
		{inner, outer, 5 * time.Second, "inside or around it (" + outer + " is locked)"}, {outer, outer, -1, ""},
	} {
		synctest.Test(t, func(t *testing.T) {
			ctx := context.Background()
			first := openTest(t, c.held, opt)
			if _, err := first.Begin(ctx); err != nil {
				t.Fatal(err)
			}
			var said []string
			opt := opt
			opt.LockWait, opt.Waiting = c.wait, func(by string) { said = append(said, by) }
			start := time.Now()
			_, err := openTest(t, c.wanted, opt).Begin(ctx)
			if reasonOf(err) != Locked || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%+v: %v", c, err)
			}
			waited, want := time.Since(start), max(c.wait, 0)
			if c.wait == 0 {
				want = time.Minute
			}
			if waited != want {
				t.Errorf("%+v: waited %v", c, waited)
			}
			if c.want == "" && len(said) > 0 || c.want != "" && (len(said) != 1 || !strings.Contains(said[0], c.want)) {
				t.Errorf("%+v: said %q", c, said)
			}
		})
	}
}
