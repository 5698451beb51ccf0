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

// Tree is the source of the files that the engine reads, each identified by its slash-separated
// path relative to the root. A tree that knows more may also implement [Checker], [Converter],
// [Identifier], [Recorder] or [Witness]. A workspace implements all of them.
type Tree interface {
	// ReadFile returns the bytes of a regular file. The error for a missing file is
	// [fs.ErrNotExist]. Other errors should have a reason code; see [ReasonError].
	ReadFile(path string) ([]byte, error)
	// Paths yields, in lexical order, the paths of the files that a block may name by the end of
	// their path. If a tree stops early because it has too many files, Complete returns false.
	Paths() iter.Seq[string]
	// Complete reports whether Paths yielded every file.
	Complete() bool
}

// Recorder is a [Tree] that has a record of earlier runs.
type Recorder interface {
	// Applied returns a function that reports whether an earlier run of the same reply applied a
	// block to the file, or nil if the file has changed since the last of those runs. The function
	// is called once per block. A block that it reports counts as already applied, even if it left
	// no trace in the text.
	Applied(path string) func(*parser.Block) bool
}

// Witness is a [Tree] that knows what the blocks of earlier runs found.
type Witness interface {
	// WasAmbiguous reports whether an earlier run found the lines of search at several places in
	// the file, only one of which is left, while another now has the block's result.
	WasAmbiguous(path string, search []byte) bool
}

// Identifier is a [Tree] in which several paths may be the same file, because of a link to its
// directory, or because the file system accepts several spellings of a name.
type Identifier interface {
	// Identity returns the same string for all paths of one file.
	Identity(path string) string
}

// Converter is a [Tree] that converts files.
type Converter interface {
	// Converted reports whether ReadFile converts the file at path to UTF-8 from another encoding.
	Converted(path string) bool
}

// Files is a [Tree] in memory: the content of each file by its path.
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

// Take applies the changes of a plan, which must have been made from these files. Moved and deleted
// files are removed first, so that other files can take their names. A refused plan changes
// nothing.
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
