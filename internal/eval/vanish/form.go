package vanish

import (
	"encoding/json"
	"fmt"
	"path"
	"strings"
)

// form is a way to write an edit.
type form struct {
	name  string
	means meaning
	// text has a line for each line of the form: its role, a blank, the line. Role "s" stands for
	// all lines of SEARCH, with the text as their prefix, and "r" for those of REPLACE.
	text string
}

// meaning says what a form makes of the two sides.
type meaning byte

const (
	edits   meaning = iota // SEARCH becomes REPLACE
	short                  // the same, with one line per side
	creates                // REPLACE is a whole file, or is inserted at a line
)

// truth returns the edit that the form expresses.
func (f *form) truth(e Edit) Edit {
	if f.means == creates {
		e.Search = ""
	}
	return e
}

// write returns an edit in the form, or nil if the form can't express it.
func (f *form) write(e Edit) layout {
	if e.Search == "" || e.Replace == "" || f.means == short && strings.Count(e.Search+e.Replace, "\n") > 2 {
		return nil
	}
	fill := strings.NewReplacer("{path}", e.Path, "{lang}", language(e.Path), "{search}",
		strings.TrimSuffix(e.Search, "\n"), "{replace}", strings.TrimSuffix(e.Replace, "\n"),
		"{path|json}", inJSON(e.Path), "{search|json}", inJSON(e.Search), "{replace|json}",
		inJSON(e.Replace), "{patch|json}", inJSON(patchOf(e)))
	var out layout
	for l := range strings.SplitSeq(f.text, "\n") {
		text := l[2:]
		switch l[0] {
		case 's':
			out = append(out, sideLines(e.Search, text)...)
		case 'r':
			out = append(out, sideLines(e.Replace, text)...)
		default:
			filled := splitLines(fill.Replace(text))
			for _, x := range filled {
				r := role(l[0])
				if len(filled) > 1 {
					r = content // it may have a line of a side, whose damage nobody could tell
				}
				out = append(out, line{r, x})
			}
		}
	}
	return out
}

// sideLines returns the lines of a side, each after a prefix. In the prefix, "#" becomes a number
// with a hash, for editors that know lines by their hashes.
func sideLines(side, prefix string) (out layout) {
	for i, x := range splitLines(side) {
		before := prefix
		if prefix == "#" {
			before = fmt.Sprintf("%d:%02x|", i+10, len(x)%251)
		}
		out = append(out, line{content, before + x})
	}
	return out
}

// patchOf returns the edit as a Codex patch.
func patchOf(e Edit) string {
	text := sideLines(e.Search, "-").text() + sideLines(e.Replace, "+").text()
	return "*** Begin Patch\n*** Update File: " + e.Path + "\n@@\n" + text + "*** End Patch\n"
}

func inJSON(s string) string {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	// A string always encodes.
	_ = enc.Encode(s)
	return strings.TrimSuffix(b.String(), "\n")
}

// language returns the language of a file, for the info string of a fence.
func language(file string) string {
	switch ext := strings.TrimPrefix(path.Ext(file), "."); ext {
	case "py":
		return "python"
	case "js":
		return "javascript"
	case "ts":
		return "typescript"
	case "rs":
		return "rust"
	case "md":
		return "markdown"
	default:
		return ext
	}
}
