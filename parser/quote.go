package parser

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/srpatch/srpatch/fsm"
	"github.com/srpatch/srpatch/internal/diagnosis"
)

// quote is a part of the reply that is only shown: the thoughts before the answer, a tool's output,
// an example, a comment, or the text of a file. An edit in a quote is not applied; the reply gives
// a notice instead. A quote without an end may also contain the answer, so an edit in it is
// refused. [partNameOf] recognises a quote by its first line. [context.container] recognises a
// quote when an edit begins inside it.
type quote struct {
	kind   quoteKind
	end    string // the text or line that ends the quote; "" if the end of the fence does
	path   string // the file whose text is shown, if any
	line   int    // number of the quote's first line
	fences int    // number of open fences around the quote; the innermost one also ends the quote
	edit   int    // number of the first line that begins an edit; 0 if none is known
}

// quoteKind says what a quote is, in the words of a notice about an edit in it.
type quoteKind string

const (
	noQuote   quoteKind = ""
	draft     quoteKind = "thoughts, but no edit after them"
	toolSaid  quoteKind = "a tool's output"
	mayBeTool quoteKind = "a tool's output, or an answer in a requested tag"
	userSaid  quoteKind = "a message to the model"
	sample    quoteKind = "an example"
	comment   quoteKind = "a comment"
	hereDoc   quoteKind = "the text that a command writes to a file"
	session   quoteKind = "commands, or in what they print"
	inFile    quoteKind = "the text of a file"
)

// quotedEdit is the code of a notice about an edit in a quote.
const quotedEdit = "quoted-edit"

// what returns a description of an edit in the quote.
func (q *quote) what() string {
	if q.path != "" {
		return "an edit in the text of " + q.path
	}
	return "an edit in " + string(q.kind)
}

// endsIn reports whether a line ends the quote. It is false if only a fence ends the quote.
func (q *quote) endsIn(raw []byte) bool {
	switch {
	case q.end == "":
		return false
	case q.kind == hereDoc:
		return string(bytes.TrimSpace(raw)) == q.end
	case q.kind == inFile:
		return bytes.HasPrefix(bytes.TrimSpace(raw), []byte(q.end))
	case q.kind == draft: // unless more thoughts begin with the same words
		i := bytes.LastIndex(raw, []byte(q.end))
		return i >= 0 && !beginsThought(raw[i+len(q.end):])
	}
	return bytes.Contains(bytes.ToLower(raw), []byte(strings.ToLower(q.end)))
}

// quotes is what the scanner remembers of the quotes above a line.
type quotes struct {
	out *output

	blocks    int      // number of blocks before the answer
	wrapper   string   // closing tag of an element around the answer, or around a tool's output
	wrapped   int      // number of edits in the wrapper; set at its closing tag
	drafts    *Noticed // the notice about an edit in thoughts, until an edit follows in the answer
	properEnd string   // matching end of a thought that was ended by another kind of end
}

// begin reads the quote that the line begins, if any. If the line ends thoughts that began
// before the reply, begin refuses edits above it. It reports whether the line is part of a quote or
// of thoughts.
func (qs *quotes) begin(raw []byte, at fsm.Pos) bool {
	out := qs.out
	f := out.ctx.top()
	inCode := f != nil && f.code && !f.markdown() // there, a tag is part of the code
	if inCode || out.req.bare || out.req.shown {
		return false
	}
	line := bytes.TrimSpace(raw)
	p := partNameOf(line)
	if f == nil && p.endsThoughts() {
		out.ctx.outside = at.End
		out.uses.put(prose, at.Line, at.Line)
		qs.refuseDrafts(string(line), at.Line)
		return true
	}
	if qs.wrapper != "" && strings.EqualFold(string(line), qs.wrapper) {
		qs.wrapped = out.blocks - qs.blocks // the element ends
	}
	switch {
	case !p.begins(), p.kind == draft && f != nil:
		return false
	case p.kind == mayBeTool && (strings.EqualFold(qs.wrapper, p.end) ||
		out.blocks == qs.blocks && !out.ctx.saysSomething(out.ctx.outside, at.Start)):
		// Nothing but tags is above the element, or it is another one of that name, so it contains
		// the answer.
		qs.wrapper, qs.wrapped = p.end, 0
		return false
	case !p.endsIn(line) && !(p.kind == draft && endsAnyThoughts(line)): // goes on below the line
		p.line, p.fences = at.Line, len(out.ctx.fences)
		qs.read(p.quote)
		return true
	case p.kind == comment:
		return false // a comment on one line may name a file
	}
	out.uses.put(inQuote, at.Line, at.Line)
	return true
}

