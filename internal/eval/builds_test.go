package eval

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Called old or new, the test binary acts as that build of srpatch.
func TestMain(m *testing.M) {
	if name := filepath.Base(os.Args[0]); name == "old" || name == "new" {
		fakeBuild(name)
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// fakeBuild answers requests to turn the file "a\n" into "b". The new build refuses request lost,
// writes something else for broken, applies won, and dies at fatal.
func fakeBuild(name string) {
	if os.Args[1] == "parse" {
		fmt.Printf(`{"blocks": [{"op": "edit", "path": %q, "search": "a\n", "replace": "b\n"}]}`, name)
		return
	}
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		asked := func(id string) bool { return strings.Contains(lines.Text(), `"`+id+`"`) }
		isNew := name == "new"
		switch {
		case isNew && asked("fatal"):
			return
		case isNew && asked("lost") || !isNew && asked("won"):
			fmt.Println(`{"status": "refused", "blocks": [{"status": "failed", "reason": "not-found", "message": "whatever"}]}`)
		case isNew && asked("broken"):
			fmt.Println(`{"status": "applied", "content": "c\n", "blocks": [{"status": "applied"}]}`)
		default:
			fmt.Printf(`{"status": "applied", "content": "b\n", "blocks": [{"status": "applied", "message": "as %s says"}]}`+"\n", name)
		}
	}
}

func TestChangedAnswersOfBuildsAreListed(t *testing.T) {
	dir, self := t.TempDir(), os.Args[0]
	self, err := filepath.Abs(self)
	if err != nil {
		t.Fatal(err)
	}
	var requests strings.Builder
	for _, id := range []string{"same", "lost", "broken", "won", "fatal", "after"} {
		fmt.Fprintf(&requests,
			`{"id": %q, "path": "f", "content": "a\n", "search": "a\n", "replace": "b\n", "expected": "b\n"}`+"\n", id)
	}
	requests.WriteString(`{"id": "read", "reply": "f\n..."}` + "\n")
	qs, err := ReadQuestions([]byte(requests.String()))
	if err != nil {
		t.Fatal(err)
	}
	var answers [2][]Answer
	for i, name := range []string{"old", "new"} {
		build := filepath.Join(dir, name)
		if err := os.Symlink(self, build); err != nil {
			t.Skip("no symbolic links: ", err)
		}
		if answers[i], err = Build(build).Answers(t.Context(), qs); err != nil {
			t.Fatal(err)
		}
	}
	var got strings.Builder
	if err := WriteChanges(&got, "cases", qs, answers[0], Compare(qs, answers[0], answers[1]), 1); err != nil {
		t.Fatal(err)
	}
	const want = `cases: 7 questions, 5 right, 1 refused: 6 answers differ
  better: refused -> right: 1
    won: not-found -> applied
  differs: 1
    read: another block
  worse: right -> no answer: 2
    fatal: applied -> -
    and 1 more
  worse: right -> refused: 1
    lost: applied -> not-found
  worse: right -> wrong: 1
    broken: other bytes
`
	if got.String() != want {
		t.Errorf("printed\n%s\nwant\n%s", got.String(), want)
	}
}

// Each collection states right answers in its own form.
func TestAnswersAreJudgedByTheTruthOfTheirCollection(t *testing.T) {
	const one = `{"path": "f", "content": "a", "search": "a", "replace": "b", `
	const many = `{"files": {"f": "a", "g": "x"}, "reply": "...", "partial": true, `
	const replace = `{"content": "a", "old": "a", "new": "b", "replace_all": false, `
	const reply = `{"reply": "...", "blocks": [{"path": "f", "search": "a\n", "replace": "b"}]}`
	file := func(text string) map[string]string { return map[string]string{"f": text} }
	cast := func(f, g string) map[string]string { return map[string]string{"f": f, "g": g} }
	read := func(path string) Answer { return Answer{Read: []ReadBlock{{Path: path, Search: "a", Replace: "b\n"}}} }
	for _, c := range []struct {
		request string
		answer  Answer
		want    Verdict
	}{
		{one + `"expected": "b"}`, Answer{After: file("b")}, Right},
		{one + `"expected": "b"}`, Answer{After: file("a")}, Wrong},
		{one + `"expected": "b"}`, Answer{}, Refused},
		{one + `"expected": "b", "refuse_ok": true}`, Answer{}, Right},
		{one + `"expected": "b", "accept": ["c"]}`, Answer{After: file("c")}, Right},
		{one + `"expected": null}`, Answer{}, Right},
		{one + `"expected": null}`, Answer{After: file("b")}, Wrong},
		{one + `"expected": null, "accept": ["b"]}`, Answer{After: file("b")}, Right},
		{one + `"start_line": 1}`, Answer{}, Unknown},
		{many + `"expected": {"f": "b", "g": null}}`, Answer{After: cast("b", "x")}, Right},
		{many + `"expected": {"f": "b", "g": null}}`, Answer{After: cast("b", "y")}, Wrong},
		{many + `"expected": {"f": "b", "g": "y"}}`, Answer{After: cast("b", "x")}, Refused},
		{many + `"expected": {"f": "b", "g": "y"}, "refusal_ok": ["g"]}`, Answer{After: cast("b", "x")}, Right},
		{many + `"expected": {"f": "b"}, "accept": {"f": ["c"]}}`, Answer{After: cast("c", "x")}, Right},
		{many + `"expected": {"f": "b"}, "accept": [{"f": "c"}]}`, Answer{After: cast("c", "x")}, Right},
		{replace + `"result": "b"}`, Answer{After: map[string]string{"f.txt": "b"}}, Right},
		{replace + `"result": null}`, Answer{After: map[string]string{"f.txt": "b"}}, Wrong},
		{reply, read("f"), Right},
		{reply, read("g"), Wrong},
		{reply, Answer{}, Refused},
	} {
		qs, err := ReadQuestions([]byte(c.request))
		if err != nil {
			t.Fatal(err)
		}
		if got := qs[0].Judge(c.answer); got != c.want {
			t.Errorf("%s answered by %v is %s, want %s", c.request, c.answer, got, c.want)
		}
	}
}
