package main

//lint:file-ignore SA1019 Clients of versions before 2026-07-28 name their trees as roots.

import (
	"cmp"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/srpatch/srpatch/apply"
)

// rootsRequest is the name under which a call asks the client for its roots.
const rootsRequest = "roots"

// root is a tree that may be edited.
type root struct {
	dir string
	// name and uri are those that the client gives; "" for a directory of the command line.
	name, uri string
}

// rootsOf returns the trees that a call may name. If mustAsk is true, it returns none, and the
// client must be asked for its roots first. Each call asks, so that a change takes effect at once.
// The client then repeats the call with its roots in req.
func (s *server) rootsOf(req *mcp.CallToolRequest) (roots []root, mustAsk bool) {
	for _, dir := range s.dirs {
		roots = append(roots, root{dir: dir})
	}
	client := req.Session.InitializeParams()
	hasRoots := client != nil && client.Capabilities != nil && client.Capabilities.RootsV2 != nil
	if !hasRoots {
		return roots, false
	}
	answer, ok := req.Params.InputResponses[rootsRequest].(*mcp.ListRootsResult)
	if !ok {
		return nil, true
	}
	for _, r := range answer.Roots {
		if dir := pathOf(r.URI); dir != "" {
			roots = append(roots, root{dir: dir, name: r.Name, uri: r.URI})
		}
	}
	return roots, false
}

// pathOf returns the local path of a file URI, or "" for any other URI. A URI with ? or # also
// gives "", because a client that doesn't escape them means a directory with them in its name.
func pathOf(uri string) string {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != "file" || u.Opaque != "" || strings.ContainsAny(uri, "?#") ||
		u.Host != "" && !strings.EqualFold(u.Host, "localhost") {
		return ""
	}
	path := filepath.FromSlash(u.Path)
	if runtime.GOOS == "windows" { // file:///C:/dir
		path = strings.TrimPrefix(path, `\`)
	}
	if !filepath.IsAbs(path) || strings.ContainsRune(path, 0) {
		return ""
	}
	return filepath.Clean(path)
}

// choose returns the directory of the root that a call names: by path, URI or name. Without a name
// it is the only root. A directory below a root isn't a root: files are named from the root.
func choose(roots []root, named string) (string, error) {
	var all, fit []string // directories, each once
	for _, r := range roots {
		same := func(dir string) bool { return sameDir(dir, r.dir) }
		if !slices.ContainsFunc(all, same) {
			all = append(all, r.dir)
		}
		if (named == "" || r.is(named)) && !slices.ContainsFunc(fit, same) {
			fit = append(fit, r.dir)
		}
	}
	switch {
	case len(fit) == 1:
		return fit[0], nil
	case len(fit) > 1:
		return "", codef("usage", "root must name one of several trees: %s", strings.Join(fit, ", "))
	case len(all) == 0:
		return "", codef(apply.OutsideRoot, "there is no tree to edit: the client names no root that is "+
			"a directory on this machine, and srpatch-mcp was started without one")
	}
	return "", codef(apply.OutsideRoot, "root: %q is not one of the trees that may be edited: %s",
		named, strings.Join(all, ", "))
}

// is reports whether a call that names a root by path, URI or name means r. A root that the client
// gives no name has that of its directory.
func (r root) is(named string) bool {
	if named == r.uri || named == cmp.Or(r.name, filepath.Base(r.dir)) {
		return true
	}
	named = cmp.Or(pathOf(named), named)
	return filepath.IsAbs(named) && sameDir(filepath.Clean(named), r.dir)
}

// sameDir reports whether two names are equal or lead to the same existing directory.
func sameDir(a, b string) bool {
	one, err := os.Stat(a)
	other, err2 := os.Stat(b)
	return a == b || err == nil && err2 == nil && os.SameFile(one, other)
}
