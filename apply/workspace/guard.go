package workspace

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/srpatch/srpatch/apply"
)

// Limits bound what a run may touch. Zero fields mean the defaults.
type Limits struct {
	// FileSize is the largest file that is read or written, in bytes. Default 64 MiB. A run holds its files in memory
	// a few times over.
	FileSize int64
	// Files is how many files one run may change, and how many directories it may make. Default 10,000.
	Files int
	// Paths is how many directory entries the search for a name may look at. Default 200,000.
	Paths int
}

func (l Limits) withDefaults() Limits {
	if l.FileSize == 0 {
		l.FileSize = 64 << 20
	}
	if l.Files == 0 {
		l.Files = 10_000
	}
	if l.Paths == 0 {
		l.Paths = 200_000
	}
	return l
}

// checkAllowed applies the allow and deny globs to a path, as it was named and as it really is.
func (w *Workspace) checkAllowed(name, real string) error {
	for _, p := range []string{name, real} {
		if g, ok := w.deny.match(p); ok {
			return refuse(apply.Denied, name, "denied by "+g, "")
		}
		if _, ok := w.allow.match(p); !ok && !w.allow.empty() {
			return refuse(apply.Denied, name, "not among the allowed files", "")
		}
	}
	return nil
}

// checkExpected compares a file with the hash it is expected to have; raw is nil for an absent file.
func (o *Options) checkExpected(name string, raw []byte) error {
	want, ok := o.Expect[name]
	if !ok {
		return nil
	}
	have := "absent"
	if raw != nil {
		have = "sha256:" + hash(raw)
	}
	if !strings.EqualFold(want, have) {
		return refuse(apply.Stale, name, fmt.Sprintf("expected %s, found %s", want, have), "make the edits anew for the file as it is")
	}
	return nil
}

func hash(raw []byte) string {
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:])
}
