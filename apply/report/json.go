package report

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/srpatch/srpatch/apply"
	"github.com/srpatch/srpatch/internal/text"
	"github.com/srpatch/srpatch/parser"
)

// StatusError is the status of a run or a request that came to no plan.
const StatusError apply.Status = "error"

// Error is a failure of a whole run or request.
type Error struct {
	// Code is stable, for programs.
	Code string `json:"code"`
	// Message is for people.
	Message string `json:"message"`
}

// Diagnostic is the wire form of [parser.Diagnostic].
type Diagnostic struct {
	Code     string `json:"code"`
	Line     int    `json:"line"`
	Found    string `json:"found"`
	Expected string `json:"expected"`
	Remedy   string `json:"remedy"`
}

// Diagnostics are the wire forms of ds; never nil, so that an empty list is [] in JSON.
func Diagnostics(ds []parser.Diagnostic) []Diagnostic {
	out := make([]Diagnostic, len(ds))
	for i, d := range ds {
		out[i] = Diagnostic{Code: d.Code, Line: d.Line, Found: d.Found, Expected: d.Expected, Remedy: d.Remedy}
	}
	return out
}

// Blocks gives reports the shape they have in JSON: lists that are empty are [], not null.
func Blocks(reports []apply.BlockReport) []apply.BlockReport {
	if reports == nil {
		return []apply.BlockReport{}
	}
	for i := range reports {
		if reports[i].Warnings == nil {
			reports[i].Warnings = []string{}
		}
	}
	return reports
}

// File is the wire form of a file that a run changed.
type File struct {
	Path   string       `json:"path"`
	From   string       `json:"from,omitempty"`
	Action apply.Action `json:"action"`
	// Before and After are SHA-256 sums in hexadecimal; null where there is no file.
	Before *string `json:"before"`
	After  *string `json:"after"`
	// TextEdits make the file's new text of its old one. Only a plan has them.
	TextEdits []TextEdit `json:"text_edits,omitempty"`
}

// FileOf is the wire form of a file that a run has changed, by the hashes of what it was and is, "" of no file.
func FileOf(path, from string, action apply.Action, before, after string) File {
	sum := func(hash string) *string {
		if hash == "" {
			return nil
		}
		return &hash
	}
	return File{Path: path, From: from, Action: action, Before: sum(before), After: sum(after)}
}

// Became says of a file what taking a run back has made of it.
func Became(a apply.Action) string {
	switch a {
	case apply.Create:
		return "is there again"
	case apply.Delete:
		return "removed"
	}
	return "put back"
}

// Files are the wire forms of a plan's changes. sum is the SHA-256 of what a text is on disk, in the encoding of the file at a path.
func Files(changes []apply.FileChange, sum func(path string, text []byte) string) []File {
	files := make([]File, len(changes))
	for i := range changes {
		f := &changes[i]
		before, after, at := "", "", cmp.Or(f.From, f.Path)
		if f.Action != apply.Create {
			before = sum(at, f.Before)
		}
		if f.Action != apply.Delete {
			after = sum(at, f.After)
		}
		files[i] = FileOf(f.Path, f.From, f.Action, before, after)
	}
	return files
}

// TextEdit is one change of a file's text. All places are those of the text before.
type TextEdit struct {
	// Bytes are its first byte and its end, which is exclusive, from 0.
	Bytes [2]int `json:"bytes"`
	apply.TextEdit
}

// TextEdits are those of a change; nil where JSON cannot hold the text, which is not UTF-8.
func TextEdits(c *apply.FileChange) (out []TextEdit) {
	if !utf8.Valid(c.After) {
		return nil
	}
	for _, e := range c.TextEdits() {
		out = append(out, TextEdit{[2]int{e.Start, e.End}, e})
	}
	return out
}

// Run is what --json prints.
type Run struct {
	Version int `json:"version"`
	// Reply is the name of the reply that the run is of; "" where a run is of all replies.
	Reply  string       `json:"reply,omitempty"`
	Status apply.Status `json:"status"`
	// Run names the run for undo; "" if nothing was written.
	Run         string              `json:"run,omitempty"`
	Blocks      []apply.BlockReport `json:"blocks"`
	Files       []File              `json:"files"`
	Diagnostics []Diagnostic        `json:"diagnostics"`
	Noticed     []parser.Noticed    `json:"noticed,omitempty"`
	// Warnings are about the run as a whole.
	Warnings []string `json:"warnings"`
	// Written says that files are changed; check and --dry-run write nothing.
	Written bool `json:"written"`
	// Verify is what the command of --verify came to; nil where none was run.
	Verify *Verify `json:"verify,omitempty"`
	// Commit is what became of the commit that was asked for; nil where there was nothing to commit.
	Commit *Commit `json:"commit,omitempty"`
	// Remembered says that srpatch retry goes on with the run.
	Remembered bool `json:"remembered,omitempty"`
	// Feedback is the message for the model, where the run was asked for it.
	Feedback string `json:"feedback,omitempty"`
	Error    *Error `json:"error,omitempty"`
}

