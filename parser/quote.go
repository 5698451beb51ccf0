package parser

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/srpatch/srpatch/fsm"
	"github.com/srpatch/srpatch/internal/diagnosis"
	"github.com/srpatch/srpatch/internal/text"
	"github.com/srpatch/srpatch/parser/internal/mdline"
)

// quote is a part of the reply that is only shown: the thoughts before the answer, a tool's output,
// an example, a comment, or the text of a file. An edit in a quote is not applied; the reply gives
// a notice instead. A quote without an end may also contain the answer, so an edit in it is
// refused. [shownIn] recognises a quote by its first line. [context.container] recognises a quote
// when an edit begins inside it.
type quote struct {
	shown            // the zero value outside a quote
	line      int    // number of the quote's first line; 0 outside a quote
	fences    int    // number of open fences around the quote; the innermost one also ends the quote
	edit      int    // number of the first line that begins an edit; 0 if none is known
	text      []byte // text not yet searched for edits; unused once edit is set
	inner     string // text that ends a nested thought
	properEnd string // matching end of a thought that was ended by another kind of end

	blocks  int      // number of blocks before the answer
	wrapper string   // closing tag of an element around the answer, or around a tool's output
	wrapped int      // number of edits in the wrapper; set at its closing tag
	drafts  *Noticed // the notice about an edit in thoughts, until an edit follows in the answer
}

// shown describes what a quote is and how it ends.
type shown struct {
	kind shownKind
	end  string // the text or line that ends the quote; "" if the end of the fence does
	path string // the file whose text is shown, if any
}

type shownKind uint8

const (
	noQuote   shownKind = iota
	draft               // the thoughts that reasoning models write before an answer
	toolSaid            // a tool's output
	mayBeTool           // a tool's output, or an answer in a requested tag
	userSaid            // a message to the model
	sample              // an example
	comment             // an HTML comment
	hereDoc             // the text that a command writes to a file
	session             // commands and their output
	inFile              // the text of a file
)

// what returns a description of an edit in the quote.
func (s *shown) what() string {
	switch s.kind {
	case draft:
		return "an edit in thoughts, but no edit after them"
	case toolSaid, mayBeTool:
		return "an edit in a tool's output"
	case userSaid:
		return "an edit in a message to the model"
	case sample:
		return "an edit in an example"
	case comment:
		return "an edit in a comment"
	case session:
		return "an edit in commands, or in what they print"
	}
	return "an edit in the text of " + cmp.Or(s.path, "a file")
}

// endText describes what ends the quote: "line that ends it", or the text in quotation marks.
func (s *shown) endText() string {
	if s.end == "" {
		return "line that ends it"
	}
	return fmt.Sprintf("%q", s.end)
}

// endsIn reports whether a line ends the quote. It is false if only a fence ends the quote.
func (s *shown) endsIn(raw []byte) bool {
	switch s.kind {
	case hereDoc:
		return string(bytes.TrimSpace(raw)) == s.end
	case session, inFile:
		return s.end != "" && bytes.HasPrefix(bytes.TrimSpace(raw), []byte(s.end))
	case comment:
		return bytes.Contains(raw, []byte(s.end))
	case draft: // unless more thoughts begin with the same words
		i := bytes.LastIndex(raw, []byte(s.end))
		return i >= 0 && !beginsThought(raw[i+len(s.end):])
	}
	return bytes.Contains(bytes.ToLower(raw), []byte(s.end))
}

// search parses the text collected so far as a reply, records the line of the first edit in it and
// drops the text. line is the number of the line after the text.
func (q *quote) search(line int, req *request) {
	if q.edit > 0 || len(q.text) == 0 {
		return
	}
	first := line - bytes.Count(bytes.TrimSuffix(q.text, []byte("\n")), []byte("\n")) - 1
	s := newScanner(q.text, first, func(r *request) { r.shown = true })
	for q.edit == 0 && s.next() {
		if it := s.out.item; it.Block != nil || it.Diagnostic != nil {
			q.edit = it.line()
		}
	}
	q.text = q.text[:0]
}

