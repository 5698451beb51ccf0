package reading

import (
	"bytes"
	"strings"

	"github.com/srpatch/srpatch/strategy"
)

// Unwrapped returns the reading without lines that the prompt had around the file: a fence or one
// end of a fence, the file's name as the first line, or both. Such lines are also removed from
// REPLACE if it has the same ones. It returns nil if SEARCH has no such lines or nothing else, if
// the lines may be text of the document, or if REPLACE would be left with half a fence. occurs is
// set if SEARCH without the wrapping occurs in the document.
func Unwrapped(doc *strategy.Document, path string, v *Reading) (inner *Reading, occurs bool) {
	search, replace := wrappingOf(v.Search.Document, path), wrappingOf(v.Replace, path)
	replace.name = min(replace.name, search.name)
	replace.opener = min(replace.opener, search.opener)
	replace.closer = min(replace.closer, search.closer)
	fenced := search.opener + search.closer
	inDoc := search.name > 0 && doc.HasLine(v.Search.Line(0)) || fenced > 0 && hasFence(doc)
	if wrapped := search.name + fenced; wrapped == 0 || wrapped >= v.Search.Len() || inDoc {
		return nil, false
	}
	if search.name > replace.name {
		return nil, false // it may be a title that the block deletes
	}
	// An odd number of fences left in REPLACE means that its first or last line is no wrapping.
	if fences := fences(v.Replace); (fences-replace.opener-replace.closer)%2 != 0 {
		if replace.opener, replace.closer = 0, 0; fences%2 != 0 {
			return nil, false
		}
	}
	inside := func(side *strategy.Document, w wrapping) []byte {
		return side.Text()[side.Start(w.name+w.opener):side.Start(side.Len()-w.closer)]
	}
	inner = v.with(inside(v.Search.Document, search), strategy.NewDocument(inside(v.Replace, replace)), "wrapping")
	for range strategy.KeyWindows(doc, inner.Search) {
		return inner, true
	}
	return inner, false
}

// wrapping counts the lines of each kind that are wrapped around a side, 0 or 1.
type wrapping struct{ name, opener, closer int }

// wrappingOf returns the wrapping that a side has: the name of the file at path as its first line,
// then an opening fence, and a closing fence as its last line.
func wrappingOf(side *strategy.Document, path string) (w wrapping) {
	n := side.Len()
	if n == 0 {
		return w
	}
	if name := string(bytes.TrimSpace(side.Line(0))); strings.ContainsAny(name, "./") &&
		(name == path || strings.HasSuffix(path, "/"+name)) {
		w.name = 1
	}
	if w.name+1 >= n {
		return w // a fence that is the only other line wraps nothing
	}
	if length, _ := fence(side.Line(w.name)); length > 0 {
		w.opener = 1
	}
	if length, info := fence(side.Line(n - 1)); length > 0 && !info {
		w.closer = 1
	}
	return w
}

// fence returns the length of the fence on a line, or 0 if there is none, and whether the fence has
// an info string such as a language. A closing fence never has one.
func fence(line []byte) (length int, info bool) {
	line = bytes.TrimRight(line, " \t")
	for _, sign := range []string{"`", "~"} {
		rest := bytes.TrimLeft(line, sign)
		if n := len(line) - len(rest); n >= 3 && !bytes.Contains(rest, []byte(sign)) {
			return n, len(rest) > 0
		}
	}
	return 0, false
}

// fences counts the fence lines of a side.
func fences(side *strategy.Document) int {
	n := 0
	for i := range side.Len() {
		if length, _ := fence(side.Line(i)); length > 0 {
			n++
		}
	}
	return n
}

// hasFence reports whether the document may have a fence, as text that shows code does.
func hasFence(doc *strategy.Document) bool {
	return bytes.Contains(doc.Text(), []byte("```")) || bytes.Contains(doc.Text(), []byte("~~~"))
}

// IsFenced reports whether the first line of a text opens a fence, and the last line closes one.
func IsFenced(side []byte) bool {
	d := strategy.NewDocument(side)
	if d.Len() < 3 {
		return false
	}
	opener, _ := fence(d.Line(0))
	closer, info := fence(d.Line(d.Len() - 1))
	return opener > 0 && closer > 0 && !info
}
