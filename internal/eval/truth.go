package eval

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
)

// wireTruth is what a request says about its answer. Collections have it in several forms.
type wireTruth struct {
	// Expected is the file after the run, or the files that change, if known. It is null if a
	// refusal is right.
	Expected json.RawMessage `json:"expected"`
	// Accept lists other right results: texts, or texts by path.
	Accept   json.RawMessage `json:"accept"`
	RefuseOK bool            `json:"refuse_ok"`
	// RefusalOK lists files that may also stay as they are.
	RefusalOK []string `json:"refusal_ok"`
	// Result is the text that the reference cascade gives, or null.
	Result json.RawMessage `json:"result"`
	// Blocks are the blocks of a reply that is only parsed.
	Blocks []ReadBlock `json:"blocks"`
}

// truth returns a function that judges answers to q, or nil if nothing is known about them.
func (w *wireTruth) truth(q *Question) (func(Answer) Verdict, error) {
	if q.Files == nil {
		if w.Blocks == nil {
			return nil, nil
		}
		return func(a Answer) Verdict { return judgeRead(w.Blocks, a.Read) }, nil
	}
	expected := w.Expected
	if w.Result != nil {
		expected = w.Result
	}
	if expected == nil {
		return nil, nil
	}
	right, err := w.right(q.Path, expected)
	if err != nil {
		return nil, err
	}
	refuse := w.RefuseOK || string(expected) == "null"
	return func(a Answer) Verdict {
		switch {
		case q.Partial:
			return judgeFiles(q.Files, right, a.After,
				func(p string) bool { return refuse || slices.Contains(w.RefusalOK, p) })
		case a.After == nil && !refuse:
			return Refused
		case a.After == nil, len(right) > 0 &&
			judgeFiles(q.Files, right, a.After, func(string) bool { return false }) == Right:
			return Right
		}
		return Wrong
	}, nil
}

// right returns the right texts of the files that change, by path.
func (w *wireTruth) right(path string, expected json.RawMessage) (map[string][]string, error) {
	right := map[string][]string{}
	if path != "" {
		var text *string
		var more []string
		if err := json.Unmarshal(expected, &text); err != nil {
			return nil, err
		}
		if w.Accept != nil {
			if err := json.Unmarshal(w.Accept, &more); err != nil {
				return nil, err
			}
		}
		if text != nil {
			more = append(more, *text)
		}
		if more != nil {
			right[path] = more
		}
		return right, nil
	}
	trees := make([]map[string]*string, 1)
	if err := json.Unmarshal(expected, &trees[0]); err != nil {
		return nil, err
	}
	if w.Accept != nil && json.Unmarshal(w.Accept, &right) != nil {
		var more []map[string]*string
		if err := json.Unmarshal(w.Accept, &more); err != nil {
			return nil, err
		}
		trees = append(trees, more...)
	}
	for _, tree := range trees {
		for p, text := range tree {
			if text != nil {
				right[p] = append(right[p], *text)
			}
		}
	}
	return right, nil
}

// judgeFiles judges file by file. A change that isn't right is wrong. If a file that should change
// stays as it was, and may not, the edit was refused. If after is nil, the run was refused.
func judgeFiles(before map[string]string, right map[string][]string, after map[string]string,
	forgiven func(path string) bool) Verdict {
	if after == nil {
		after = before
	}
	v := Right
	for _, paths := range []map[string]string{before, after} {
		for p := range paths {
			text, there := after[p]
			old, was := before[p]
			switch same := there == was && text == old; {
			case there && slices.Contains(right[p], text), same && right[p] == nil:
			case !same:
				return Wrong
			case !forgiven(p):
				v = Refused
			}
		}
	}
	for p := range right {
		if _, there := after[p]; !there && !forgiven(p) {
			v = Refused
		}
	}
	return v
}

// judgeRead compares the blocks that were read with those of the reply. Fewer are as good as a
// refusal.
func judgeRead(want, got []ReadBlock) Verdict {
	whole := func(s string) string { return strings.TrimSuffix(s, "\n") }
	switch {
	case len(got) < len(want):
		return Refused
	case len(got) == len(want) && slices.EqualFunc(want, got, func(w, g ReadBlock) bool {
		return whole(w.Search) == whole(g.Search) && whole(w.Replace) == whole(g.Replace) &&
			(w.Path == "" || w.Path == g.Path)
	}):
		return Right
	}
	return Wrong
}

// Question returns the case as a question to a build.
func (c *Case) Question() (*Question, error) {
	line, err := json.Marshal(c)
	if err != nil {
		return nil, err
	}
	q, err := readQuestion(line, 0)
	if err != nil {
		return nil, err
	}
	q.truth = func(a Answer) Verdict {
		v, _ := Judge(c, Outcome{Files: a.After})
		return v
	}
	return q, nil
}

// MadeQuestions returns n synthetic edits as questions.
func MadeQuestions(ctx context.Context, seed uint64, n int) ([]*Question, error) {
	trees, err := DefaultTrees(seed)
	if err != nil {
		return nil, err
	}
	cases, err := Generate(ctx, Request{Seed: seed, N: n, Trees: trees})
	if err != nil {
		return nil, err
	}
	return Questions(cases)
}

// Questions returns the cases as questions.
func Questions(cases []*Case) (qs []*Question, err error) {
	qs = make([]*Question, len(cases))
	for i, c := range cases {
		if qs[i], err = c.Question(); err != nil {
			return nil, err
		}
	}
	return qs, nil
}
