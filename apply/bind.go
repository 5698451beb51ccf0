package apply

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/srpatch/srpatch/internal/warning"
	"github.com/srpatch/srpatch/parser"
)

// errOutside is wrapped by the error for a path that leaves the root.
var errOutside = errors.New("the path leads out of the tree")

// clean turns a path from a reply into one relative to the root, with slashes. It removes the root
// from an absolute path, and then as many leading segments as the option Strip says. It returns an
// error if the result isn't a path below the root.
func (r *run) clean(name string) (string, error) {
	p := strings.ReplaceAll(name, "\\", "/")
	if root := strings.ReplaceAll(r.opt.Root, "\\", "/"); root != "" {
		above, below := p[:min(len(p), len(root)+1)], p[min(len(p), len(root)+1):]
		windows := root[1:min(len(root), 2)] == ":" // which folds case
		if above == root+"/" || windows && strings.EqualFold(above, root+"/") {
			p = below
		}
	}
	for range r.opt.Strip {
		_, after, ok := strings.Cut(p, "/")
		if !ok {
			break
		}
		p = after
	}
	if path.IsAbs(p) || len(p) > 1 && p[1] == ':' || strings.ContainsRune(p, 0) {
		return "", fmt.Errorf("%w: %q", errOutside, name)
	}
	if first, _, _ := strings.Cut(p, "/"); first == "~" || isVariable(first) {
		return "", fmt.Errorf("%w: %q means another directory", errOutside, first)
	}
	p = path.Clean(p)
	if p == ".." || strings.HasPrefix(p, "../") || p == "." {
		return "", fmt.Errorf("%w: %q", errOutside, name)
	}
	return p, nil
}

