package workspace

import (
	"fmt"
	"path"
	"runtime"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/srpatch/srpatch/apply"
)

// Limits for names. Without them, a hostile reply could nest directories so deeply that every
// access is slow.
const (
	maxName  = 4096 // bytes
	maxDepth = 64   // directories and the file
)

// cleanName checks a path from a reply and returns it cleaned: slash-separated, relative, without
// . and .. . It refuses the same paths on every system, so that a reply means the same everywhere.
// For these checks, a backslash counts as a separator.
func cleanName(name string) (string, error) {
	outside := func(what string) error {
		return refuse(apply.OutsideRoot, name, what, "name a file below the root")
	}
	slashed := strings.ReplaceAll(name, `\`, "/")
	switch {
	case name == "":
		return "", outside("empty path")
	case strings.ContainsRune(name, 0):
		return "", outside("path with a NUL byte")
	case !utf8.ValidString(name):
		return "", notUTF8(name)
	case strings.HasPrefix(slashed, "/"):
		return "", outside("absolute path")
	case hasDrive(path.Clean(name)) || hasDrive(name): // also ./C:a.go
		return "", outside("path with a drive letter")
	case strings.HasSuffix(slashed, "/"):
		return "", refuse(apply.NotRegular, name, "the path names a directory", "name a file")
	}
	if c := path.Clean(slashed); c == ".." || strings.HasPrefix(c, "../") {
		return "", outside("path leads out of the root")
	}
	clean := path.Clean(name)
	if len(clean) > maxName || strings.Count(clean, "/") >= maxDepth {
		return "", refuse(Limit, "", fmt.Sprintf("the path has %d bytes in %d directories; the limits are %d and %d",
			len(clean), strings.Count(clean, "/"), maxName, maxDepth-1), "choose a shorter name")
	}
	if clean == "." {
		return "", refuse(apply.NotRegular, name, "the path names the root itself", "name a file")
	}
	return clean, checkSegments(clean)
}

// notUTF8 refuses a name that the journal cannot hold, because it is JSON.
func notUTF8(name string) error {
	return refuse(apply.Denied, name, "the name is not UTF-8", "rename the file")
}

// hasDrive reports whether a name begins with a drive letter of Windows, such as C: in C:a.go.
func hasDrive(name string) bool {
	return len(name) > 1 && name[1] == ':' && ('a' <= name[0] && name[0] <= 'z' || 'A' <= name[0] && name[0] <= 'Z')
}

// checkSegments refuses all names that some file system takes for git's own files, and on Windows
// names that Windows does not allow or takes for other ones.
func checkSegments(clean string) error {
	for seg := range strings.SplitSeq(strings.ReplaceAll(clean, `\`, "/"), "/") {
		if isGitDir(seg) {
			return refuse(apply.Denied, clean, "git's own files are never edited", "use git")
		}
		if runtime.GOOS == "windows" && !onWindows(seg) {
			return refuse(apply.Denied, clean, "Windows allows no file of this name", "choose another name")
		}
	}
	return nil
}

// onWindows reports whether Windows allows files of this name and does not change the name.
func onWindows(seg string) bool {
	return !strings.ContainsAny(seg, ":*?\"<>|") && strings.TrimRight(seg, ". ") == seg && !isDevice(seg)
}

// isGitDir reports whether some file system takes the name for ".git", or for its short name on
// Windows.
func isGitDir(seg string) bool {
	seg = fold(seg)
	return seg == ".git" || seg == "git~1"
}

// fold returns a name in the form in which file systems compare it: macOS ignores case and some
// runes, Windows ignores case, trailing dots and blanks, and stream names. For example,
// ".GIT::$DATA" gives ".git". The runes are those of git's core.protectHFS.
func fold(seg string) string {
	seg = strings.Map(func(r rune) rune {
		switch {
		case r >= 0x200c && r <= 0x200f, r >= 0x202a && r <= 0x202e, r >= 0x206a && r <= 0x206f, r == 0xfeff:
			return -1
		}
		return foldRune(r)
	}, seg)
	seg, _, _ = strings.Cut(seg, ":")
	return strings.TrimRight(seg, ". ")
}

// foldRune returns the same rune for all runes that differ only in case, including the long s and
// the Kelvin sign.
func foldRune(r rune) rune {
	least := r
	for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
		least = min(least, f)
	}
	return unicode.ToLower(least)
}

// isDevice reports whether Windows takes the name for a device, whatever its extension: NUL,
// con.txt, COM1, LPT².
func isDevice(seg string) bool {
	base, _, _ := strings.Cut(seg, ".")
	base, _, _ = strings.Cut(base, ":")
	base = strings.ToUpper(strings.TrimRight(base, " "))
	for _, port := range []string{"COM", "LPT"} {
		if digit, ok := strings.CutPrefix(base, port); ok {
			return utf8.RuneCountInString(digit) == 1 && strings.Contains("0123456789¹²³", digit)
		}
	}
	return slices.Contains([]string{"CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"}, base)
}

// checkNewName refuses names for new files that some systems cannot check out, or that look
// different from what they are. Existing files with such names can be edited.
func checkNewName(clean string) error {
	if strings.Contains(clean, `\`) {
		return refuse(apply.Denied, clean,
			"the name holds a backslash, which separates directories on Windows", "choose another name")
	}
	for seg := range strings.SplitSeq(clean, "/") {
		if isDevice(seg) {
			return refuse(apply.Denied, clean, "this is the name of a device on Windows", "choose another name")
		}
	}
	if i := strings.IndexFunc(clean, unseen); i >= 0 {
		return refuse(apply.Denied, clean,
			fmt.Sprintf("the name holds the control character %+q", []rune(clean[i:])[0]), "choose another name")
	}
	return nil
}

// unseen reports whether r is invisible but can change how a name or the text around it is shown:
// line breaks, terminal controls, bidirectional overrides, zero widths. The zero-width joiner and
// non-joiner, which scripts and emoji need, are harmless.
func unseen(r rune) bool {
	return r != '\u200c' && r != '\u200d' && unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp)
}
