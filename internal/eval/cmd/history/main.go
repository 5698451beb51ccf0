// Command history replays aider's chat histories. For each answer it takes the files as they were,
// lets srpatch apply the answer, and compares the result with aider's. It lists every difference,
// then the counts. It changes no file.
//
//	go -C internal/eval run ./cmd/history DIR...     git repositories with an .aider.chat.history.md
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/srpatch/srpatch/internal/eval/program"
	"github.com/srpatch/srpatch/internal/eval/replay"
	"github.com/srpatch/srpatch/internal/unified"
)

func main() { program.Main("history", run) }

func run(ctx context.Context, dirs []string, out io.Writer) error {
	if len(dirs) == 0 {
		return errors.New("name the folders of git repositories that have an " + replay.HistoryFile)
	}
	counts, total := map[replay.Outcome]int{}, 0
	reasons := map[replay.Outcome]map[string]int{}
	for _, dir := range dirs {
		answers, err := replay.Answers(ctx, dir)
		if err != nil {
			return fmt.Errorf("%s: %w", dir, err)
		}
		for _, a := range answers {
			total++
			counts[a.Outcome]++
			if a.Reason != "" {
				if reasons[a.Outcome] == nil {
					reasons[a.Outcome] = map[string]int{}
				}
				reasons[a.Outcome][a.Reason]++
			}
			if err := list(out, dir, a); err != nil {
				return err
			}
		}
	}
	fmt.Fprintf(out, "%5d  answers with edits\n", total)
	for _, o := range replay.Outcomes() {
		if counts[o] > 0 {
			fmt.Fprintf(out, "%5d  %s%s\n", counts[o], o, listed(reasons[o]))
		}
	}
	return nil
}

// list prints how srpatch's result for an answer differs from aider's.
func list(out io.Writer, dir string, a replay.Answer) error {
	if len(a.Files) == 0 {
		return nil
	}
	fmt.Fprintf(out, "=== %s/%s:%d %s: %s %s\n", dir, replay.HistoryFile, a.Line, a.Commit, a.Outcome, a.Reason)
	for _, f := range a.Files {
		change := unified.Change{Old: "aider/" + f.Path, New: "srpatch/" + f.Path, Before: f.Aider, After: f.Srpatch}
		if err := unified.Format(out, change); err != nil {
			return err
		}
	}
	fmt.Fprintln(out)
	return nil
}

// listed returns the reasons with their counts, in brackets, or "" if there are none.
func listed(reasons map[string]int) string {
	var parts []string
	for _, r := range slices.Sorted(maps.Keys(reasons)) {
		parts = append(parts, fmt.Sprintf("%d %s", reasons[r], r))
	}
	if parts == nil {
		return ""
	}
	return " (" + strings.Join(parts, ", ") + ")"
}
