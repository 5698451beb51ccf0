// Package gitconfig reads what git's configuration says of srpatch: the defaults of flags, which hold for the command and for the server alike.
package gitconfig

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/srpatch/srpatch/internal/git"
)

// Setting is what git's configuration says of srpatch: one value of one key.
type Setting struct {
	Key   string // in lower case, as git prints it
	Value string
	Set   bool // false of a key without a value, which git takes for true
	Scope string
	File  string
}

// Read reads the keys srpatch.* of git's configuration as it holds in dir. A process costs more than a run over a small
// reply, so git is asked only if one of the files that it would read has a section of that name.
func Read(dir string, env func(string) string) ([]Setting, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, nil
	}
	files := gitConfigs{env: env}
	if !files.mention(dir) {
		return nil, nil
	}
	config := git.Command(context.Background(), dir, "config", "--null", "--show-scope", "--show-origin", "--get-regexp", `^srpatch\.`)
	config.Env = append(config.Env, "GIT_CONFIG_SYSTEM="+files.system())
	out, err := config.Output()
	if e, ok := errors.AsType[*exec.ExitError](err); ok {
		if e.ExitCode() == 1 {
			return nil, nil // no such key
		}
		return nil, fmt.Errorf("git cannot read its configuration: %s", bytes.TrimSpace(e.Stderr))
	}
	if err != nil {
		return nil, fmt.Errorf("git's configuration has a section srpatch, and git is needed to read it: %w", err)
	}
	var all []Setting
	fields := strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
	for ; len(fields) >= 3; fields = fields[3:] {
		s := Setting{Scope: fields[0], File: strings.TrimPrefix(fields[1], "file:")}
		if s.File != fields[1] && !filepath.IsAbs(s.File) {
			s.File = filepath.Join(dir, s.File)
		}
		s.Key, s.Value, s.Set = strings.Cut(fields[2], "\n")
		all = append(all, s)
	}
	return all, nil
}

// gitConfigs looks through the files that git reads its configuration from.
type gitConfigs struct {
	env  func(string) string
	deep int // includes that lead here
}

// mention reports whether one of the files that hold in dir may have a section srpatch. It may err to that side only.
func (g *gitConfigs) mention(dir string) bool {
	if g.env("GIT_CONFIG_COUNT") != "" || g.env("GIT_CONFIG_PARAMETERS") != "" {
		return true // git -c and its like
	}
	return slices.ContainsFunc(slices.Concat([]string{g.system()}, g.global(), repositoryConfigs(dir)), g.mentions)
}

// system is the configuration for all users of the machine.
func (g *gitConfigs) system() string {
	if named := g.env("GIT_CONFIG_SYSTEM"); named != "" {
		return named
	}
	if runtime.GOOS == "windows" {
		return filepath.Join(g.env("PROGRAMFILES"), "Git", "etc", "gitconfig")
	}
	return "/etc/gitconfig"
}

func (g *gitConfigs) global() []string {
	if named := g.env("GIT_CONFIG_GLOBAL"); named != "" {
		return []string{named}
	}
	home := g.home()
	return []string{filepath.Join(cmp.Or(g.env("XDG_CONFIG_HOME"), filepath.Join(home, ".config")), "git", "config"), filepath.Join(home, ".gitconfig")}
}

func (g *gitConfigs) home() string { return cmp.Or(g.env("HOME"), g.env("USERPROFILE")) }

// repositoryConfigs are the configurations of the repository whose working tree dir is in.
func repositoryConfigs(dir string) []string {
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	for ; ; dir = filepath.Dir(dir) {
		git := filepath.Join(dir, ".git")
		if info, err := os.Stat(git); err != nil {
			if filepath.Dir(dir) == dir {
				return nil
			}
			continue
		} else if !info.IsDir() {
			git = pointedTo(git, "gitdir: ")
		}
		common := git
		if _, err := os.Stat(filepath.Join(git, "commondir")); err == nil {
			common = pointedTo(filepath.Join(git, "commondir"), "")
		}
		return []string{filepath.Join(common, "config"), filepath.Join(git, "config.worktree")}
	}
}

// pointedTo is the directory that a file of git's names after a prefix.
func pointedTo(file, prefix string) string {
	text, err := os.ReadFile(file)
	if err != nil {
		return ""
	}
	to := filepath.FromSlash(strings.TrimPrefix(strings.TrimSpace(string(text)), prefix))
	if !filepath.IsAbs(to) {
		to = filepath.Join(filepath.Dir(file), to)
	}
	return to
}

// maxIncludes is how deep git follows includes.
const maxIncludes = 10

// mentions reports whether a file, or one that it includes under whatever condition, may have a section srpatch.
func (g *gitConfigs) mentions(file string) bool {
	text, err := os.ReadFile(file)
	if err != nil {
		return !errors.Is(err, fs.ErrNotExist) // git says what is wrong with it
	}
	lower := bytes.ToLower(text)
	if bytes.Contains(lower, []byte("[srpatch")) {
		return true
	}
	if !bytes.Contains(lower, []byte("[include")) {
		return false
	}
	if g.deep++; g.deep > maxIncludes {
		return true
	}
	defer func() { g.deep-- }()
	for line := range strings.Lines(string(text)) {
		if i := strings.LastIndexByte(line[:max(strings.IndexByte(line, '='), 0)], ']'); i >= 0 {
			line = line[i+1:]
		}
		key, value, _ := strings.Cut(line, "=")
		if !strings.EqualFold(strings.TrimSpace(key), "path") {
			continue
		}
		name, sure := g.included(strings.TrimSpace(value), file)
		if !sure || g.mentions(name) {
			return true
		}
	}
	return false
}

// included is the file that an include of file names; false if only git can tell.
func (g *gitConfigs) included(value, file string) (string, bool) {
	if inner, ok := strings.CutPrefix(value, `"`); ok && strings.HasSuffix(inner, `"`) {
		value = strings.TrimSuffix(inner, `"`)
	}
	if below, ok := strings.CutPrefix(value, "~/"); ok {
		value = filepath.Join(g.home(), below)
	}
	if value == "" || strings.ContainsAny(value, `"#;\`) || value[0] == '~' || value[0] == '%' {
		return "", false
	}
	if !filepath.IsAbs(value) {
		value = filepath.Join(filepath.Dir(file), value)
	}
	return value, true
}
