// Package version says which srpatch a program is. Go records that in most builds: those by go
// install at a version, and those in a checkout with git, whose version names the commit and says
// whether the tree was modified. For builds without git, such as releases and distributions, the
// linker sets it:
//
//	go build -ldflags '-X github.com/srpatch/srpatch/internal/version.released=v0.1.0
//	    -X github.com/srpatch/srpatch/internal/version.commit=…'
package version

import "runtime/debug"

// Set by the linker only.
var released, commit string

// Build says what a program was built from.
type Build struct {
	Version string // semantic, such as v0.1.0; with +dirty where the tree had changes; (devel) where nobody knows
	Commit  string // "" where nobody knows
	Dirty   bool   // the tree was not as committed
}

// Current returns the build of this program.
func Current() Build {
	info, _ := debug.ReadBuildInfo()
	return of(info, released, commit)
}

// of returns what the linker set, or else what Go recorded. info may be nil.
func of(info *debug.BuildInfo, released, commit string) Build {
	if released != "" {
		return Build{Version: released, Commit: commit}
	}
	b := Build{Version: "(devel)"}
	if info == nil {
		return b
	}
	if info.Main.Version != "" {
		b.Version = info.Main.Version
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			b.Commit = s.Value
		case "vcs.modified":
			b.Dirty = s.Value == "true"
		}
	}
	return b
}