// begin begins a quote if the line does. If the line ends thoughts that began before the reply,
// begin refuses edits above it. If it is the tag of an element around the answer, begin records
// that. It reports whether the line is part of a quote or of thoughts.
func (q *quote) begin(raw []byte, at fsm.Pos, out *output) bool {
	first := bytes.TrimLeft(raw, " \t")
	f := out.ctx.top()
	inCode := f != nil && f.code && !f.markdown() // there, a tag is part of the code
	if out.req.bare || out.req.shown || inCode || len(first) < len("<!--") ||
		strings.IndexByte(beginQuotes, first[0]) < 0 {
		return false
	}
	line := bytes.TrimSpace(raw)
	name := partNameOf(line)
	if ok := endsThoughts(line, &name); ok && f == nil {
		out.ctx.outside = at.End
		out.uses.put(prose, at.Line, at.Line)
		if out.blocks > q.blocks { // there are edits above
			out.refuse(out.lateThought(string(line), at.Line), at.Line, at.Line)
			q.blocks = out.blocks
		}
		return true
	}
	if q.wrapper != "" && string(bytes.ToLower(line)) == q.wrapper {
		q.wrapped = out.blocks - q.blocks // the element ends; q.blocks is the number before the answer
	}
	s := shownIn(line, &name)
	switch {
	case s.kind == noQuote, s.kind == draft && f != nil:
		return false
	case s.kind == mayBeTool && (q.wrapper == s.end ||
		out.blocks == q.blocks && !out.ctx.saysSomething(out.ctx.outside, at.Start)):
		// Nothing precedes the element, or only another one like it: it contains the answer.
		q.wrapper, q.wrapped = s.end, 0
		return false
	case !s.endsIn(line) && !(s.kind == draft && endsAnyThoughts(line)): // goes on below the line
		q.start(s, at.Line, out)
	case s.kind == comment:
		return false // a comment on one line may name a file
	}
	out.uses.put(s.use(), at.Line, at.Line)
	return true
}

// use returns how a quote's lines are recorded. A comment's lines are prose unless they contain an
// edit.
func (s *shown) use() use {
	if s.kind == comment {
		return prose
	}
	return inQuote
}

// refuseBelowWrapper refuses an edit in the given line if it is below an element that seemed to
// contain the answer and has edits. The edit shows that the element may instead contain a tool's
// output.
func (q *quote) refuseBelowWrapper(line int, out *output) {
	if q.wrapped > 0 {
		found := fmt.Sprintf("an edit below %q, which may be the end of a tool's output with edits in it",
			q.wrapper)
		out.refuse(&Diagnostic{
			Code: diagnosis.Malformed, Line: line, Found: found, Expected: "edits only in the answer",
			Remedy: out.remedy("send the edits of the answer without the element", fsm.Aider),
		}, line, line)
		q.wrapped = 0
	}
}

// readProperEnd handles a line with a thought's matching end (properEnd), after another kind of end
// seemed to end the thought. That one may only have been mentioned, so the edits between the two
// ends are refused. readProperEnd reports whether there are such edits; if so, the line is used up.
func (q *quote) readProperEnd(raw []byte, at fsm.Pos, out *output) bool {
	if !bytes.Contains(raw, []byte(q.properEnd)) {
		return false
	}
	edits := out.blocks > q.blocks
	if edits {
		out.refuse(out.lateThought(q.properEnd, at.Line), at.Line, at.Line)
	}
	q.properEnd, q.blocks = "", out.blocks
	return edits
}

// start begins a quote in the given line.
func (q *quote) start(s shown, line int, out *output) {
	q.shown, q.line, q.edit, q.text, q.inner, q.fences = s, line, 0, q.text[:0], "", len(out.ctx.fences)
}

// read reads a line while a quote is open. It reports whether the line is part of the quote, as a
// tag that ends the quote is. The end of a file's text or of a fence is not.
func (q *quote) read(raw []byte, at fsm.Pos, out *output) bool {
	if q.fences > 0 && q.kind != hereDoc { // fence lines in a here-document are part of its text
		if len(out.ctx.fences) == q.fences && out.ctx.closesFence(raw) {
			q.close(at.Line, at.Start, out)
			return false
		}
		out.ctx.fenceLine(raw, at)
	}
	ends := q.endsIn(raw)
	if !ends && q.kind == draft && q.endsThoughtOtherwise(raw) {
		ends, q.properEnd = true, q.end
	}
	if q.edit == 0 && !ends {
		if q.text = append(q.text, raw...); len(q.text) > maxShell {
			q.search(at.Line+1, out.req)
		}
	}
	switch {
	case ends && q.kind == inFile: // the closing tag is read again, as part of its element
		q.close(at.Line, at.Start, out)
		return false
	case ends:
		q.close(at.Line, at.End, out)
	}
	out.uses.put(q.use(), at.Line, at.Line)
	return true
}

