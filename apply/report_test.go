package apply_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/srpatch/srpatch/apply"
	"github.com/srpatch/srpatch/internal/golden"
	"github.com/srpatch/srpatch/parser"
)

// A refusal gives the reason, the nearest text, the candidates, and corrected blocks that each make
// the intended change.
func TestReports(t *testing.T) {
	const path = "../testdata/engine/reports.txtar"
	got := map[string]string{}
	for _, c := range examples(t, path) {
		t.Run(c.Name, func(t *testing.T) {
			policy := c.Facts["policy"]
			plan := planned(t, c.Tree(), c.Reply(), c.Options(policy))
			var failed *apply.BlockReport
			for i := range plan.Blocks {
				if plan.Blocks[i].Status == apply.BlockFailed {
					failed = &plan.Blocks[i]
				}
			}
			if failed == nil {
				t.Fatalf("no block is refused\n%s", reports(plan))
			}
			if want := c.Facts["error"]; string(failed.Reason) != want {
				t.Errorf("refused as %s, want %s", failed.Reason, want)
			}
			report := indented(t, failed)
			got[strings.TrimPrefix(c.Name, "reports/")] = report
			if !golden.Update() && report != c.Parts["report"]+"\n" {
				t.Errorf("the report is\n%s\nwant\n%s", report, c.Parts["report"])
			}
			c.checkCorrected(t, failed, policy)
		})
	}
	if golden.Update() {
		rewrite(t, path, got)
	}
}

func indented(t *testing.T, v any) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(v); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// checkCorrected applies each corrected block separately. The part meant/N is the file that the
// N-th block must produce.
func (c example) checkCorrected(t *testing.T, report *apply.BlockReport, policy string) {
	if _, ok := c.Parts["meant/1"]; !ok && c.Parts["report"] == "" && !strings.HasPrefix(c.Name, "offers/") {
		return
	}
	for i, text := range report.Corrected {
		want, ok := c.Parts[fmt.Sprint("meant/", i+1)]
		if !ok {
			t.Errorf("nobody meant the corrected block\n%s", text)
			continue
		}
		tree := c.Tree()
		plan := planned(t, tree, parser.Parse([]byte(text)), apply.Options{Policy: apply.Policy(policy)})
		if plan.Status != apply.Applied || string(changed(t, tree, plan)[plan.Blocks[0].Path]) != want {
			t.Errorf("the corrected block\n%s\nmakes\n%s\nwant\n%s\n%s", text,
				shown(changed(t, tree, plan)), want, reports(plan))
		}
		if b := plan.Blocks[0]; b.Strategy != "exact" {
			t.Errorf("the corrected block is found by %q", b.Strategy)
		}
	}
	if _, more := c.Parts[fmt.Sprint("meant/", len(report.Corrected)+1)]; more {
		t.Errorf("%d corrected blocks are too few\n%s", len(report.Corrected), report.Message)
	}
}

func rewrite(t *testing.T, path string, reports map[string]string) {
	archive, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for i, f := range archive.Files {
		if name, ok := strings.CutSuffix(f.Name, "/report"); ok {
			archive.Files[i].Data = []byte(reports[name])
		}
	}
	if err := os.WriteFile(path, txtar.Format(archive), 0o644); err != nil {
		t.Fatal(err)
	}
}

// troubled is a tree with some files that can't be read.
type troubled struct {
	apply.Files
	trouble map[string]error
}

func (f troubled) ReadFile(path string) ([]byte, error) {
	if err := f.trouble[path]; err != nil {
		return nil, err
	}
	return f.Files.ReadFile(path)
}

// If a file can't be read, its blocks are refused for that reason, and the blocks of other files
// are ready.
func TestUnreadableFiles(t *testing.T) {
	cause := errors.New("this is why")
	for want, err := range map[apply.Reason]error{
		apply.Binary:     &apply.ReasonError{Reason: apply.Binary, Err: cause},
		apply.TooLarge:   &apply.ReasonError{Reason: apply.TooLarge, Err: cause},
		apply.NotRegular: fmt.Errorf("wrapped: %w", &apply.ReasonError{Reason: apply.NotRegular, Err: cause}),
		apply.Unreadable: cause,
	} {
		t.Run(string(want), func(t *testing.T) {
			tree := troubled{apply.Files{"good.txt": []byte("a\n"), "bad.txt": []byte("a\n")},
				map[string]error{"bad.txt": err}}
			reply := parser.Parse([]byte("bad.txt\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n\ngood.txt\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n"))
			plan, err := apply.New(tree, apply.Options{}).Plan(t.Context(), reply)
			if err != nil {
				t.Fatal(err)
			}
			bad, good := plan.Blocks[0], plan.Blocks[1]
			if plan.Status != apply.Refused || bad.Reason != want ||
				!strings.Contains(bad.Message, "this is why") || good.Status != apply.BlockReady {
				t.Errorf("want %s\n%s", want, reports(plan))
			}
		})
	}
}

// If a tree can't list all its files, no name is bound by suffix.
type incomplete struct{ apply.Files }

func (incomplete) Complete() bool { return false }

func TestNoSuffixInAnIncompleteTree(t *testing.T) {
	tree := incomplete{apply.Files{"src/a.py": []byte("a\n")}}
	for name, want := range map[string]apply.Reason{"a.py": apply.NoSuchFile, "src/a.py": ""} {
		plan, err := apply.New(tree, apply.Options{}).Plan(t.Context(),
			parser.Parse([]byte(name+"\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n")))
		if err != nil {
			t.Fatal(err)
		}
		if got := plan.Blocks[0].Reason; got != want {
			t.Errorf("%s: %q, want %q\n%s", name, got, want, reports(plan))
		}
	}
}

// The files of several blocks are changed together or not at all.
func TestOneFileOfFiveFails(t *testing.T) {
	tree := apply.Files{}
	var reply strings.Builder
	for i := range 5 {
		tree[fmt.Sprintf("%d.txt", i)] = fmt.Appendf(nil, "line of %d\n", i)
		search := fmt.Sprintf("line of %d", i)
		if i == 2 {
			search = "zebra"
		}
		fmt.Fprintf(&reply, "%d.txt\n<<<<<<< SEARCH\n%s\n=======\nnew %d\n>>>>>>> REPLACE\n\n", i, search, i)
	}
	before := maps.Clone(tree)
	for _, partial := range []bool{false, true} {
		plan := planned(t, tree, parser.Parse([]byte(reply.String())), apply.Options{Partial: partial})
		want := 0
		if partial {
			want = 4
		}
		if len(plan.Files) != want || plan.Blocks[2].Reason != apply.NotFound ||
			!maps.EqualFunc(tree, before, bytes.Equal) {
			t.Errorf("partial %t: %d files change\n%s", partial, len(plan.Files), reports(plan))
		}
	}
}
