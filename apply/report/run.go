// Package report describes the result of a run. [Run] is the model. Its methods print it as text
// for people, as a message for the model that wrote the reply, as JSON for programs, and as
// annotations of lines. The command and the MCP server are built on it. Programs that use the
// library only need its JSON.
//
// Text from replies and files is hostile until it's cleaned: no control character reaches a
// [Printer], and no text of a reply begins a line. Start with [Run.Text].
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

// StatusError is the status of a run or a request that has no plan.
const StatusError apply.Status = "error"

// Version is the version of a wire form. Its zero value is written as the current one.
type Version int

// MarshalJSON writes the version.
func (Version) MarshalJSON() ([]byte, error) { return []byte("1"), nil }

// Run is the result of a run. Its JSON is what --json prints.
type Run struct {
	Version Version `json:"version"`
	// Reply is the name of the reply, if each reply is a run of its own.
	Reply  string       `json:"reply,omitempty"`
	Status apply.Status `json:"status"`
	// Run is the name of the run, for undo, or "" if nothing was written.
	Run         string              `json:"run,omitempty"`
	Blocks      []apply.BlockReport `json:"blocks"`
	Files       []File              `json:"files"`
	Diagnostics []parser.Diagnostic `json:"diagnostics"`
	Noticed     []parser.Noticed    `json:"noticed,omitempty"`
	// Warnings are about the run as a whole.
	Warnings []string `json:"warnings"`
	// Written is set if the plan was written to disk. In JSON it's only set if that changed a file.
	Written bool `json:"written"`
	// Verify is the result of the commands of --verify, or nil if none was run.
	Verify *Verify `json:"verify,omitempty"`
	// Commit is the result of the commit that was asked for, or nil if there was nothing to commit.
	Commit *Commit `json:"commit,omitempty"`
	// Remembered is set if srpatch retry can continue the run.
	Remembered bool `json:"remembered,omitempty"`
	// Feedback is the message for the model, if it was asked for.
	Feedback string `json:"feedback,omitempty"`
	Error    *Error `json:"error,omitempty"`

	// Located are the attempted edits that weren't understood. Diagnostics are made from them.
	Located []Located `json:"-"`
	// Looking says why the run writes nothing, such as "check" or "dry run"; "" if it should write.
	Looking string `json:"-"`
	// Tree is what hints add to "srpatch retry" to name the tree: "" or " -d DIR".
	Tree string `json:"-"`
	// InPlace is how many other blocks of the reply earlier runs have written.
	InPlace int `json:"-"`
}

// Error is a failure of a whole run or request.
type Error struct {
	// Code is stable, for programs.
	Code string `json:"code"`
	// Message is for people.
	Message string `json:"message"`
}

// Located is a diagnostic with the attempted edit that it's about.
type Located struct {
	// Reply is the name of the file, or "" for standard input.
	Reply string `json:"reply,omitempty"`
	// Text is the text of the attempt in the reply, if that is known.
	Text []byte `json:"text,omitempty"`
	// Again is set in an answer if a correction for this edit has already been requested.
	Again bool `json:"again,omitempty"`
	// Known is what the parser has recorded of the attempt, or else only the code and the line.
	Known             parser.Attempt `json:"known"`
	parser.Diagnostic `json:"diagnostic"`
}

// maxAttempt is how many bytes of an attempt are kept.
const maxAttempt = 64 << 10

// Locate returns the diagnostics of a reply, each with the attempted edit that it's about and its
// text, if the parser has recorded the attempt. name is the file of the reply, and text its
// content. Of a long attempt, only the beginning is kept.
func Locate(name string, reply *parser.Reply, text []byte) (out []Located) {
	attempts := map[parser.Diagnostic]parser.Attempt{} // by code and line alone
	for _, a := range reply.Attempts {
		attempts[parser.Diagnostic{Code: a.Code, Line: a.Line}] = a
	}
	lines := bytes.SplitAfter(text, []byte("\n"))
	for _, d := range reply.Diagnostics {
		l := Located{Reply: name, Diagnostic: d, Known: parser.Attempt{Code: d.Code, Line: d.Line}}
		if a, ok := attempts[parser.Diagnostic{Code: d.Code, Line: d.Line}]; ok {
			last := min(a.Lines[1], len(lines))
			first := min(max(a.Lines[0], 1)-1, last) // 0-based
			all := bytes.Join(lines[first:last], nil)
			l.Known, l.Text = a, all[:min(len(all), maxAttempt)]
		}
		out = append(out, l)
	}
	return out
}

