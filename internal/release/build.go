package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// target is a platform of a release, in Go's names.
type target struct{ os, arch string }

func (t target) String() string { return t.os + "/" + t.arch }

func targets() []target {
	return []target{{"linux", "amd64"}, {"linux", "arm64"}, {"darwin", "amd64"}, {"darwin", "arm64"}, {"windows", "amd64"}, {"windows", "arm64"}}
}

// targetsOf returns the targets with the given names, such as linux/amd64, or all if names is
// empty.
func targetsOf(names []string) ([]target, error) {
	if len(names) == 0 {
		return targets(), nil
	}
	var found []target
	for _, name := range names {
		i := slices.IndexFunc(targets(), func(t target) bool { return t.String() == name })
		if i < 0 {
			return nil, fmt.Errorf("no release for %s; the platforms are %v", name, targets())
		}
		found = append(found, targets()[i])
	}
	return found, nil
}

// program is a command of srpatch: its name and the directory of its package.
type program struct{ name, dir string }

func programs() []program {
	return []program{{"srpatch", "cmd/srpatch"}, {"srpatch-mcp", "cmd/srpatch-mcp"}}
}

// file is a file that is shipped.
type file struct {
	archive string // its place in an archive, or "" if it isn't in archives
	debian  string // its place in the Debian package, compressed if it ends in .gz, or ""
	mode    os.FileMode
	data    []byte
}

// builder runs Go on the sources in root. work is for temporary files.
type builder struct {
	root, work string
	origin     origin
}

// host builds srpatch for this machine, with Go's defaults. Go records the version in it, and it
// prints its manual and completions.
func (b *builder) host(ctx context.Context) (string, error) {
	here, err := filepath.Abs(filepath.Join(b.work, "here.exe"))
	if err != nil {
		return "", err
	}
	_, err = b.call(ctx, "cmd/srpatch", nil, "go", "build", "-buildvcs=auto", "-o", here, ".")
	return here, err
}

// programs builds all programs for a target.
func (b *builder) programs(ctx context.Context, t target) ([]file, error) {
	var files []file
	for _, p := range programs() {
		data, err := b.build(ctx, p.dir, t)
		if err != nil {
			return nil, err
		}
		name := p.name
		if t.os == "windows" {
			name += ".exe"
		}
		files = append(files, file{name, "/usr/bin/" + p.name, 0o755, data})
	}
	return files, nil
}

// build builds a program from a directory of the sources, and returns it.
func (b *builder) build(ctx context.Context, dir string, t target) ([]byte, error) {
	const at = " -X github.com/srpatch/srpatch/internal/version."
	flags := "-s -w -buildid=" + at + "released=" + b.origin.version + at + "commit=" + b.origin.commit
	// The machine's values of these would change the code that Go makes.
	env := []string{"GOOS=" + t.os, "GOARCH=" + t.arch, "CGO_ENABLED=0", "GOAMD64=v1",
		"GOARM64=v8.0", "GOFIPS140=off", "GOWASM="}
	made, err := filepath.Abs(filepath.Join(b.work, "program"))
	if err != nil {
		return nil, err
	}
	_, err = b.call(ctx, dir, env, "go", "build", "-trimpath", "-buildvcs=false",
		"-ldflags", flags, "-o", made, ".")
	if err != nil {
		return nil, err
	}
	return os.ReadFile(made)
}

// call runs a program in a directory of the sources, and returns its output.
func (b *builder) call(ctx context.Context, dir string, env []string, name string, args ...string) ([]byte, error) {
	c := exec.CommandContext(ctx, name, args...)
	c.Dir = filepath.Join(b.root, dir)
	// The machine's own flags, such as -race or -tags, must not affect a release.
	c.Env = append(append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=readonly"), env...)
	var stdout, stderr bytes.Buffer
	c.Stdout, c.Stderr = &stdout, &stderr
	if err := c.Run(); err != nil {
		return nil, fmt.Errorf("%s %s: %w\n%s", name, strings.Join(args, " "), err, bytes.TrimSpace(stderr.Bytes()))
	}
	return stdout.Bytes(), nil
}
