package workspace

import (
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// GlobError is a glob of [Options] that no file of the tree can ever fit: a guard that guards nothing.
type GlobError struct {
	Glob string
	// What is wrong with it, and what to write instead.
	What string
}

func (e *GlobError) Error() string { return fmt.Sprintf("glob %q: %s", e.Glob, e.What) }

// cleanGlobs brings globs as users and shells write them into the form that [matchGlob] takes. The roots are the absolute names
// of the tree's directory.
func cleanGlobs(globs []string, roots ...string) ([]string, error) {
	var errs []error
	cleaned := make([]string, len(globs))
	for i, g := range globs {
		var err error
		if cleaned[i], err = cleanGlob(g, roots); err != nil {
			errs = append(errs, err)
		}
	}
	return cleaned, errors.Join(errs...)
}

func cleanGlob(given string, roots []string) (string, error) {
	bad := func(what string) (string, error) { return "", &GlobError{given, what} }
	glob := filepath.ToSlash(given)
	below := slices.Contains([]string{".", "./"}, glob)
	for _, root := range roots {
		root = strings.TrimSuffix(filepath.ToSlash(root), "/")
		if rest, ok := strings.CutPrefix(glob, root); ok && root != "" && (rest == "" || rest[0] == '/') {
			glob, below = "/"+strings.Trim(rest, "/"), strings.Trim(rest, "/") == ""
			break
		}
	}
	if below {
		return "**", nil
	}
	anchored := strings.HasPrefix(glob, "/") || strings.HasPrefix(glob, "./")
	var segs []string
	for seg := range strings.SplitSeq(glob, "/") {
		switch _, err := path.Match(seg, ""); {
		case err != nil:
			return bad("an unclosed bracket or a trailing backslash; brackets hold no slash")
		case seg == "..":
			return bad("nothing in the tree has a path with ..; write the path from the root")
		case seg != "" && seg != ".":
			segs = append(segs, seg)
		}
	}
	switch {
	case len(segs) == 0:
		return bad("fits no file; ** fits all")
	case hasDrive(glob):
		return bad("an absolute path outside the tree; write the path from the root")
	case hasBraces(glob):
		return bad("braces with alternatives are not known; give one glob for each, or write \\{ for a brace")
	case strings.HasPrefix(glob, "/") && len(segs) > 1 && startsLikeRoot(segs, roots):
		return bad("an absolute path outside the tree; write " + strings.Join(segs, "/") + " without the first slash if it is meant from the root")
	}
	clean := strings.Join(segs, "/")
	if anchored {
		clean = "/" + clean
	}
	return clean, nil
}

// startsLikeRoot distinguishes an absolute path of another place from a path that a slash anchors at the root: it starts with
// the directory that the root itself starts with.
func startsLikeRoot(segs []string, roots []string) bool {
	return slices.ContainsFunc(roots, func(root string) bool {
		return strings.HasPrefix(filepath.ToSlash(root), "/"+segs[0]+"/")
	})
}

// hasBraces finds what a shell expands to several words, as {a,b} or {1..3}. Braces around anything else are part of a name.
func hasBraces(glob string) bool {
	for i := 0; i < len(glob); i++ {
		switch glob[i] {
		case '\\':
			i++
		case '{':
			inner, _, closed := strings.Cut(glob[i+1:], "}")
			if closed && (strings.Contains(inner, ",") || strings.Contains(inner, "..")) {
				return true
			}
		}
	}
	return false
}
