package eval

import (
	"bufio"
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
	// Command is run by sh, once.
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
		{"exact and unique", "python3 appliers/rules.py unique", "agents' edit tools"},
		{"first occurrence", "python3 appliers/rules.py first", "aider's rule, but for indentation"},
		{"difflib", "python3 appliers/rules.py difflib", "the most similar lines, from 0.8 on"},
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
// order and the time for all of them but one: what it takes for one alone, with its start, doesn't
// count. That is asked twice, because the first time the command may have to be built.
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
	return outcomes, time.Since(start) - one, err
}

func askApplier(ctx context.Context, command string, cases []*Case) ([]Outcome, error) {
	cmd := exec.CommandContext(ctx, "sh", "-c", command)
	cmd.Stderr = os.Stderr
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	wrote := make(chan error, 1)
	go func() { wrote <- errors.Join(writeRequests(stdin, cases), stdin.Close()) }()
	outcomes, err := readAnswers(stdout, cases)
	if err != nil {
		_ = stdout.Close() // so that a program that goes on answering ends
	}
	if unread := <-wrote; err == nil {
		err = unread
	}
	if ended := cmd.Wait(); ended != nil {
		err = errors.Join(err, fmt.Errorf("the applier %q: %w", command, ended))
	}
	return outcomes, err
}

func writeRequests(w io.Writer, cases []*Case) error {
	out := bufio.NewWriter(w)
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	for _, c := range cases {
		if err := enc.Encode(applierRequest{c.ID, c.Path, c.Files[c.Path], c.Search, c.Replace,
			c.StartLine, c.line()}); err != nil {
			return err
		}
	}
	return out.Flush()
}

// readAnswers reads an answer for each case.
func readAnswers(r io.Reader, cases []*Case) (out []Outcome, err error) {
	dec := json.NewDecoder(r)
	for i, c := range cases {
		var answer struct {
			ID      string
			Content *string
		}
		if err := dec.Decode(&answer); err != nil {
			return nil, fmt.Errorf("answer %d of %d: %w", i+1, len(cases), err)
		}
		if answer.ID != c.ID {
			return nil, fmt.Errorf("answer %d of %d has the id %q, but request %d had %q: answers "+
				"must come in order, with the id of their request", i+1, len(cases), answer.ID, i+1, c.ID)
		}
		var o Outcome
		if answer.Content != nil {
			o.Files = maps.Clone(c.Files)
			o.Files[c.Path] = *answer.Content
		}
		out = append(out, o)
	}
	return out, nil
}