// SetDiagnostics replaces the parser's diagnostics in Located by those of a plan, which have better
// remedies. If their number differs, the attempts in Located are dropped.
func (r *Run) SetDiagnostics(ds []parser.Diagnostic) {
	located := make([]Located, len(ds))
	if len(r.Located) == len(ds) {
		copy(located, r.Located) // which may be a reply's own
	}
	for i, d := range ds {
		located[i].Diagnostic = d
	}
	r.Located = located
}

// NotWritten changes the status of blocks from applied to ready, because nothing was written.
func NotWritten(blocks []apply.BlockReport) {
	for i := range blocks {
		if blocks[i].Status == apply.BlockApplied {
			blocks[i].Status = apply.BlockReady
		}
	}
}

// Options encode like encoding/json, whose tags the reports have, except that empty lists are []
// instead of null.
var Options = json.JoinOptions(jsonv1.DefaultOptionsV1(), json.FormatNilSliceAsNull(false),
	jsontext.EscapeForHTML(false))

// JSON writes a value as one line. Characters that a terminal would act on are escaped. If v is a
// [*Run], JSON first sets its Diagnostics from Located, and clears Written if no file changed.
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
	_, err = w.Write(append(escaped(line), '\n'))
	return err
}

// escaped returns JSON with characters such as U+009B, on which a terminal would act, as \u009b.
// Marshal has escaped those below U+0020.
func escaped(line []byte) (out []byte) {
	for _, r := range string(line) {
		if r < 0x7F || !text.Unsafe(r) {
			out = utf8.AppendRune(out, r)
			continue
		}
		for _, unit := range utf16.AppendRune(nil, r) {
			out = fmt.Appendf(out, `\u%04x`, unit)
		}
	}
	return out
}

// File is the wire form of a file that a run changed.
type File struct {
	Path   string       `json:"path"`
	From   string       `json:"from,omitempty"`
	Action apply.Action `json:"action"`
	// Before and After are SHA-256 sums in hexadecimal, or null if there is no file.
	Before *string `json:"before"`
	After  *string `json:"after"`
	// TextEdits turn the file's old text into the new one. Only plans have them.
	TextEdits []TextEdit `json:"text_edits,omitempty"`
}

// FileOf returns the wire form of a file that a run has changed, with the hashes before and after;
// "" means that there is no file.
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

// Files returns a plan's changes as they're written in JSON. sum must return the SHA-256 of a text
// in the encoding that the file at a path has on disk. For a moved file, that's its old path.
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

// Became returns what undoing a run has done to a file, such as "removed". a is what the undo did,
// not what the undone run did.
func Became(a apply.Action) string {
	became := map[apply.Action]string{apply.Create: "re-created", apply.Delete: "removed"}
	return cmp.Or(became[a], "put back")
}

// TextEdit is one change of a file's text. All positions are in the text before the change.
type TextEdit struct {
	// Bytes are the first byte and the end, exclusive, 0-based.
	Bytes [2]int `json:"bytes"`
	apply.TextEdit
}

// TextEdits returns the edits of a change. It returns nil if the new text isn't UTF-8, because JSON
// can't hold it.
func TextEdits(c *apply.FileChange) (out []TextEdit) {
	if !utf8.Valid(c.After) {
		return nil
	}
	for _, e := range c.TextEdits() {
		out = append(out, TextEdit{[2]int{e.Start, e.End}, e})
	}
	return out
}

