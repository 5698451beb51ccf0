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

// nameChoice is the file name chosen for a block, and the reason for the choice.
type nameChoice struct {
	name  string
	doubt string // why it is unclear which file is meant; "" if it is clear
	note  string // why this file was chosen, if that is not obvious
}

// candidateFile is a file of the tree that the text around a block mentions.
type candidateFile struct {
	name, path string
	near       bool // named directly above the block
	inherited  bool // named above an earlier block
	vague      bool // only the end of its path is mentioned
}

// namer finds out which file a block is for.
type namer struct{ *run }

func (r *run) namer() namer { return namer{r} }

// name chooses the file name for the block.
//
//   - A name in few words directly above the block is nearer than the one inherited from the block
//     before, unless SEARCH occurs only in the inherited file.
//   - A label such as "For Oslo:" counts if SEARCH occurs in pages/oslo.html.
//   - If there are several such names, or if the text above mentions several files, the one in which
//     SEARCH occurs is taken. If it occurs in several, or only the end of a path is mentioned, the
//     choice has a doubt, and the block is refused.
func (r namer) name(b *parser.Block) nameChoice {
	switch {
	case r.opt.File != "":
		return nameChoice{name: r.opt.File}
	case r.opt.Strip > 0 && b.RawPath != "":
		return nameChoice{name: b.RawPath}
	case b.Path != "" && !b.Inherited, len(b.Names)+len(b.Labels) == 0:
		return nameChoice{name: b.Path}
	case r.opt.ExactNames:
		return r.exactlyNamed(b)
	}
	files := r.mentions(b)
	inherited, err := r.inTree(b.Path)
	if b.Path != "" && err != nil {
		return nameChoice{name: b.Path}
	}
	for _, m := range files { // an earlier run of the reply decided
		if applied := r.remembered(m.path); applied != nil && applied(b) {
			return nameChoice{name: m.name}
		}
	}
	near := slices.DeleteFunc(slices.Clone(files), func(m candidateFile) bool { return !m.near || m.inherited })
	if len(near) > 1 && !r.isDirectory(near[0].path) { // a directory is refused, not passed over
		if choice := r.bySearch(b, near); choice.name != "" {
			return choice
		}
	}
	if len(near) > 0 {
		return r.nearOrInherited(b, near[0], inherited)
	}
	if choice, ok := r.byLabel(b, inherited); ok {
		return choice
	}
	return r.mentioned(b, files, inherited)
}

// mentioned chooses between the file that the block inherits and the files mentioned in the text
// above it, vague ones first: the only one, or the one in which SEARCH occurs. If that one is
// vague, or if nothing but vague files could be meant, the choice has a doubt.
func (r namer) mentioned(b *parser.Block, files []candidateFile, inherited string) nameChoice {
	own := b.Path // the name of the inherited file
	if i := slices.IndexFunc(files, func(m candidateFile) bool { return m.near && m.inherited }); i >= 0 {
		own, inherited = files[i].name, files[i].path
	}
	if own != "" {
		files = slices.DeleteFunc(files, func(m candidateFile) bool { return m.path == inherited })
		files = append(files, candidateFile{name: own, path: inherited})
	}
	sure := slices.IndexFunc(files, func(m candidateFile) bool { return !m.vague })
	if len(files) == 1 && sure == 0 {
		return nameChoice{name: files[0].name}
	}
	choice := r.bySearch(b, files)
	vague := slices.ContainsFunc(files, func(m candidateFile) bool { return m.vague && m.name == choice.name })
	switch {
	case choice.doubt != "" || len(files) == 0 || creates(b) && sure < 0:
		return choice // a doubt or no name, because vague mentions name no new file
	case vague:
		return nameChoice{doubt: fmt.Sprintf("the block has no name of its own; SEARCH occurs in %s, which the "+
			"text above it mentions; write that path on the line above it", choice.name)}
	case choice.name != "":
		return choice
	case sure < 0 || files[0].vague && own == "":
		return nameChoice{doubt: fmt.Sprintf("the block has no name of its own; it may be for %s, but SEARCH "+
			"does not occur there; write the path on the line above it", files[0].path)}
	}
	return nameChoice{name: files[sure].name}
}

// exactlyNamed returns the file whose exact path is alone on the line directly above the block.
func (r namer) exactlyNamed(b *parser.Block) nameChoice {
	var found []string
	for _, n := range b.Names {
		if p, err := r.clean(n.Text); err == nil && n.Near && n.Line && !n.Inherited && r.exists(p) {
			found = append(found, n.Text)
		}
	}
	if len(found) != 1 {
		return nameChoice{doubt: "the block has no name of its own, and the text around it has several names " +
			"that may be meant; write the path on the line above it"}
	}
	return nameChoice{name: found[0]}
}

// mentions returns the files of the tree that the block's names refer to. If a name is only the end
// of paths, these are vague and come first.
func (r namer) mentions(b *parser.Block) []candidateFile {
	var out, vague []candidateFile
	for _, n := range b.Names {
		p, err := r.inTree(n.Text)
		if err != nil {
			continue
		}
		if q, ok := withoutPrefix(p); ok && !r.exists(p) {
			p = q
		}
		// The file is known already, or the name is the end of a longer one.
		isPart := func(m candidateFile) bool { return m.path == p || strings.HasSuffix(m.name, " "+n.Text) }
		switch {
		case slices.ContainsFunc(out, isPart):
		case !r.exists(p) && !r.engine.tree.Complete(): // its paths are unknown
		case !r.exists(p):
			if suffix, _ := r.paths().endingIn(p); path.Ext(p) != "" && !n.Inherited {
				for _, p := range suffix[:min(len(suffix), maxListed)] {
					vague = append(vague, candidateFile{name: p, path: p, vague: true})
				}
			}
		case !r.isDirectory(p) || isOnOwnLine(n.Text):
			out = append(out, candidateFile{name: n.Text, path: p, near: n.Near, inherited: n.Inherited})
		}
	}
	return append(vague, out...)
}

