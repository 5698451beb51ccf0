package main

//lint:file-ignore SA1019 Clients of all versions up to 2026-07-28 name their trees as roots; the directories of the command line are for later ones.

import (
	"cmp"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
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

// rootsOf are the trees that a call may be about. ask says that the client has to be asked for its
// roots first: each call asks, so that what has changed holds at once.
func (s *server) rootsOf(req *mcp.CallToolRequest) (roots []root, ask bool) {
	for _, dir := range s.dirs {
		roots = append(roots, root{dir: dir})
	}
	if params := req.Session.InitializeParams(); params == nil || params.Capabilities == nil || params.Capabilities.RootsV2 == nil {
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

// askForRoots is the answer to a call that is to come again with the client's roots.
func askForRoots() *mcp.CallToolResult {
	return &mcp.CallToolResult{InputRequests: mcp.InputRequestMap{rootsRequest: &mcp.ListRootsParams{}}}
}

// pathOf is the path that a file URI names; "" of any other.
func pathOf(uri string) string {
	if strings.ContainsAny(uri, "?#") { // of a client that does not escape them; what is before them is another directory
		return ""
	}
	u, err := url.Parse(uri)
	if err != nil || !strings.EqualFold(u.Scheme, "file") || u.Opaque != "" {
		return ""
	}
	host := u.Host
	if strings.EqualFold(host, "localhost") {
		host = ""
	}
	path := u.Path
	if runtime.GOOS == "windows" {
		if drive := strings.TrimPrefix(path, "/"); len(drive) >= 2 && drive[1] == ':' {
			path = drive
		}
		if host != "" {
			path, host = `\\`+host+path, ""
		}
	}
	path = filepath.FromSlash(path)
	if host != "" || !filepath.IsAbs(path) || strings.ContainsRune(path, 0) {
		return ""
	}
	return filepath.Clean(path)
}

// choose finds the root that a call names: by path, by URI, or by what it is called. Without a name
// it is the only one. A directory below a root is none: files are named from the root.
func choose(roots []root, named string) (string, error) {
	var fit []root
	for _, r := range roots {
		if named == "" || r.is(named) {
			fit = append(fit, r)
		}
	}
	fit = distinct(fit)
	switch {
	case len(fit) == 1:
		return fit[0].dir, nil
	case len(roots) == 0:
		return "", &apply.ReasonError{Reason: apply.OutsideRoot,
			Err: errors.New("there is no tree to edit: the client names no root that is a directory of this machine, " +
				"and srpatch-mcp was started without a directory")}
	case len(fit) > 1:
		return "", codef(codeUsage, "there are several trees, and root must name one of them: %s", listed(fit))
	}
	return "", &apply.ReasonError{Reason: apply.OutsideRoot,
		Err: fmt.Errorf("root: %q is none of the trees that may be edited: %s", named, listed(distinct(roots)))}
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

// distinct leaves each directory once.
func distinct(roots []root) (out []root) {
next:
	for _, r := range roots {
		for _, o := range out {
			if sameDir(o.dir, r.dir) {
				continue next
			}
		}
		out = append(out, r)
	}
	return out
}

func sameDir(a, b string) bool {
	if a == b {
		return true
	}
	one, err := os.Stat(a)
	if err != nil {
		return false
	}
	other, err := os.Stat(b)
	return err == nil && os.SameFile(one, other)
}

// maxRoots is how many roots an error lists.
const maxRoots = 20

func listed(roots []root) string {
	var dirs []string
	for i, r := range roots {
		if i == maxRoots {
			dirs = append(dirs, fmt.Sprintf("and %d more", len(roots)-i))
			break
		}
		dirs = append(dirs, r.dir)
	}
	return strings.Join(dirs, ", ")
}
