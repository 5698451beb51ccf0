package eval

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"

	"github.com/srpatch/srpatch/apply"
)

// Unknown is the [Verdict] on answers to questions whose right answer is unknown.
const Unknown Verdict = "unknown"

// Answer is the answer to a [Question], without the wording.
type Answer struct {
	// Status is the status of the run.
	Status string
	// After are the files after the run, or nil if it was refused.
	After map[string]string
	// Blocks are the statuses of the blocks, and the reasons of those that failed.
	Blocks []string
	// Read are the blocks of a reply that is only parsed, and Codes its diagnostics.
	Read  []ReadBlock
	Codes []string
}

// ReadBlock is a block as the parser reads it.
type ReadBlock struct {
	Op         string `json:"op"`
	Path       string `json:"path"`
	From       string `json:"from,omitempty"`
	Search     string `json:"search"`
	Replace    string `json:"replace"`
	StartLine  int    `json:"start_line"`
	ReplaceAll bool   `json:"replace_all"`
}

// Equal reports whether two answers are the same.
func (a Answer) Equal(b Answer) bool {
	return a.Status == b.Status && a.SameFiles(b) && slices.Equal(a.Blocks, b.Blocks) &&
		slices.Equal(a.Read, b.Read) && slices.Equal(a.Codes, b.Codes)
}

// SameFiles reports whether both were refused, or left the same files.
func (a Answer) SameFiles(b Answer) bool {
	return (a.After == nil) == (b.After == nil) && maps.Equal(a.After, b.After)
}

// Judge returns the verdict on an answer.
func (q *Question) Judge(a Answer) Verdict {
	if q.truth == nil {
		return Unknown
	}
	return q.truth(a)
}

// wireAnswer is the output of `srpatch filter` or `srpatch parse --json`.
type wireAnswer struct {
	Status     string
	Content    *string
	ContentB64 []byte `json:"content_b64"`
	Files      map[string]*string
	FilesB64   map[string][]byte `json:"files_b64"`
	Blocks     []struct {
		Status, Reason string
		ReadBlock
	}
	Diagnostics []struct{ Code string }
}

// ReadAnswer returns the answer of the command in JSON.
func (q *Question) ReadAnswer(text []byte) (Answer, error) {
	var w wireAnswer
	if err := json.Unmarshal(text, &w); err != nil {
		return Answer{}, err
	}
	a := Answer{Status: w.Status}
	for _, d := range w.Diagnostics {
		a.Codes = append(a.Codes, d.Code)
	}
	for _, b := range w.Blocks {
		if q.Files == nil {
			a.Read = append(a.Read, b.ReadBlock)
		} else {
			a.Blocks = append(a.Blocks, cmp.Or(b.Reason, b.Status))
		}
	}
	if w.Status != string(apply.Applied) && w.Status != string(apply.Partial) {
		return a, nil
	}
	a.After = maps.Clone(q.Files)
	if w.Content != nil {
		a.After[q.Path] = *w.Content
	} else if w.ContentB64 != nil {
		a.After[q.Path] = string(w.ContentB64)
	}
	for p, text := range w.Files {
		if delete(a.After, p); text != nil {
			a.After[p] = *text
		}
	}
	for p, text := range w.FilesB64 {
		a.After[p] = string(text)
	}
	return a, nil
}
