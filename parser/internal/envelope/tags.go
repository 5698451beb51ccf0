package envelope

import (
	"bytes"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/srpatch/srpatch/internal/diagnosis"
	"github.com/srpatch/srpatch/internal/text"
	"github.com/srpatch/srpatch/internal/warning"
	"github.com/srpatch/srpatch/parser/internal/mdline"
)

// tagNames are the tags of a format that writes the two sides of an edit between tags: Zed's and
// sweep's.
type tagNames struct {
	format, old, new, wrapper string
}

func zedTags() tagNames { return tagNames{Zed, "old_text", "new_text", "edits"} }

func sweepTags() tagNames { return tagNames{Sweep, "original_code", "new_code", ""} }

func startZed(raw []byte, _ int, _ Markers) Envelope { return startTagPairs(raw, zedTags()) }

func startSweep(raw []byte, _ int, _ Markers) Envelope { return startTagPairs(raw, sweepTags()) }

// tagPairs understands edits whose sides are between tags: one pair, or any number inside the
// wrapper. Nothing between the tags is markup. A side may be closed by the other side's tag, by the
// opener of the next edit or by the end of the call that the model writes it in; each is reported
// with the block.
type tagPairs struct {
	tagNames
	wrapped bool
	inside  string // the side that is open, "" for none
	second  bool   // the old side is complete, the new one is due
	waiting bool   // the last line may be the end of the call
	content []byte
	indent  []byte // of the line on which the new side begins
	alone   int    // tags of the edit at hand that are alone on their lines
	after   bool   // text follows the opening tag of the side at hand on its line
	block   Block
	opener  numbered
	fault   numbered // what makes the edit at hand none: a tag where none belongs; its number is 0 if there is none
	deed    numbered // the attributes of the wrapper
	other   numbered // the tag that asks for anything else than a replacement; its number is 0 if none does
	lost    bool     // something was reported since the last edit

	blocks []Block
	diags  []Fault
	back   int
	lines  int
}

// startTagPairs recognises the wrapper or the opening tag of an old side at the beginning of a
// line.
func startTagPairs(raw []byte, tags tagNames) Envelope {
	text := bytes.TrimSpace(raw)
	if _, _, ok := openTag(text, tags.old); ok {
		return &tagPairs{tagNames: tags}
	}
	if name := closedBy(text); name != "" && (name == tags.old || name == tags.new) {
		return &stray{format: tags.format, expected: "<" + tags.old + "> before it"}
	}
	if tags.wrapper != "" {
		if _, rest, ok := openTag(text, tags.wrapper); ok && (len(rest) == 0 || rest[0] == '<') {
			return &tagPairs{tagNames: tags}
		}
	}
	return nil
}

// closedBy is the name in a closing tag that is all of a text; "" if the text is none.
func closedBy(text []byte) string {
	if len(text) < len("</>") || text[0] != '<' || text[1] != '/' || text[len(text)-1] != '>' {
		return ""
	}
	return string(text[2 : len(text)-1])
}

// openTag reads an opening tag at the beginning of the text; attrs is the text after its name.
func openTag(text []byte, name string) (attrs, rest []byte, ok bool) {
	if len(text) == 0 || text[0] != '<' {
		return nil, nil, false
	}
	rest, ok = bytes.CutPrefix(text[1:], []byte(name))
	if !ok {
		return nil, nil, false
	}
	if len(rest) > 0 && rest[0] != '>' && rest[0] != ' ' && rest[0] != '\t' {
		return nil, nil, false
	}
	end := bytes.IndexByte(rest, '>')
	if end < 0 || bytes.IndexByte(rest[:end], '\n') >= 0 {
		return nil, nil, false
	}
	return rest[:end], rest[end+1:], true
}

// tagAttribute matches an attribute of a tag, quoted or not.
var tagAttribute = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`([A-Za-z_]+)\s*=\s*("[^"]*"|'[^']*'|[^\s"'>]+)`)
})

