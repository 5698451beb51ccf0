package parser

import (
	"bytes"
	"fmt"

	"github.com/srpatch/srpatch/parser/internal/mdline"

	"github.com/srpatch/srpatch/fsm"
)

// remedy says what to do; the first diagnostic of a reply shows a correct example with it.
func (s *Scanner) remedy(text string, d fsm.Dialect) string {
	return s.remedyLike(text, "path/to/file\n"+d.Opener(7)+"\nlines to find\n"+d.Divider(7)+"\nlines to put there\n"+d.Closer(7))
}

func (s *Scanner) remedyLike(text, example string) string {
	if s.exampleShown {
		return text
	}
	s.exampleShown = true
	return text + ":\n" + example
}

func (s *Scanner) dialect() fsm.Dialect {
	opener, _ := s.m.Opener()
	return opener.Dialect
}

func missingDivider(s *Scanner, end int) *Diagnostic {
	opener, at := s.m.Opener()
	return &Diagnostic{Code: string(fsm.MissingDivider), Line: at.Line,
		Found:    fmt.Sprintf("%s without a divider up to line %d", s.openerText(), max(s.lineAt(end)-1, at.Line)),
		Expected: fmt.Sprintf("%q on a line of its own between SEARCH and REPLACE", opener.Dialect.Divider(opener.Length)),
		Remedy:   s.remedy("write the block again, with both parts", opener.Dialect)}
}

func missingCloser(s *Scanner, end int) *Diagnostic {
	opener, at := s.m.Opener()
	return &Diagnostic{Code: string(fsm.MissingCloser), Line: at.Line,
		Found:    fmt.Sprintf("%s without a closer before the next block", s.openerText()),
		Expected: fmt.Sprintf("%q after the last line of REPLACE", opener.Dialect.Closer(opener.Length)),
		Remedy:   s.remedy("end the block with its closer", opener.Dialect)}
}

func unlikeCloser(s *Scanner, end int) *Diagnostic {
	d := missingCloser(s, end)
	text := bytes.TrimSuffix(s.buf[:end], []byte("\n"))
	d.Found = fmt.Sprintf("%s ended by %q", s.openerText(), mdline.Excerpt(text[bytes.LastIndexByte(text, '\n')+1:]))
	return d
}

func truncated(s *Scanner, end int) *Diagnostic {
	opener, at := s.m.Opener()
	part, want := "SEARCH", opener.Dialect.Divider(opener.Length)
	if s.m.State() == fsm.InReplace {
		part, want = "REPLACE", opener.Dialect.Closer(opener.Length)
	}
	return &Diagnostic{Code: string(fsm.Truncated), Line: at.Line,
		Found:    fmt.Sprintf("the end of the input inside the %s part of %s", part, s.openerText()),
		Expected: fmt.Sprintf("%q", want),
		Remedy:   s.remedy("send the whole block again; the reply was cut off", opener.Dialect)}
}

func misplacedHint(s *Scanner, end int) *Diagnostic {
	splits := s.m.Splits(end)
	d := splits[len(splits)-1]
	what, where := "hint", "hints directly after the opener, before SEARCH"
	if s.separates(d.End, end) {
		what, where = "line", "the separator directly after the hints, before SEARCH"
	}
	return &Diagnostic{Code: string(fsm.MisplacedHint), Line: d.Line + 1,
		Found:    fmt.Sprintf("%q as the first line of REPLACE", mdline.Excerpt(s.buf[d.End:end])),
		Expected: where,
		Remedy:   s.remedyLike("move the "+what+" up, or put a backslash before it if it is text", s.dialect().Opener(7)+"\n:start_line:12\n-------\nlines to find\n"+s.dialect().Divider(7)+"\nlines to put there\n"+s.dialect().Closer(7))}
}

func tooManyReadings(s *Scanner, end int) *Diagnostic {
	opener, at := s.m.Opener()
	return &Diagnostic{Code: string(fsm.Malformed), Line: at.Line,
		Found:    fmt.Sprintf("%s with more ways to divide it than can be tried", s.openerText()),
		Expected: "one divider",
		Remedy:   s.remedy("put a backslash before the lines of content that look like markers, or use longer markers", opener.Dialect)}
}

func twoDividers(s *Scanner, end int) *Diagnostic {
	d := tooManyReadings(s, end)
	d.Found = fmt.Sprintf("%s with a divider directly after another one, which may underline a title", s.openerText())
	return d
}

func swallowing(s *Scanner, end int) *Diagnostic {
	d := tooManyReadings(s, end)
	d.Found = fmt.Sprintf("%s with another block and one end of a fence inside, up to line %d", s.openerText(), s.lineAt(end)-1)
	d.Expected = "a closer before the next block"
	return d
}

func entangled(s *Scanner, end int) *Diagnostic {
	opener, _ := s.m.Opener()
	d := missingCloser(s, end)
	d.Code = string(fsm.Malformed)
	d.Found = fmt.Sprintf("%s without a closer of its own, like many blocks before it", s.openerText())
	d.Remedy = s.remedy("write opener, divider and closer of a block with the same length and indentation", opener.Dialect)
	return d
}

