package apply

import (
	"path"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"
)

// pathIndex finds paths in a tree by their last segments. It is built once, in a single walk.
type pathIndex struct {
	byBase     map[string][]string // by base name
	byComposed map[string][]string // by path with composed accents, if it has any
	byStem     map[string][]string // by lower-case base name without extension; nil until needed
	dirs       map[string]bool     // the top-level directories
}

// paths returns the path index of the run's tree.
func (r *run) paths() *pathIndex {
	if r.index != nil {
		return r.index
	}
	x := &pathIndex{byBase: map[string][]string{}, byComposed: map[string][]string{}, dirs: map[string]bool{}}
	for p := range r.engine.tree.Paths() {
		base := path.Base(p)
		x.byBase[base] = append(x.byBase[base], p)
		if !isASCII([]byte(p)) {
			composed := norm.NFC.String(p)
			x.byComposed[composed] = append(x.byComposed[composed], p)
		}
		if dir, _, ok := strings.Cut(p, "/"); ok {
			x.dirs[dir] = true
		}
	}
	r.index = x
	return x
}

// hasTop reports whether the tree has the directory with which the path p begins.
func (x *pathIndex) hasTop(p string) bool {
	top, _, _ := strings.Cut(p, "/")
	return x.dirs[top]
}

// endingIn returns the paths that end in p (suffix) and the paths that share only its base name
// (base). Neither list contains p itself.
func (x *pathIndex) endingIn(p string) (suffix, base []string) {
	for _, q := range x.byBase[path.Base(p)] {
		switch {
		case strings.HasSuffix(q, "/"+p):
			suffix = append(suffix, q)
		case q != p:
			base = append(base, q)
		}
	}
	return suffix, base
}

// withStem returns the paths whose base name consists of the word, in any case, and an extension.
func (x *pathIndex) withStem(word string) []string {
	if x.byStem == nil {
		x.byStem = map[string][]string{}
		for base, paths := range x.byBase {
			stem := strings.ToLower(strings.TrimSuffix(base, path.Ext(base)))
			x.byStem[stem] = append(x.byStem[stem], paths...)
		}
		for _, paths := range x.byStem {
			slices.Sort(paths)
		}
	}
	return x.byStem[strings.ToLower(word)]
}
