package vanish

import (
	"strings"

	"github.com/srpatch/srpatch/parser"
)

// Edit is what a reply asks for: in the file at Path, Search becomes Replace.
type Edit struct{ Path, Search, Replace string }

func editOf(b *parser.Block) Edit {
	return Edit{Path: b.Path, Search: string(b.Search), Replace: string(b.Replace)}
}

// sameSides reports whether two edits have the same texts, for whatever file. A final line end
// doesn't count, because markers add one and JSON doesn't. Blank lines that end both sides don't,
// either, because a diff may take in those below it.
func sameSides(a, b Edit) bool {
	return a.Search == b.Search && a.Replace == b.Replace || trimmed(a) == trimmed(b)
}

// sameSearch reports whether two edits are for the same place.
func sameSearch(a, b Edit) bool {
	return strings.TrimRight(a.Search, "\n") == strings.TrimRight(b.Search, "\n")
}

func trimmed(e Edit) Edit {
	search, replace := strings.TrimSuffix(e.Search, "\n"), strings.TrimSuffix(e.Replace, "\n")
	for strings.HasSuffix(search, "\n") && strings.HasSuffix(replace, "\n") {
		search, replace = search[:len(search)-1], replace[:len(replace)-1]
	}
	return Edit{Search: search, Replace: replace}
}
