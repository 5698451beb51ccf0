package parser

import (
	"fmt"

	"github.com/srpatch/srpatch/fsm"
	"github.com/srpatch/srpatch/internal/diagnosis"
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

// missing returns the fault of a block that lacks its divider or, if code or the block's state says
// that the divider is there, its closer.
func missing(code string) fault {
	return func(o *openBlock, out *output, end int) *Diagnostic {
		opener, at := o.m.Opener()
		marker, remedy := "divider", "write the block again, with both parts"
		expected := fmt.Sprintf("%q alone on a line between SEARCH and REPLACE", opener.Dialect.Divider(opener.Length))
		cut := code == diagnosis.Truncated
		if cut {
			remedy = "send the whole block again, because the reply was cut off"
		}
		if code == diagnosis.MissingCloser || cut && o.m.State() == fsm.InReplace {
			marker, remedy = "closer", "end the block with its closer"
			expected = fmt.Sprintf("%q after the last line of REPLACE", opener.Dialect.Closer(opener.Length))
			if cut {
				remedy = "if REPLACE is complete, end the block with its closer; " +
					"otherwise send the whole block again, because the reply was cut off"
			}
		}
		where := fmt.Sprintf("up to line %d", max(o.lineAt(end)-1, at.Line))
		if cut {
			where = "before the end of the reply"
		}
		return &Diagnostic{Code: code, Line: at.Line, Expected: expected,
			Found:  fmt.Sprintf("%s without a %s %s", o.openerText(), marker, where),
			Remedy: out.remedy(remedy, opener.Dialect)}
	}
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
	_, at := o.m.Opener()
	return o.req.tooLarge(at.Line, o.lineAt(end)-1)
}

// malformed returns a diagnostic for malformed text in the given line.
func (out *output) malformed(line int, found, expected, remedy string) *Diagnostic {
	return &Diagnostic{Code: diagnosis.Malformed, Line: line, Found: found, Expected: expected,
		Remedy: out.remedy(remedy, fsm.Aider)}
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
	d.Line = at.Line
	return d
}

// openerText quotes the opener of the current block.
func (o *openBlock) openerText() string {
	_, at := o.m.Opener()
	return fmt.Sprintf("%q", mdline.Excerpt(o.in.buf[at.Start:at.End]))
}