func (e *tagPairs) Line(raw []byte, number int) bool {
	e.lines++
	rest := raw
	if e.waiting {
		e.waiting = false
		if bytes.HasPrefix(bytes.TrimSpace(raw), []byte("</invoke>")) {
			e.closeNew("the end of the call", number-1)
			return true
		}
		e.content = append(e.content, e.opener.text...)
	}
	for lineStart := true; len(rest) > 0; lineStart = false {
		if e.inside != "" {
			var done bool
			if rest, done = e.side(rest, number, lineStart); done {
				return true
			}
			continue
		}
		ahead := bytes.TrimLeft(rest, " \t\r\n")
		if len(ahead) == 0 {
			return false
		}
		if e.second && lineStart {
			e.indent = bytes.Clone(text.Margin(raw))
		}
		var done, ok bool
		if rest, done, ok = e.tag(ahead, number); done {
			return true
		} else if !ok {
			return e.unexpected(raw, number)
		}
	}
	return false
}

// tag reads a tag outside of the sides.
func (e *tagPairs) tag(text []byte, number int) (rest []byte, done, ok bool) {
	if attrs, rest, ok := openTag(text, e.old); ok && !e.second {
		e.block = Block{Op: OpEdit, Dialect: e.format, Lines: [2]int{number, number}}
		e.fault, e.other, e.lost, e.alone = numbered{}, numbered{}, false, 0
		e.refuseDeed(attrs, number)
		for _, m := range tagAttribute().FindAllSubmatch(attrs, -1) {
			value := string(bytes.Trim(m[2], `"'`))
			switch string(m[1]) {
			case "line", "start_line":
				e.block.StartLine, _ = strconv.Atoi(value)
			case "end_line":
				e.block.EndLine, _ = strconv.Atoi(value)
			case "file_path", "path":
				e.block.Path = value
			}
		}
		return e.open(e.old, rest), false, true
	}
	if attrs, rest, ok := openTag(text, e.new); ok && e.second {
		e.refuseDeed(attrs, number)
		return e.open(e.new, rest), false, true
	}
	if e.wrapper != "" && !e.second {
		if attrs, rest, ok := openTag(text, e.wrapper); ok && !e.wrapped {
			e.deed = numbered{bytes.Clone(attrs), number}
			e.wrapped = true
			return rest, false, true
		}
		if bytes.HasPrefix(text, []byte("</"+e.wrapper+">")) && e.wrapped {
			return nil, true, true
		}
	}
	return nil, false, false
}

// refuseDeed makes the edit at hand none if an attribute of its tags, or of the wrapper's, asks for
// anything but a replacement.
func (e *tagPairs) refuseDeed(attrs []byte, number int) {
	for _, tag := range [...]numbered{e.deed, {attrs, number}} {
		if e.other.number == 0 && otherAttribute(tag.text, &Block{Op: OpEdit, Replace: tag.text}) {
			e.other = numbered{bytes.Clone(tag.text), number}
		}
	}
}

// open begins a side. What follows the tag on its line belongs to the side unless it is blank.
func (e *tagPairs) open(side string, rest []byte) []byte {
	e.inside, e.content, e.after = side, nil, !text.Blank(rest)
	if !e.after {
		e.alone++
		return nil
	}
	return rest
}

// unexpected ends the envelope before a line that belongs to no edit, or passes over it inside the
// wrapper.
func (e *tagPairs) unexpected(raw []byte, number int) bool {
	if e.second {
		e.diagnose(diagnosis.Malformed, numbered{raw, number}, "<"+e.new+">", "follow each <"+e.old+"> by its <"+e.new+">")
		e.second = false
	}
	if e.wrapped && len(e.blocks)+len(e.diags) > 0 && !mdline.OpensBlock(raw) {
		if !e.lost && e.likeTag(raw) {
			e.diagnose(diagnosis.Malformed, numbered{raw, number}, "<"+e.old+"> before it", "give each change one <"+e.old+"> and one <"+e.new+">")
		}
		return bytes.Contains(raw, []byte("</"+e.wrapper+">")) // with something before it
	}
	if e.lines > 1 {
		e.back = 1
	}
	return true
}

func (e *tagPairs) diagnose(code string, at numbered, expected, remedy string) {
	e.lost = true
	e.diags = append(e.diags, Fault{Code: code, Line: at.number, Found: mdline.Excerpt(at.text), Expected: expected, Remedy: remedy})
}

