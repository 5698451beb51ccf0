package workspace

import (
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"
)

// GlobError reports a glob of [Options] that can match no file, or has unsupported syntax, and so
// would guard nothing.
type GlobError struct {
	glob string
	what string // what is wrong with it, and what to write instead
}

func (e *GlobError) Error() string { return fmt.Sprintf("glob %q %s", e.glob, e.what) }

// globs are the compiled globs of [Options.Allow] or [Options.Deny].
type globs struct {
	patterns []pattern
	key      func(string) string // what is compared of a name
	exec     bool                // @exec is among them
}

// pattern is a glob split at its slashes.
type pattern struct {
	segs     []string
	glob     string // what match returns
	onlyFile bool   // it matches no directory
	// head and tail are the literal start and end of the last one of segs.
	head, tail string
}

// compileGlobs parses lists of globs as users and shells write them, such as "src/**,*.md". key
// returns the form in which names are compared. The roots are the absolute names of the tree's
// directory. If some globs are invalid, it returns the others, and an error.
func compileGlobs(lists []string, key func(string) string, roots ...string) (globs, error) {
	g := globs{key: key}
	var errs []error
	for _, list := range lists {
		for _, given := range splitGlobs(list) {
			if given == execList {
				g.addExec()
				continue
			}
			clean, err := cleanGlob(given, roots)
			if err != nil {
				errs = append(errs, err)
				continue
			}
			g.add(clean, clean)
		}
	}
	return g, errors.Join(errs...)
}

// splitGlobs splits a list at its commas, except those after a backslash.
func splitGlobs(list string) (parts []string) {
	start := 0
	for i := 0; i < len(list); i++ {
		switch list[i] {
		case '\\':
			i++
		case ',':
			parts = append(parts, strings.TrimSpace(list[start:i]))
			start = i + 1
		}
	}
	return append(parts, strings.TrimSpace(list[start:]))
}

