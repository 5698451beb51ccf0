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
	b.WriteString("# Codes\n\nMade from the comments in the code by `go test ./cmd/srpatch -run TestCodesAreDocumented -update`; do not edit it. " +
		"[wire.md](wire.md) says\nwhere each code is. From 1.0.0 on no code is renamed or changes its meaning, and new ones may come.\n" +
		"A report's own `message` or `remedy` says what to do.\n")
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
	table("Exit status", "What a run exits with.", "status", codesOf(t, "run.go", "exitStatus"))

	reasons := codesOf(t, "../../apply/report.go", "Reason")
	table("Reasons", "Why a block was refused: `reason` of its report.", "reason", reasons)

	objections := codesOf(t, "../../apply/internal/verdict/objection.go", "Code")
	for i := range objections {
		o := apply.Objection{Code: apply.ObjectionCode(objections[i].Value)}
		objections[i].Says = "the nearest place fits, but " + o.String()
	}
	table("Objections", "What speaks against the place that is nearest to SEARCH: `code` of `objection` in a report with the reason `not-found`.", "objection", objections)

	table("Warnings", "What a block is warned about: each of its `warnings` begins with its code and a colon.", "warning", codesOf(t, "../../internal/warning/warning.go", "Code"))
	table("Outcomes", "What a plan, or a line of `filter`, came to, for whoever scores replies: `outcome` of an answer. Of several faults it is the first one of this list.", "outcome",
		append(codesOf(t, "../../internal/filter/answer.go", "apply.Outcome"), codesOf(t, "../../apply/outcome.go", "Outcome")...))
	table("Errors", "What a whole run, or a line of `filter`, came to instead of a plan: `code` of `error`.", "error", codesOf(t, "../../internal/failure/failure.go", "Code"))
	table("Errors of the workspace",
		"The same. The last ones may be reasons of blocks, too; and a reason of a block may stop a run.", "error", codesOf(t, "../../apply/workspace/errors.go", "apply.Reason"))
	table("Errors of a commit",
		"With `--commit`. `not-committed` alone comes after the files are written; the others refuse the run.", "error", codesOf(t, "../../internal/gitcommit/gitcommit.go", "Code"))

	table("Diagnostics", "What is wrong with an edit that was not understood: `code` of a diagnostic, whose `found`, `expected` and `remedy` say more.", "diagnostic", codesOf(t, "../../internal/diagnosis/diagnosis.go", "Code"))

	golden.Check(t, "../../docs/codes.md", b.String())
}
