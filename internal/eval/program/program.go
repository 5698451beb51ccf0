// Package program runs the commands of the evaluation, and finds the project's folder.
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

// ErrBounds says that a measurement is out of bounds.
var ErrBounds = errors.New("out of bounds")

// Main runs a command until it ends or is interrupted, and prints its error. The exit status is
// then 1 after [ErrBounds], or 2 after another error.
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

// Root returns the project's folder, searching upwards from the working directory.
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
			return "", errors.New("no testdata/trees above the working directory: run inside the project, or pass --tree")
		}
		dir = up
	}
}
