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
	// name is what the client calls it, uri how it names it; "" of a directory of the command line.
	name, uri string
}

// rootsOf returns the trees that a call may be about. ask says that the client has to be asked for
// its roots first: each call asks, so that what has changed holds at once.
func (s *server) rootsOf(req *mcp.CallToolRequest) (roots []root, ask bool) {
	for _, dir := range s.dirs {
		roots = append(roots, root{dir: dir})
	}
	client := req.Session.InitializeParams()
	if client == nil || client.Capabilities == nil || client.Capabilities.RootsV2 == nil {
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

// pathOf returns the path that a file URI names; "" of any other, and of one with ? or #: a client
// that does not escape them means another directory than the one before them.
func pathOf(uri string) string {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != "file" || u.Opaque != "" || strings.ContainsAny(uri, "?#") {
		return ""
	}
	path := u.Path
	switch drive := strings.TrimPrefix(path, "/"); {
	case u.Host != "" && !strings.EqualFold(u.Host, "localhost"):
		if runtime.GOOS != "windows" {
			return ""
		}
		path = `\\` + u.Host + path
	case runtime.GOOS == "windows" && len(drive) >= 2 && drive[1] == ':':
		path = drive
	}
	if path = filepath.FromSlash(path); !filepath.IsAbs(path) || strings.ContainsRune(path, 0) {
		return ""
	}
	return filepath.Clean(path)
}

// choose finds the root that a call names: by path, by URI, or by what it is called. Without a name
// it is the only one. A directory below a root is none: files are named from the root.
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
			"a directory of this machine, and srpatch-mcp was started without a directory")
	}
	return "", codef(apply.OutsideRoot, "root: %q is none of the trees that may be edited: %s",
		named, strings.Join(all, ", "))
}

func (r root) is(named string) bool {
	if named == r.uri || named == cmp.Or(r.name, filepath.Base(r.dir)) {
		return true
	}
	if dir := pathOf(named); dir != "" {
		named = dir
	}
	return filepath.IsAbs(named) && sameDir(filepath.Clean(named), r.dir)
}

func sameDir(a, b string) bool {
	one, err := os.Stat(a)
	other, err2 := os.Stat(b)
	return a == b || err == nil && err2 == nil && os.SameFile(one, other)
}
