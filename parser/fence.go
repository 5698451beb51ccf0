package parser

import (
	"bytes"
	"strings"

	"github.com/srpatch/srpatch/fsm"
	"github.com/srpatch/srpatch/internal/text"
)

// fence is an open fence outside of blocks: of backticks or tildes, or a tag such as <source>.
type fence struct {
	mark        fenceMark
	start, text int // offsets of the fence line and of what follows it
	line        int
	shell       bool   // the language is a shell's
	diff        bool   // the language is that of diffs
	code        bool   // the language is a programming language, so that a line like a call is none
	lang        string // see languageOf
	hasEdit     bool   // a block or an attempt at one is inside
}

// fenceMark is what a fence line says.
type fenceMark struct {
	char   byte // '`', '~', or '<' for a tag
	length int
	tag    string
	closes bool // the line can close a fence: it has no info string
	opens  bool // the line can open one
	info   []byte
}

// maxShell bounds the shell blocks that are reported, in bytes.
const maxShell = 64 << 10

// maxFences bounds how deep fences nest; the outermost are forgotten.
const maxFences = 8

// parseFence reads a line as a fence.
func parseFence(line []byte) (fenceMark, bool) {
	line = line[fsm.PrefixLen(line):]
	if len(line) == 0 {
		return fenceMark{}, false
	}
	if c := line[0]; c == '`' || c == '~' {
		rest := bytes.TrimLeft(line, string(c))
		n := len(line) - len(rest)
		info := bytes.TrimSpace(rest)
		if n < 3 || c == '`' && bytes.IndexByte(info, '`') >= 0 {
			return fenceMark{}, false
		}
		return fenceMark{char: c, length: n, info: info, opens: true, closes: len(info) == 0}, true
	}
	if line[0] != '<' {
		return fenceMark{}, false
	}
	name, info, ok := bytes.Cut(line[1:], []byte(">"))
	if !ok {
		return fenceMark{}, false
	}
	closing := len(name) > 0 && name[0] == '/'
	tag := tagFence(bytes.TrimPrefix(name, []byte("/")))
	if tag == "" || closing && !text.Blank(info) || bytes.HasSuffix(bytes.TrimSpace(info), []byte("</"+tag+">")) {
		return fenceMark{}, false
	}
	return fenceMark{char: '<', tag: tag, info: bytes.TrimSpace(info), opens: !closing, closes: closing}, true
}

// tagFence returns the tag if it is one that models are asked to use where backticks would collide with content.
func tagFence(name []byte) string {
	switch string(name) {
	case "source":
		return "source"
	case "code":
		return "code"
	case "pre":
		return "pre"
	case "codeblock":
		return "codeblock"
	case "sourcecode":
		return "sourcecode"
	}
	return ""
}

// fits reports whether the line m closes the fence f.
func (f *fence) fits(m fenceMark) bool {
	return m.closes && m.char == f.mark.char && m.length >= f.mark.length && m.tag == f.mark.tag
}

func (s *Scanner) top() *fence {
	if len(s.fences) == 0 {
		return nil
	}
	return &s.fences[len(s.fences)-1]
}

// closesFence reports whether text begins with a line that closes the fence at hand.
func (s *Scanner) closesFence(text []byte) bool {
	f := s.top()
	if f == nil {
		return false
	}
	line, _, _ := bytes.Cut(text, []byte("\n"))
	m, ok := parseFence(line)
	return ok && f.fits(m)
}

// fenceLine follows the fences outside of blocks; it reports whether the line is one.
func (s *Scanner) fenceLine(raw []byte, at fsm.Pos) bool {
	m, ok := parseFence(raw)
	if !ok {
		return false
	}
	f := s.top()
	switch {
	case f != nil && f.fits(m):
		s.closeFence(at)
	case !m.opens:
		return false
	default:
		if f != nil && f.shell {
			s.fences = s.fences[:len(s.fences)-1]
		}
		if len(s.fences) == maxFences {
			s.fences = append(s.fences[:0], s.fences[1:]...)
		}
		word, _, _ := bytes.Cut(m.info, []byte(" "))
		diff, code := string(word) == "diff" || string(word) == "patch", isCode(m.info)
		m.info = nil
		s.fences = append(s.fences, fence{mark: m, start: at.Start, text: at.End, line: at.Line,
			shell: !s.bare && isShell(raw), diff: diff, code: code, lang: languageOf(string(word))})
	}
	return true
}

func isShell(raw []byte) bool {
	m, _ := parseFence(raw)
	word, _, _ := bytes.Cut(m.info, []byte(" "))
	switch string(bytes.ToLower(word)) {
	case "bash", "sh", "shell", "cmd", "batch", "bat", "powershell", "ps1", "pwsh", "zsh", "fish", "ksh", "csh", "tcsh",
		"console", "shell-session", "shellsession":
		return true
	}
	return false
}

// isCode reports whether a fence's info string begins with a programming language, not with one in which edits are written.
func isCode(info []byte) bool {
	word, _, _ := strings.Cut(strings.ToLower(string(info)), " ")
	switch word {
	case "json", "json5", "jsonc", "jsonl", "text", "plaintext", "plain", "txt", "code", "edit", "file":
		return false
	}
	return isLanguage(word)
}

// closeFence ends the fence at hand with the line at; a shell block is emitted.
func (s *Scanner) closeFence(at fsm.Pos) {
	f := *s.top()
	s.fences = s.fences[:len(s.fences)-1]
	s.refuseDeletion(f, at)
	if f.shell && !f.hasEdit && at.Start-f.start <= maxShell {
		s.emit(Item{Shell: &Shell{Lines: [2]int{f.line, at.Line}, Text: string(s.buf[f.text:at.Start])}})
		s.uses.put(inShell, f.line, at.Line)
		s.shellEnd = at.Line
		if s.attempt.marker.line >= f.line {
			s.attempt.marker = markerAttempt{} // it is part of a command
		}
	}
}

// endShell emits a shell block that ends with the input.
func (s *Scanner) endShell() {
	if f := s.top(); f != nil && f.shell {
		s.closeFence(fsm.Pos{Line: s.line - 1, Start: s.end, End: s.end})
	}
}

// markFenceHasEdit notes that the fence at hand is no shell block, as an edit is inside.
func (s *Scanner) markFenceHasEdit() {
	if f := s.top(); f != nil {
		f.hasEdit = true
	}
}
