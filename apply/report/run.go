// Package report says what a run came to: [Run] is the model, and its methods print it as text for
// people, as a message for the model that wrote the reply, as JSON for programs, and as annotations
// of lines. The command and the server are made of it; programs that use the library need it only
// for its JSON.
//
// Whatever a reply or a file holds is hostile until it is cleaned: no control byte reaches a
// [Printer], and no text of a reply begins a line.
package report

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"strconv"
	"time"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	jsonv1 "github.com/go-json-experiment/json/v1"

	"github.com/srpatch/srpatch/apply"
	"github.com/srpatch/srpatch/internal/text"
	"github.com/srpatch/srpatch/internal/verify"
	"github.com/srpatch/srpatch/parser"
)

// StatusError is the status of a run or a request that came to no plan.
const StatusError apply.Status = "error"

// Version is the version of the forms, which a form need not set.
type Version int

// MarshalJSON writes the version.
func (Version) MarshalJSON() ([]byte, error) { return []byte("1"), nil }

// Run is what a run came to; its JSON is what --json prints.
type Run struct {
	Version Version `json:"version"`
	// Reply is the name of the reply, where each reply is a run of its own.
	Reply  string       `json:"reply,omitempty"`
	Status apply.Status `json:"status"`
	// Run names the run for undo; "" if nothing was written.
	Run         string              `json:"run,omitempty"`
	Blocks      []apply.BlockReport `json:"blocks"`
	Files       []File              `json:"files"`
	Diagnostics []parser.Diagnostic `json:"diagnostics"`
	Noticed     []parser.Noticed    `json:"noticed,omitempty"`
	// Warnings are about the run as a whole.
	Warnings []string `json:"warnings"`
	// Written says that the plan reached the disk; in JSON also that it changed a file.
	Written bool `json:"written"`
	// Verify is what the commands of --verify came to; nil if none was run.
	Verify *Verify `json:"verify,omitempty"`
	// Commit is what became of the commit that was asked for; nil if there was nothing to commit.
	Commit *Commit `json:"commit,omitempty"`
	// Remembered says that srpatch retry goes on with the run.
	Remembered bool `json:"remembered,omitempty"`
	// Feedback is the message for the model, if it was asked for.
	Feedback string `json:"feedback,omitempty"`
	Error    *Error `json:"error,omitempty"`

	// Located are the attempted edits that were not understood. Diagnostics are made of them.
	Located []Located `json:"-"`
	// Looking says why the run writes nothing: "check" or "dry run"; "" if it is to write.
	Looking string `json:"-"`
	// Tree is what a hint has after "srpatch retry" to name the tree: "", or " -d DIR".
	Tree string `json:"-"`
	// InPlace is how many other blocks of the reply earlier runs have written.
	InPlace int `json:"-"`
	// Elsewhere has the numbers of refused blocks whose files are in another tree, which the caller
	// names once.
	Elsewhere map[int]bool `json:"-"`
}

// Error is a failure of a whole run or request.
type Error struct {
	// Code is stable, for programs.
	Code string `json:"code"`
	// Message is for people.
	Message string `json:"message"`
}

// Located is a diagnostic and what it is about.
type Located struct {
	// Reply is the name of the file; "" for standard input.
	Reply string
	// Path is the file that the edit names; "" for none.
	Path string
	// Text is what the reply has there, if that is known.
	Text []byte
	parser.Diagnostic
}

// maxAttempt is how many bytes of an attempt are kept.
const maxAttempt = 64 << 10

// Locate finds what the diagnostics of a reply are about. The reply came from the file of that
// name.
func Locate(name string, reply *parser.Reply, text []byte) []Located {
	if len(reply.Diagnostics) == 0 {
		return nil
	}
	type place struct {
		code string
		line int
	}
	attempts := map[place]parser.Attempt{}
	for _, a := range reply.Attempts {
		attempts[place{a.Code, a.Line}] = a
	}
	out, lines := make([]Located, len(reply.Diagnostics)), bytes.SplitAfter(text, []byte("\n"))
	for i, d := range reply.Diagnostics {
		out[i] = Located{Reply: name, Diagnostic: d}
		if a, ok := attempts[place{d.Code, d.Line}]; ok {
			last := min(a.Lines[1], len(lines))
			all := bytes.Join(lines[min(max(a.Lines[0], 1)-1, last):last], nil)
			out[i].Path, out[i].Text = a.Path, all[:min(len(all), maxAttempt)]
		}
	}
	return out
}

// SetDiagnostics puts the diagnostics of a plan, which knows more of what to do, in the place of
// the parser's.
func (r *Run) SetDiagnostics(ds []parser.Diagnostic) {
	if len(r.Located) != len(ds) {
		r.Located = make([]Located, len(ds))
	}
	for i, d := range ds {
		r.Located[i].Diagnostic = d
	}
}

