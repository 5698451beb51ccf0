package report

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/srpatch/srpatch/apply"
	"github.com/srpatch/srpatch/internal/casetable"
	"github.com/srpatch/srpatch/internal/codes"
	"github.com/srpatch/srpatch/internal/golden"
	"github.com/srpatch/srpatch/parser"
)

// reasons are all reason codes that a block may be refused with, or a run.
func reasons(t *testing.T) (all []apply.Reason) {
	t.Helper()
	for _, in := range [][2]string{{"../../apply/report.go", "Reason"},
		{"../../apply/workspace/errors.go", "apply.Reason"}} {
		found, err := codes.Of(in[0], in[1])
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range found {
			all = append(all, apply.Reason(c.Value))
		}
	}
	if len(all) < 25 {
		t.Fatalf("only %d reasons found", len(all))
	}
	return all
}

// Words that a model need not know, and flags, which it cannot give.
var (
	aFlag = regexp.MustCompile(`(?:^|[\s(])--?[A-Za-z][\w-]*`)
	aTerm = regexp.MustCompile(`(?i)\b(srpatch|polic(y|ies)|threshold|budget|levenshtein|strateg(y|ies)|similarity|journal|diagnostics?|stdin|stdout|flags?|raise the limit|permissions?|splice|tier|hunk|objection|candidates?)\b`)
	// What is quoted of a reply or a file, and blocks to paste, may say anything.
	quotation = regexp.MustCompile("(?ms)^(`{3,})\\w*\n.*?^`{3,}$|`+[^`\n]+`+|^[^\n]*\n?<{5,9} SEARCH.*?^>{5,9} REPLACE$")
)

// checkMessage looks for what has no place in a text for a model.
func checkMessage(t *testing.T, message string, reasons []apply.Reason) {
	t.Helper()
	own := quotation.ReplaceAllString(message, "")
	for line := range strings.Lines(own) {
		for _, bad := range append(aFlag.FindAllString(line, -1), aTerm.FindAllString(line, -1)...) {
			t.Errorf("a model is told of %q: %s", strings.TrimSpace(bad), line)
		}
		for _, r := range reasons {
			if strings.Contains(string(r), "-") && strings.Contains(line, string(r)) {
				t.Errorf("a model is told the code %s: %s", r, line)
			}
		}
	}
}

// Every reason has its advice, whatever the message of the report says to the person who runs the
// command.
func TestEveryReasonIsToldToModels(t *testing.T) {
	all := reasons(t)
	var table strings.Builder
	for _, r := range all {
		report := apply.BlockReport{ID: 1, Path: "a.py", Status: apply.BlockFailed, Reason: r,
			Message: "a.py: what is wrong"}
		const forPeople = "; raise the budget with --budget, srpatch recover --force, or chmod"
		if says, _ := advice(&apply.BlockReport{Path: "a.py", Reason: r, Message: "x" +
			forPeople}); !strings.HasSuffix(says, forPeople) {
			report.Message += forPeople
		}
		run := Run{Status: apply.Refused, Blocks: []apply.BlockReport{report}, Remembered: true}
		message := run.Message()
		checkMessage(t, message, all)
		_, said, ok := strings.Cut(message, "## Block 1, `a.py`\n\n")
		if lines := strings.Count(said, "\n"); !ok || lines != 2 {
			t.Errorf("%s: %q", r, message)
		}
		fmt.Fprintf(&table, "%s\n%s\n", r, said)
	}
	golden.Check(t, "testdata/advice.golden", table.String())
}

// What the engine says of the blocks that its cases refuse is fit for a model, and never says that
// something is written which is not.
func TestFeedbackOfCases(t *testing.T) {
	all := reasons(t)
	cases, err := casetable.Read("../../testdata/engine/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	seen := map[apply.Reason]bool{}
	for _, c := range cases {
		reply := c.Reply()
		plan, err := apply.New(c.Tree(), c.Options(c.Policies()[0])).Plan(t.Context(), reply)
		if err != nil {
			t.Fatal(err)
		}
		run := Run{Status: plan.Status, Blocks: plan.Blocks, Written: plan.Status != apply.Refused, Remembered: true}
		run.SetDiagnostics(plan.Diagnostics)
		for i := range plan.Blocks {
			seen[plan.Blocks[i].Reason] = true
		}
		t.Run(c.Name, func(t *testing.T) { checkMessage(t, run.Message(), all) })
	}
	if len(seen) < 12 {
		t.Errorf("the cases have %d reasons only", len(seen))
	}
}

// What the parser does not understand is said to a model, too, and what is no matter of the model's
// is not.
func TestFeedbackOfReplies(t *testing.T) {
	all := reasons(t)
	for _, code := range []string{"too-long", "too-many", "too-large", "chat-log", "not-reversible", "truncated"} {
		run := Run{Located: []Located{{Known: parser.Attempt{Path: "a.py"}, Text: []byte("<<<<<<< SEARCH\nx = 1\n"),
			Diagnostic: parser.Diagnostic{
				Code: code, Line: 7, Found: "what is there", Expected: "what should be",
				Remedy: "send less at once",
			}}}}
		message := run.Message()
		switch code {
		case "chat-log", "not-reversible":
			if message != "" {
				t.Errorf("a model is asked about %s: %s", code, message)
			}
		case "truncated":
			if !strings.Contains(message,
				"## Line 7 of your reply, for `a.py`\n\nFound: what is there\nIt begins with: `x = 1`\n") {
				t.Errorf("%s", message)
			}
		default:
			checkMessage(t, message, all)
		}
	}
}

// A backtick in a line of SEARCH, or in a name, ended the code that it was quoted as.
func TestMessageKeepsItsShape(t *testing.T) {
	run := Run{
		Blocks: []apply.BlockReport{{
			ID: 1, Path: "a`b.md", Status: apply.BlockFailed, Reason: apply.NotFound,
			Message: "there is no file a`b.md",
			Block:   &parser.Block{Search: []byte("```go `x`\nx\n")}, Warnings: []string{"taken-for: `x` was taken"},
		}},
	}
	message := run.Message()
	for _, want := range []string{
		"## Block 1, `` a`b.md ``\n", "Its SEARCH begins with: ```` ```go `x` ````\n", "Note: `x` was taken.\n",
	} {
		if !strings.Contains(message, want) {
			t.Errorf("there is no %q in:\n%s", want, message)
		}
	}
}
