package parser

import (
	"bytes"
	"path"
	"strings"

	"github.com/srpatch/srpatch/fsm"
	"github.com/srpatch/srpatch/parser/internal/filename"
	"github.com/srpatch/srpatch/parser/internal/mdline"
)

// fence is an open fence outside blocks: a line of backticks or tildes, or a tag such as <source>.
type fence struct {
	mark        mdline.Fence
	start, text int // offsets of the fence line and of the line after it
	bare        int // offset up to which the fence has no content, see hasContent
	line        int
	shell       bool   // the language is a shell
	diff        bool   // the language is "diff" or "patch"
	code        bool   // the language is a programming language, so a tool call in the fence is an example
	lang        string // see filename.LanguageOf
	hasEdit     bool   // the fence contains a block or an attempt at one
}

// maxShell is the size of the largest shell block that is reported, in bytes.
const maxShell = 64 << 10

// top returns the innermost open fence, or nil.
func (c *context) top() *fence {
	if len(c.fences) == 0 {
		return nil
	}
	return &c.fences[len(c.fences)-1]
}

// closesFence reports whether text begins with a line that closes the current fence.
func (c *context) closesFence(text []byte) bool {
	f := c.top()
	if f == nil {
		return false
	}
	line, _, _ := bytes.Cut(text, []byte("\n"))
	m, ok := mdline.ParseFence(line)
	return ok && f.mark.ClosedBy(m)
}

// isShell reports whether the first word of a fence's info string, in lower case, names a shell.
func isShell(word string) bool {
	switch word {
	case "bash", "sh", "shell", "cmd", "batch", "bat", "powershell", "ps1", "pwsh", "zsh", "fish", "ksh", "csh", "tcsh",
		"console", "shell-session", "shellsession":
		return true
	}
	return false
}

// namesScript reports whether a line names a shell script: "install.sh:". If so, the fence below it
// may be the script's text, not commands to run.
func namesScript(line []byte) bool {
	if bytes.IndexByte(line, '.') < 0 {
		return false
	}
	name, strength := filename.OfLine(line)
	return strength >= filename.Plain && isShell(strings.ToLower(strings.TrimPrefix(path.Ext(name), ".")))
}

// isCode reports whether the first word of a fence's info string, in lower case, names a
// programming language rather than a format in which edits are written.
func isCode(word string) bool {
	switch word {
	case "json", "json5", "jsonc", "jsonl", "text", "plaintext", "plain", "txt", "code", "edit", "file", "xml":
		return false
	}
	return filename.IsLanguage(word)
}

// markFenceHasEdit records that the current fence contains an edit and therefore is not a shell
// block.
func (c *context) markFenceHasEdit() {
	if f := c.top(); f != nil {
		f.hasEdit = true
	}
}

// fenceLine adds the fence that a line outside blocks opens to the open fences, or removes the one
// that it closes. ok says whether the line does either; closed is the fence that it closes, or nil.
func (c *context) fenceLine(raw []byte, at fsm.Pos) (closed *fence, ok bool) {
	m, ok := mdline.ParseFence(raw)
	if !ok {
		return nil, false
	}
	f := c.top()
	switch {
	case f != nil && f.mark.ClosedBy(m):
		closed = f
		c.fences = c.fences[:len(c.fences)-1]
	case !m.Opens: // it can only close a fence, and none like it is open
		return nil, false
	default:
		if f != nil && f.shell { // commands contain no fences, so its end is missing
			c.fences = c.fences[:len(c.fences)-1]
		}
		if len(c.fences) == mdline.MaxFences { // forget the outermost
			c.fences = append(c.fences[:0], c.fences[1:]...)
		}
		opened := fence{mark: m, start: at.Start, text: at.End, line: at.Line}
		opened.mark.Info = nil
		if info, _, _ := bytes.Cut(m.Info, []byte(" ")); len(info) > 0 {
			word := strings.ToLower(string(info))
			opened.shell, opened.code = !c.req.bare && isShell(word), isCode(word)
			opened.diff = string(info) == "diff" || string(info) == "patch"
			opened.lang = filename.LanguageOf(word)
		}
		c.fences = append(c.fences, opened)
	}
	return closed, true
}
