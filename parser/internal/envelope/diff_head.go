package envelope

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/srpatch/srpatch/parser/internal/mdline"
)

// isDiffName reports whether the text after --- or +++ may be a file name rather than a marker or
// prose. A name with a blank must contain a slash or a dot, and no colon before the blank.
func isDiffName(text []byte) bool {
	name := writtenName(text)
	if len(name) > 0 && name[0] == '"' {
		name = []byte(unquoteGit(string(name)))
	}
	first, _, blank := bytes.Cut(name, []byte(" "))
	if blank && (bytes.HasSuffix(first, []byte(":")) || !bytes.ContainsAny(name, "/.")) {
		return false // a test result: "--- FAIL: TestX (0.1s)"
	}
	return len(name) > 0
}

// diffName returns the path after --- or +++, without a tab and time stamp after it and without
// git's quotes.
func diffName(text []byte) string { return unquoteGit(string(writtenName(text))) }

// writtenName returns the path after --- or +++ as written, quotes included.
func writtenName(text []byte) []byte {
	name, _, _ := bytes.Cut(bytes.TrimSpace(text), []byte("\t"))
	return bytes.TrimSpace(name)
}

// unquoteGit removes git's C-style quoting from a path. It returns an unquoted name unchanged.
func unquoteGit(name string) string {
	if len(name) >= 2 && name[0] == '"' && name[len(name)-1] == '"' {
		if s, err := strconv.Unquote(name); err == nil {
			return s
		}
	}
	return name
}

// devNull is the name of a side that does not exist; bareNull is the same name without the first
// slash.
const (
	devNull  = "/dev/null"
	bareNull = "dev/null"
)

// isNull reports whether a name means that the side does not exist, even with a prefix: a/dev/null.
func isNull(name string) bool {
	if len(name) > 2 && name[1] == '/' {
		name = name[2:]
	}
	return name == bareNull || name == devNull
}

// bareName removes the prefixes that git puts before the two names, such as a/ and b/. A missing
// name ("" or /dev/null) needs no prefix. If only one of two names has its prefix, both stay
// unchanged.
func bareName(old, new string) (string, string) {
	for _, p := range [][2]string{{"a/", "b/"}, {"i/", "w/"}, {"c/", "i/"}, {"c/", "w/"}, {"o/", "w/"}} {
		a, okA := strings.CutPrefix(old, p[0])
		b, okB := strings.CutPrefix(new, p[1])
		if (okA || isMissing(old)) && (okB || isMissing(new)) && (okA || okB) {
			return a, b
		}
	}
	return old, new
}

// isMissing reports whether a side of a diff has no file, or no name.
func isMissing(name string) bool { return name == "" || name == devNull }

// diffHeader holds what the lines above the hunks say.
type diffHeader struct {
	headed           bool   // the --- and +++ lines or a hunk's header were read
	old, new         string // as written
	git              bool
	oldName, newName string            // in the "diff --git" line
	fields           map[string]string // git's other lines, see field
}

// readHeader reads git's header and the --- and +++ lines from line l on. It returns the line below
// and whether the diff may end there: git writes no hunks for an empty file or a mere rename.
func (e *diff) readHeader(l diffLine) (below diffLine, whole bool) {
	if e.fenced {
		e.headed = true
		return e.next(l), false
	}
	if names, ok := bytes.CutPrefix(l.text, []byte("diff --git ")); ok {
		e.git, e.fields = true, map[string]string{}
		e.oldName, e.newName = splitGitNames(string(bytes.TrimSpace(names)))
		e.old, e.new = e.oldName, e.newName
		for l = e.next(l); l.inside && e.field(l.text); l = e.next(l) {
			e.last = l.number
		}
	}
	below = e.next(l)
	old, minus := bytes.CutPrefix(l.text, []byte("--- "))
	new, plus := bytes.CutPrefix(below.text, []byte("+++ "))
	switch {
	case l.inside && minus && below.inside && plus:
		e.headed, e.old, e.new, e.last = true, diffName(old), diffName(new), below.number
		return e.next(below), false
	case l.inside && minus:
		// Without git's header, a lone --- line may be anything.
		e.notDiff = !e.git && !bytes.HasPrefix(below.own, []byte("+++ "))
		return l, !e.git
	}
	e.headed = l.inside && bytes.HasPrefix(l.text, []byte("@@"))
	index := e.fields["index"]
	empty := strings.HasPrefix(index, emptyBlob) || strings.Contains(index, ".."+emptyBlob) ||
		e.fields["similarity index"] == "100%"
	return l, l.showsEnd() || len(l.own) == 0 && empty && mdline.Ended(e.text)
}

// field reads a line of git's header other than the first one. It returns false for any other line.
func (h *diffHeader) field(line []byte) bool {
	for _, name := range [...]string{
		"new file mode", "deleted file mode", "old mode", "new mode", "rename from", "rename to", "copy",
		"index", "similarity index", "dissimilarity index", "Binary files", "GIT binary",
	} {
		if v, ok := bytes.CutPrefix(line, []byte(name+" ")); ok {
			h.fields[name] = unquoteGit(string(bytes.TrimSpace(v)))
			return true
		}
	}
	return false
}

// emptyBlob is the beginning of git's hash of an empty file.
const emptyBlob = "e69de29"

// splitGitNames splits the text after `diff --git` into two names, which may contain blanks: in the
// middle if they differ only in their prefix. Otherwise the file is renamed, and the "rename" lines
// below have the correct names.
func splitGitNames(names string) (old, new string) {
	if rest, ok := strings.CutPrefix(names[len(names)/2:], " "); ok {
		old, new = unquoteGit(names[:len(names)/2]), unquoteGit(rest)
		if a, b := bareName(old, new); a == b {
			return old, new
		}
	}
	old, new, _ = strings.Cut(names, " ")
	return unquoteGit(old), unquoteGit(strings.TrimSpace(new))
}