// byLabel chooses the file whose name without its extension is the label nearest to the block, if
// SEARCH occurs in no other file with that name. If SEARCH and the word are in the inherited file,
// the label may also be about a part of that file, and the choice has a doubt. ok is false if the
// label doesn't count. inherited is the path of b.Path.
func (r namer) byLabel(b *parser.Block, inherited string) (choice nameChoice, ok bool) {
	var files []string
	word := ""
	for _, word = range b.Labels {
		if files = r.paths().withStem(word); len(files) > 0 {
			break
		}
	}
	if len(files) == 0 || !r.engine.tree.Complete() || slices.Contains(files, inherited) || creates(b) {
		return choice, false
	}
	found := slices.DeleteFunc(slices.Clone(files), func(p string) bool { return !r.searchOccurs(b, p) })
	found = found[:min(len(found), maxListed)]
	isInherited := b.Path != "" && r.searchOccurs(b, inherited) // it may be the file that is meant
	knows := b.Path != "" && r.knowsWord(inherited, word)
	switch {
	case len(found) == 1 && !(isInherited && knows):
		return nameChoice{name: found[0], note: fmt.Sprintf("the label %q above the block is taken for this "+
			"file; SEARCH occurs in it", word)}, true
	case len(found) > 0 && isInherited:
		return nameChoice{doubt: unsure(append([]string{b.Path}, found...)...)}, true
	case len(found) > 0:
		return nameChoice{doubt: unsure(found...)}, true
	case isInherited, b.Path == "", knows:
		return choice, false
	}
	return nameChoice{doubt: fmt.Sprintf("the block has no name of its own; the label %q above it may mean %s, "+
		"or it is for %s, and SEARCH occurs in neither; write the path on the line above it",
		word, files[0], b.Path)}, true
}

// knowsWord reports whether the text of the file p contains the word, ignoring case.
func (r namer) knowsWord(p, word string) bool {
	text, err := r.engine.tree.ReadFile(p)
	r.looked += len(text)
	return err == nil && bytes.Contains(bytes.ToLower(text), []byte(strings.ToLower(word)))
}

func (r *run) isDirectory(p string) bool { return reasonOf(r.file(p).unreadable, "") == NotRegular }

// isOnOwnLine reports whether a name is a single word or a pair of short words, such as docs or
// read/write. The parser takes such a name only from a line of its own, not from a sentence.
func isOnOwnLine(name string) bool {
	first, second, _ := strings.Cut(name, "/")
	return len(first) <= 8 && len(second) <= 8 && !strings.ContainsAny(second, "/._-") || second == ""
}

// bySearch chooses the only file in which SEARCH occurs. If it occurs in several, the choice is the
// first, with a doubt. If it occurs in none, the choice is empty. Once lookBudget is spent, a file
// counts as having it.
func (r namer) bySearch(b *parser.Block, files []candidateFile) nameChoice {
	var found []string
	for _, m := range files {
		if r.searchOccurs(b, m.path) || r.looked > lookBudget {
			found = append(found, m.name)
		}
	}
	switch len(found) {
	case 0:
		return nameChoice{}
	case 1:
		return nameChoice{
			name: found[0], note: "of the files that the reply names above the block, only this one has SEARCH",
		}
	}
	return nameChoice{name: found[0], doubt: unsure(found...)}
}

// unsure returns the message for a block that may be for several files.
func unsure(files ...string) string {
	return fmt.Sprintf("the block has no name of its own; it may be for %s, because SEARCH occurs in each of "+
		"them; write the path on the line above it", strings.Join(files, " or for "))
}

// nearOrInherited chooses the near file, unless SEARCH occurs only in the inherited one.
func (r namer) nearOrInherited(b *parser.Block, near candidateFile, inherited string) nameChoice {
	switch {
	case b.Path == "" || inherited == near.path || creates(b) || r.isDirectory(near.path) ||
		!r.searchOccurs(b, inherited):
		return nameChoice{name: near.name}
	case r.searchOccurs(b, near.path):
		return nameChoice{name: near.name, note: fmt.Sprintf("a line next to the block names this file; "+
			"SEARCH also occurs in %s, the previous block's file", b.Path)}
	}
	return nameChoice{name: b.Path, note: fmt.Sprintf("a line next to the block names %s, but "+
		"SEARCH occurs only in the previous block's file", near.name)}
}

// searchOccurs reports whether the block's SEARCH occurs exactly in the file p. It returns false
// once lookBudget is spent.
func (r *run) searchOccurs(b *parser.Block, p string) bool {
	if len(b.Search) == 0 || r.looked > lookBudget {
		return false
	}
	text, err := r.engine.tree.ReadFile(p)
	r.looked += len(text)
	if err != nil || b.Substring {
		return err == nil && bytes.Contains(text, b.Search)
	}
	doc := strategy.NewDocument(text)
	in := func(search []byte) bool { return len(search) > 0 && occurs(doc, strategy.NewPattern(search, 0)) }
	return in(b.Search) || slices.ContainsFunc(b.Readings, func(r parser.Reading) bool { return in(r.Search) })
}
