package apply

import (
	"path"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"
)

// pathIndex finds the paths of a tree by their ends. It is built once, in one walk.
type pathIndex struct {
	byBase     map[string][]string // by base name
	byComposed map[string][]string // by the whole path, accents composed; of those with any
	byStem     map[string][]string // by base name without its extension, in lower case; nil until asked for
	dirs       map[string]bool     // first segments that files are below of
}

// paths returns the index of the run's tree.
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

// endingIn returns the paths that end in p, and those that share only its base name. Neither
// contains p itself.
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

// withStem returns the paths whose base name is the word, in any case, and an extension.
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
