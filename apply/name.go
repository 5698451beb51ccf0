package apply

import (
	"bytes"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/srpatch/srpatch/parser"
	"github.com/srpatch/srpatch/strategy"
)

// nameChoice is the file name that was chosen for a block, and why.
type nameChoice struct {
	name  string
	doubt string // why it is not known which file is meant; "" if it is known
	note  string // why this file was taken, if that is not obvious
}

// candidateFile is a file of the tree that the text around a block names.
type candidateFile struct {
	name, path      string
	near, inherited bool
}

// namer finds out which file a block means.
type namer struct{ *run }

func (r *run) namer() namer { return namer{r} }

// name chooses the file name of the block. A name found in prose counts only if exactly that file is in the tree:
//
//   - A name in few words directly above the block is nearer than one inherited from the block before, unless SEARCH occurs in
//     the inherited one alone. Of several near names it is the one in which SEARCH occurs.
//   - A file that a longer sentence mentions, or text further up, may be the block's or not: of these files and the inherited
//     one it is the one in which SEARCH occurs.
//
// If SEARCH occurs in several of them, the block is refused. So it is if a word on its own above it is the name of a directory;
// other directories are only mentioned.
func (r namer) name(b *parser.Block) nameChoice {
	switch {
	case r.opt.File != "":
		return nameChoice{name: r.opt.File}
	case r.opt.Strip > 0 && b.RawPath != "":
		return nameChoice{name: b.RawPath}
	case b.Path != "" && !b.Inherited, len(b.Names)+len(b.Labels) == 0:
		return nameChoice{name: b.Path}
	case r.opt.ExactNames:
		if name := r.exactlyNamed(b); name != "" {
			return nameChoice{name: name}
		}
		return nameChoice{doubt: "the block has no name of its own, and the text around it has several names that may be meant; write the path on the line above it"}
	}
	all := r.mentions(b)
	pick := func(near, inherited bool) (out []candidateFile) {
		for _, m := range all {
			if m.near == near && m.inherited == inherited {
				out = append(out, m)
			}
		}
		return out
	}
	switch near := pick(true, false); {
	case len(near) > 0 && r.isDirectory(near[0].path):
		return nameChoice{name: near[0].name}
	case len(near) == 1:
		return r.nearOrInherited(b, near[0])
	case len(near) > 1 && !slices.ContainsFunc(near, func(m candidateFile) bool { return r.searchOccurs(b, m.path) }):
		return r.nearOrInherited(b, near[0])
	case len(near) > 1:
		return r.bySearch(b, near, near[0])
	}
	if choice, ok := r.byLabel(b); ok {
		return choice
	}
	return r.inherited(b, pick)
}

// inherited chooses between the name that the block inherits and those that the text around it mentions.
// Names are picked by whether they are near the block, and whether it inherits them.
func (r namer) inherited(b *parser.Block, pick func(near, inherited bool) []candidateFile) nameChoice {
	var inherited candidateFile
	if p, err := r.inTree(b.Path); b.Path != "" {
		inherited = candidateFile{name: b.Path, path: p}
		if err != nil {
			return nameChoice{name: b.Path}
		}
	}
	if m := pick(true, true); len(m) > 0 {
		inherited = m[0]
	}
	passing := pick(false, false)
	files := append(slices.Clip(passing), pick(false, true)...)
	if inherited.name != "" {
		files = slices.DeleteFunc(files, func(m candidateFile) bool { return m.path == inherited.path })
		if doubt := r.doubtOf(b, inherited); doubt != "" {
			return nameChoice{name: inherited.name, doubt: doubt}
		}
		files = append(files, inherited)
	}
	switch {
	case len(files) == 0:
		return nameChoice{doubt: r.doubtOf(b, inherited)}
	case len(files) == 1:
		return nameChoice{name: files[0].name}
	case len(passing) > 0:
		inherited = passing[0]
	}
	return r.bySearch(b, files, inherited)
}

// exactlyNamed is what has a line of its own directly above the block and is, as it is written, the path of a file of the tree; "" if nothing is, or
// several things are.
func (r namer) exactlyNamed(b *parser.Block) (name string) {
	for _, n := range b.Names {
		p, err := r.clean(n.Text)
		switch {
		case err != nil, !n.Near, !n.Line, n.Inherited, !r.exists(p):
		case name != "":
			return ""
		default:
			name = n.Text
		}
	}
	return name
}

// mentions are the files of the tree that the block's names refer to.
func (r namer) mentions(b *parser.Block) []candidateFile {
	var out []candidateFile
	for _, n := range b.Names {
		p, err := r.inTree(n.Text)
		if err != nil {
			continue
		}
		if q, ok := withoutPrefix(p); ok && !r.exists(p) {
			p = q
		}
		if !r.exists(p) || r.isDirectory(p) && !isOnOwnLine(n.Text) ||
			slices.ContainsFunc(out, func(m candidateFile) bool { return m.path == p || strings.HasSuffix(m.name, " "+n.Text) }) {
			continue
		}
		out = append(out, candidateFile{n.Text, p, n.Near, n.Inherited})
	}
	return out
}