// JSON writes r as one object and a newline.
func (r *Run) JSON(w io.Writer) error {
	r.Version = 1
	r.Blocks = Blocks(r.Blocks)
	if r.Files == nil {
		r.Files = []File{}
	}
	if r.Diagnostics == nil {
		r.Diagnostics = []Diagnostic{}
	}
	if r.Warnings == nil {
		r.Warnings = []string{}
	}
	return encoder(w).Encode(r)
}

// encoder writes JSON that may be looked at: what [Clean] would not show, it escapes.
func encoder(w io.Writer) *json.Encoder {
	enc := json.NewEncoder(escaper{w})
	enc.SetEscapeHTML(false)
	return enc
}

// escaper writes characters that a terminal would act on as JSON escapes. An encoder writes each value in one piece.
type escaper struct{ w io.Writer }

func (e escaper) Write(p []byte) (int, error) {
	if !bytes.ContainsFunc(p, escaped) {
		return e.w.Write(p)
	}
	var b bytes.Buffer
	for _, r := range string(p) {
		switch {
		case !escaped(r):
			b.WriteRune(r)
		case r > 0xFFFF:
			high, low := utf16.EncodeRune(r)
			fmt.Fprintf(&b, `\u%04x\u%04x`, high, low)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	if _, err := e.w.Write(b.Bytes()); err != nil {
		return 0, err
	}
	return len(p), nil
}

func escaped(r rune) bool { return r >= 0x7F && text.Unsafe(r) }

// block is the wire form of [parser.Block]. A side that is not UTF-8 has U+FFFD for the bytes that are not, and the
// exact bytes next to it in base64.
type block struct {
	ID         int       `json:"id"`
	Op         parser.Op `json:"op"`
	Path       string    `json:"path"`
	NewPath    string    `json:"new_path,omitempty"`
	Dialect    string    `json:"dialect"`
	Lines      [2]int    `json:"lines"`
	Search     string    `json:"search"`
	Replace    string    `json:"replace"`
	SearchB64  []byte    `json:"search_b64,omitempty"`
	ReplaceB64 []byte    `json:"replace_b64,omitempty"`
	StartLine  int       `json:"start_line"`
	EndLine    int       `json:"end_line"`
	Scope      []string  `json:"scope,omitempty"`
	ReplaceAll bool      `json:"replace_all"`
	Expected   int       `json:"expected_replacements,omitempty"`
	Text       bool      `json:"text,omitempty"`
	Exact      bool      `json:"exact,omitempty"`
	Readings   int       `json:"readings"`
	Warnings   []string  `json:"warnings"`
}

func blockJSON(b *parser.Block) block {
	out := block{
		ID: b.ID, Op: b.Op, Path: b.Path, NewPath: b.NewPath, Dialect: b.Dialect, Lines: b.Lines,
		Search: string(b.Search), Replace: string(b.Replace),
		StartLine: b.StartLine, EndLine: b.EndLine, Scope: b.Scope, ReplaceAll: b.ReplaceAll, Expected: b.Expected, Text: b.Substring, Exact: b.Exact,
		Readings: max(1, len(b.Readings)), Warnings: b.Warnings,
	}
	if out.Warnings == nil {
		out.Warnings = []string{}
	}
	if !utf8.Valid(b.Search) {
		out.SearchB64 = b.Search
	}
	if !utf8.Valid(b.Replace) {
		out.ReplaceB64 = b.Replace
	}
	return out
}

type shell struct {
	Lines [2]int `json:"lines"`
	Text  string `json:"text"`
}

// Rest writes what a reply contains except blocks. It is called after the last block.
type Rest func() (iter.Seq[parser.Shell], []parser.Noticed, []parser.Diagnostic)

// ParseJSON writes what a reply was understood as: one object, whose blocks are written as they come.
func ParseJSON(w io.Writer, blocks iter.Seq[*parser.Block], rest Rest) error {
	out := bufio.NewWriter(w)
	enc := encoder(out)
	out.WriteString(`{"version":1,"blocks":[`)
	separator := "\n"
	for b := range blocks {
		out.WriteString(separator)
		if err := enc.Encode(blockJSON(b)); err != nil {
			return err
		}
		if err := out.Flush(); err != nil {
			return err
		}
		separator = ","
	}
	shells, noticed, diagnostics := rest()
	out.WriteString(`],"shell":[`)
	separator = ""
	for s := range shells {
		out.WriteString(separator)
		enc.Encode(shell{Lines: s.Lines, Text: s.Text})
		separator = ","
	}
	out.WriteString(`],"diagnostics":`)
	enc.Encode(Diagnostics(diagnostics))
	if len(noticed) > 0 {
		out.WriteString(`,"noticed":`)
		enc.Encode(noticed)
	}
	out.WriteString("}\n")
	return out.Flush()
}