// endsThoughtOtherwise reports whether a line ends the current thought with another kind of end.
// That happens if a program writes the opening tag, and the model closes the thought with the tag
// that it was trained on. If the line begins a thought within the thought, its end doesn't count,
// so the function records that end until it is read.
func (q *quote) endsThoughtOtherwise(raw []byte) bool {
	line := bytes.TrimSpace(raw)
	p := partNameOf(line)
	if p.kind == draft && !p.ends {
		q.inner = p.end
	}
	if q.inner != "" {
		if bytes.Contains(line, []byte(q.inner)) {
			q.inner = ""
		}
		return false
	}
	return endsAnyThoughts(line)
}

// endsAnyThoughts reports whether a line contains any kind of end of thoughts. The thoughts' last
// sentence may precede it, or the answer's first sentence may follow it.
func endsAnyThoughts(line []byte) bool {
	if i := bytes.LastIndex(line, []byte("</")); i > 0 {
		line = line[i:]
	} else if end := bytes.IndexByte(line, '>'); i == 0 && end > 0 {
		line = line[:end+1]
	}
	p := partNameOf(line)
	return endsThoughts(line, &p)
}

// close ends a quote in the given line, before offset end. An edit in the quote becomes a notice,
// or is refused if the quote may be the answer. An edit in thoughts becomes a notice only if no
// edit follows them, so that notice is kept for finish.
func (q *quote) close(line, end int, out *output) {
	q.search(line, out.req)
	if q.fences > 0 {
		out.ctx.fences = out.ctx.fences[:min(q.fences, len(out.ctx.fences))]
	} else if q.kind == draft || q.edit > 0 {
		out.ctx.outside = end // file names in the quote don't count for edits after it
	}
	n := &Noticed{Code: quotedEdit, Lines: [2]int{q.line, line}, Path: q.path, What: q.what()}
	switch {
	case q.kind == draft:
		if q.blocks = out.blocks; q.edit > 0 {
			q.drafts = n
		}
	case q.edit == 0:
	case q.kind == mayBeTool:
		out.emit(item{Diagnostic: &Diagnostic{Code: diagnosis.Malformed, Line: q.edit,
			Found:    fmt.Sprintf("an edit before %q; it may be a tool's output", q.end),
			Expected: "edits only in the answer",
			Remedy:   out.remedy("if the edit is part of the answer, send it without the tag", fsm.Aider)}})
		out.uses.put(diagnosed, q.line, line)
	default:
		out.emit(item{Noticed: n})
		if q.kind == comment {
			out.uses.put(inQuote, q.line, line)
		}
	}
	if q.kind == hereDoc {
		out.ctx.doc.end = ""
	}
	q.line, q.shown = 0, shown{}
}

// quotedEdit is the code of a notice about an edit in a quote.
const quotedEdit = "quoted-edit"

// finish reports edits in a quote that is still open at the end of the input, and in thoughts that
// no edit follows.
func (q *quote) finish(out *output) {
	if q.line > 0 {
		q.search(out.in.line, out.req)
	}
	if q.line > 0 && q.edit > 0 {
		out.refuse(&Diagnostic{
			Code: diagnosis.Truncated, Line: q.edit,
			Found: fmt.Sprintf("an edit in a part that begins on line %d but lacks %s",
				q.line, q.endText()),
			Expected: q.endText() + ", and the edits after it",
			Remedy:   out.remedy("send the edits again, "+q.remedy(), fsm.Aider),
		}, q.edit, q.edit)
	} else if q.drafts != nil && out.blocks == q.blocks && out.refused < q.drafts.Lines[0] {
		out.emit(item{Noticed: q.drafts})
	}
	q.line, q.drafts = 0, nil
}

// remedy says where to send an edit that was in the quote.
func (s *shown) remedy() string {
	if s.kind == draft {
		return "below the thought"
	}
	return "below the part that is only shown"
}

// lateThought returns the diagnostic for a line in which thoughts end (tag) below edits.
func (out *output) lateThought(tag string, line int) *Diagnostic {
	return &Diagnostic{Code: diagnosis.Malformed, Line: line,
		Found:    fmt.Sprintf("%q after edits that may be drafts", tag),
		Expected: "edits below it only",
		Remedy:   out.remedy("send only the text below the line, without the thought", fsm.Aider)}
}

// The titles that aider writes instead of tags before and after thoughts.
const (
	aiderThinks  = "► **THINKING**"
	aiderAnswers = "► **ANSWER**"
)

