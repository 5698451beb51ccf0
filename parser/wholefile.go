package parser

import (
	"fmt"
	"slices"

	"github.com/srpatch/srpatch/fsm"
	"github.com/srpatch/srpatch/internal/diagnosis"
	"github.com/srpatch/srpatch/parser/internal/envelope"
	"github.com/srpatch/srpatch/parser/internal/mdline"
)

// wholeFiles turns whole files into blocks at the end of the answer, if they are requested and the
// answer has no other edit. Next to another edit, they may only show what a file looks like.
func (r *request) wholeFiles(items []item) []item {
	if !r.wholes || slices.ContainsFunc(items, item.isEdit) {
		return items
	}
	var others, files []item
	for _, it := range items {
		if it.Noticed == nil || it.Noticed.whole == nil {
			others = append(others, it)
			continue
		}
		for n := len(files); n > 0 && files[n-1].line() >= it.line(); n = len(files) {
			files = files[:n-1] // this text is part of the file
		}
		files = append(files, item{Block: it.Noticed.whole})
	}
	return append(others, files...)
}

// wholeFence gives the notice n, about the fence f that ends in the line at, a block that writes
// the fence's text, if whole files are requested and all lines are indented like the fence.
func (out *output) wholeFence(n *Noticed, f fence, at fsm.Pos) {
	body, opener := out.in.buf[f.text:at.Start], out.in.buf[f.start:f.text]
	margin := opener[:fsm.PrefixLen(opener)]
	if !out.req.wholes || !mdline.HaveMargin(body, margin) {
		return
	}
	n.whole = out.wholeBlock(n, mdline.WithoutMargin(body, margin, false), nil)
	if f.mark.Char == '`' && f.mark.Length == 3 && envelope.IsMarkdown(n.Path) {
		out.markdown = n // see refuseUnsureMarkdown
	}
}

// wholeBlock returns the block that writes a file.
func (out *output) wholeBlock(n *Noticed, text []byte, warnings []string) *Block {
	return &Block{Op: OpWrite, Path: n.Path, Dialect: wholeFile, Lines: n.Lines, Replace: text, Warnings: warnings}
}

// refuseUnsureMarkdown refuses the Markdown file in the previous fence, if any, and with it the
// whole reply, if the fence f has no language. A fence within the Markdown file may have ended it
// too early, and what looks like the next file's name may be the end of that file.
func (out *output) refuseUnsureMarkdown(f fence) {
	n := out.markdown
	out.markdown = nil
	if n == nil || f.lang != "" || f.shell {
		return
	}
	out.refuse(&Diagnostic{
		Code: diagnosis.Malformed, Line: n.Lines[0],
		Found:    fmt.Sprintf("%s, which a fence in its text may have ended", n.Path),
		Expected: "a fence of four backticks or more around a file with fences in it",
		Remedy:   "send the file again, in a longer fence",
	}, n.Lines[0], f.line)
}

// endWhole refuses a whole file if the input ends before the fence around it, because the rest of
// the file is missing.
func (out *output) endWhole() {
	f := out.ctx.top() // only an outermost fence without edits counts
	if !out.req.wholes || f == nil || f.hasEdit || f.start < out.ctx.outside || len(out.ctx.fences) > 1 {
		return
	}
	if path, _ := out.ctx.fenceName(f); path != "" {
		out.ctx.fences = nil
		out.refuse(cutWhole(f.line, path, "the line that closes its fence"), f.line, out.in.line-1)
	}
}

// cutWhole returns the diagnostic for a whole file at path that is cut off. end says what is
// missing.
func cutWhole(line int, path, end string) *Diagnostic {
	return &Diagnostic{Code: diagnosis.Truncated, Line: line, Found: fmt.Sprintf("a part of %s", path), Expected: end,
		Remedy: "send the whole file again"}
}