// Verify is the result of the commands of --verify.
type Verify struct {
	// Command is the last one that ran. Passed are those before it.
	Command string   `json:"command"`
	Passed  []string `json:"passed,omitempty"`
	// Status is passed, failed, interrupted or not-started.
	Status verify.Status `json:"status"`
	// Kept is set if the run stays although the command failed, because its files have changed in
	// the meantime.
	Kept bool `json:"kept,omitempty"`
	// Exit is the command's exit status, if it has one.
	Exit *int `json:"exit,omitempty"`
	// Output is what it wrote. If Truncated isn't 0, it's the number of bytes left out in the
	// middle, where a line says so.
	Output    string `json:"output"`
	Truncated int64  `json:"truncated,omitempty"`
	// MS is how long all of them ran.
	MS int64 `json:"ms"`
}

// Failed reports whether a command was run and didn't pass. v may be nil.
func (v *Verify) Failed() bool { return v != nil && v.Status != verify.Passed }

// TookBack reports whether the run was undone because a command failed. v may be nil.
func (v *Verify) TookBack() bool { return v.Failed() && !v.Kept }

// How says how a failed command ended, such as "failed: exit status 1".
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

// Commit is the result of the commit that a run was asked for.
type Commit struct {
	// ID is the commit's hash, or "" if none was made. Short is a unique prefix of it.
	ID    string `json:"id,omitempty"`
	Short string `json:"short,omitempty"`
	// Branch is the branch that it's on, or "" if HEAD is detached.
	Branch  string `json:"branch,omitempty"`
	Subject string `json:"subject,omitempty"`
	// Added are files that a hook has added, relative to the top of the work tree.
	Added []string `json:"added,omitempty"`
	// Unchanged is set if git sees no change in what the run wrote, so there's nothing to commit.
	Unchanged bool `json:"unchanged,omitempty"`
	// Output is the output of git and its hooks.
	Output string `json:"output,omitempty"`
	// Error is the reason why what was written isn't committed.
	Error *Error `json:"error,omitempty"`
}

// Turn is what undo --json and redo --json print.
type Turn struct {
	Version Version      `json:"version"`
	Status  apply.Status `json:"status"`
	// Run is the name of the run that was made, or "" for a merge that changes nothing.
	Run  string `json:"run,omitempty"`
	Kind string `json:"kind"`
	// Of is the run that was undone.
	Of       string   `json:"of,omitempty"`
	Files    []File   `json:"files"`
	Warnings []string `json:"warnings"`
	Error    *Error   `json:"error,omitempty"`
}

// Log is what log --json prints.
type Log struct {
	Version Version `json:"version"`
	// Runs are the known runs, newest first.
	Runs  []LoggedRun `json:"runs"`
	Error *Error      `json:"error,omitempty"`
}

// LoggedRun is the wire form of a run in the log.
type LoggedRun struct {
	Run  string    `json:"run"`
	Kind string    `json:"kind"`
	Of   string    `json:"of,omitempty"`
	Time time.Time `json:"time,omitzero"`
	// Reply is the SHA-256 of the reply, if it's known.
	Reply string `json:"reply,omitempty"`
	// InForce is set if undo can take the run back, or a part of it.
	InForce     bool         `json:"in_force"`
	Interrupted bool         `json:"interrupted"`
	Files       []LoggedFile `json:"files"`
	// Error is the reason why the run's record can't be read. Then only Run is known.
	Error *Error `json:"error,omitempty"`
}

// LoggedFile is the wire form of a file that a run in the log changed.
type LoggedFile struct {
	File
	// Undone is set if a later run has undone this one.
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

// Block is the wire form of [parser.Block]. If a side isn't UTF-8, its invalid bytes become U+FFFD,
// and the exact bytes are next to it in base64.
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

// ParsedOf returns the wire form of a parsed reply.
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
	// Report is the block's report. It's absent if there is an error.
	Report   *apply.BlockReport `json:"report,omitempty"`
	Readings []apply.ReadingWhy `json:"readings"`
	Places   []apply.PlaceWhy   `json:"places"`
	Error    *Error             `json:"error,omitempty"`
}

// WhyOf returns the wire form of how one block was judged.
func WhyOf(why *apply.Why) *Why {
	return &Why{Report: &why.Report, Readings: why.Readings, Places: why.Places}
}
