package parser

import (
	"bytes"
	"fmt"

	"github.com/srpatch/srpatch/fsm"
	"github.com/srpatch/srpatch/internal/diagnosis"
	"github.com/srpatch/srpatch/internal/warning"
	"github.com/srpatch/srpatch/parser/internal/mdline"
)

// remedy returns the text that says what to do. At its first call for a reply, it adds an example
// of a correct block in dialect d.
func (out *output) remedy(text string, d fsm.Dialect) string {
	return out.remedyLike(text, "path/to/file\n"+exampleBlock(d, ""))
}

// exampleBlock returns an example block with the lines in hint below its opener. hint is "" or ends
// with a line end.
func exampleBlock(d fsm.Dialect, hint string) string {
	return d.Opener(7) + "\n" + hint + "lines to find\n" +
		d.Divider(7) + "\nlines to put there\n" + d.Closer(7)
}

// remedyLike is like remedy, but the example is the given one.
func (out *output) remedyLike(text, example string) string {
	if out.exampleShown {
		return text
	}
	out.exampleShown = true
	return text + ":\n" + example
}

func (o *openBlock) dialect() fsm.Dialect {
	opener, _ := o.m.Opener()
	return opener.Dialect
}

// The functions below are faults: each describes what is wrong with the block that ends at end.

// missingDivider is for a block without any line that may be the divider.
func missingDivider(o *openBlock, out *output, end int) *Diagnostic {
	opener, at := o.m.Opener()
	return &Diagnostic{Code: diagnosis.MissingDivider, Line: at.Line,
		Found: fmt.Sprintf("%s without a divider up to line %d", o.openerText(),
			max(o.lineAt(end)-1, at.Line)),
		Expected: fmt.Sprintf("%q alone on a line between SEARCH and REPLACE",
			opener.Dialect.Divider(opener.Length)),
		Remedy: out.remedy("write the block again, with both parts", opener.Dialect)}
}

// missingCloser is for a block that the next block's opener ends in an unclear place.
func missingCloser(o *openBlock, out *output, end int) *Diagnostic {
	opener, at := o.m.Opener()
	return &Diagnostic{Code: diagnosis.MissingCloser, Line: at.Line,
		Found:    fmt.Sprintf("%s without a closer before the next block", o.openerText()),
		Expected: fmt.Sprintf("%q after the last line of REPLACE", opener.Dialect.Closer(opener.Length)),
		Remedy:   out.remedy("end the block with its closer", opener.Dialect)}
}

// inexactCloser is for a block that begins like a merge conflict and whose last line, at offset end,
// was meant as an edit's closer, see likeUpdated.
func inexactCloser(o *openBlock, out *output, end int) *Diagnostic {
	d := missingCloser(o, out, end)
	text := bytes.TrimSuffix(o.in.buf[:end], []byte("\n"))
	d.Found = fmt.Sprintf("%s ended by %q", o.openerText(), mdline.Excerpt(text[bytes.LastIndexByte(text, '\n')+1:]))
	return d
}

// truncated is for a block that the end of the reply cuts off, in SEARCH or in REPLACE.
func truncated(o *openBlock, out *output, end int) *Diagnostic {
	opener, at := o.m.Opener()
	d := &Diagnostic{Code: diagnosis.Truncated, Line: at.Line,
		Found:    fmt.Sprintf("%s without a divider before the end of the reply", o.openerText()),
		Expected: fmt.Sprintf("%q", opener.Dialect.Divider(opener.Length)),
		Remedy:   "send the whole block again, because the reply was cut off"}
	if o.m.State() == fsm.InReplace {
		d.Found = fmt.Sprintf("%s without a closer before the end of the reply", o.openerText())
		d.Expected = fmt.Sprintf("%q after the last line of REPLACE", opener.Dialect.Closer(opener.Length))
		d.Remedy = "if REPLACE is complete, end the block with its closer; " +
			"otherwise send the whole block again, because the reply was cut off"
	}
	d.Remedy = out.remedy(d.Remedy, opener.Dialect)
	return d
}

