package envelope

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/srpatch/srpatch/internal/text"
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

// header reads a line above the first hunk: git's header, --- or +++. e.complete says whether the
// diff may end here: git writes no hunks for an empty file or a mere rename. Like Line, header
// reports whether the envelope ends.
func (e *diff) header(own, raw []byte, number int) bool {
	t := text.Chomp(own)
	field := func(name string) (string, bool) {
		rest, ok := bytes.CutPrefix(t, []byte(name))
		if !ok {
			return "", false
		}
		return unquoteGit(string(bytes.TrimSpace(rest))), true
	}
	if number == e.first.number {
		if _, ok := field("diff --git "); ok {
			e.git = true
			e.oldName, e.newName = splitGitNames(string(bytes.TrimSpace(t[len("diff --git "):])))
			e.old, e.new = e.oldName, e.newName
			return false
		}
		if !bytes.HasPrefix(t, []byte("--- ")) { // a hunk's header: the diff has no header
			e.headed = true
			return e.between(own, raw, number)
		}
	}
	if rest, ok := bytes.CutPrefix(t, []byte("--- ")); ok && len(e.pending) == 0 {
		if number == e.first.number {
			e.pending = append(e.pending, e.first)
		} else {
			e.pending = append(e.pending, numbered{bytes.Clone(raw), number})
		}
		e.old = diffName(rest)
		return false
	}
	if len(e.pending) > 0 { // the line above is ---
		rest, ok := bytes.CutPrefix(t, []byte("+++ "))
		if !ok {
			e.notDiff = !e.git // without git's header, a lone --- line may be anything
			return e.stop(raw)
		}
		e.new, e.headed, e.pending, e.last, e.complete = diffName(rest), true, nil, number, false
		return false
	}
	known := true
	if v, ok := field("new file mode "); ok {
		e.created, e.newMode = true, v
	} else if v, ok := field("deleted file mode "); ok {
		e.deleted, e.oldMode = true, v
	} else if v, ok := field("old mode "); ok {
		e.oldMode = v
	} else if v, ok := field("new mode "); ok {
		e.newMode = v
	} else if v, ok := field("rename from "); ok {
		e.renameFrom = v
	} else if v, ok := field("rename to "); ok {
		e.renameTo = v
	} else if _, ok := field("copy "); ok {
		e.copied = true
	} else if _, ok := field("Binary files "); ok {
		e.binary = true
	} else if _, ok := field("GIT binary patch"); ok {
		e.binary = true
	} else if v, ok := field("index "); ok {
		e.complete = strings.HasPrefix(v, emptyBlob) || strings.Contains(v, ".."+emptyBlob)
	} else if v, ok := field("similarity index "); ok {
		e.complete = v == "100%"
	} else {
		_, known = field("dissimilarity index ")
	}
	e.complete = e.complete && e.whole
	if !known {
		if bytes.HasPrefix(t, []byte("@@")) { // --- and +++ are missing
			e.headed, e.complete = true, false
			return e.between(own, raw, number)
		}
		return e.stop(raw)
	}
	e.last = number
	return false
}

// emptyBlob is the beginning of git's hash of an empty file.
const emptyBlob = "e69de29"

// splitGitNames splits the text after `diff --git` into two names, which may contain blanks. It
// looks for two names that differ only in their prefix: "a/x b/y b/x b/y" has a/x b/y and b/x b/y.
// If there are none, the file is renamed, and the "rename" lines below have the correct names.
func splitGitNames(rest string) (old, new string) {
	if i := strings.Index(rest, " b/"); i > 0 && strings.HasPrefix(rest, "a/") {
		for j := i; j >= 0; {
			if rest[2:j] == rest[j+3:] {
				return rest[:j], rest[j+1:]
			}
			next := strings.Index(rest[j+1:], " b/")
			if next < 0 {
				break
			}
			j += 1 + next
		}
		return rest[:i], rest[i+1:]
	}
	if quoted, err := strconv.QuotedPrefix(rest); err == nil {
		return unquoteGit(quoted), unquoteGit(strings.TrimSpace(rest[len(quoted):]))
	}
	old, new, _ = strings.Cut(rest, " ")
	return old, unquoteGit(new)
}