// NotWritten says of placed blocks that they were not written.
func NotWritten(blocks []apply.BlockReport) {
	for i := range blocks {
		if blocks[i].Status == apply.BlockApplied {
			blocks[i].Status = apply.BlockReady
		}
	}
}

// Options encode as encoding/json does, whose tags the reports have, but for lists that are empty:
// they are [], not null.
var Options = json.JoinOptions(jsonv1.DefaultOptionsV1(), json.FormatNilSliceAsNull(false),
	jsontext.EscapeForHTML(false))

// JSON writes a form, or another value, as one line that is safe to look at: characters that a
// terminal would act on are escaped.
func JSON(w io.Writer, v any) error {
	if r, ok := v.(*Run); ok {
		r.Diagnostics = nil
		for i := range r.Located {
			r.Diagnostics = append(r.Diagnostics, r.Located[i].Diagnostic)
		}
		r.Written = r.Written && (r.Run != "" || len(r.Files) > 0)
	}
	line, err := json.Marshal(v, Options)
	if err != nil {
		return err
	}
	escaped := func(r rune) bool { return r >= 0x7F && text.Unsafe(r) }
	if bytes.ContainsFunc(line, escaped) {
		var b []byte
		for _, r := range string(line) {
			if !escaped(r) {
				b = utf8.AppendRune(b, r)
				continue
			}
			for _, unit := range utf16.AppendRune(nil, r) {
				b = fmt.Appendf(b, `\u%04x`, unit)
			}
		}
		line = b
	}
	_, err = w.Write(append(line, '\n'))
	return err
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

// FileOf is the wire form of a file that a run has changed, with the hashes before and after; ""
// means no file.
func FileOf(path, from string, action apply.Action, before, after string) File {
	f := File{Path: path, From: from, Action: action}
	if before != "" {
		f.Before = &before
	}
	if after != "" {
		f.After = &after
	}
	return f
}

// Files are the wire forms of a plan's changes. sum is the SHA-256 of what a text is on disk, in
// the encoding of the file at a path.
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

// Became says what taking a run back has made of a file.
func Became(a apply.Action) string {
	switch a {
	case apply.Create:
		return "is there again"
	case apply.Delete:
		return "removed"
	}
	return "put back"
}

// TextEdit is one change of a file's text. All places are those of the text before.
type TextEdit struct {
	// Bytes are its first byte and its end, which is exclusive, from 0.
	Bytes [2]int `json:"bytes"`
	apply.TextEdit
}

// TextEdits are those of a change; nil if the text is not UTF-8, which JSON cannot hold.
func TextEdits(c *apply.FileChange) (out []TextEdit) {
	if !utf8.Valid(c.After) {
		return nil
	}
	for _, e := range c.TextEdits() {
		out = append(out, TextEdit{[2]int{e.Start, e.End}, e})
	}
	return out
}

// Verify is what the commands of --verify came to.
type Verify struct {
	// Command is the last one that ran, Passed are those before it.
	Command string   `json:"command"`
	Passed  []string `json:"passed,omitempty"`
	// Status is passed, failed, interrupted or not-started.
	Status verify.Status `json:"status"`
	// Kept says that the run stays although the command did not pass, because its files changed in
	// the meantime.
	Kept bool `json:"kept,omitempty"`
	// Exit is the command's exit status, if it has one.
	Exit *int `json:"exit,omitempty"`
	// Output is what it wrote. If Truncated is not 0, so many bytes are left out in the middle, and
	// a line says so.
	Output    string `json:"output"`
	Truncated int64  `json:"truncated,omitempty"`
	// MS is how long all of them ran.
	MS int64 `json:"ms"`
}

// Failed reports whether the command did not pass; false if none was run.
func (v *Verify) Failed() bool { return v != nil && v.Status != verify.Passed }

// TookBack reports whether the run was taken back for it.
func (v *Verify) TookBack() bool { return v.Failed() && !v.Kept }

// How says how a command ended that did not pass.
func (v *Verify) How() string {
	switch {
	case v.Status == verify.Interrupted:
		return "was interrupted"
	case v.Status == verify.NotStarted:
		return "could not be started"
	case v.Exit == nil:
		return "failed: killed by a signal"
	}
	return "failed: exit status " + strconv.Itoa(*v.Exit)
}

// Commit is what became of the commit that a run was asked for.
type Commit struct {
	// ID is git's name of the commit; "" if none was made. Short is enough of it to find it.
	ID    string `json:"id,omitempty"`
	Short string `json:"short,omitempty"`
	// Branch is the one that it is on; "" if HEAD is detached.
	Branch  string `json:"branch,omitempty"`
	Subject string `json:"subject,omitempty"`
	// Added are files, from the top of the work tree, that a hook has added.
	Added []string `json:"added,omitempty"`
	// Unchanged: git sees no change in what the run wrote, so there is nothing to commit.
	Unchanged bool `json:"unchanged,omitempty"`
	// Output is what git and its hooks said.
	Output string `json:"output,omitempty"`
	// Error is why what was written is not committed.
	Error *Error `json:"error,omitempty"`
}

// Turn is what undo --json and redo --json print.
type Turn struct {
	Version Version      `json:"version"`
	Status  apply.Status `json:"status"`
	// Run names the run that was made; "" of a merge that changes nothing.
	Run  string `json:"run,omitempty"`
	Kind string `json:"kind"`
	// Of is the run that was taken back.
	Of       string   `json:"of,omitempty"`
	Files    []File   `json:"files"`
	Warnings []string `json:"warnings"`
	Error    *Error   `json:"error,omitempty"`
}

// Log is what log --json prints.
type Log struct {
	Version Version `json:"version"`
	// Runs are the runs that are known, newest first.
	Runs  []LoggedRun `json:"runs"`
	Error *Error      `json:"error,omitempty"`
}

// LoggedRun is the wire form of a run in the log.
type LoggedRun struct {
	Run  string    `json:"run"`
	Kind string    `json:"kind"`
	Of   string    `json:"of,omitempty"`
	Time time.Time `json:"time,omitzero"`
	// Reply is the SHA-256 of the reply, if that is known.
	Reply string `json:"reply,omitempty"`
	// InForce: undo can take the run, or a part of it, back.
	InForce     bool         `json:"in_force"`
	Interrupted bool         `json:"interrupted"`
	Files       []LoggedFile `json:"files"`
	// Error is why the run's record cannot be read; only Run is known then.
	Error *Error `json:"error,omitempty"`
}

// LoggedFile is the wire form of a file that a run in the log changed.
type LoggedFile struct {
	File
	// Undone: a later run has taken this back.
	Undone bool `json:"undone"`
}

// Parsed is what parse --json prints.
type Parsed struct {
	Version     Version             `json:"version"`
	Blocks      []Block             `json:"blocks"`
	Shell       []parser.Shell      `json:"shell"`
	Diagnostics []parser.Diagnostic `json:"diagnostics"`
	Noticed     []parser.Noticed    `json:"noticed,omitempty"`
}

// Block is the wire form of [parser.Block]. A side that is not UTF-8 has U+FFFD for the bytes that
// are not, and the exact bytes next to it in base64.
type Block struct {
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
	Occurrence int       `json:"occurrence,omitempty"`
	Text       bool      `json:"text,omitempty"`
	Exact      bool      `json:"exact,omitempty"`
	Readings   int       `json:"readings"`
	Warnings   []string  `json:"warnings"`
}

// ParsedOf is what a reply was understood as.
func ParsedOf(reply *parser.Reply) *Parsed {
	p := &Parsed{
		Blocks: make([]Block, len(reply.Blocks)), Shell: reply.Shell,
		Diagnostics: reply.Diagnostics, Noticed: reply.Noticed,
	}
	for i := range reply.Blocks {
		b := &reply.Blocks[i]
		p.Blocks[i] = Block{
			ID: b.ID, Op: b.Op, Path: b.Path, NewPath: b.NewPath, Dialect: b.Dialect, Lines: b.Lines,
			Search: string(b.Search), Replace: string(b.Replace), StartLine: b.StartLine, EndLine: b.EndLine,
			Scope: b.Scope, ReplaceAll: b.ReplaceAll, Expected: b.Expected,
			Occurrence: b.Occurrence, Text: b.Substring,
			Exact: b.Exact, Readings: max(1, len(b.Readings)), Warnings: b.Warnings,
		}
		if !utf8.Valid(b.Search) {
			p.Blocks[i].SearchB64 = b.Search
		}
		if !utf8.Valid(b.Replace) {
			p.Blocks[i].ReplaceB64 = b.Replace
		}
	}
	return p
}

// Why is what why --json prints.
type Why struct {
	Version Version `json:"version"`
	// Report is the block's; absent with an error.
	Report   *apply.BlockReport `json:"report,omitempty"`
	Readings []apply.ReadingWhy `json:"readings"`
	Places   []apply.PlaceWhy   `json:"places"`
	Error    *Error             `json:"error,omitempty"`
}

// WhyOf is how one block was judged.
func WhyOf(why *apply.Why) *Why {
	return &Why{Report: &why.Report, Readings: why.Readings, Places: why.Places}
}
