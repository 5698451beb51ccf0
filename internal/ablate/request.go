package ablate

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"

	"github.com/srpatch/srpatch/apply"
	"github.com/srpatch/srpatch/parser"
)

// request is a line of what `eval --json` writes: a request of `srpatch filter` along with the expected result. Collections
// of replies or of single replacements have the same keys.
type request struct {
	ID      string
	Path    string
	Content *string
	Files   map[string]string
	Search  *string
	Replace string
	// Old and New ask the reference cascade.
	Old, New   *string
	ReplaceAll bool `json:"replace_all"`
	StartLine  int  `json:"start_line"`
	Reply      string
	// Expected and Accept hold strings for a case of one file, objects by path for others; no Expected is a refusal.
	Expected json.RawMessage
	Accept   []json.RawMessage
	RefuseOK bool `json:"refuse_ok"`
}

// RequestCases reads cases, one JSON object a line.
func RequestCases(in io.Reader) ([]Case, error) {
	var all []Case
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 64<<20)
	for n := 0; lines.Scan(); n++ {
		q := &request{}
		if err := json.Unmarshal(lines.Bytes(), q); err != nil {
			return nil, fmt.Errorf("request %d: %w", n+1, err)
		}
		cases, err := q.cases(n)
		if err != nil {
			return nil, fmt.Errorf("request %d: %w", n+1, err)
		}
		all = append(all, cases...)
	}
	return all, lines.Err()
}

func (q *request) cases(n int) ([]Case, error) {
	tree := apply.Files{}
	for p, text := range q.Files {
		tree[p] = []byte(text)
	}
	switch {
	case q.Old != nil && q.Content != nil:
		return []Case{replaceCase(q.ID, *q.Content, *q.Old, *q.New, q.ReplaceAll)}, nil
	case q.Content != nil:
		tree[q.Path] = []byte(*q.Content)
	case q.Files == nil:
		return []Case{parseCase(q.ID, []byte(q.Reply))}, nil
	}
	truth, err := q.truth()
	if err != nil {
		return nil, err
	}
	reply := func() *parser.Reply { return parser.Parse([]byte(q.Reply)) }
	if q.Search != nil {
		reply = edit(q.Path, *q.Search, q.Replace, q.StartLine)
	}
	opt := apply.Options{Single: q.Path}
	cases := []Case{planCase(q.ID, tree, opt, reply, truth)}
	// Each of the other policies sees a part of the cases.
	name := q.ID
	switch n % 4 {
	case 0:
		name, opt.Policy = name+"/loose", apply.Loose
	case 1:
		name, opt.Policy = name+"/strict", apply.Strict
	case 2:
		name, opt.Splice = name+"/verbatim", apply.Verbatim
	case 3:
		name, opt.Policy, opt.Splice = name+"/reference", apply.Loose, apply.Verbatim
	}
	return append(cases, planCase(name, tree, opt, reply, truth)), nil
}

// truth gives the right trees.
func (q *request) truth() (func(after apply.Files) bool, error) {
	if len(q.Expected) == 0 || string(q.Expected) == "null" {
		return func(after apply.Files) bool { return after == nil }, nil
	}
	var right []map[string]string
	for _, raw := range append([]json.RawMessage{q.Expected}, q.Accept...) {
		files := map[string]string{}
		if q.Content != nil {
			var text string
			if err := json.Unmarshal(raw, &text); err != nil {
				return nil, err
			}
			files[q.Path] = text
		} else if err := json.Unmarshal(raw, &files); err != nil {
			return nil, err
		}
		right = append(right, files)
	}
	return func(after apply.Files) bool {
		if after == nil {
			return q.RefuseOK
		}
		for _, files := range right {
			if sameFiles(after, files) {
				return true
			}
		}
		return false
	}, nil
}
