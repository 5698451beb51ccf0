package main

import (
	"fmt"
	"strings"
	"testing"

	"github.com/srpatch/srpatch/apply"
	"github.com/srpatch/srpatch/internal/codes"
	"github.com/srpatch/srpatch/internal/golden"
)

// codesOf are the codes of a type that a file declares.
func codesOf(t *testing.T, file, typeName string) []codes.Code {
	t.Helper()
	all, err := codes.Of(file, typeName)
	if err != nil || len(all) == 0 {
		t.Fatalf("no %s in %s: %v", typeName, file, err)
	}
	return all
}

// TestCodesAreDocumented holds docs/codes.md to what the code says. With -update it is written
// anew.
func TestCodesAreDocumented(t *testing.T) {
	var b strings.Builder
	b.WriteString("# Codes\n\n`go test ./cmd/srpatch -run TestCodesAreDocumented -update` makes this page from comments in the\ncode; do not edit it. " +
		"[wire.md](wire.md) says where each code occurs. From 1.0.0 on, no code is\nrenamed or changes its meaning, but there may be new ones. " +
		"A report's `message` or `remedy` says\nwhat to do.\n")
	table := func(title, about, head string, all []codes.Code) {
		fmt.Fprintf(&b, "\n## %s\n\n%s\n\n| %s | |\n|---|---|\n", title, about, head)
		cell := func(text string) string {
			return " " + strings.TrimSuffix(strings.ReplaceAll(text, "|", `\|`), ".") + " |"
		}
		for _, c := range all {
			if c.Says == "" {
				t.Errorf("%s has no comment", c.Name)
			}
			b.WriteString("| `" + c.Value + "` |" + cell(c.Says) + "\n")
		}
	}
	table("Exit status", "The exit status of a run.", "status", codesOf(t, "run.go", "exitStatus"))

	reasons := codesOf(t, "../../apply/report.go", "Reason")
	table("Reasons", "`reason` in a report says why the block was refused.", "reason", reasons)

	objections := codesOf(t, "../../apply/internal/verdict/objection.go", "Code")
	for i := range objections {
		o := apply.Objection{Code: apply.ObjectionCode(objections[i].Value)}
		objections[i].Says = "the nearest place fits, but " + o.String()
	}
	table("Objections", "For a block that is `not-found`, the `code` of `objection` says why the nearest place was rejected.", "objection", objections)

	table("Warnings", "Each of a block's `warnings` begins with a code and a colon.", "warning", codesOf(t, "../../internal/warning/warning.go", "Code"))
	table("Outcomes", "For scoring, `outcome` sums up an answer of `filter` in one word. If there are several faults, it is\nthe first of this list that applies.", "outcome",
		append(codesOf(t, "../../internal/filter/answer.go", "apply.Outcome"), codesOf(t, "../../apply/outcome.go", "Outcome")...))
	table("Errors", "The `code` of `error` says why a whole run, or a line of `filter`, failed.", "error", codesOf(t, "../../internal/failure/failure.go", "Code"))
	table("Errors of the workspace",
		"These end a run, too. `unguarded`, `limit` and `io` can also be the reason of a block, and the\nreason of a block can end a run.", "error", codesOf(t, "../../apply/workspace/errors.go", "apply.Reason"))
	table("Errors of a commit",
		"These are errors of `--commit`. Only `not-committed` occurs after the files are written;\nthe others refuse the run.", "error", codesOf(t, "../../internal/gitcommit/gitcommit.go", "Code"))

	table("Diagnostics", "The `code` of a diagnostic says why an edit could not be read. `found`, `expected` and `remedy` say\nmore.", "diagnostic", codesOf(t, "../../internal/diagnosis/diagnosis.go", "Code"))

	golden.Check(t, "../../docs/codes.md", b.String())
}
