package workspace

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/srpatch/srpatch/apply"
	"github.com/srpatch/srpatch/parser"
)

// encodeAs writes UTF-8 text in an encoding. Its own few lines are the oracle for the library's.
func encodeAs(encoding, text string) []byte {
	var out []byte
	for _, r := range text {
		switch encoding {
		case "utf-8":
			out = append(out, string(r)...)
		case "latin-1":
			out = append(out, byte(r))
		case "utf-16le":
			out = append(out, byte(r), byte(r>>8))
		case "utf-16be":
			out = append(out, byte(r>>8), byte(r))
		}
	}
	return out
}

// TestMatrix applies real replies to files of every encoding, line ending, final newline and byte
// order mark, and compares the bytes; then undoes, and compares again.
func TestMatrix(t *testing.T) {
	boms := map[string]string{"utf-8": "\xef\xbb\xbf", "utf-16le": "\xff\xfe", "utf-16be": "\xfe\xff"}
	cases := 0
	for _, encoding := range []string{"utf-8", "latin-1", "utf-16le", "utf-16be"} {
		for _, ending := range []string{"\n", "\r\n", "mixed"} {
			for _, final := range []bool{true, false} {
				for _, bom := range []bool{true, false} {
					if bom && encoding == "latin-1" || !bom && strings.HasPrefix(encoding, "utf-16") {
						continue
					}
					f := form{encoding: encoding, ending: ending}
					if bom {
						f.mark = boms[encoding]
					}
					for op, c := range f.cases(final) {
						check(t,
							fmt.Sprintf("%s, %q, final newline %v, mark %v, %s", encoding, ending, final, bom, op), c)
						cases++
					}
				}
			}
		}
	}
	t.Logf("%d cases", cases)
}

// form is how a file's lines become bytes.
type form struct{ encoding, mark, ending string }

// text joins lines. Of mixed endings, those are CRLF whose lines begin so.
func (f form) text(final bool, lines ...string) string {
	var b strings.Builder
	for i, line := range lines {
		b.WriteString(line)
		switch {
		case i == len(lines)-1 && !final:
		case f.ending != "mixed":
			b.WriteString(f.ending)
		case strings.HasPrefix(line, "crlf"):
			b.WriteString("\r\n")
		default:
			b.WriteString("\n")
		}
	}
	return b.String()
}

func (f form) file(final bool, lines ...string) []byte {
	return append([]byte(f.mark), encodeAs(f.encoding, f.text(final, lines...))...)
}

// editCase is a reply about f.txt, and what that holds before and after; nil is an absent file.
type editCase struct {
	before, after []byte
	reply         string
	appendEmpty   bool
}

func (f form) cases(final bool) map[string]editCase {
	// Trailing blanks, a lone CR, a form feed and U+2028 (where there is one) are data.
	odd := "odd é\t \rx\fy"
	if f.encoding != "latin-1" {
		odd += "\u2028z"
	}
	before := f.file(final, "crlf first", odd, "\tone  \t", "crlf two", "three", odd, "last")
	block := func(search, replace string) string {
		return "f.txt\n<<<<<<< SEARCH\n" + search + "=======\n" + replace + ">>>>>>> REPLACE\n"
	}
	edit := func(search, replace string, after ...string) editCase {
		return editCase{before: before, after: f.file(final, after...), reply: block(search, replace)}
	}
	cases := map[string]editCase{
		"exact": edit("crlf two\nthree\n", "crlf two\nTHREE\n", "crlf first", odd,
			"\tone  \t", "crlf two", "THREE", odd, "last"),
		"first line": edit("crlf first\n", "crlf FIRST\n", "crlf FIRST", odd, "\tone  \t",
			"crlf two", "three", odd, "last"),
		"last line": edit("last\n", "LAST\n", "crlf first", odd, "\tone  \t", "crlf two", "three", odd, "LAST"),
		"tolerant": edit("    one\ncrlf two\nthree\n", "    one\ncrlf two\nTHREE\n",
			"crlf first", odd, "\tone  \t", "crlf two", "THREE", odd, "last"),
		"delete lines": edit("crlf two\nthree\n", "", "crlf first", odd, "\tone  \t", odd, "last"),
		// An unterminated last line is ended first, as the one before it.
		"append": {before: before,
			after: f.file(true, "crlf first", odd, "\tone  \t", "crlf two", "three", odd, "last", "more"),
			reply: block("", "more\n"), appendEmpty: true},
		"delete": {before: before, reply: "*** Begin Patch\n*** Delete File: f.txt\n*** End Patch\n"},
		"create": {after: []byte(f.text(true, "crlf first", odd, "last")),
			reply: block("", f.text(true, "crlf first", odd, "last"))},
	}
	if f.mark != "\xef\xbb\xbf" {
		cases["fill"] = editCase{before: []byte(f.mark), after: f.file(true, "crlf first", "last"),
			reply: block("", f.text(true, "crlf first", "last"))}
	}
	return cases
}

