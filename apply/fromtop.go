package apply

import (
	"fmt"
	"path"
	"strings"

	"github.com/srpatch/srpatch/parser"
)

// If the tree is a subdirectory of a repository, a reply may name files relative to the tree or, as
// git does, relative to the top of the repository. For a tree at src, both src/a.py and a.py may
// mean the file a.py in the tree. All names in the reply together decide which; see
// [run.startsAtTop]. If they don't, each name is resolved to the file that exists.

// belowTop returns the path in the tree of p, a path from the top of the repository, with or
// without the prefix a/ or b/ of a diff. ok is false if p isn't in the tree, or if the options
// already say how to read paths. For a tree at src, belowTop of src/a.py is a.py.
func (r *run) belowTop(p string) (q string, ok bool) {
	if r.opt.Prefix == "" || r.opt.Strip > 0 || r.opt.File != "" || r.opt.Single != "" {
		return "", false
	}
	q, ok = strings.CutPrefix(p, r.opt.Prefix)
	if bare, is := withoutPrefix(p); !ok && is {
		q, ok = strings.CutPrefix(bare, r.opt.Prefix)
	}
	return q, ok && q != ""
}

// isAbsolute reports whether a name is an absolute path.
func isAbsolute(name string) bool {
	return path.IsAbs(strings.ReplaceAll(name, `\`, "/")) || len(name) > 1 && name[1] == ':'
}

// startsAtTop reports whether the names in the reply are relative to the top of the repository:
// some of them are files of the tree only if read that way, and none are files only if read the
// other way. If the reply names no file of the tree, all names must be paths below the tree's
// prefix, and the tree must have no directory with the prefix's name.
func (r *run) startsAtTop(blocks []parser.Block) bool {
	if r.opt.Prefix == "" {
		return false
	}
	// top and here count the names that are files only if read from the top, or from the tree.
	// others counts the names that are neither files nor below the tree's prefix. last is a name
	// that is below it and no file.
	top, here, others, last := 0, 0, 0, ""
	for i := range blocks {
		b := &blocks[i]
		p, err := r.clean(b.Path)
		if b.Path == "" || b.Inherited || isAbsolute(b.Path) || err != nil {
			continue
		}
		q, ok := r.belowTop(p)
		switch {
		case !ok && r.exists(p):
			here++
		case !ok:
			others++
		case r.isMeant(b, q, p):
			top++
		case r.isMeant(b, p, q):
			here++
		default:
			last = p
		}
	}
	if top+here == 0 {
		return last != "" && others == 0 && !r.paths().hasTop(last)
	}
	return here == 0
}

// isMeant reports whether a block that may mean either of two paths means p: p exists and other
// doesn't, or both exist and SEARCH occurs only in p.
func (r *run) isMeant(b *parser.Block, p, other string) bool {
	if r.exists(p) && r.exists(other) {
		return r.searchOccurs(b, p) && !r.searchOccurs(b, other)
	}
	return r.exists(p)
}

// inTree returns the path in the tree that a reply means by a name: read from the top of the
// repository if all of its names are, or if only that file exists, and otherwise from the tree. It
// returns an error if the path is outside the tree.
func (r *run) inTree(name string) (string, error) {
	p, err := r.clean(name)
	if err != nil || r.opt.Prefix == "" || isAbsolute(name) {
		return p, err
	}
	q, ok := r.belowTop(p)
	switch {
	case ok && (r.fromTop || !r.exists(p) && r.exists(q)):
		return q, nil
	case !ok && r.fromTop && !r.exists(p):
		return "", fmt.Errorf("%w: the reply's names begin at the top of the repository, "+
			"and %s is outside %s, where it is applied; apply it at the top",
			errOutside, p, strings.TrimSuffix(r.opt.Prefix, "/"))
	}
	return p, nil
}

// ofTwo chooses between the two files that a block's name may mean: p, which is relative to the
// tree, and the file relative to the top of the repository. It chooses the latter only if both
// exist and SEARCH occurs only there. If SEARCH occurs in both, doubt is a message that says so.
// Otherwise it's "".
func (r *run) ofTwo(b *parser.Block, name, p string) (choice, doubt string) {
	q, ok := r.belowTop(p)
	switch {
	case !ok || isAbsolute(name) || !r.exists(p) || !r.exists(q) || creates(b):
		return p, ""
	case r.isMeant(b, q, p):
		return q, ""
	case r.searchOccurs(b, p) && r.searchOccurs(b, q):
		return p, fmt.Sprintf("%s may name that file of the tree or, "+
			"from the top of the repository, %s, because SEARCH occurs in both; "+
			"apply the reply at the top, and write the whole path", p, q)
	}
	return p, ""
}

// newPath returns the path in the tree to which the item moves its file.
func (r *run) newPath(it *item) (string, error) {
	to, err := r.inTree(it.block.NewPath)
	if q, ok := r.belowTop(to); err == nil && it.fromTop && ok {
		return q, nil
	}
	return to, err
}