// side takes text of the open side up to whatever closes it, and returns what is left of the line.
func (e *tagPairs) side(part []byte, number int, lineStart bool) (rest []byte, done bool) {
	if _, _, ok := openTag(bytes.TrimLeft(part, " \t"), e.inside); ok && e.fault.number == 0 && text.Blank(e.content) {
		e.fault = numbered{bytes.Clone(part), number}
	}
	at, tag := e.closing(part, 0)
	indent := len(text.Margin(part))
	next := e.new
	if e.inside == e.new {
		next = e.old
	}
	if lineStart && (at < 0 || indent < at) {
		if _, _, ok := openTag(part[indent:], next); ok {
			at, tag = indent, "<"+next
		}
	}
	for ; tag == endParameter; at, tag = e.closing(part, at+len(tag)) {
		switch tail := bytes.TrimLeft(part[at+len(tag):], " \t\r\n"); {
		case bytes.HasPrefix(tail, []byte("</invoke>")):
			e.content = append(e.content, part[:at]...)
			e.closeNew("the end of the call", number)
			return nil, true
		case len(tail) == 0 && mdline.Ended(part):
			e.content = append(e.content, part[:at]...)
			e.waiting, e.opener = true, numbered{bytes.Clone(part[at:]), number}
			return nil, false
		}
	}
	if at < 0 {
		e.content = append(e.content, part...)
		return nil, false
	}
	e.content = append(e.content, part[:at]...)
	e.closeLine(part[:at], number)
	rest = part[at:]
	if tag[1] == '/' {
		rest = rest[len(tag):]
	}
	wrong := tag
	switch {
	case tag == "</"+e.inside+">":
		wrong = ""
	case tag[1] != '/':
		wrong = tag + ">"
	}
	if e.inside == e.new {
		e.closeNew(wrong, number)
		done = !e.wrapped && tag[1] == '/' || tag == "</"+e.wrapper+">"
		if !e.wrapped && tag[1] != '/' {
			e.back, done = 1, true
		}
		return rest, done
	}
	e.closeOld(wrong, number)
	return rest, e.inside == "" && !e.second && tag == "</"+e.wrapper+">"
}

// closeLine looks at the text before the tag that closes the open side, on its line. Where all
// other tags are alone on their lines, text after the opening tag is a remark or lost its line, and
// signs without a word are decoration: neither is content for certain.
func (e *tagPairs) closeLine(before []byte, number int) {
	if e.after && e.content != nil && len(e.content) == len(before) {
		return // all on one line
	}
	alone := text.Blank(before)
	if alone {
		e.alone++
	}
	const others = 3
	if e.inside != e.new || e.alone < others || e.fault.number > 0 {
		return
	}
	if first, _, _ := bytes.Cut(e.content, []byte("\n")); e.after && (first[0] == ' ' || first[0] == '\t') {
		e.fault = numbered{bytes.Clone(first), number - bytes.Count(e.content, []byte("\n"))}
	} else if !alone && decorates(before) && mdline.Ended(e.block.Search) {
		e.fault = numbered{bytes.Clone(before), number}
	}
}

