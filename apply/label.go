package apply

import (
	"bytes"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/srpatch/srpatch/parser"
)

// byLabel chooses the file that a label above the block means: the word is a file's name without its directory and extension,
// as in "For Oslo:" above a block for pages/oslo.html. The label may also be about a part of the file of the block before, which
// is likely if that file has the word in it. So SEARCH must occur in one file of the label's name:
//
//   - only there, or also in the file before, which does not have the word: the label's file is meant;
//   - there and in the file before, which has the word, or in several of the label's files: a doubt, and the block is refused;
//   - in neither, and the file before does not have the word: a doubt, too.
//
// Else the label does not count, and it is false: no label is the name of a file, or the block creates one, or the file before it
// is the one for SEARCH.
func (r namer) byLabel(b *parser.Block) (nameChoice, bool) {
	word, files := r.labelled(b)
	before, err := r.inTree(b.Path)
	if len(files) == 0 || err == nil && slices.Contains(files, before) || creates(b) {
		return nameChoice{}, false
	}
	found := slices.DeleteFunc(slices.Clone(files), func(p string) bool { return !r.searchOccurs(b, p) })
	found = found[:min(len(found), maxListed)]
	inBefore := b.Path != "" && err == nil && r.searchOccurs(b, before)
	switch {
	case len(found) == 1 && (!inBefore || !r.knowsWord(before, word)):
		return nameChoice{name: found[0], note: fmt.Sprintf("the label %q above the block is taken for this file; SEARCH occurs in it", word)}, true
	case len(found) > 0 && inBefore:
		return nameChoice{doubt: unsure(append([]string{b.Path}, found...)...)}, true
	case len(found) > 1:
		return nameChoice{doubt: unsure(found...)}, true
	case inBefore, b.Path == "", r.knowsWord(before, word):
		return nameChoice{}, false
	}
	return nameChoice{doubt: fmt.Sprintf("the block has no name of its own; the label %q above it may mean %s, or it is for %s, and SEARCH occurs in neither; write the path on the line above it",
		word, files[0], b.Path)}, true
}

// labelled is the nearest of the block's labels that is the stem of files in the tree, and those files.
func (r namer) labelled(b *parser.Block) (word string, files []string) {
	for _, word := range b.Labels {
		if files := r.paths().withStem(word); len(files) > 0 && r.engine.tree.Complete() {
			return word, files
		}
	}
	return "", nil
}

// knowsWord reports whether the text of the file p has the word in it, in whatever case.
func (r namer) knowsWord(p, word string) bool {
	text, err := r.engine.tree.ReadFile(p)
	r.looked += len(text)
	return err == nil && bytes.Contains(bytes.ToLower(text), []byte(strings.ToLower(word)))
}

// withStem are the paths whose base name is the word and an extension, in whatever case.
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
