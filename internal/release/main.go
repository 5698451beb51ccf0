// Command release builds the files of a release: archives with the programs for each platform,
// packages for Debian, Python and npm, a Homebrew formula, a bill of materials, and the checksums
// of all these. The bytes depend only on the sources, the version, commit and date, and the version
// of Go. They don't depend on the machine, the directory, the clock or git.
//
//	go -C internal/release run .                   all platforms
//	go -C internal/release run . linux/amd64       only this platform
//
// In a git checkout, Go records the version, the commit and the date. --version, --commit and
// SOURCE_DATE_EPOCH override them, or give them where there is no git.
package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

// run is the whole command. It prints the names of the files that it made.
func run(ctx context.Context, args []string, stdout io.Writer) error {
	set := flag.NewFlagSet("release", flag.ExitOnError)
	root := set.String("root", "../..", "the `DIR` of the sources")
	out := set.String("out", "", "write the files to this new or empty `DIR` (default: dist in the sources)")
	downloads := set.String("downloads", "", "the `URL` of the archives, for the formula "+
		"(default: the release on GitHub)")
	var of origin
	set.StringVar(&of.version, "version", "", "the version, such as v0.1.0 (default: the one that Go takes from git)")
	set.StringVar(&of.commit, "commit", "", "the commit (default: the one that Go takes from git)")
	set.Parse(args) // it exits on errors
	wanted, err := targetsOf(set.Args())
	if err != nil {
		return err
	}
	if *out == "" {
		*out = filepath.Join(*root, "dist")
	}
	made, err := release(ctx, *root, *out, *downloads, of, wanted)
	for _, name := range made {
		fmt.Fprintln(stdout, name)
	}
	return err
}

// release makes all files of a release for the targets, and returns their names.
func release(ctx context.Context, root, out, downloads string, of origin, targets []target) ([]string, error) {
	if old, err := os.ReadDir(out); err == nil && len(old) > 0 {
		return nil, fmt.Errorf("%s is not empty: remove it, or choose another directory with --out", out)
	}
	if err := os.MkdirAll(out, 0o777); err != nil {
		return nil, err
	}
	work, err := os.MkdirTemp("", "srpatch-release-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(work)

	b := builder{root: root, work: work}
	here, err := b.host(ctx)
	if err != nil {
		return nil, err
	}
	if b.origin, err = of.or(here); err != nil {
		return nil, err
	}
	papers, err := b.papers(ctx, here)
	if err != nil {
		return nil, err
	}
	var made []string
	add := func(name string, failed error) { made, err = append(made, name), cmp.Or(err, failed) }
	built := map[target]file{}
	for _, t := range targets {
		programs, err := b.programs(ctx, t)
		if err != nil {
			return nil, err
		}
		built[t] = programs[0]
		files := append(programs, papers...)
		add(archive(out, b.origin, t, files))
		add(wheel(out, root, b.origin, t, files))
		if t.os == "linux" {
			add(debian(out, work, b.origin, t, files))
		}
	}
	if err != nil {
		return nil, err
	}
	packages, err := b.npm(ctx, out, built)
	if err != nil {
		return nil, err
	}
	made = append(made, packages...)
	add(formula(out, cmp.Or(downloads, "https://github.com/srpatch/srpatch/releases/download/"+
		b.origin.version), b.origin, targets))
	add(b.sbom(ctx, out))
	if err != nil {
		return nil, err
	}
	return append(made, sums), checksums(out, made)
}
