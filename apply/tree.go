package apply

import (
	"errors"
	"io/fs"
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/srpatch/srpatch/parser"
)

// Tree is what the engine reads: files by slash-separated path relative to the root. What else it
// knows it may say as a [Checker], a [Converter], an [Identifier], a [Recorder] or a [Witness]; a
// workspace is all of them.
type Tree interface {
	// ReadFile returns a regular file's bytes. An absent file is an error that is [fs.ErrNotExist];
	// other failures carry one of the reason codes (see [Reason]).
	ReadFile(path string) ([]byte, error)
	// Paths yields the paths of the files a name may be bound to by suffix, in lexical order. A
	// tree that gives up early (too many files) says so by returning false from Complete.
	Paths() iter.Seq[string]
	// Complete reports whether Paths yielded every file.
	Complete() bool
}

// Recorder is a [Tree] that remembers earlier runs.
type Recorder interface {
	// Applied tells which blocks of the same reply earlier runs have applied to the file, if it is
	// now as the last of them left it; it is nil if not. It is asked once of each block. Such a
	// block counts as already applied, even if it leaves no trace in the text.
	Applied(path string) func(*parser.Block) bool
}

// Witness is a [Tree] that knows what the blocks of earlier runs met.
type Witness interface {
	// WasAmbiguous reports whether the file had the lines of search at several places when an
	// earlier run looked. Of those one is left now, and the block's result is at another.
	WasAmbiguous(path string, search []byte) bool
}

// Identifier is a [Tree] in which several paths may be one file's: through a link to its directory,
// or because the file system takes several spellings for one name.
type Identifier interface {
	// Identity is the same for all paths of one file.
	Identity(path string) string
}

// Converter is a [Tree] that converts files.
type Converter interface {
	// Converted reports whether ReadFile gives the text of the file at path in UTF-8, although the
	// file is in another encoding.
	Converted(path string) bool
}

// Files is a tree in memory.
type Files map[string][]byte

// ReadFile implements [Tree].
func (f Files) ReadFile(path string) ([]byte, error) {
	if b, ok := f[path]; ok {
		return b, nil
	}
	for q := range f {
		if strings.HasPrefix(q, path) && strings.HasPrefix(q[len(path):], "/") {
			return nil, &ReasonError{NotRegular, errors.New("a directory, not a regular file; name a file")}
		}
	}
	return nil, &fs.PathError{Op: "read", Path: path, Err: fs.ErrNotExist}
}

// Paths implements [Tree].
func (f Files) Paths() iter.Seq[string] { return slices.Values(slices.Sorted(maps.Keys(f))) }

// Complete implements [Tree].
func (f Files) Complete() bool { return true }

// Take makes the changes of a plan: files that are moved or deleted go first, so that another one
// may have their name. A refused plan has none. The plan has to be one of these files as they are.
func (f Files) Take(p *Plan) {
	for _, c := range p.Files {
		if c.From != "" {
			delete(f, c.From)
		} else if c.Action == Delete {
			delete(f, c.Path)
		}
	}
	for _, c := range p.Files {
		if c.Action != Delete {
			f[c.Path] = c.After
		}
	}
}