// add adds a glob and returns its pattern. clean is the form that cleanGlob returns, and from is what
// match returns for it.
func (g *globs) add(clean, from string) *pattern {
	key := strings.TrimSuffix(g.key(clean), "/")
	if !strings.Contains(key, "/") { // it matches at any depth
		key = "**/" + key
	}
	p := pattern{segs: strings.Split(strings.TrimPrefix(key, "/"), "/"), glob: from}
	last := p.segs[len(p.segs)-1]
	p.head, p.tail = last, last
	if i := strings.IndexAny(last, `*?[\`); i >= 0 {
		p.head, p.tail = last[:i], last[strings.LastIndexAny(last, `*?]\`)+1:]
	}
	g.patterns = append(g.patterns, p)
	return &g.patterns[len(g.patterns)-1]
}

// match returns a glob that matches a path by the rules of .gitignore: a glob without a slash
// matches at any depth, one with a slash matches the path from the root, ** matches any number of
// directories, and a glob that matches a directory matches all files below it. ok is false if there
// is none.
func (g *globs) match(name string) (glob string, ok bool) {
	segs := strings.Split(g.key(name), "/")
	for i := range g.patterns {
		p := &g.patterns[i]
		if p.mayMatch(segs) && matchSegments(p.segs, segs) {
			return p.glob, true
		}
	}
	return "", false
}

// mayMatch reports whether the pattern may match a path, split into segs: whether one of these has
// the head and the tail of the pattern. For "src/*_test.go" they are "" and "_test.go". This is much
// faster than matchSegments, and mostly false.
func (p *pattern) mayMatch(segs []string) bool {
	if p.onlyFile {
		segs = segs[len(segs)-1:]
	}
	for _, seg := range segs {
		if strings.HasPrefix(seg, p.head) && strings.HasSuffix(seg, p.tail) {
			return true
		}
	}
	return false
}

const (
	notSupported = "is not supported: write one glob for each alternative, " +
		"[^a] for all but a, and a backslash before !, { and ["
	matchesNothing = "matches no file of the tree that may be edited; ** matches all, and @exec is the only list"
)

func (g *globs) empty() bool { return len(g.patterns) == 0 }

// matchSegments reports whether a glob matches a path or a directory above it. Both are split at
// their slashes. Each ** first matches as few segments as possible. If what follows does not match,
// only the last ** takes another segment, because it can skip whatever earlier ones could. For
// example, "**/a/b" and "a/x/a/b": ** matches nothing, then "a", then "a/x".
func matchSegments(glob, name []string) bool {
	last, taken := -1, 0 // the last ** so far, or -1, and how many segments its match reaches to
	for g, n := 0, 0; g < len(glob); {
		if glob[g] == "**" {
			last, taken = g, n
			g++
			continue
		}
		if n < len(name) {
			if ok, _ := path.Match(glob[g], name[n]); ok {
				g, n = g+1, n+1
				continue
			}
		}
		if last < 0 || taken == len(name) {
			return false
		}
		taken++
		g, n = last+1, taken
	}
	return true
}

// asWritten returns the key for comparing names byte by byte.
func asWritten(name string) string { return name }

// anyCase returns the key for comparing names as some file systems do, which ignore case and treat
// composed and decomposed accents as equal.
func anyCase(name string) string { return strings.Map(foldRune, norm.NFC.String(name)) }

// cleanGlob returns a glob in the form that [globs.add] expects: without "." segments, and with a
// leading slash if it starts at the root. For example "./a//b" gives "/a/b". An absolute name below
// one of the roots is taken from there: below the root "/srv/tree", "/srv/tree/a" gives "/a". It
// fails if the syntax isn't supported, or if the glob can match nothing in the tree.
func cleanGlob(given string, roots []string) (string, error) {
	glob := filepath.ToSlash(given)
	isRoot := glob == "." || glob == "./"
	for _, root := range roots {
		root = strings.TrimSuffix(filepath.ToSlash(root), "/")
		rest, ok := strings.CutPrefix(glob, root)
		if isBelow := rest == "" || rest[0] == '/'; ok && root != "" && isBelow {
			glob, isRoot = "/"+strings.Trim(rest, "/"), strings.Trim(rest, "/") == ""
			break
		}
	}
	if isRoot {
		return "**", nil // all files below it
	}
	anchored := strings.HasPrefix(glob, "/") || strings.HasPrefix(glob, "./")
	var segs []string
	for seg := range strings.SplitSeq(glob, "/") {
		_, err := path.Match(seg, "")
		// path.Match has [^a] instead of [!a], and no classes such as [[:alpha:]].
		if err != nil || strings.Contains(seg, "[!") || strings.Contains(seg, "[[:") {
			return "", &GlobError{given, notSupported}
		}
		if seg != "" && seg != "." {
			segs = append(segs, seg)
		}
	}
	isNegation := strings.HasPrefix(glob, "!")
	hasAlternatives := strings.Contains(strings.ReplaceAll(glob, `\{`, ""), "{")
	isUnknownList := len(segs) == 1 && glob[0] == '@' // the caller knows @exec
	leadsOut := slices.Contains(segs, "..") || hasDrive(glob) ||
		len(segs) > 1 && glob[0] == '/' && startsLikeRoot(segs, roots) // /home/x for /home/me
	switch {
	case isNegation, hasAlternatives:
		return "", &GlobError{given, notSupported}
	case len(segs) == 0, isUnknownList, leadsOut:
		return "", &GlobError{given, matchesNothing}
	}
	clean := strings.Join(segs, "/")
	if anchored {
		clean = "/" + clean
	}
	return clean, nil
}

// startsLikeRoot reports whether segs start with the first directory of a root. A glob that does
// is taken for an absolute path outside the tree, not for one that starts at the tree's root.
func startsLikeRoot(segs []string, roots []string) bool {
	return slices.ContainsFunc(roots, func(root string) bool {
		return strings.HasPrefix(filepath.ToSlash(root), "/"+segs[0]+"/")
	})
}
