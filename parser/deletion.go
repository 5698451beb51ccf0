package parser

import (
	"bytes"
	"strings"

	"github.com/srpatch/srpatch/fsm"
	"github.com/srpatch/srpatch/internal/diagnosis"
	"github.com/srpatch/srpatch/parser/internal/envelope"
	"github.com/srpatch/srpatch/parser/internal/filename"
	"github.com/srpatch/srpatch/parser/internal/mdline"
)

// refuseDeletion reports a fence that has only lines such as "Delete: src/a.py", up to the line at
// that closes it.
func (out *output) refuseDeletion(f fence, at fsm.Pos) {
	if out.req.bare || f.code || f.hasEdit || f.shell || f.text < out.ctx.outside || at.Start-f.text > filename.MaxLine {
		return
	}
	text := bytes.TrimSpace(out.in.buf[f.text:at.Start])
	for line := range bytes.Lines(text) {
		head, path, _ := strings.Cut(string(line), ":")
		switch strings.ToLower(strings.TrimSpace(head)) {
		case "delete", "delete file", "remove", "remove file":
		default:
			return
		}
		if !filename.Likely(strings.Trim(strings.TrimSpace(path), "`")) {
			return
		}
	}
	if len(text) > 0 {
		out.refuse(&Diagnostic{Code: diagnosis.Unsupported, Line: f.line + 1, Found: mdline.Excerpt(text), Expected: envelope.ExpectedDeletion,
			Remedy: out.remedyLike(envelope.RemedyDeletion, "*** Begin Patch\n*** Delete File: path/to/file\n*** End Patch")},
			f.line+1, at.Line-1)
	}
}