func check(t *testing.T, name string, c editCase) {
	t.Helper()
	ctx := context.Background()
	dir := memoryDir(t)
	target, other := filepath.Join(dir, "f.txt"), filepath.Join(dir, "other")
	long := time.Now().Add(-time.Hour).Truncate(time.Second)
	for file, content := range map[string][]byte{target: c.before, other: []byte("other\r\n")} {
		if content == nil {
			continue
		}
		if err := errors.Join(os.WriteFile(file, content, 0o600), os.Chmod(file, 0o640),
			os.Chtimes(file, long, long)); err != nil {
			t.Fatal(err)
		}
	}
	is := func(when string, want []byte) {
		t.Helper()
		got, err := os.ReadFile(target)
		if want == nil && !errors.Is(err, fs.ErrNotExist) || want != nil && (err != nil || !bytes.Equal(got, want)) {
			t.Errorf("%s: %s:\n%q (%v), want\n%q", name, when, got, err, want)
		}
		if info, err := os.Stat(target); err == nil && c.before != nil && modesKept && info.Mode() != 0o640 {
			t.Errorf("%s: %s: mode %v", name, when, info.Mode())
		}
		if info, err := os.Stat(other); err != nil || !info.ModTime().Equal(long) || modesKept && info.Mode() != 0o640 {
			t.Errorf("%s: %s: an untouched file was touched", name, when)
		}
	}
	w := broken(t, dir, Options{StateDir: filepath.Join(memoryDir(t), "state")}, &plug{})
	defer w.Close()
	plan, err := apply.New(w, apply.Options{AppendEmpty: c.appendEmpty}).Plan(ctx, parser.Parse([]byte(c.reply)))
	if err != nil {
		t.Fatal(err)
	}
	if plan.Status != apply.Applied || len(plan.Files) != 1 {
		t.Errorf("%s: %s: %+v", name, plan.Status, plan.Blocks)
		return
	}
	if _, err := w.Commit(ctx, plan); err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	is("applied", c.after)
	for what, image := range map[string][2][]byte{"before": {plan.Files[0].Before, c.before},
		"after": {plan.Files[0].After, c.after}} {
		if image[1] != nil && w.Sum("f.txt", image[0]) != hash(image[1]) {
			t.Errorf("%s: the sum of the file %s is not that of its bytes", name, what)
		}
	}
	for _, turn := range []func() (string, error){
		func() (string, error) { return w.Undo(ctx, "", UndoOptions{}) },
		func() (string, error) { return w.Redo(ctx, "", UndoOptions{}) },
		func() (string, error) { return w.Undo(ctx, "1", UndoOptions{}) },
	} {
		run, err := turn()
		if err != nil {
			t.Errorf("%s: %v", name, err)
			return
		}
		is("run "+run, map[string][]byte{"2": c.before, "3": c.after, "4": c.before}[run])
	}
}
