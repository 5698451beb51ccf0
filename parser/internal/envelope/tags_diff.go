package envelope

import (
	"bytes"
	"cmp"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/srpatch/srpatch/fsm"
	"github.com/srpatch/srpatch/internal/diagnosis"
	"github.com/srpatch/srpatch/internal/text"
	"github.com/srpatch/srpatch/parser/internal/mdline"
)

// diffTag matches a tag of Roo's apply_diff or Cline's replace_in_file at the start of a text.
var diffTag = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^<(/?)(apply_diff|replace_in_file|args|file|path|diff|content|start_line)>`)
})

// diffCall reads a call of apply_diff: one or more files, each with any number of diffs. A diff
// contains marker blocks, either as raw text or in a CDATA section.
//
// A diff is complete once its tag is closed, or the next diff or file begins. In raw text, a
// closing tag is content while a marker block is open, unless the next block or the end of the call
// shows that the block was never closed.
type diffCall struct {
	tagged
	name  string // name of the call's tag
	path  string
	diff  *diffContent // the open diff
	diffs []diffContent
	again int // bytes read again because a marker block was not closed
}

// diffContent is one of a file's diffs.
type diffContent struct {
	text     []byte
	at       int // offset of the text
	start    int // the diff's line number according to the call
	complete bool
}

// readDiffCall reads the call at the start of text, or returns nil if there is none.
func readDiffCall(text []byte, number int, m Markers) *Envelope {
	line := bytes.TrimSpace(lineOf(text))
	if string(line) == "</apply_diff>" {
		return strayEnd(line, number, Roo, "<apply_diff>")
	}
	for _, name := range [...]string{"apply_diff", "replace_in_file"} {
		_, rest, ok := openTag(line, name)
		if _, _, _, call := openCall(bytes.TrimLeft(text, " \t")); call {
			return nil // its arguments are an old and a new text
		}
		if ok && (len(rest) == 0 || rest[0] == '<') {
			r := &diffCall{tagged: tagged{text: text, first: number, markers: m}, name: name}
			return r.endAt(r.read(bytes.IndexByte(text, '>') + 1))
		}
	}
	return nil
}

// read reads the call from offset at, the end of the opening tag: its tags, and the text of a diff.
// It returns the offset at which the call ends. A call without its closing tag adds a fault.
func (r *diffCall) read(at int) (end int) {
	for at = r.skip(at); at < len(r.text); at = r.skip(at) {
		m := diffTag().FindSubmatch(r.text[at:])
		closes := m != nil && len(m[1]) > 0
		bare := r.diff != nil && !r.diff.complete // text may follow without a <content> tag
		switch {
		case bare && m == nil:
			at = r.content("diff", at)
		case m != nil:
			at += len(m[0])
			if r.tag(string(m[2]), closes, &at) {
				return at
			}
		case r.line(at) > r.first && (mdline.OpensBlock(r.head(at)) || r.isEmpty()):
			// A block outside <diff>, or text in place of the arguments, ends the call.
			start := r.lineStart(at)
			if r.path != "" {
				r.endFile()
			}
			r.diagnose(diagnosis.Malformed, at, r.head(start), "<path> and <diff>",
				"put the blocks into <diff> below the file's <path>")
			return start
		default: // another argument
			at += len(lineOf(r.text[at:]))
		}
	}
	if r.path != "" {
		r.endFile()
	}
	last := bytes.TrimRight(r.text, "\r\n")
	last = last[bytes.LastIndexByte(last, '\n')+1:]
	r.diagnose(diagnosis.Truncated, max(0, len(r.text)-1), last, "</"+r.name+">",
		"close each tag; an unfinished edit is not applied")
	return len(r.text)
}

// isEmpty reports whether nothing in the call was understood so far.
func (r *diffCall) isEmpty() bool {
	return r.path == "" && r.diff == nil && len(r.diffs)+len(r.blocks) == 0
}

// tag handles a tag and the text of its element. *at is the offset after the tag, and is moved past
// the text that was read. closes says that it is a closing tag. tag reports whether the call ends.
func (r *diffCall) tag(name string, closes bool, at *int) (done bool) {
	outer := name == "apply_diff" || name == "replace_in_file" || name == "args" // around the files
	switch {
	case outer && closes:
		r.endDiff()
		if name != "args" {
			r.endFile()
			return true
		}
	case name == "file":
		r.endDiff()
		r.endFile()
	case name == "diff":
		if closes && r.diff == nil && len(r.diffs) == 0 {
			r.diagnose(diagnosis.Malformed, *at, r.head(r.lineStart(*at)), "<diff> before it",
				"put each diff between <diff> and </diff>, alone on their lines")
		}
		r.endDiff()
		if !closes {
			r.diff = &diffContent{}
		}
	case closes || outer: // the tag has no text of its own
	case name == "content":
		if r.diff == nil {
			r.diff = &diffContent{}
		}
		*at = r.content(name, *at)
	default:
		r.argument(name, at)
	}
	return false
}

// argument reads the path of a file or the line number of a diff, from offset *at up to its closing
// tag. *at is moved past that tag. If the tag is missing, argument adds a fault.
func (r *diffCall) argument(name string, at *int) {
	value, _, ok := bytes.Cut(r.text[*at:min(len(r.text), *at+maxArgument)], []byte("</"+name+">"))
	if !ok {
		r.diagnose(diagnosis.Truncated, *at, r.head(r.lineStart(*at)), "</"+name+">", remedyDiff)
		r.diff = nil
		return
	}
	*at += len(value) + len("</>") + len(name)
	trimmed := string(bytes.TrimSpace(value))
	switch {
	case name == "start_line" && r.diff != nil:
		r.diff.start, _ = strconv.Atoi(trimmed)
	case name == "path":
		if r.path != "" && (r.diff != nil || len(r.diffs) > 0) {
			r.endDiff()
			r.endFile()
		}
		r.path = trimmed
	}
}

const (
	// maxArgument is the maximum length of a file's path, in bytes, including blanks around it.
	maxArgument = 4 << 10

	remedyDiff = "close the marker block and each tag"
)

// content reads the text of a diff up to the closing tag called name, unless that tag is content
// (see diffCall). It returns the offset after the tag.
func (r *diffCall) content(name string, at int) (next int) {
	first := r.skip(at)
	if bytes.HasPrefix(r.text[first:], cdataOpen) {
		return r.section(name, first)
	}
	if line := r.lineStart(first); line > at {
		at = line
	}
	closer := []byte("</" + name + ">")
	open, ending := false, 0 // inside a marker block; offset of the first closing tag in it, or 0
	for from := at; from < len(r.text); {
		line := lineOf(r.text[from:])
		over := bytes.HasPrefix(bytes.TrimSpace(line), []byte("</"+r.name+">")) // ends the whole call
		mark := fsm.Classify(line).Kind
		next := over || mark == fsm.Opener || mdline.OpensBlock(bytes.TrimLeft(line, " \t"))
		switch i := bytes.Index(line, closer); {
		case next && open && ending > 0 && r.tryReadAgain(ending, from):
			// The block was never closed, so the closing tag in it was not content.
			return r.setContent(name, r.text[at:ending], at, ending)
		case over:
			r.diff = nil
			r.diagnose(diagnosis.Truncated, from, line, string(closer), remedyDiff)
			return from
		case mark == fsm.Opener:
			open, ending = true, 0
		case i >= 0 && (!open || mark == fsm.Closer || isCloser(line[:i])):
			return r.setContent(name, r.text[at:from+i], at, from+i+len(closer))
		case mark == fsm.Closer:
			open, ending = false, 0
		case i >= 0 && ending == 0 && text.Blank(line[:i]):
			ending = from
		}
		from += len(line)
	}
	r.diff = nil
	return len(r.text)
}

// isCloser reports whether the text before a closing tag is the closer of a marker block.
func isCloser(before []byte) bool {
	return len(before) > 0 && before[0] != '<' && fsm.Classify(before).Kind == fsm.Closer
}

// tryReadAgain adds the text between two offsets to the text that is read again, and reports
// whether the total is still within the limit. Without a limit, every diff with a closing tag in
// its text could cause another reading up to the end of the call.
func (r *diffCall) tryReadAgain(from, to int) bool {
	r.again += to - from
	return r.again <= 4*to+8<<10
}

// section reads the content of a diff in a CDATA section. The content ends where the closing tag
// called name follows the end of a section. next is the offset after the closing tag, or the end of
// the text if the tag is missing.
func (r *diffCall) section(name string, at int) (next int) {
	at += len(cdataOpen)
	closer := []byte("</" + name + ">")
	for end := at; ; end += len(cdataClose) {
		i := bytes.Index(r.text[end:], cdataClose)
		if i < 0 {
			r.diff = nil
			return len(r.text)
		}
		end += i
		if tail := r.skip(end + len(cdataClose)); bytes.HasPrefix(r.text[tail:], closer) {
			content := bytes.ReplaceAll(r.text[at:end:end], cdataSplit, nil)
			return r.setContent(name, content, at, tail+len(closer))
		}
	}
}

// setContent stores the content of the open diff, which begins at offset at, and returns next. The
// tag <diff> ends with its content; within it, <content> doesn't end the diff.
func (r *diffCall) setContent(name string, content []byte, at, next int) int {
	r.diff.text, r.diff.at, r.diff.complete = content, at, true
	if name == "diff" {
		r.endDiff()
	}
	return next
}

// endDiff adds the open diff to the file's diffs if it is complete.
func (r *diffCall) endDiff() {
	if r.diff != nil && r.diff.complete {
		r.diffs = append(r.diffs, *r.diff)
	}
	r.diff = nil
}

// endFile turns the diffs of the current file into blocks. A diff without any edit gives a fault.
func (r *diffCall) endFile() {
	for _, d := range r.diffs {
		blocks, faults := r.edits(d)
		for i := range blocks {
			b := &blocks[i]
			b.Dialect = Roo
			b.Path = cmp.Or(b.Path, r.path)
			if i == 0 {
				b.StartLine = cmp.Or(b.StartLine, max(0, d.start))
			}
		}
		r.blocks, r.faults = append(r.blocks, blocks...), append(r.faults, faults...)
		if len(blocks)+len(faults) == 0 {
			r.diagnose(diagnosis.Malformed, d.at, d.text, "a SEARCH/REPLACE block",
				"write the change between <<<<<<< SEARCH, ======= and >>>>>>> REPLACE")
		}
	}
	r.path, r.diffs = "", nil
}

// edits reads the content of a diff: marker blocks or, if there are none, a unified diff.
func (r *diffCall) edits(d diffContent) ([]Block, []Fault) {
	blocks, faults := r.markers(d.text, r.line(d.at))
	if len(blocks)+len(faults) == 0 {
		return readPatch(readDiff, d.text, r.line(d.at))
	}
	for i := range faults {
		if f := &faults[i]; f.Code == diagnosis.Truncated { // the diff ended, not the reply
			f.Found = strings.TrimSuffix(f.Found, "reply") + "diff"
			f.Remedy = "write the whole block before the closing tag of the diff"
		}
	}
	return blocks, faults
}