// decorates says whether the text before a tag is no more than decoration: the mark of a heading, a
// comment, a list or a quote with a blank after it, the signs of bold text or of code, or a
// backslash.
func decorates(before []byte) bool {
	bare := bytes.TrimSpace(before)
	if s := string(bare); s == "**" || s == "__" || s == "`" || s == `\` || s == "<!--" {
		return true
	}
	return before[len(before)-1] == ' ' && string(bare) != "--" && len(bytes.Trim(bare, "#/*->+|;%0123456789.)")) == 0
}

// endParameter ends the argument of the call that an edit is written in; it ends a new side only
// where the call ends too.
const (
	parameter    = "parameter"
	endParameter = "</" + parameter + ">"
)

// closing finds the first closing tag in the text, from offset from, that may end the open side; at
// is -1 for none.
func (e *tagPairs) closing(text []byte, from int) (at int, tag string) {
	names := [...]string{e.old, e.new, "", ""}
	if e.wrapped {
		names[2] = e.wrapper
	}
	if e.inside == e.new {
		names[3] = parameter
	}
	for at = from; ; at++ {
		i := bytes.Index(text[at:], []byte("</"))
		if i < 0 {
			return -1, ""
		}
		at += i
		for _, name := range names {
			if rest, ok := bytes.CutPrefix(text[at+len("</"):], []byte(name)); ok && name != "" && len(rest) > 0 && rest[0] == '>' {
				return at, "</" + name + ">"
			}
		}
	}
}

// taken returns the content of the side that ends: the blanks before a closing tag on a line of its
// own are its indentation.
func (e *tagPairs) taken() []byte {
	content := e.content
	e.inside, e.content = "", nil
	if i := bytes.LastIndexByte(content, '\n') + 1; text.Blank(content[i:]) {
		content = content[:i]
	}
	return content
}

// forgive notes that another tag than its own closes the open side. If a misspelled tag occurs in
// the side, that was meant to close it, and nobody knows what the lines below are.
func (e *tagPairs) forgive(wrong string, number int) {
	if wrong == "" {
		return
	}
	e.block.Warnings = append(e.block.Warnings, warning.OddMarkers.Say("<%s> is closed by %s", e.inside, wrong))
	line := number - bytes.Count(e.content, []byte("\n"))
	for l := range bytes.Lines(e.content) {
		if e.fault.number == 0 && e.likeTag(l) {
			e.fault = numbered{bytes.Clone(l), line}
		}
		line++
	}
	if e.inside == e.new && e.fault.number == 0 && text.Blank(e.content) { // the new text is elsewhere
		e.fault = numbered{[]byte(wrong), number}
	}
}

// likeTag says whether the line begins with a tag of either side, perhaps with a slip of the pen.
func (e *tagPairs) likeTag(line []byte) bool {
	name, ok := bytes.CutPrefix(bytes.TrimSpace(line), []byte("<"))
	if !ok || len(name) > maxTag {
		return false
	}
	name, _, _ = bytes.Cut(bytes.TrimLeft(name, "/ "), []byte(">"))
	name, _, _ = bytes.Cut(name, []byte(" "))
	return Nearly(string(name), e.old) || Nearly(string(name), e.new)
}

// maxTag is how long a line may be, in bytes, that is a tag with its attributes.
const maxTag = 300

// Nearly says whether a name is meant, whatever its case and its signs, with one letter more, less
// or another, or two swapped.
func Nearly(written, name string) bool {
	a, b := strings.ToLower(lettersOf(written)), lettersOf(name)
	head, tail := 0, 0
	for head < min(len(a), len(b)) && a[head] == b[head] {
		head++
	}
	for tail < min(len(a), len(b))-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	switch differ, same := max(len(a), len(b))-head-tail, len(a) == len(b); {
	case differ == 2 && same:
		return a[head] == b[head+1] && a[head+1] == b[head]
	default:
		return differ <= 1
	}
}

// lettersOf is a name without the signs between its words.
func lettersOf(name string) string {
	return strings.Map(func(r rune) rune {
		if r == '_' || r == '-' || r == '/' {
			return -1
		}
		return r
	}, name)
}

func (e *tagPairs) closeOld(wrong string, number int) {
	e.forgive(wrong, number)
	e.block.Search = e.taken()
	if e.second = wrong != "</"+e.wrapper+">"; !e.second {
		e.diagnose(diagnosis.Malformed, numbered{[]byte(wrong), number}, "<"+e.new+">", "follow each <"+e.old+"> by its <"+e.new+">")
	}
}

func (e *tagPairs) closeNew(wrong string, number int) {
	e.forgive(wrong, number)
	b := e.block
	b.Replace = e.taken()
	b.Lines[1] = number
	if len(b.Search) == 0 {
		b.Op = OpCreate
		if len(e.indent) > 0 && mdline.HaveMargin(b.Replace, e.indent) {
			b.Replace = mdline.WithoutMargin(b.Replace, e.indent, false)
		}
	}
	e.second, e.indent = false, nil
	if e.other.number > 0 {
		e.diagnose(diagnosis.Unsupported, e.other, ExpectedReplacement, RemedyReplacement)
		return
	}
	if e.fault.number > 0 {
		e.diagnose(diagnosis.Malformed, e.fault, "</"+e.old+"> and </"+e.new+"> after the sides, each once",
			"write the edit again, with one pair of tags around each side")
		return
	}
	e.blocks = append(e.blocks, b)
}

func (e *tagPairs) Unread() int { return e.back }

func (e *tagPairs) Finish() ([]Block, []Fault) {
	if e.inside != "" || e.second {
		due := e.inside
		if e.second && due == "" {
			due = e.new
		}
		e.diagnose(diagnosis.Truncated, numbered{[]byte("<" + e.old + ">"), e.block.Lines[0]}, "</"+due+">",
			"close each side with its tag; an edit that the reply does not finish is not applied")
	}
	return e.blocks, e.diags
}
