package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/txtar"
)

// Where the recorded model finds its conversations, and keeps which one it is in; and whether it
// writes down what it is asked.
const (
	modelRecorded = "MODEL_RECORDED"
	modelState    = "MODEL_STATE"
	modelUpdate   = "MODEL_UPDATE"
)

// model is the command llm of the pages that are run: llm [-s SYSTEM] TASK begins a conversation
// about what comes in, llm -c goes on with it. Its answers are those of testdata/model, where the
// conversation about a task is a file that begins with the task. What it is asked after the first
// answer has to be what is recorded.
func model() {
	if err := say(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "llm:", err)
		os.Exit(1)
	}
}

func say(args []string) error {
	asked, err := io.ReadAll(os.Stdin)
	if err != nil {
		return err
	}
	name, turn := "", 1
	if slices.Equal(args, []string{"-c"}) {
		if name, turn, err = lastTurn(); err != nil {
			return err
		}
		turn++
	} else {
		if len(args) > 1 && (len(args) != 3 || args[0] != "-s" || !strings.Contains(args[1], "SEARCH/REPLACE")) {
			return fmt.Errorf("%q are no arguments that are known", args)
		}
		if name, err = conversationAbout(args[len(args)-1]); err != nil {
			return err
		}
	}
	a, err := txtar.ParseFile(name)
	if err != nil {
		return err
	}
	said, err := recordedTurn(a, turn, asked)
	if err != nil {
		return fmt.Errorf("%s: %w", filepath.Base(name), err)
	}
	if os.Getenv(modelUpdate) != "" {
		if err := os.WriteFile(name, txtar.Format(a), 0o666); err != nil {
			return err
		}
	}
	if _, err := os.Stdout.Write(said); err != nil {
		return err
	}
	return os.WriteFile(os.Getenv(modelState), fmt.Appendf(nil, "%d %s", turn, name), 0o666)
}

// lastTurn is where the conversation is.
func lastTurn() (name string, turn int, err error) {
	state, err := os.ReadFile(os.Getenv(modelState))
	if err != nil {
		return "", 0, err
	}
	if n, err := fmt.Sscan(string(state), &turn, &name); n != 2 {
		return "", 0, err
	}
	return name, turn, nil
}

// conversationAbout is the file whose first line is a task.
func conversationAbout(task string) (string, error) {
	names, err := filepath.Glob(filepath.Join(os.Getenv(modelRecorded), "*.txtar"))
	if err != nil {
		return "", err
	}
	for _, name := range names {
		a, err := txtar.ParseFile(name)
		if err != nil {
			return "", err
		}
		if first, _, _ := strings.Cut(string(a.Comment), "\n"); first == task {
			return name, nil
		}
	}
	return "", fmt.Errorf("nothing is recorded about the task %q", task)
}

// recordedTurn is what the model says in a turn, after what it was asked.
func recordedTurn(a *txtar.Archive, turn int, asked []byte) (said []byte, err error) {
	if turn > 1 {
		i := slices.IndexFunc(a.Files, func(f txtar.File) bool { return f.Name == fmt.Sprintf("ask-%d", turn) })
		if i < 0 {
			return nil, fmt.Errorf("it is asked once more: nothing is recorded of turn %d", turn)
		}
		if os.Getenv(modelUpdate) != "" {
			a.Files[i].Data = asked
		} else if string(a.Files[i].Data) != string(asked) {
			return nil, fmt.Errorf("in turn %d it is asked\n%s", turn, asked)
		}
	}
	for _, f := range a.Files {
		if f.Name == fmt.Sprintf("answer-%d", turn) {
			return f.Data, nil
		}
	}
	return nil, errors.New("no answer is recorded")
}