func oversize(s *Scanner, end int) *Diagnostic {
	opener, at := s.m.Opener()
	return &Diagnostic{Code: string(fsm.TooLarge), Line: at.Line,
		Found:    fmt.Sprintf("%s with more than %d bytes", s.openerText(), s.maxBlock),
		Expected: fmt.Sprintf("%q", opener.Dialect.Closer(opener.Length)),
		Remedy:   "raise the limit, or write smaller blocks"}
}

func (s *Scanner) oversizeEnvelope(last int) *Diagnostic {
	return &Diagnostic{Code: string(fsm.TooLarge), Line: s.envLine,
		Found:    fmt.Sprintf("an edit that has not ended in line %d, with more than is kept (%d bytes)", last, s.maxBlock),
		Expected: "its end",
		Remedy:   "raise the limit, or send the changes in smaller pieces"}
}

func (s *Scanner) malformedOpener(k fsm.Mark, line int) *Diagnostic {
	return &Diagnostic{Code: string(fsm.MalformedOpener), Line: line, Found: fmt.Sprintf("%q", mdline.Excerpt(k.Rest)),
		Expected: fmt.Sprintf("%q", k.Dialect.Opener(7)), Remedy: s.remedy("write the block again", k.Dialect)}
}

func conflictOpener(s *Scanner, end int) *Diagnostic {
	_, at := s.m.Opener()
	return &Diagnostic{Code: string(fsm.MalformedOpener), Line: at.Line, Found: s.openerText(),
		Expected: fmt.Sprintf("%q", fsm.Aider.Opener(7)), Remedy: s.remedy("write the block again", fsm.Aider)}
}

func (s *Scanner) unexpectedCloser(raw []byte, at fsm.Pos) *Diagnostic {
	k := fsm.Classify(raw)
	d := &Diagnostic{Code: string(fsm.UnexpectedCloser), Line: at.Line, Found: fmt.Sprintf("%q outside of any block", mdline.Excerpt(raw)),
		Expected: fmt.Sprintf("%q before it", k.Dialect.Opener(7)),
		Remedy:   s.remedy("write the block again, or put a backslash before the line if it is text", k.Dialect)}
	if block := s.withOpener(k, at); block != "" {
		s.exampleShown = true
		d.Remedy = "write the block again, with its opener:\n" + block
	}
	return d
}

func (s *Scanner) strayDivider(line int) *Diagnostic {
	return &Diagnostic{Code: string(fsm.UnexpectedDivider), Line: line, Found: "a divider before the opener",
		Expected: "the opener first", Remedy: s.remedy("write the block again", fsm.Aider)}
}

func (s *Scanner) cutOpener(raw []byte, line int) *Diagnostic {
	return &Diagnostic{Code: string(fsm.Truncated), Line: line, Found: fmt.Sprintf("the end of the input inside the opener %q", mdline.Excerpt(raw)),
		Expected: "a whole block", Remedy: s.remedy("send the block again; the reply was cut off", fsm.Aider)}
}

func (s *Scanner) foreignCall(tag string, line int) *Diagnostic {
	return &Diagnostic{Code: string(fsm.Malformed), Line: line, Found: fmt.Sprintf("%q, the call of a tool", tag),
		Expected: "edits in a format that is understood", Remedy: s.remedy("send the edit as a block, or put a backtick before the line if it is text", fsm.Aider)}
}

func longLine(s *Scanner, end int) *Diagnostic {
	_, at := s.m.Opener()
	d := s.tooLong(s.line - 1)
	d.Line, d.Found = at.Line, fmt.Sprintf("%s with %s", s.openerText(), d.Found)
	return d
}

func (s *Scanner) tooLong(line int) *Diagnostic {
	return &Diagnostic{Code: string(fsm.TooLong), Line: line,
		Found:    fmt.Sprintf("a line of more than %d bytes, line %d", s.maxLine, line),
		Expected: "shorter lines", Remedy: "raise the limit on the length of lines"}
}

func (s *Scanner) tooMany(line int) *Diagnostic {
	return &Diagnostic{Code: string(fsm.TooMany), Line: line,
		Found:    fmt.Sprintf("more than %d blocks and attempts at blocks; what follows was not read", s.most),
		Expected: fmt.Sprintf("at most %d", s.most), Remedy: "raise the limit on blocks, or split the reply"}
}

// openerText quotes the opener of the block at hand.
func (s *Scanner) openerText() string {
	_, at := s.m.Opener()
	return fmt.Sprintf("%q", mdline.Excerpt(s.buf[at.Start:at.End]))
}

func warnCloser(line int) string {
	return fmt.Sprintf("line %d: the closer is unlike the opener", line)
}

func warnDivider(line int) string {
	return fmt.Sprintf("line %d: a divider was taken for the missing closer", line)
}

func warnOpener(line int) string {
	return fmt.Sprintf("line %d: the closer is missing; the next opener ends the block", line)
}
