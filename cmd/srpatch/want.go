package main

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"unicode/utf8"

	"github.com/srpatch/srpatch/apply"
	"github.com/srpatch/srpatch/apply/report"
)

// want is what an answer tells of the files.
type want string

const (
	// wantContent: what they hold afterwards. The default.
	wantContent want = "content"
	// wantDiff: the unified diff.
	wantDiff want = "diff"
	// wantEdits: which bytes of them become others.
	wantEdits want = "edits"
	// wantHash: which of them change, and their hashes.
	wantHash want = "hash"
	// wantNone: nothing.
	wantNone want = "none"
)

var wants = []string{string(wantContent), string(wantDiff), string(wantEdits), string(wantHash), string(wantNone)}

// fileEdits is a file that changes, and what changes in it.
type fileEdits struct {
	report.File
	Edits []textEdit `json:"edits,omitempty"`
}

// textEdit puts text in the place of some bytes of a file.
type textEdit struct {
	// Start and End are offsets in the file as it was, End exclusive. Edits are in order, and apart.
	Start   int    `json:"start"`
	End     int    `json:"end"`
	Text    any    `json:"text,omitempty"`
	TextB64 []byte `json:"text_b64,omitempty"`
	// Range is the same place as the Language Server Protocol counts.
	Range apply.TextRange `json:"range"`
}

// jsonText is UTF-8 text that is encoded without a detour over a string.
type jsonText []byte

func (t jsonText) MarshalText() ([]byte, error) { return t, nil }

// asText is text as a JSON string, or where it is not UTF-8 as bytes.
func asText(b []byte) (text any, b64 []byte) {
	if utf8.Valid(b) {
		return jsonText(b), nil
	}
	return nil, b
}

// tellFiles adds to the answer what the request wants to know of the files.
func (a *answer) tellFiles(r *request, plan *apply.Plan, tree apply.Files) {
	wanted := cmp.Or(r.Want, wantContent)
	if wanted != wantContent && wanted != wantEdits {
		for i := range a.Blocks {
			a.Blocks[i].LinesAfter, a.Blocks[i].Edits = nil, nil
		}
	}
	switch {
	case wanted == wantContent && !r.single():
		a.setFiles(plan)
	case plan.Status == apply.Refused:
	case wanted == wantContent:
		a.setContent(plan, r.Path, tree)
	case wanted == wantDiff:
		a.Diff, a.DiffB64 = asText(plan.Diff())
	case wanted == wantEdits, wanted == wantHash:
		a.Changes = []fileEdits{}
		for i := range plan.Files {
			c := fileEdits{File: hashed(&plan.Files[i])}
			if wanted == wantEdits {
				c.Edits = textEdits(&plan.Files[i])
			}
			a.Changes = append(a.Changes, c)
		}
	}
}

// hashed is the wire form of a change.
func hashed(c *apply.FileChange) report.File {
	sum := func(text []byte, there bool) *string {
		if !there {
			return nil
		}
		raw := sha256.Sum256(text)
		s := hex.EncodeToString(raw[:])
		return &s
	}
	return report.File{Path: c.Path, From: c.From, Action: c.Action, Before: sum(c.Before, c.Action != apply.Create), After: sum(c.After, c.Action != apply.Delete)}
}

// textEdits are the edits that make the file what it is afterwards; none for one that is gone.
func textEdits(c *apply.FileChange) (all []textEdit) {
	if c.Action == apply.Delete {
		return nil
	}
	for _, e := range c.TextEdits() {
		edit := textEdit{Start: e.Start, End: e.End, Range: e.Range}
		edit.Text, edit.TextB64 = asText(e.Text)
		all = append(all, edit)
	}
	return all
}

func (a *answer) setContent(plan *apply.Plan, path string, tree apply.Files) {
	content, present := tree[path]
	for _, c := range plan.Files {
		if c.Path == path {
			content, present = c.After, c.Action != apply.Delete
		}
	}
	if !present {
		a.Content = jsonNull
		return
	}
	a.Content, a.ContentB64 = asText(content)
}

func (a *answer) setFiles(plan *apply.Plan) {
	a.Files = map[string]any{}
	if plan.Status == apply.Refused {
		return
	}
	for _, c := range plan.Files {
		if c.From != "" || c.Action == apply.Delete {
			a.Files[cmp.Or(c.From, c.Path)] = nil
		}
	}
	for _, c := range plan.Files { // which may be put where another one was
		if c.Action == apply.Delete {
			continue
		}
		text, b64 := asText(c.After)
		if b64 == nil {
			a.Files[c.Path] = text
			continue
		}
		if a.FilesB64 == nil {
			a.FilesB64 = map[string][]byte{}
		}
		delete(a.Files, c.Path)
		a.FilesB64[c.Path] = b64
	}
}
