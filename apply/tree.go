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

// Tree is what the engine reads: files by their slash-separated path relative to the root. A tree
// that knows more may also be a [Checker], a [Converter], an [Identifier], a [Recorder] or a
// [Witness]. A workspace is all of them.
type Tree interface {
	// ReadFile returns the bytes of a regular file. The error for a missing file is
	// [fs.ErrNotExist]. Other errors carry one of the reason codes; see [Reason].
	ReadFile(path string) ([]byte, error)
	// Paths yields the paths of the files that a name may refer to by its end, in lexical order. If
	// a tree gives up early because there are too many files, Complete returns false.
	Paths() iter.Seq[string]
	// Complete reports whether Paths yielded every file.
	Complete() bool
}

// Recorder is a [Tree] that remembers earlier runs.
type Recorder interface {
	// Applied returns a function that reports whether an earlier run of the same reply applied a
	// block to the file, or nil if the file has changed since the last of those runs. It is called
	// once per block. Such a block counts as already applied even if it leaves no trace in the
	// text.
	Applied(path string) func(*parser.Block) bool
}

// Witness is a [Tree] that knows what blocks of earlier runs found.
type Witness interface {
	// WasAmbiguous reports whether the file had the lines of search at several places in an earlier
	// run, of which only one is left, and another has the block's result.
	WasAmbiguous(path string, search []byte) bool
}

// Identifier is a [Tree] in which several paths may be the same file, because of a link to its
// directory, or because the file system accepts several spellings of a name.
type Identifier interface {
	// Identity is the same for all paths of one file.
	Identity(path string) string
}

// Converter is a [Tree] that converts files.
type Converter interface {
	// Converted reports whether ReadFile converts the file at path to UTF-8 from another encoding.
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

// Take applies the changes of a plan. Files that are moved or deleted go first, so that others may
// have their names. The plan must have been made from these files. A refused plan changes nothing.
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
