package envelope

import (
	"bytes"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/srpatch/srpatch/fsm"
	"github.com/srpatch/srpatch/internal/diagnosis"
	"github.com/srpatch/srpatch/internal/text"
	"github.com/srpatch/srpatch/internal/warning"
	"github.com/srpatch/srpatch/parser/internal/mdline"
)

// rooTag matches a tag of Roo's apply_diff, or of Cline's replace_in_file, at the beginning of a
// text.
var rooTag = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^</?(apply_diff|replace_in_file|args|file|path|diff|content|start_line)>`)
})

var (
	cdataOpen  = []byte("<![CDATA[")
	cdataClose = []byte("]]>")
)

// roo understands a call of apply_diff: one file or several, each with any number of diffs whose
// content is marker blocks, raw or in CDATA. The tags are taken literally, since models do not
// write XML: raw content is full of < and &.
//
// A diff counts once its tag is closed, or the next diff or file begins. In raw content the closing
// tag is content as long as a marker block is open, unless the next block or the end of the call
// shows that the block was not closed.
type roo struct {
	markers Markers
	call    string // the tag around it all
	first   numbered
	tag     string // the open tag whose text is collected: path, start_line, content, or diff for content without its tag
	cdata   bool
	join    bool // the CDATA section may end with the last line
	inBlock bool // a marker block is open in the content
	ending  int  // where text may end: a closing tag is there in the open block; 0 if none does
	endLine int  // and the number of its line
	size    int  // how many bytes were read, and
	again   int  // how many of them were read again, see unclosed
	text    []byte
	line0   int // the number of the line that text begins on

	path  string
	diff  *rooDiff
	diffs []rooDiff
	last  numbered
	done  bool
	stuck bool

	blocks []Block
	diags  []Fault
	back   int
}

// rooDiff is one diff: its content, the line that begins on, and the hint of the envelope.
type rooDiff struct {
	content  []byte
	line     int
	start    int
	complete bool // the content is
}

// startRoo recognises the opening tag of the call at the beginning of a line.
func startRoo(raw []byte, _ int, m Markers) Envelope {
	text := bytes.TrimSpace(raw)
	for _, tag := range [...]string{"<apply_diff>", "<replace_in_file>"} {
		if rest, ok := bytes.CutPrefix(text, []byte(tag)); ok && (len(rest) == 0 || rest[0] == '<') {
			return &roo{call: tag[1 : len(tag)-1], markers: m}
		}
	}
	if string(text) == "</apply_diff>" {
		return &stray{format: Roo, expected: "<apply_diff> before it"}
	}
	return nil
}

func (e *roo) Line(raw []byte, number int) bool {
	if e.first.number == 0 {
		e.first = numbered{bytes.Clone(raw), number}
	}
	e.last = numbered{append(e.last.text[:0], raw...), number}
	e.size += len(raw)
	rest := raw
	for len(rest) > 0 && !e.done {
		if e.tag != "" {
			rest = e.collect(rest, number)
			continue
		}
		text := bytes.TrimLeft(rest, " \t\r\n")
		if len(text) == 0 {
			break
		}
		m := rooTag().FindSubmatch(text)
		switch {
		case m != nil && !(e.diff != nil && e.diff.content == nil && isRooOuter(string(m[1])) && text[1] != '/'):
			e.structure(string(m[1]), text[1] == '/', number)
			rest = text[len(m[0]):]
		case e.diff != nil && !e.diff.complete:
			e.begin("diff", number)
			if bytes.HasPrefix(text, cdataOpen) {
				rest = text
			}
		case number > e.first.number && (mdline.OpensBlock(text) || e.path == "" && e.diff == nil && len(e.diffs) == 0 && len(e.blocks) == 0):
			e.diagnose(diagnosis.Malformed, e.last, "<path> and <diff>", "put the blocks into <diff> below the file's <path>")
			e.stuck, e.back = true, 1
			return true
		default:
			rest = nil // other arguments of the call
		}
	}
	return e.done
}

// isRooOuter says whether the tag occurs outside of diffs.
func isRooOuter(name string) bool {
	return name == "apply_diff" || name == "replace_in_file" || name == "args"
}

// structure takes a tag outside of collected text.
func (e *roo) structure(name string, closing bool, number int) {
	switch {
	case isRooOuter(name) && closing:
		e.endDiff()
		if name != "args" {
			e.endFile()
			e.done = true
		}
	case name == "file":
		e.endDiff()
		e.endFile()
	case name == "diff" && closing:
		if e.diff == nil && len(e.diffs) == 0 {
			e.diagnose(diagnosis.Malformed, e.last, "<diff> before it", "put each diff between <diff> and </diff>, alone on their lines")
		}
		e.endDiff()
	case name == "diff":
		e.endDiff()
		e.diff = &rooDiff{}
	case closing || isRooOuter(name):
	case name == "content" && e.diff == nil:
		e.diff = &rooDiff{}
		e.begin(name, number)
	case name == "path" && e.path != "" && (len(e.diffs) > 0 || e.diff != nil):
		e.endDiff()
		e.endFile()
		e.begin(name, number)
	default:
		e.begin(name, number)
	}
}

func (e *roo) begin(tag string, number int) {
	e.tag, e.text, e.line0, e.cdata, e.join, e.inBlock, e.ending = tag, []byte{}, number, false, false, false, 0
}

// collect takes text up to the closing tag of what is collected, and returns what follows that tag
// on the line.
func (e *roo) collect(raw []byte, number int) (rest []byte) {
	if len(e.text) == 0 && !e.cdata && e.tag != "start_line" {
		if body, ok := bytes.CutPrefix(bytes.TrimLeft(raw, " \t\r\n"), cdataOpen); ok {
			e.cdata, e.line0 = true, number
			return e.cdataText(body)
		}
		if text.Blank(raw) {
			return nil
		}
		e.line0 = number
	}
	if e.cdata {
		return e.cdataText(raw)
	}
	closer := []byte("</" + e.tag + ">")
	mark := fsm.Classify(raw).Kind
	over := bytes.HasPrefix(bytes.TrimSpace(raw), []byte("</"+e.call+">")) // the end of the call ends everything
	if e.inBlock && e.ending > 0 && e.mayReadAgain(len(e.text)-e.ending) && (over || mark == fsm.Opener || mdline.OpensBlock(bytes.TrimLeft(raw, " \t"))) {
		e.unclosed()
		e.last = numbered{append(e.last.text[:0], raw...), number}
		return raw
	}
	if over {
		e.tag, e.diff = "", nil
		e.diagnose(diagnosis.Truncated, e.last, string(closer), "close the marker block and each tag")
		return bytes.TrimSpace(raw)
	}
	i := bytes.Index(raw, closer)
	switch {
	case mark == fsm.Opener:
		e.inBlock, e.ending = true, 0
	case mark == fsm.Closer, i > 0 && raw[0] != '<' && fsm.Classify(raw[:i]).Kind == fsm.Closer:
		e.inBlock, e.ending = false, 0
	}
	if i >= 0 && !e.inBlock {
		e.text = append(e.text, raw[:i]...)
		e.taken()
		return raw[i+len(closer):]
	}
	if i >= 0 && e.ending == 0 && text.Blank(raw[:i]) {
		e.ending, e.endLine = len(e.text), number
	}
	e.text = append(e.text, raw...)
	return nil
}

// unclosed ends the text at the closing tag within a marker block that was not closed. The lines
// from there on are read again, as lines outside of a block.
func (e *roo) unclosed() {
	rest, number := bytes.Clone(e.text[e.ending:]), e.endLine
	e.again += len(rest)
	e.text = e.text[:e.ending]
	e.taken()
	for l := range bytes.Lines(rest) {
		e.Line(l, number)
		number++
	}
}

// mayReadAgain bounds what is read again: the end of each text may begin another one, up to the end
// of the call.
func (e *roo) mayReadAgain(n int) bool { return e.again+n <= 4*(e.size-e.again)+8<<10 }

// cdataText takes text of a CDATA section. The section ends where its end is followed by the
// closing tag; two sections side by side are one text.
func (e *roo) cdataText(raw []byte) (rest []byte) {
	closer := []byte("</" + e.tag + ">")
	text := raw
	if e.join {
		e.join = false
		tail := bytes.TrimLeft(raw, " \t\r\n")
		if body, ok := bytes.CutPrefix(tail, cdataOpen); ok {
			text = body
		} else if after, ok := bytes.CutPrefix(tail, closer); ok {
			e.taken()
			return after
		} else if len(tail) == 0 {
			e.join = true
			return nil
		} else {
			e.text = append(e.text, "]]>\n"...) // the line before belongs to the content
		}
	}
	for {
		i := bytes.Index(text, cdataClose)
		if i < 0 {
			e.text = append(e.text, text...)
			return nil
		}
		tail := bytes.TrimLeft(text[i+len(cdataClose):], " \t\r\n")
		switch {
		case bytes.HasPrefix(tail, closer):
			e.text = append(e.text, text[:i]...)
			e.taken()
			return tail[len(closer):]
		case bytes.HasPrefix(tail, cdataOpen):
			e.text = append(e.text, text[:i]...)
			text = tail[len(cdataOpen):]
		case len(tail) == 0 && string(text[i+len(cdataClose):]) == "\n":
			e.text = append(e.text, text[:i]...)
			e.join = true
			return nil
		default:
			e.text = append(e.text, text[:i+len(cdataClose)]...)
			text = text[i+len(cdataClose):]
		}
	}
}

// taken stores the collected text where it belongs.
func (e *roo) taken() {
	switch text := e.text; e.tag {
	case "path":
		e.path = string(bytes.TrimSpace(text))
	case "start_line":
		if e.diff != nil {
			e.diff.start, _ = strconv.Atoi(string(bytes.TrimSpace(text)))
		}
	default:
		e.diff.content, e.diff.line, e.diff.complete = text, e.line0, true
		if e.tag == "diff" {
			e.endDiff()
		}
	}
	e.tag, e.text = "", nil
}

func (e *roo) endDiff() {
	if e.diff != nil && e.diff.complete {
		e.diffs = append(e.diffs, *e.diff)
	}
	e.diff = nil
}

// endFile turns the diffs of a file into blocks.
func (e *roo) endFile() {
	for _, d := range e.diffs {
		blocks, diags := e.content(d)
		for i := range blocks {
			b := &blocks[i]
			b.Dialect = Roo
			if b.Path == "" {
				b.Path = e.path
			}
			if i == 0 && b.StartLine == 0 && d.start > 0 {
				b.StartLine = d.start
			}
		}
		if len(blocks)+len(diags) == 0 {
			e.diagnose(diagnosis.Malformed, numbered{d.content, d.line}, "a SEARCH/REPLACE block", "write the change between <<<<<<< SEARCH, ======= and >>>>>>> REPLACE")
		}
		e.blocks, e.diags = append(e.blocks, blocks...), append(e.diags, diags...)
	}
	e.path, e.diffs = "", nil
}

// content reads the content of a diff: marker blocks, written as entities by some models, or a
// unified diff.
func (e *roo) content(d rooDiff) ([]Block, []Fault) {
	if bytes.Contains(d.content, []byte("&lt;&lt;&lt;&lt;&lt;")) && !bytes.Contains(d.content, []byte("<<<<<")) {
		plain := strings.NewReplacer("&lt;", "<", "&gt;", ">", "&quot;", `"`, "&apos;", "'", "&#39;", "'", "&amp;", "&")
		blocks, diags := e.markers.Read([]byte(plain.Replace(string(d.content))), d.line)
		for i := range blocks {
			blocks[i].Warnings = append(blocks[i].Warnings, warning.WrittenEntities.Say("the markers are written in HTML entities, so the whole content is read that way"))
		}
		return blocks, diags
	}
	if blocks, diags := e.markers.Read(d.content, d.line); len(blocks)+len(diags) > 0 {
		for i := range diags {
			if t := &diags[i]; t.Code == diagnosis.Truncated { // what ends is the diff, and not the reply
				t.Found = strings.TrimSuffix(t.Found, "reply") + "diff"
				t.Remedy = "write the whole block before the closing tag of the diff"
			}
		}
		return blocks, diags
	}
	return Read(closed(bytes.Clone(d.content)), d.line, Diff, e.markers)
}

func (e *roo) diagnose(code string, at numbered, expected, remedy string) {
	e.diags = append(e.diags, Fault{Code: code, Line: at.number, Found: mdline.Excerpt(at.text), Expected: expected, Remedy: remedy})
}

func (e *roo) Unread() int { return e.back }

func (e *roo) Finish() ([]Block, []Fault) {
	if !e.done {
		if e.path != "" {
			e.endFile()
		}
		if !e.stuck {
			e.diagnose(diagnosis.Truncated, e.last, "</"+e.call+">", "close each tag; an edit that the reply does not finish is not applied")
		}
	}
	return e.blocks, e.diags
}