func (r *run) isDirectory(p string) bool { return reasonOf(r.file(p).unreadable, "") == NotRegular }

// isOnOwnLine reports whether a name that is no file's has a line of its own: from a sentence the parser takes no single word and
// no pair of short words.
func isOnOwnLine(name string) bool {
	first, second, _ := strings.Cut(name, "/")
	return len(first) <= 8 && len(second) <= 8 && !strings.ContainsAny(second, "/._-") || second == ""
}

// bySearch takes the one file in which SEARCH occurs; if it occurs in none, it takes fallback.
func (r namer) bySearch(b *parser.Block, files []candidateFile, fallback candidateFile) nameChoice {
	var found []string
	for _, m := range files {
		if r.searchOccurs(b, m.path) || r.looked > lookBudget {
			found = append(found, m.name)
		}
	}
	switch len(found) {
	case 0:
		return nameChoice{name: fallback.name}
	case 1:
		return nameChoice{name: found[0], note: "of the files that the reply names above the block, only this one has SEARCH"}
	}
	return nameChoice{name: found[0], doubt: unsure(found...)}
}

// unsure says that a block may be for several files.
func unsure(files ...string) string {
	return fmt.Sprintf("the block has no name of its own; it may be for %s, because SEARCH occurs in each of them; write the path on the line above it",
		strings.Join(files, " or for "))
}

// doubtOf says why a block may not be for the file that it inherits: the text above names another one by the end of its path.
// That is doubt enough if SEARCH occurs in that one, or if the name is near and SEARCH does not occur in the inherited file. If
// the block inherits none, inherited is empty.
func (r namer) doubtOf(b *parser.Block, inherited candidateFile) string {
	if creates(b) {
		return ""
	}
	for _, n := range b.Names {
		p, err := r.inTree(n.Text)
		if err != nil || n.Inherited || path.Ext(p) == "" || r.exists(p) {
			continue
		}
		suffix, _ := r.paths().endingIn(p)
		if !r.engine.tree.Complete() {
			return ""
		}
		for _, q := range suffix {
			switch {
			case q == inherited.path:
			case r.searchOccurs(b, q):
				if r.searchOccurs(b, inherited.path) {
					return unsure(inherited.name, q)
				}
				return fmt.Sprintf("the block has no name of its own; SEARCH occurs in %s, which the text above it mentions; write that path on the line above it", q)
			case n.Near && inherited.name != "" && !r.searchOccurs(b, inherited.path):
				return fmt.Sprintf("the block has no name of its own; it may be for %s, which the line above it mentions, or for %s, and SEARCH occurs in neither; write the path on the line above it", q, inherited.name)
			}
		}
	}
	return ""
}

// nearOrInherited takes the near file, unless SEARCH occurs in the inherited one and not in the near one.
func (r namer) nearOrInherited(b *parser.Block, near candidateFile) nameChoice {
	inherited, err := r.inTree(b.Path)
	switch {
	case b.Path == "" || err != nil || inherited == near.path || creates(b) || !r.searchOccurs(b, inherited):
		return nameChoice{name: near.name}
	case r.searchOccurs(b, near.path):
		return nameChoice{name: near.name, note: fmt.Sprintf("a line next to the block names this file; SEARCH occurs in %s as well, the file of the block before", b.Path)}
	}
	return nameChoice{name: b.Path, note: fmt.Sprintf("SEARCH occurs in the file of the block before, and not in %s, which a line next to the block names", near.name)}
}

// searchOccurs reports whether the block's SEARCH occurs exactly in the file p.
func (r *run) searchOccurs(b *parser.Block, p string) bool {
	if len(b.Search) == 0 || r.looked > lookBudget {
		return false
	}
	text, err := r.engine.tree.ReadFile(p)
	if err != nil {
		return false
	}
	return r.occursIn(b, strategy.NewDocument(text))
}

// occursIn reports whether the block's SEARCH occurs exactly in doc, which is looked through.
func (r *run) occursIn(b *parser.Block, doc *strategy.Document) bool {
	r.looked += len(doc.Text())
	if b.Substring {
		return bytes.Contains(doc.Text(), b.Search)
	}
	in := func(search []byte) bool {
		for range strategy.ExactWindows(doc, strategy.NewPattern(search, 0)) {
			return true
		}
		return false
	}
	return in(b.Search) || slices.ContainsFunc(b.Readings, func(r parser.Reading) bool { return len(r.Search) > 0 && in(r.Search) })
}
