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

	"github.com/srpatch/srpatch/apply"
	"github.com/srpatch/srpatch/apply/workspace"
	"github.com/srpatch/srpatch/internal/git"
	"github.com/srpatch/srpatch/internal/regular"
)

// Setting is what git's configuration says of srpatch: one value of one key.
type Setting struct {
	Key   string // in lower case, as git prints it
	Value string
	Set   bool // false of a key without a value, which git takes for true
	File  string
	// Own is true of the repository's own configuration, and false of files that it includes.
	Own bool
}

// Read reads the keys srpatch.* of git's configuration as it holds in dir. A process costs more than a run over a small
// reply, so git is asked only if one of the files that it would read has a section of that name. It is an error if git
// passes over a configuration of the repository that may have one.
func Read(dir string, env func(string) string) ([]Setting, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, nil
	}
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	top, own := git.Top(dir), repositoryConfigs(dir)
	files := gitConfigs{env: env}
	inRepository := slices.ContainsFunc(own, files.mentions)
	if !inRepository && !files.mention() {
		return nil, nil
	}
	if files.err != nil {
		return nil, fmt.Errorf("git's configuration cannot be read: %w", files.err)
	}
	config := git.Command(context.Background(), dir, "config", "--null", "--show-origin", "--get-regexp", `^srpatch\.`)
	config.Env = append(config.Env, "GIT_CONFIG_SYSTEM="+files.system())
	out, err := config.Output()
	if exit, ok := errors.AsType[*exec.ExitError](err); err != nil && (!ok || exit.ExitCode() != 1) { // 1: no such key
		return nil, unread("git cannot read its configuration", err)
	}
	var all []Setting
	fields := strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
	for ; len(fields) >= 2; fields = fields[2:] {
		s := Setting{File: strings.TrimPrefix(fields[0], "file:")}
		if s.File != fields[0] && !filepath.IsAbs(s.File) {
			s.File = filepath.Join(cmp.Or(top, dir), s.File)
		}
		s.Own = slices.ContainsFunc(own, func(file string) bool { return same(file, s.File) })
		s.Key, s.Value, s.Set = strings.Cut(fields[1], "\n")
		all = append(all, s)
	}
	// git config says nothing of a repository that it passes over, such as one of another owner.
	// Neither does it look at the conditions then under which the user's configuration includes files.
	conditional := gitConfigs{env: env, conditional: true}
	if inRepository && !slices.ContainsFunc(all, func(s Setting) bool { return s.Own }) ||
		top != "" && slices.ContainsFunc(append(files.global(), files.system()), conditional.mentions) {
		if _, err := git.Command(context.Background(), dir, "rev-parse", "--git-dir").Output(); err != nil {
			return nil, unread("the repository may have settings for srpatch, and git refuses to read them", err)
		}
	}
	return all, nil
}

// unread is the error of settings that git does not read: they may be guards.
func unread(what string, err error) error {
	why, remedy := git.Refusal(err)
	return &apply.ReasonError{Reason: workspace.Unguarded, Err: &workspace.Problem{What: what + ": " + why, Remedy: remedy}}
}

// same reports whether two names are of one file.
func same(a, b string) bool {
	one, err := os.Stat(a)
	if err != nil {
		return false
	}
	other, err := os.Stat(b)
	return err == nil && os.SameFile(one, other)
}

// gitConfigs looks through the files that git reads its configuration from.
type gitConfigs struct {
	env  func(string) string
	deep int // includes that lead here
	err  error
	// conditional: sections count only in files that are included under a condition, as one is that
	// is being looked through if under is set.
	conditional, under bool
}

// mention reports whether one of the files that hold for all repositories may have a section srpatch. It may err to that side only.
func (g *gitConfigs) mention() bool {
	if g.env("GIT_CONFIG_COUNT") != "" || g.env("GIT_CONFIG_PARAMETERS") != "" {
		return true // git -c and its like
	}
	return slices.ContainsFunc(append(g.global(), g.system()), g.mentions)
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

// repositoryConfigs are the configurations of each repository whose working tree dir is in. Git reads the innermost one that it takes
// for a repository.
func repositoryConfigs(dir string) (files []string) {
	for top := git.Top(dir); top != ""; top = git.Top(filepath.Dir(top)) {
		own := filepath.Join(top, ".git")
		if info, err := os.Stat(own); err == nil && !info.IsDir() {
			own = pointedTo(own, "gitdir: ")
		}
		common := own
		if _, err := os.Stat(filepath.Join(own, "commondir")); err == nil {
			common = pointedTo(filepath.Join(own, "commondir"), "")
		}
		files = append(files, filepath.Join(common, "config"), filepath.Join(own, "config.worktree"))
		if filepath.Dir(top) == top {
			break
		}
	}
	return files
}

// pointedTo is the directory that a file of git's names after a prefix.
func pointedTo(file, prefix string) string {
	text, err := regular.ReadFile(file)
	if err != nil {
		return file // below which there is nothing
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
	if file == os.DevNull {
		return false
	}
	text, err := regular.ReadFile(file)
	if errors.Is(err, regular.ErrNot) {
		g.err = err // git would wait for the writer of a FIFO
	}
	if err != nil {
		return !errors.Is(err, fs.ErrNotExist) // git says what is wrong with it
	}
	lower := bytes.ToLower(text)
	if bytes.Contains(lower, []byte("[srpatch")) && g.counts() {
		return true
	}
	if !bytes.Contains(lower, []byte("[include")) {
		return false
	}
	if g.deep++; g.deep > maxIncludes {
		return true
	}
	defer func(under bool) { g.deep, g.under = g.deep-1, under }(g.under)
	above := g.under
	for line := range strings.Lines(string(text)) {
		if section := strings.ToLower(strings.TrimSpace(line)); strings.HasPrefix(section, "[") {
			g.under = above || strings.HasPrefix(section, "[includeif")
		}
		if i := strings.LastIndexByte(line[:max(strings.IndexByte(line, '='), 0)], ']'); i >= 0 {
			line = line[i+1:]
		}
		key, value, _ := strings.Cut(line, "=")
		if !strings.EqualFold(strings.TrimSpace(key), "path") {
			continue
		}
		name, sure := g.included(strings.TrimSpace(value), file)
		if !sure && g.counts() || sure && g.mentions(name) {
			return true
		}
	}
	return false
}

// counts reports whether a section counts in the file that is being looked through.
func (g *gitConfigs) counts() bool { return g.under || !g.conditional }

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
