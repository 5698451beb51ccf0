package main

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"
)

// editorName is the editor that the environment names, as git looks for it.
func (c *command) editorName() string {
	otherwise := "vi"
	if runtime.GOOS == "windows" {
		otherwise = "notepad"
	}
	return cmp.Or(c.env("GIT_EDITOR"), c.env("VISUAL"), c.env("EDITOR"), otherwise)
}

// edited is the text as an editor leaves it that works on terminal. The file it is given has the ending of name, which says
// what language it is in.
func (c *command) edited(text []byte, name string, terminal any) (_ []byte, err error) {
	dir, err := os.MkdirTemp("", "srpatch-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	file := filepath.Join(dir, "REPLACE"+plainExt(name))
	if err := os.WriteFile(file, text, 0o600); err != nil {
		return nil, err
	}
	editor := c.editorName()
	cmd := exec.Command(editor, file)
	if words := strings.Fields(editor); strings.ContainsAny(editor, "|&;<>()$`\\\"' \t*?[#~=%") { // as git asks: code --wait
		if _, err := exec.LookPath("sh"); err == nil {
			cmd = exec.Command("sh", "-c", editor+` "$@"`, editor, file)
		} else if len(words) > 0 {
			cmd = exec.Command(words[0], append(words[1:], file)...)
		}
	}
	if f, ok := terminal.(*os.File); ok && isTerminal(f) {
		cmd.Stdin = f
	}
	cmd.Stdout, cmd.Stderr = c.stdout, c.stderr
	if !isTerminal(c.stdout) {
		cmd.Stdout = c.stderr // stdout may carry the diff
	}
	// An interrupt typed into the editor is the editor's.
	held := make(chan os.Signal, 1)
	signal.Notify(held, os.Interrupt)
	defer signal.Stop(held)
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("%s: %w", editor, err)
	}
	after, err := os.ReadFile(file)
	return endedAs(after, text), err
}

// plainExt is the ending of a name that a model chose, if it is as those of languages are.
func plainExt(name string) string {
	ext := filepath.Ext(name)
	for _, r := range strings.TrimPrefix(ext, ".") {
		if (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') {
			return ""
		}
	}
	return ext
}

// endedAs gives a text the line end at its end that it had, or had not, before an editor made one there or took it away.
func endedAs(text, before []byte) []byte {
	ended := len(before) == 0 || bytes.HasSuffix(before, []byte("\n"))
	switch has := bytes.HasSuffix(text, []byte("\n")); {
	case ended && !has && len(text) > 0:
		return append(text, '\n')
	case !ended && has:
		return bytes.TrimSuffix(text, []byte("\n"))
	}
	return text
}
