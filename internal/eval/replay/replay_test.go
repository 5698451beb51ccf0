package replay

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// project is a git repository with a chat history that a test writes.
type project struct {
	t   *testing.T
	dir string
	log strings.Builder
}

func (p *project) git(args ...string) string {
	p.t.Helper()
	cmd := exec.Command("git", append([]string{"-C", p.dir, "-c", "user.name=a", "-c", "user.email=a@b"}, args...)...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		p.t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

func (p *project) write(text string) {
	p.t.Helper()
	if err := os.WriteFile(filepath.Join(p.dir, "a.py"), []byte(text), 0o600); err != nil {
		p.t.Fatal(err)
	}
}

// commit commits the file and returns aider's line about it.
func (p *project) commit(text string) string {
	p.t.Helper()
	p.write(text)
	p.git("add", "a.py")
	p.git("commit", "-q", "-m", "change")
	return "> Commit " + p.git("rev-parse", "--short=7", "HEAD") + " feat: change  \n"
}

const (
	applied = "> Applied edit to a.py  \n"
	failed  = "> # 1 SEARCH/REPLACE block failed to match!\n"
)

// answer adds a question, an answer with one block, and aider's lines below it.
func (p *project) answer(search, replace string, below ...string) {
	fmt.Fprintf(&p.log, "\n#### please change it  \n\nLike this:\n\na.py\n```python\n<<<<<<< SEARCH\n%s"+
		"=======\n%s>>>>>>> REPLACE\n```\n\n> Tokens: 1.0k sent, 100 received.  \n%s",
		search, replace, strings.Join(below, ""))
}

func TestAnswers(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed, and the test replays a history next to its commits")
	}
	p := &project{t: t, dir: t.TempDir()}
	p.git("init", "-q")
	p.log.WriteString("# aider chat started at 2026-01-01 10:00:00\n\n> Aider v0.80.0  \n")
	file := "def first():\n    return 1\n\n\ndef second():\n    return 2\n\n\nlimit_of_retries = 3\nx = 0\nx = 0\n"
	p.commit(file)
	change := func(from, to string) string {
		file = strings.Replace(file, from, to, 1)
		return p.commit(file)
	}

	p.answer("    return 1\n", "    return 11\n", applied, change("return 1\n", "return 11\n"))
	p.answer("def second():\nreturn 2\n", "def second():\nreturn 22\n", failed) // refused by both
	p.answer("def second():\n  return 2\n", "def second():\n  return 22\n", failed)
	p.answer("return 2\n", "return 22\n", applied, change("return 2\n", "return 22\n")) // indentation
	p.answer("x = 0\n", "x = 1\n", applied, change("x = 0\n", "x = 1\n"))               // the first of two
	p.answer("    return 11\n", "    return 12\n", change("x = 1\n", "x = 5\n"), applied,
		change("return 11\n", "return 12\n")) // a commit of what was dirty
	p.answer("def secnd():\n    return 22\n\n\nlimit_of_retries = 3\nx = 5\n",
		"def secnd():\n    return 22\n\n\nlimit_of_retries = 3\nx = 6\n", failed) // a typo
	p.answer("limit_of_retries = 3\nx = 5\n", "limit_of_retries = 3\nx = 6\n", applied, change("x = 5\n", "x = 6\n"))
	p.answer("y = 9\n", "y = 10\n", failed)                                              // not found
	p.answer("def first():\n    return 11\n", "def first():\n    return 12\n", failed)   // already done
	p.answer("x = 6\n", "x = 7\n")                                                       // said nothing
	p.answer("x = 6\n", "x = 7\n", applied, change("x = 6\n", "x = 7  # by a linter\n")) // other bytes
	p.answer("def first():\n", "def one():\n", applied)                                  // no commit
	p.answer("def one():\n    return 12\n", "def one():\n    return 1\n", applied)       // nor here
	p.answer("def f():\n", "def g():\n", applied, "> Commit 0123abc feat: in a history that was rewritten  \n")
	if err := os.WriteFile(filepath.Join(p.dir, HistoryFile), []byte(p.log.String()), 0o600); err != nil {
		t.Fatal(err)
	}

	answers, err := Answers(t.Context(), p.dir)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, a := range answers {
		got = append(got, strings.TrimSpace(fmt.Sprintf("%s %s", a.Outcome, a.Reason)))
	}
	want := []Outcome{Same, MendedSame, MendedSame, Same, Refused + " ambiguous", Same, MendedSame, Same,
		BothRefused + " not-found", There, Unknown, Other, Same, Same, Unknown}
	for i, w := range want {
		if i >= len(got) || got[i] != string(w) {
			t.Fatalf("answer %d of %d: got %q, want %q", i+1, len(got), got, want)
		}
	}
	if f := answers[11].Files; len(f) != 1 || !strings.Contains(string(f[0].Aider), "linter") {
		t.Errorf("the difference of answer 12 is %+v", f)
	}
}