// isVariable reports whether a path segment is a shell variable, such as $HOME, ${HOME}, $env:HOME
// or %HOME%.
func isVariable(segment string) bool {
	if strings.HasPrefix(segment, "${") && strings.HasSuffix(segment, "}") {
		return true
	}
	name, ok := strings.CutPrefix(segment, "$")
	if ok {
		name = strings.TrimPrefix(name, "env:")
	} else if name, ok = strings.CutPrefix(segment, "%"); ok {
		name, ok = strings.CutSuffix(name, "%")
	}
	return ok && name != "" && strings.Trim(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == ""
}

// bind finds the file that the item's block names: by its exact path, then by a unique path suffix,
// then by a unique base name if SEARCH occurs in that file. It attaches the item to that file, or
// refuses it. A block that creates a file uses the path as written.
func (r *run) bind(it *item) {
	b := it.block
	how := r.namer().name(b)
	name := how.name // "" if the block has none
	switch {
	case how.doubt != "":
		it.report.Path = ""
		it.fail(NoName, how.doubt)
		return
	case name != "":
	case r.opt.Single != "":
		r.attach(it, r.opt.Single)
		return
	default:
		it.fail(NoName, "the block names no file; write its path on the line above the block, as File: `path`")
		return
	}
	if how.note != "" {
		it.warn(warning.TakenFor.Say("%s", how.note))
	}
	if r.opt.ExactNames {
		r.bindExactly(it, name)
		return
	}
	p, err := r.inTree(name)
	if err != nil {
		r.refuseOutside(it, name, err)
		return
	}
	written, _ := r.clean(name)
	if !creates(b) && !r.exists(written) && r.remembered(written) != nil {
		r.refuseUnknown(it, written) // an earlier run removed it, so no other file is meant
		return
	}
	p, doubt := r.ofTwo(b, name, p) // or the file of that name from the top of the repository
	if doubt != "" {
		it.fail(NoSuchFile, doubt)
		return
	}
	if p != written {
		it.fromTop = true
		it.warn(warning.TakenFor.Say("%s taken for %s, its name from the top of the repository", p, written))
	}
	r.bindTo(it, name, p)
}

// bindTo attaches the item to the file p, or to an existing file with a similar path: without a
// diff's prefix, or the only one that ends in p. It refuses the item if there is neither, unless
// the block creates p. name is the block's spelling of p, which may end in a slash.
func (r *run) bindTo(it *item, name, p string) {
	b := it.block
	slash := strings.HasSuffix(name, "/") || strings.HasSuffix(name, `\`)
	if slash && (!r.exists(p) || r.file(p).unreadable != nil) {
		it.fail(NoSuchFile, fmt.Sprintf("%s is a directory; the block needs the name of a file in it", p))
		return
	}
	if q, ok := withoutPrefix(p); ok && !namesOnly(b) && !r.exists(p) &&
		(r.exists(q) || creates(b) && r.isFromDiff(b, p, q)) {
		p = q
	}
	if q, ok := r.newVersionOf(b, p); ok { // b gives the whole text of the existing file q
		it.warn(warning.TakenFor.Say("%s taken for %s", q, p))
		r.attach(it, q)
		return
	}
	if r.exists(p) || r.opt.Single == p || creates(b) && r.opt.Single == "" {
		r.attach(it, p)
		return
	}
	if q, ok := r.bySuffix(it, p); ok {
		it.warn(warning.TakenFor.Say("%s taken for %s", q, p))
		r.attach(it, q)
		return
	}
	if !it.settled {
		r.refuseUnknown(it, p)
	}
}

// refuseOutside refuses a block whose file name leads out of the tree, as err says. If the name is
// absolute but would be a file of the tree without its first slash, such as "/src/a.py", the
// message names that file.
func (r *run) refuseOutside(it *item, name string, err error) {
	message := err.Error()
	p, wrong := r.clean(strings.TrimLeft(name, `/\`))
	if wrong == nil && isAbsolute(name) && r.exists(p) {
		message += "; the tree has " + p
	}
	it.fail(OutsideRoot, message)
}

// bindExactly binds the item to the path that it names, without guessing.
func (r *run) bindExactly(it *item, name string) {
	switch p, err := r.clean(name); {
	case err != nil:
		it.fail(OutsideRoot, err.Error())
	case r.exists(p), r.opt.Single == p, creates(it.block) && r.opt.Single == "":
		r.attach(it, p)
	default:
		r.refuseUnknown(it, p)
	}
}

// creates reports whether the block can create a file, because its SEARCH is empty.
func creates(b *parser.Block) bool {
	return b.Op == parser.OpCreate || b.Op == parser.OpWrite || b.Op == parser.OpAppend ||
		b.Op == parser.OpEdit && len(bytes.TrimSpace(b.Search)) == 0
}

// namesOnly reports whether the block deletes or moves a file, which only its name identifies.
// Similar names aren't tried, because the file may already be gone.
func namesOnly(b *parser.Block) bool {
	return (b.Op == parser.OpDelete || b.Op == parser.OpMove) && len(b.Search) == 0
}

// withoutPrefix removes the prefix a/ or b/ that diffs put before paths.
func withoutPrefix(p string) (string, bool) {
	if strings.HasPrefix(p, "a/") || strings.HasPrefix(p, "b/") {
		return p[2:], true
	}
	return p, false
}

// isFromDiff reports whether the path p of a new file has the prefix of a diff, and q is the path
// that is meant: the tree has no directory a or b, and the block is a diff, or the tree has the
// directory with which q begins.
func (r *run) isFromDiff(b *parser.Block, p, q string) bool {
	return !r.paths().hasTop(p) && (b.Dialect == "diff" || r.paths().hasTop(q))
}

// exists reports whether the file p exists or is created by an earlier block.
func (r *run) exists(p string) bool {
	f := r.file(p)
	if f.exists {
		return true
	}
	return slices.ContainsFunc(f.items, func(it *item) bool { return creates(it.block) && !it.settled })
}

// file returns the state of the file p, which it reads on the first call. Two paths that the tree
// identifies as one file share their state. If the file can't be read or is too large, unreadable
// has the error.
func (r *run) file(p string) *file {
	if f, ok := r.files[p]; ok {
		return f
	}
	id := p
	if tree, ok := r.engine.tree.(Identifier); ok {
		id = tree.Identity(p)
	}
	if f, ok := r.files[id]; ok {
		r.files[p] = f
		return f
	}
	f := &file{run: r, path: p}
	r.files[p], r.files[id] = f, f
	text, err := r.engine.tree.ReadFile(p)
	switch {
	case err == nil:
		f.exists, f.raw = true, text
		if text == nil {
			f.raw = []byte{} // empty, not absent
		}
		f.unreadable = r.opt.Limits.tooLarge(text)
		f.encoding().decode()
	case !errors.Is(err, fs.ErrNotExist):
		f.exists, f.unreadable = true, err
	}
	return f
}

// attach adds the item to the file p. It refuses the item if the file can't be read or isn't the
// version that the block expects.
func (r *run) attach(it *item, p string) {
	f := r.file(p)
	it.file, it.report.Path = f, f.path
	if f.unreadable != nil {
		it.failFor(f.unreadable, Unreadable)
		return
	}
	if says := f.unlike(it.block.ExpectedHash); says != "" {
		it.fail(Stale, says)
		return
	}
	if len(f.items) == 0 {
		r.order = append(r.order, f)
	}
	f.items = append(f.items, it)
}

// unlike describes how the file differs from want, the SHA-256 hash that a tool call expects, which
// may have the prefix "sha256:". It returns "" if the hash matches or want is "".
func (f *file) unlike(want string) string {
	if want == "" {
		return ""
	}
	if f.sum == nil && f.exists {
		sum := sha256.Sum256(f.raw)
		f.sum = sum[:]
	}
	expected, err := hex.DecodeString(strings.TrimPrefix(want, "sha256:"))
	switch {
	case err != nil || len(expected) != sha256.Size:
		return fmt.Sprintf("the call's expected_hash %.80q is not a SHA-256 in hexadecimal", want)
	case bytes.Equal(expected, f.sum):
		return ""
	}
	return fmt.Sprintf("%s has changed; the call expects the hash %.80q", f.path, want)
}

// bySuffix returns the only file whose path is p in another Unicode normal form. If there is none,
// it returns the only file whose path ends in p, or the only one with the same base name in which
// SEARCH occurs. ok is false if there is no such file. If several paths end in p, it also refuses
// the item.
func (r *run) bySuffix(it *item, p string) (q string, ok bool) {
	suffix, base := r.paths().endingIn(p)
	same := r.paths().byComposed[norm.NFC.String(p)]
	if len(same) == 1 {
		return same[0], true
	}
	if namesOnly(it.block) { // a deletion or a move; the file may already be gone
		return "", false
	}
	if len(suffix) == 1 && r.engine.tree.Complete() { // otherwise others may end in p, too
		return suffix[0], true
	}
	if len(suffix) > 1 {
		it.fail(NoSuchFile, fmt.Sprintf("%s may be any of %s; write the whole path", p,
			strings.Join(suffix[:min(len(suffix), maxListed)], ", ")))
		return "", false
	}
	if len(base) == 1 && r.searchOccurs(it.block, base[0]) {
		return base[0], true
	}
	return "", false
}
