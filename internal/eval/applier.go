package eval

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// Applier is a program that applies edits. Its command reads requests of srpatch filter, one a
// line, and writes an answer for each, in the same order: a JSON object whose "content" is the file
// afterwards. An answer without "content" is a refusal.
type Applier struct {
	// Name heads its row of the table.
	Name string
	// Command is run by sh.
	Command string
	// For says what it was made for.
	For string
}

// Appliers lists the appliers that come with the evaluation. Their commands run in its folder.
func Appliers() []Applier {
	const filter = "go -C ../.. run ./cmd/srpatch filter --no-ms"
	return []Applier{
		{"srpatch", filter, "blocks that models write"},
		{"srpatch, strict", filter + " --policy strict", "the same, exact text only"},
		{"reference cascade", `jq -c '. + {policy: "loose", splice: "verbatim"}' | ` + filter,
			"nine strategies, the first that matches wins"},
		{"refuses everything", `sed 's/,"path".*/}/'`, "comparison"},
		{"exact and unique", "python3 appliers/rules.py unique", "agents' edit tools"},
		{"first occurrence", "python3 appliers/rules.py first", "aider's rule, except for indentation"},
		{"difflib", "python3 appliers/rules.py difflib", "the most similar lines, similarity ≥ 0.8"},
		{"diff-match-patch", "go run ./appliers/dmp", "prose"},
		{"GNU patch", "sh appliers/diffs.sh patch", "programs' diffs"},
		{"git apply", "sh appliers/diffs.sh git", "programs' diffs"},
		{"wiggle", "sh appliers/diffs.sh wiggle", "diffs that patch rejects"},
	}
}

// applierRequest is a case as an applier sees it: without the truth, except for the line.
type applierRequest struct {
	ID        string `json:"id"`
	Path      string `json:"path"`
	Content   string `json:"content"`
	Search    string `json:"search"`
	Replace   string `json:"replace"`
	StartLine int    `json:"start_line,omitempty"`
	// Line is the true line of the edit, 1-based, for programs that need one; 1 if there is none.
	Line int `json:"line"`
}

// ForAppliers returns the cases that any applier can be asked: one block for one file of UTF-8.
func ForAppliers(cases []*Case) []*Case {
	return slices.DeleteFunc(slices.Clone(cases), func(c *Case) bool {
		text, ok := c.Files[c.Path]
		return c.Reply != "" || !ok || len(c.Files) > 1 || c.Search == "" ||
			!utf8.ValidString(text+c.Search+c.Replace)
	})
}

// line returns the 1-based line of the file at which SEARCH should begin, or 1 if the edit has no
// place. It counts back from the first line that changes.
func (c *Case) line() int {
	want := c.Expected
	if want == nil {
		want = c.Meant
	}
	if want == nil || want[c.Path] == c.Files[c.Path] {
		return max(c.StartLine, 1)
	}
	return max(commonLines(c.Files[c.Path], want[c.Path])-commonLines(c.Search, c.Replace), 0) + 1
}

// commonLines counts the lines at the start of a and b that are equal.
func commonLines(a, b string) int {
	n := 0
	for {
		x, restA, moreA := strings.Cut(a, "\n")
		y, restB, moreB := strings.Cut(b, "\n")
		if x != y || !moreA || !moreB {
			return n
		}
		a, b, n = restA, restB, n+1
	}
}

// RunApplier asks an applier about cases that [ForAppliers] chose. It returns the outcomes in their
// order and the time for all of them but one. To subtract the start, one case is asked alone, twice:
// the first time the command may have to be built.
func RunApplier(ctx context.Context, command string, cases []*Case) ([]Outcome, time.Duration, error) {
	var one time.Duration
	for range 2 {
		start := time.Now()
		if _, err := askApplier(ctx, command, cases[:1]); err != nil {
			return nil, 0, err
		}
		one = time.Since(start)
	}
	start := time.Now()
	outcomes, err := askApplier(ctx, command, cases)
	return outcomes, max(time.Since(start)-one, 0), err
}

// answerWithin is the longest wait for an answer; an applier that may still be building itself
// needs some of it.
const answerWithin = 5 * time.Minute

func askApplier(ctx context.Context, command string, cases []*Case) ([]Outcome, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	cmd := exec.CommandContext(ctx, "sh", "-c", command)
	cmd.Stderr = os.Stderr
	requests, err := requestsOf(cases)
	if err != nil {
		return nil, err
	}
	cmd.Stdin = requests
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	tooLong := time.AfterFunc(answerWithin, func() {
		cancel(fmt.Errorf("no answer for %v", answerWithin))
		_ = stdout.Close() // a child of sh may keep it open
	})
	defer tooLong.Stop()
	outcomes, err := readAnswers(stdout, cases, func() { tooLong.Reset(answerWithin) })
	_ = stdout.Close() // a program that keeps writing must end
	ended := cmd.Wait()
	if cause := context.Cause(ctx); cause != nil {
		err, ended = nil, cause
	}
	if ended != nil {
		err = errors.Join(err, fmt.Errorf("the applier %q: %w", command, ended))
	}
	return outcomes, err
}

// requestsOf returns the requests about cases, one a line.
func requestsOf(cases []*Case) (*bytes.Buffer, error) {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	for _, c := range cases {
		if err := enc.Encode(applierRequest{c.ID, c.Path, c.Files[c.Path], c.Search, c.Replace,
			c.StartLine, c.line()}); err != nil {
			return nil, err
		}
	}
	return &out, nil
}

// readAnswers reads an answer for each case, and calls answered after each one.
func readAnswers(r io.Reader, cases []*Case, answered func()) (out []Outcome, err error) {
	dec := json.NewDecoder(r)
	for i, c := range cases {
		var answer struct {
			ID      string
			Content *string
		}
		switch err := dec.Decode(&answer); {
		case err == io.EOF:
			return nil, fmt.Errorf("the program ended without an answer to request %d", i+1)
		case err != nil:
			return nil, fmt.Errorf("the answer to request %d: %w", i+1, err)
		case answer.ID != c.ID:
			return nil, fmt.Errorf("the answer to request %d has the id %q instead of %q: answers must "+
				"come in order, with the id of their request", i+1, answer.ID, c.ID)
		}
		answered()
		var o Outcome
		if answer.Content != nil {
			o.Files = maps.Clone(c.Files)
			o.Files[c.Path] = *answer.Content
		}
		out = append(out, o)
	}
	if dec.Decode(new(json.RawMessage)) != io.EOF {
		return nil, errors.New("the program wrote more than an answer to each request")
	}
	return out, nil
}