// misplacedHint is for a block in which a hint, or the separator that belongs below the hints, is
// below each possible divider.
func misplacedHint(o *openBlock, out *output, end int) *Diagnostic {
	splits := o.m.Splits(end)
	d := splits[len(splits)-1]
	return &Diagnostic{Code: diagnosis.Malformed, Line: d.Line + 1,
		Found:    fmt.Sprintf("%q as the first line of REPLACE", mdline.Excerpt(o.in.buf[d.End:end])),
		Expected: "hints and their separator directly after the opener, before SEARCH",
		Remedy: out.remedyLike("move the line up, or put a backslash before it if it is text",
			exampleBlock(o.dialect(), ":start_line:12\n-------\n"))}
}

// unclear returns the fault of a block whose parts can't be told apart; found says why.
func unclear(found string) fault {
	return func(o *openBlock, out *output, end int) *Diagnostic {
		opener, at := o.m.Opener()
		return &Diagnostic{Code: diagnosis.Malformed, Line: at.Line,
			Found:    fmt.Sprintf("%s up to line %d, %s", o.openerText(), max(o.lineAt(end)-1, at.Line), found),
			Expected: "one divider and one closer",
			Remedy: out.remedy("put a backslash before the lines of content that look like markers, "+
				"or use longer markers", opener.Dialect)}
	}
}

// oversize is for a block that exceeds the limit on blocks before its closer.
func oversize(o *openBlock, out *output, end int) *Diagnostic {
	opener, at := o.m.Opener()
	return &Diagnostic{Code: diagnosis.TooLarge, Line: at.Line,
		Found:    fmt.Sprintf("%s with more than %d bytes", o.openerText(), o.req.maxBlock),
		Expected: fmt.Sprintf("%q", opener.Dialect.Closer(opener.Length)),
		Remedy:   "raise the limit, or write smaller blocks"}
}

// oversizeEnvelope is for an envelope that begins in line first and exceeds the same limit in line
// last.
func (s *scanner) oversizeEnvelope(first, last int) *Diagnostic {
	return &Diagnostic{Code: diagnosis.TooLarge, Line: first,
		Found: fmt.Sprintf("an edit that is unfinished at line %d "+
			"and longer than the limit of %d bytes", last, s.req.maxBlock),
		Expected: "its end",
		Remedy:   "raise the limit, or send the changes in smaller pieces"}
}

// malformedOpener is for an opener of dialect d that is missing or misspelt; found says what the
// line contains instead.
func (out *output) malformedOpener(found string, d fsm.Dialect, line int) *Diagnostic {
	return &Diagnostic{Code: diagnosis.Malformed, Line: line, Found: found,
		Expected: fmt.Sprintf("%q", d.Opener(7)), Remedy: out.remedy("write the block again", d)}
}

// conflictOpener is for a block with a merge conflict's opener and an edit's closer.
func conflictOpener(o *openBlock, out *output, end int) *Diagnostic {
	_, at := o.m.Opener()
	return out.malformedOpener(o.openerText(), fsm.Aider, at.Line)
}

// unexpectedCloser is for a closer, the line raw, outside of any block.
func (out *output) unexpectedCloser(raw []byte, at fsm.Pos) *Diagnostic {
	k := fsm.Classify(raw)
	return &Diagnostic{Code: diagnosis.UnexpectedCloser, Line: at.Line,
		Found:    fmt.Sprintf("%q outside of any block", mdline.Excerpt(raw)),
		Expected: fmt.Sprintf("%q before it", k.Dialect.Opener(7)),
		Remedy:   out.remedy("write the block again, or put a backslash before the line if it is text", k.Dialect)}
}

// longLine is for a block with a line that exceeds the limit, the line that was just read.
func longLine(o *openBlock, out *output, end int) *Diagnostic {
	_, at := o.m.Opener()
	d := o.req.tooLong(o.in.line - 1) // in.line is the next line
	d.Line, d.Found = at.Line, fmt.Sprintf("%s with %s", o.openerText(), d.Found)
	return d
}

// openerText quotes the opener of the current block.
func (o *openBlock) openerText() string {
	_, at := o.m.Opener()
	return fmt.Sprintf("%q", mdline.Excerpt(o.in.buf[at.Start:at.End]))
}

func warnCloser(line int) string {
	return warning.OddMarkers.Say("line %d: the closer does not match the opener", line)
}

func warnFence(line int) string {
	return warning.OddMarkers.Say("line %d: the closer is missing; the end of the fence ends the block", line)
}

func warnDivider(line int) string {
	return warning.OddMarkers.Say("line %d: a divider was used in place of the missing closer", line)
}
