package parser

import (
	"bytes"
	"strings"

	"github.com/srpatch/srpatch/parser/internal/envelope"

	"github.com/srpatch/srpatch/parser/internal/filename"

	"github.com/srpatch/srpatch/parser/internal/mdline"

	"github.com/srpatch/srpatch/fsm"
)

// refuseDeletion reports a fence that has only lines such as "Delete: src/a.py", up to the line at that closes it.
func (s *Scanner) refuseDeletion(f fence, at fsm.Pos) {
	if s.req.bare || f.code || f.hasEdit || f.shell || s.req.format != "" || f.text < s.ctx.outside || at.Start-f.text > filename.MaxLine {
		return
	}
	text := bytes.TrimSpace(s.in.buf[f.text:at.Start])
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
		s.out.refuse(&Diagnostic{Code: "unsupported", Line: f.line + 1, Found: mdline.Excerpt(text), Expected: envelope.ExpectedDeletion,
			Remedy: s.out.remedyLike(envelope.RemedyDeletion, "*** Begin Patch\n*** Delete File: path/to/file\n*** End Patch")},
			f.line+1, at.Line-1)
	}
}
