package eval

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"

	"github.com/srpatch/srpatch/apply"
	"github.com/srpatch/srpatch/parser"
)

// Question is a request as `srpatch filter` reads it: a reply or a single edit, and the files for
// it.
type Question struct {
	ID string
	// Line is the request, as it goes to `srpatch filter`.
	Line []byte
	// Files are the contents before the run, by path, or nil for a reply that is only parsed.
	Files map[string]string
	// Path is the file of a request about one file, or "".
	Path string
	// Reply is the reply as text, or nil for a request that gives a single edit.
	Reply []byte
	// Log says that Reply is a chat log, whose last answer counts.
	Log bool
	// Edit is the single edit.
	Edit *parser.Block
	// Options are the options in the request.
	Options apply.Options
	// Partial asks for the good blocks of a reply that has bad ones, too.
	Partial bool

	truth func(Answer) Verdict
}

// wireQuestion is a [Question] in JSON.
type wireQuestion struct {
	ID          any               `json:"id"`
	Path        string            `json:"path"`
	Content     *string           `json:"content"`
	Files       map[string]string `json:"files"`
	Search      *string           `json:"search"`
	Replace     string            `json:"replace"`
	Old         *string           `json:"old"`
	New         string            `json:"new"`
	Reply       *string           `json:"reply"`
	StartLine   int               `json:"start_line"`
	ReplaceAll  bool              `json:"replace_all"`
	Partial     bool              `json:"partial"`
	Policy      apply.Policy      `json:"policy"`
	Splice      apply.Splice      `json:"splice"`
	Threshold   float64           `json:"threshold"`
	AppendEmpty bool              `json:"append_empty"`

	wireTruth
}

// ReadQuestions reads requests of srpatch filter in JSON Lines. It ignores unknown keys.
func ReadQuestions(text []byte) (out []*Question, err error) {
	n := 0
	for line := range bytes.Lines(text) {
		n++
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		q, err := readQuestion(line, n)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		out = append(out, q)
	}
	return out, nil
}

// QuestionsOf reads the questions of a file.
func QuestionsOf(name string) ([]*Question, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	qs, err := ReadQuestions(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return qs, nil
}

func readQuestion(text []byte, line int) (*Question, error) {
	var w wireQuestion
	if err := json.Unmarshal(text, &w); err != nil {
		return nil, err
	}
	if w.Result != nil {
		// The truth is the reference cascade's result, so ask that.
		w.Path, w.Policy, w.Splice = "f.txt", apply.Loose, apply.Verbatim
		request := map[string]any{"id": w.ID, "path": w.Path, "policy": w.Policy, "splice": w.Splice,
			"content": w.Content, "old": w.Old, "new": w.New, "replace_all": w.ReplaceAll}
		var err error
		if text, err = json.Marshal(request); err != nil {
			return nil, err
		}
	}
	q := w.question(line)
	q.Line = text
	var err error
	q.truth, err = w.truth(q)
	return q, err
}

// question returns the question that w, on the given line, states.
func (w *wireQuestion) question(line int) *Question {
	q := &Question{ID: fmt.Sprint(w.ID), Files: w.Files, Partial: w.Partial}
	q.Options = apply.Options{
		Policy: w.Policy, Splice: w.Splice, Threshold: w.Threshold, AppendEmpty: w.AppendEmpty,
		Partial: w.Partial, Strip: -1,
	}
	if w.ID == nil {
		q.ID = fmt.Sprintf("line %d", line)
	}
	if w.Reply != nil && q.Files == nil && w.Path == "" {
		q.Reply = []byte(*w.Reply)
		return q
	}
	if q.Files == nil {
		q.Files, q.Path = map[string]string{}, w.Path
		if w.Content != nil {
			q.Files[w.Path] = *w.Content
		}
	}
	q.Options.Single = q.Path
	if w.Reply != nil {
		q.Reply = []byte(*w.Reply)
		return q
	}
	q.Edit = &parser.Block{ID: 1, Op: parser.OpEdit, Path: w.Path, Replace: []byte(w.Replace),
		StartLine: w.StartLine, ReplaceAll: w.ReplaceAll}
	switch {
	case w.Search != nil:
		q.Edit.Search = []byte(*w.Search)
	case w.Old != nil:
		q.Edit.Search, q.Edit.Replace, q.Edit.Substring = []byte(*w.Old), []byte(w.New), true
	}
	if len(q.Edit.Search) == 0 {
		q.Edit.Op = parser.OpCreate
	}
	return q
}

// parsed returns the reply as the engine takes it.
func (q *Question) parsed() *parser.Reply {
	if q.Reply != nil {
		return parser.Parse(q.Reply)
	}
	return &parser.Reply{Blocks: []parser.Block{*q.Edit}}
}
