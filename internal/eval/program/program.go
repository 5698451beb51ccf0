// Package program is what the commands of the evaluation begin and end with, and where they find
// the project.
package program

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"

	"github.com/spf13/pflag"
)

// ErrBounds is the error of a command that has measured something outside its bounds.
var ErrBounds = errors.New("out of bounds")

// Main runs a command, whose context an interrupt ends, and then the process. The exit status is 0,
// 1 after [ErrBounds], or 2 after another error.
func Main(name string, run func(ctx context.Context, args []string, out io.Writer) error) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, os.Args[1:], os.Stdout)
	stop()
	if err == nil || errors.Is(err, pflag.ErrHelp) {
		return
	}
	fmt.Fprintf(os.Stderr, "%s: %v\n", name, err)
	if errors.Is(err, ErrBounds) {
		os.Exit(1)
	}
	os.Exit(2)
}

// Root finds the project's folder, upwards from the working directory.
func Root() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "testdata", "trees")); err == nil {
			return dir, nil
		}
		up := filepath.Dir(dir)
		if up == dir {
			return "", errors.New("no testdata/trees above the working directory: run inside the project, or give --tree")
		}
		dir = up
	}
}