// refuseDrafts refuses the edits above a line in which thoughts end (tag), because they may be part
// of the thoughts. It reports whether there are any.
func (qs *quotes) refuseDrafts(tag string, line int) bool {
	if tag == qs.properEnd {
		qs.properEnd = ""
	}
	if qs.out.blocks == qs.blocks {
		return false
	}
	qs.blocks = qs.out.blocks
	qs.out.refuse(qs.out.malformed(line, fmt.Sprintf("%q after edits that may be drafts", tag),
		"edits below it only", "send only the text below the line, without the thought"), line, line)
	return true
}

// refuseBelowWrapper refuses an edit in the given line if it is below an element that seemed to
// contain the answer and has edits. The edit shows that the element may instead contain a tool's
// output.
func (qs *quotes) refuseBelowWrapper(line int) {
	if qs.wrapped > 0 {
		qs.wrapped = 0
		qs.out.refuse(qs.out.malformed(line,
			fmt.Sprintf("an edit below %q, which may be the end of a tool's output with edits in it", qs.wrapper),
			"edits only in the answer", "send the edits of the answer without the element"), line, line)
	}
}

// read reads the lines of the quote q below the one that was read last, and reports an edit in the
// quote.
func (qs *quotes) read(q quote) {
	out, in := qs.out, qs.out.in
	above := *in
	end := qs.skip(&q)
	if q.edit == 0 && above.pos < end {
		q.edit = firstEdit(in.buf[above.pos:end], above.line)
	}
	use := inQuote
	if q.kind == comment && q.edit == 0 {
		use = prose
	}
	out.uses.put(use, above.line-1, in.line-1)
	if q.kind == comment && end < len(in.buf) { // its end separates the texts above and below it
		out.uses.put(inQuote, in.line-1, in.line-1)
	}
	if end < len(in.buf) {
		qs.close(&q, end)
	} else if q.edit > 0 {
		out.refuse(unendedQuote(&q, out), q.edit, q.edit)
	}
}

// skip moves on to the line below a quote, or to the line that ends it if that is a fence or the
// closing tag of a file. It returns the offset of the line that ends the quote, or of the end of the
// input.
func (qs *quotes) skip(q *quote) int {
	in := qs.out.in
	fences := context{req: qs.out.req, fences: slices.Clone(qs.out.ctx.fences)}
	inner := "" // text that ends a thought in the thought
	for n, ok := in.next(); ok; n, ok = in.next() {
		end, raw := in.pos, in.buf[in.pos:n]
		if q.fences > 0 && q.kind != hereDoc { // fence lines in a here-document are part of its text
			around := fences.fences[q.fences-1] // an opening line replaces a fence that lacks its end
			if fences.fenceLine(raw, fsm.Pos{Line: in.line, Start: end, End: n}); len(fences.fences) < q.fences {
				qs.out.ctx.fences[q.fences-1] = around
				return end
			}
		}
		ends := q.endsIn(raw) || q.kind == draft && endsThoughtOtherwise(raw, &inner)
		if ends && q.kind == inFile { // the closing tag is read again, as part of its element
			return end
		}
		if in.pos, in.line = n, in.line+1; ends {
			return end
		}
	}
	return len(in.buf)
}