// shownIn describes the quote that a line begins. The kind is noQuote if there is none. p is the
// part name at the beginning of the line, such as <think>. A name like </think>, for which p.ends
// is set, begins no quote.
func shownIn(line []byte, p *partName) shown {
	if bytes.HasPrefix(line, []byte("<!--")) {
		return shown{kind: comment, end: "-->"}
	}
	if bytes.HasPrefix(line, []byte(aiderThinks)) {
		return shown{kind: draft, end: aiderAnswers}
	}
	// The rest of the line may show that this is a link, or a sentence about such a tag.
	if p.kind == noQuote || p.ends || len(p.rest) > 0 && strings.IndexByte(" (:", p.rest[0]) >= 0 {
		return shown{}
	}
	s := shown{kind: p.kind, end: p.end}
	if p.kind != draft { // endsIn ignores case, except for the ends of drafts
		s.end = strings.ToLower(p.end)
	}
	return s
}

// beginQuotes contains the first bytes of lines that may begin a quote.
const beginQuotes = firstOfPartName + "►"

// maxQuoteTag is the number of bytes of a line that are searched for a tag.
const maxQuoteTag = 240

// endsThoughts reports whether a line consists only of the tag or title that ends thoughts. p is
// the part name at the beginning of the line.
func endsThoughts(line []byte, p *partName) bool {
	return string(line) == aiderAnswers || p.ends && p.kind == draft && len(p.rest) == 0 && len(line) <= maxQuoteTag
}

// kindOfTag returns the kind of an element's content, judging by its name. Models and the programs
// around them form such names from the same few words, and the last word says what the content is:
// <function_results>, <bash-stdout>, <example_2>. An "output" may also be an answer, unless a word
// before it names a tool.
func kindOfTag(name string) shownKind {
	words := wordsOf(name)
	if len(words) == 0 {
		return noQuote
	}
	last, tool, user := words[len(words)-1], false, false
	for _, w := range words[:len(words)-1] {
		tool = tool || isActor(w)
		user = user || w == "user" || w == "system" || w == "environment"
	}
	switch last {
	case "stdout", "stderr", "observation", "observations":
		return toolSaid
	case "output", "outputs", "result", "results", "response", "responses":
		if tool {
			return toolSaid
		}
		if len(words) == 1 && !strings.HasPrefix(last, "resp") { // a "response" may be the answer
			return mayBeTool
		}
	case "query", "input", "message", "request", "prompt", "reminder", "details", "instructions":
		if user {
			return userSaid
		}
	case "example", "examples", "sample", "samples", "illustration", "demonstration", "quote", "blockquote":
		return sample
	}
	if slices.ContainsFunc(words, isThought) { // <thought_process>, <thinking_block>, <begin_of_thought>
		return draft
	}
	return noQuote
}

// isActor reports whether a word in a tag's name refers to a tool or command that produces output.
func isActor(word string) bool {
	switch word {
	case "tool", "tools", "function", "functions", "call", "command", "cmd", "shell", "bash", "zsh",
		"powershell", "terminal", "console", "exec", "execution", "run", "test", "tests", "search",
		"grep", "build", "git", "mcp", "action", "process", "program":
		return true
	}
	return false
}

// wordsOf splits a name into its words, in lower case and without numbers. For example,
// "toolResult", "tool_result" and "tool-result-2" all give "tool" and "result".
func wordsOf(name string) []string {
	var b strings.Builder
	lower := false
	for _, c := range name {
		switch {
		case c == '_', c == '-', c == ':', c == '.', c >= '0' && c <= '9':
			lower = false
			b.WriteByte(' ')
			continue
		case c >= 'A' && c <= 'Z' && lower: // a capital after a small letter begins a word
			b.WriteByte(' ')
		}
		lower = c >= 'a' && c <= 'z'
		b.WriteRune(c)
	}
	return strings.Fields(strings.ToLower(b.String()))
}

// saysSomething reports whether the text between two offsets contains any line other than blank
// lines, tags and fences.
func (c *context) saysSomething(from, end int) bool {
	for line := range bytes.Lines(c.in.buf[max(from, end-lookBack, 0):end]) {
		if _, fence := mdline.ParseFence(line); !fence && !text.Blank(line) && !isTag(line) {
			return true
		}
	}
	return false
}

// isTag reports whether a line consists of a single tag.
func isTag(line []byte) bool {
	line = bytes.TrimSpace(line)
	return len(line) > 2 && line[0] == '<' && bytes.IndexByte(line, '>') == len(line)-1 &&
		(line[1] == '/' || mdline.IsLetter(line[1]))
}
