//go:build unix

package gitcommit

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// TestInterrupt: where a run is interrupted while a hook is at work nothing is committed, and where the commit is made by then it is told.
func TestInterrupt(t *testing.T) {
	for name, made := range map[string]bool{"pre-commit": false, "post-commit": true} {
		t.Run(name, func(t *testing.T) {
			p := newPlace(t)
			r := p.checked("a.txt")
			p.sh("mkfifo ../begun ../go; cat >.git/hooks/" + name + ` <<'END'
#!/bin/sh
exec >/dev/null 2>&1
echo >../begun
read line <../go
END
chmod +x .git/hooks/` + name + "; echo B >b.txt; git add b.txt; echo A >a.txt")
			before := p.sh("git rev-parse HEAD; git ls-files --stage; git status --porcelain")
			ctx, cancel := context.WithCancel(t.Context())
			go func() {
				os.ReadFile(filepath.Join(p.dir, "../begun"))
				cancel()
			}()
			got, err := r.Commit(ctx, p.files([]string{"a.txt"}), "m\n")
			cancel()
			if hook, err := os.OpenFile(filepath.Join(p.dir, "../go"), os.O_WRONLY, 0); err == nil { // let it end
				hook.Close()
			}
			if made {
				if err != nil || got.Subject != "m" {
					t.Fatal(got, err)
				}
				if status := p.sh("git status --porcelain"); status != "M  b.txt\n" {
					t.Errorf("afterwards %q", status)
				}
				return
			}
			if e, ok := errors.AsType[*Error](err); !ok || e.Code != NotCommitted || e.What != "interrupted before git had made the commit" {
				t.Error(got, err)
			}
			if after := p.sh("git rev-parse HEAD; git ls-files --stage; git status --porcelain"); after != before {
				t.Errorf("before\n%s\nafter\n%s", before, after)
			}
			p.leavesNothing()
		})
	}
}