// close handles the end of a quote, in the line at offset end. An edit in the quote becomes a
// notice, or is refused if the quote may be the answer. An edit in thoughts becomes a notice only if
// no edit follows them.
func (qs *quotes) close(q *quote, end int) {
	out := qs.out
	if q.fences > 0 {
		out.ctx.fences = out.ctx.fences[:q.fences]
	} else if q.kind == draft || q.edit > 0 {
		out.ctx.outside = out.in.pos // file names in the quote don't count for edits after it
	}
	last := out.in.line // the line that ends the quote
	if out.in.pos > end {
		last--
	}
	n := &Noticed{Code: quotedEdit, Lines: [2]int{q.line, last}, Path: q.path, What: q.what()}
	switch {
	case q.kind == draft:
		qs.blocks = out.blocks
		if q.edit > 0 {
			qs.drafts = n
		}
		if !q.endsIn(out.in.buf[end:out.in.pos]) { // another kind of end ends it
			qs.properEnd = q.end
		}
	case q.edit == 0:
	case q.kind == mayBeTool:
		out.emit(item{Diagnostic: out.malformed(q.edit,
			fmt.Sprintf("an edit before %q; it may be a tool's output", q.end), "edits only in the answer",
			"if the edit is part of the answer, send it without the tag")})
		out.uses.put(diagnosed, q.line, last)
	default:
		out.emit(item{Noticed: n})
	}
	if q.kind == hereDoc {
		out.ctx.doc.end = ""
	}
}

// unendedQuote returns the diagnostic for an edit in a quote without an end.
func unendedQuote(q *quote, out *output) *Diagnostic {
	end, where := fmt.Sprintf("%q", q.end), "below the part that is only shown"
	if q.end == "" {
		end = "line that ends it"
	}
	if q.kind == draft {
		where = "below the thought"
	}
	return &Diagnostic{Code: diagnosis.Truncated, Line: q.edit,
		Found:    fmt.Sprintf("an edit in a part that begins on line %d but lacks %s", q.line, end),
		Expected: end + ", and the edits after it",
		Remedy:   out.remedy("send the edits again, "+where, fsm.Aider)}
}

// firstEdit returns the line of the first edit, or attempt at one, in a text whose first line has
// the given number. It returns 0 if there is none.
func firstEdit(text []byte, line int) int {
	s := newScanner(text, line, func(r *request) { r.shown = true })
	for s.out.edits == 0 && s.advance() {
	}
	if i := slices.IndexFunc(s.out.items, item.isEdit); i >= 0 {
		return s.out.items[i].line()
	}
	return 0
}

// endsThoughtOtherwise reports whether a line ends the current thought with another kind of end.
// That happens if a program writes the opening tag, and the model closes the thought with the tag
// that it was trained on. If the line begins a thought within the thought, its end doesn't count,
// so inner is set to that end until it is read.
func endsThoughtOtherwise(raw []byte, inner *string) bool {
	line := bytes.TrimSpace(raw)
	if p := partNameOf(line); p.kind == draft && !p.ends && p.end != aiderAnswers {
		*inner = p.end
	}
	if *inner == "" {
		return endsAnyThoughts(line)
	}
	if bytes.Contains(line, []byte(*inner)) {
		*inner = ""
	}
	return false
}

// endsAnyThoughts reports whether a line contains any kind of end of thoughts. The thoughts' last
// sentence may precede it, or the answer's first sentence may follow it.
func endsAnyThoughts(line []byte) bool {
	i := bytes.LastIndex(line, []byte("</"))
	p := partNameOf(line[max(i, 0):])
	return p.ends && p.kind == draft && (i == 0 || len(p.rest) == 0)
}

// finish gives the notice about an edit in thoughts at the end of the input if no edit follows them.
func (qs *quotes) finish() {
	if n := qs.drafts; n != nil && qs.out.blocks == qs.blocks && qs.out.refused < n.Lines[0] {
		qs.out.emit(item{Noticed: n})
	}
	qs.drafts = nil
}
