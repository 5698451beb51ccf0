//go:build unix

package workspace

import (
	"bytes"
	"context"
	"fmt"
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

// TestMatrix applies real replies to files of every encoding, line ending, final newline and byte order mark, and
// compares the bytes; then undoes, and compares again.
func TestMatrix(t *testing.T) {
	ctx := context.Background()
	boms := map[string]string{"utf-8": "\xef\xbb\xbf", "utf-16le": "\xff\xfe", "utf-16be": "\xfe\xff"}
	cases := 0
	for _, encoding := range []string{"utf-8", "latin-1", "utf-16le", "utf-16be"} {
		for _, ending := range []string{"\n", "\r\n", "mixed"} {
			for _, final := range []bool{true, false} {
				for _, bom := range []bool{true, false} {
					if bom && encoding == "latin-1" || !bom && strings.HasPrefix(encoding, "utf-16") {
						continue
					}
					mark := ""
					if bom {
						mark = boms[encoding]
					}
					file := func(lines ...string) []byte {
						var b strings.Builder
						for i, line := range lines {
							b.WriteString(line)
							switch {
							case i == len(lines)-1 && !final:
							case ending != "mixed":
								b.WriteString(ending)
							case strings.HasPrefix(line, "crlf"):
								b.WriteString("\r\n")
							default:
								b.WriteString("\n")
							}
						}
						return append([]byte(mark), encodeAs(encoding, b.String())...)
					}
					// Trailing blanks, a lone CR, a form feed and U+2028 (where there is one) are data.
					odd := "odd é\t \rx\fy"
					if encoding != "latin-1" {
						odd += "\u2028z"
					}
					for _, op := range []string{"exact", "first line", "tolerant", "delete lines", "append"} {
						cases++
						name := fmt.Sprintf("%s, %q, final newline %v, mark %v, %s", encoding, ending, final, bom, op)
						before := []string{"crlf first", odd, "\tone  \t", "crlf two", "three", odd, "last"}
						after := before
						reply := "f.txt\n<<<<<<< SEARCH\n%s=======\n%s>>>>>>> REPLACE\n"
						opt := apply.Options{}
						switch op {
						case "exact":
							reply = fmt.Sprintf(reply, "crlf two\nthree\n", "crlf two\nTHREE\n")
							after = []string{"crlf first", odd, "\tone  \t", "crlf two", "THREE", odd, "last"}
						case "first line":
							reply = fmt.Sprintf(reply, "crlf first\n", "crlf FIRST\n")
							after = []string{"crlf FIRST", odd, "\tone  \t", "crlf two", "three", odd, "last"}
						case "tolerant":
							reply = fmt.Sprintf(reply, "    one\ncrlf two\nthree\n", "    one\ncrlf two\nTHREE\n")
							after = []string{"crlf first", odd, "\tone  \t", "crlf two", "THREE", odd, "last"}
						case "delete lines":
							reply = fmt.Sprintf(reply, "crlf two\nthree\n", "")
							after = []string{"crlf first", odd, "\tone  \t", odd, "last"}
						case "append":
							if !final || ending == "\r\n" {
								continue // the engine ends an unterminated line, and may choose the new one's end
							}
							reply = fmt.Sprintf(reply, "", "more\n")
							after = append(before[:len(before):len(before)], "more")
							opt.AppendEmpty = true
						}
						check(ctx, t, name, file(before...), file(after...), reply, opt)
					}
				}
			}
		}
	}
	t.Logf("%d cases", cases)
}

func check(ctx context.Context, t *testing.T, name string, before, want []byte, reply string, opt apply.Options) {
	t.Helper()
	dir := memoryDir(t)
	long := time.Now().Add(-time.Hour).Truncate(time.Second)
	for file, content := range map[string][]byte{"f.txt": before, "other": []byte("other\r\n")} {
		if err := os.WriteFile(filepath.Join(dir, file), content, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(filepath.Join(dir, file), long, long); err != nil {
			t.Fatal(err)
		}
	}
	w := broken(t, dir, Options{StateDir: filepath.Join(memoryDir(t), "state")}, &plug{})
	defer w.Close()
	plan, err := apply.New(w, opt).Plan(ctx, parser.Parse([]byte(reply)))
	if err != nil {
		t.Fatal(err)
	}
	if plan.Status != apply.Applied {
		t.Errorf("%s: %s: %+v", name, plan.Status, plan.Blocks)
		return
	}
	if _, err := w.Commit(ctx, plan); err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	if got, _ := os.ReadFile(filepath.Join(dir, "f.txt")); !bytes.Equal(got, want) {
		t.Errorf("%s:\n%q, want\n%q", name, got, want)
	}
	if _, err := w.Undo(ctx, "", UndoOptions{}); err != nil {
		t.Errorf("%s: %v", name, err)
	}
	if got, _ := os.ReadFile(filepath.Join(dir, "f.txt")); !bytes.Equal(got, before) {
		t.Errorf("%s: undone to\n%q, want\n%q", name, got, before)
	}
	if info, err := os.Stat(filepath.Join(dir, "other")); err != nil || !info.ModTime().Equal(long) || info.Mode() != 0o600 {
		t.Errorf("%s: an untouched file was touched", name)
	}
}
