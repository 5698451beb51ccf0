package report

import (
	"bytes"
	"slices"
	"strings"

	"github.com/srpatch/srpatch/apply"
)

// Reply writes what became of one reply of several: a line to out, and below it refusals and diagnostics to errs. In detail there
// is a line for each block as well; quietly, one only for replies that were refused.
func Reply(out, errs Printer, name string, o Outcome, detail Detail) {
	var summary bytes.Buffer
	Printer{W: &summary, Color: out.Color}.summary(o)
	mark, st, _ := sign(replyStatus(o))
	switch line := out.paint(st, mark) + " " + Clean(name) + "  " + strings.TrimSuffix(summary.String(), "\n"); {
	case detail >= Normal:
		out.line(line)
	case o.Status != apply.Applied || len(o.Diagnostics) > 0:
		errs.line(line)
	}
	if detail > Normal {
		Report(out, errs, o, detail)
		return
	}
	Report(out, errs, o, Quiet)
	if detail >= Normal {
		if o.Commit != nil && o.Commit.Error == nil { // else it was said
			commit(out, errs, o, detail)
		}
		errs.noticed(o.Noticed)
	}
}

// replyStatus is what became of a reply as a whole, in the terms of a block.
func replyStatus(o Outcome) apply.BlockStatus {
	if o.Status != apply.Applied || len(o.Diagnostics) > 0 {
		return apply.BlockFailed
	}
	for _, status := range []apply.BlockStatus{apply.BlockApplied, apply.BlockReady} {
		if slices.ContainsFunc(o.Blocks, func(b apply.BlockReport) bool { return b.Status == status }) {
			return status
		}
	}
	return apply.BlockAlready
}
