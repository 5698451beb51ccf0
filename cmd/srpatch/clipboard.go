package main

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"runtime"
	"strings"
)

// clipboardName is what the clipboard is called where the name of a reply is said.
const clipboardName = "(clipboard)"

// pasters are the programs that print the clipboard, those first that fit the system and the session. None has to be there;
// they are looked for when the clipboard is asked for.
func pasters(system string, env func(string) string) [][]string {
	var (
		wayland = [][]string{{"wl-paste", "--no-newline", "--type", "text"}}
		x11     = [][]string{{"xclip", "-selection", "clipboard", "-out"}, {"xsel", "--clipboard", "--output"}}
		mac     = [][]string{{"pbpaste"}}
		// PowerShell writes in the code page of its console unless told otherwise. Under WSL it has its ending in its name.
		read    = "[Console]::OutputEncoding = [Text.Encoding]::UTF8; Get-Clipboard -Raw"
		windows = [][]string{{"powershell.exe", "-NoProfile", "-NonInteractive", "-Command", read}, {"pwsh", "-NoProfile", "-NonInteractive", "-Command", read}}
	)
	order := [][][]string{wayland, x11, mac, windows}
	switch {
	case system == "darwin":
		order = [][][]string{mac, x11, wayland, windows}
	case system == "windows":
		order = [][][]string{windows, wayland, x11, mac}
	case env("WAYLAND_DISPLAY") == "" && env("DISPLAY") != "":
		order = [][][]string{x11, wayland, mac, windows}
	}
	var all [][]string
	for _, some := range order {
		all = append(all, some...)
	}
	return all
}

// installedPasters are the pasters that there are. A program in the current directory is none: it may be from the tree.
func (c *command) installedPasters() (there [][]string) {
	for _, p := range pasters(runtime.GOOS, c.env) {
		if _, err := exec.LookPath(p[0]); err == nil {
			there = append(there, p)
		}
	}
	return there
}

// readClipboard returns what the first paster prints that succeeds, as UTF-8.
func (c *command) readClipboard() ([]byte, error) {
	all := c.installedPasters()
	if len(all) == 0 {
		return nil, errors.New("the clipboard cannot be read: there is none of wl-paste, xclip, xsel, pbpaste and PowerShell; install one, or paste into srpatch -")
	}
	most := cmp.Or(c.maxReply, defaultMaxReply)
	var failures []string
	for _, p := range all {
		text, err := pasted(p, most)
		if _, ok := errors.AsType[*trouble](err); ok {
			return nil, err
		}
		if err != nil {
			failures = append(failures, p[0]+": "+err.Error())
			continue
		}
		if len(bytes.TrimSpace(text)) == 0 {
			return nil, &trouble{codeNoEdits, errors.New("the clipboard holds no text")}
		}
		return text, nil
	}
	return nil, errors.New("the clipboard cannot be read: " + strings.Join(failures, "; "))
}

// pasted is what a program prints, at most so many bytes.
func pasted(program []string, most int64) ([]byte, error) {
	cmd := exec.Command(program[0], program[1:]...)
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	text, err := io.ReadAll(io.LimitReader(decoded(out), most+1))
	if int64(len(text)) > most {
		cmd.Process.Kill()
		cmd.Wait()
		return nil, tooLarge(most)
	}
	if err = errors.Join(err, cmd.Wait()); err == nil {
		return text, nil
	}
	if line, _, _ := strings.Cut(strings.TrimSpace(said.String()), "\n"); line != "" {
		err = errors.New(line)
	}
	return nil, err
}

// offerClipboard asks, on a terminal on which no reply was named, whether the clipboard is meant. Who said yes has not seen yet what
// was copied, so a run that would write asks about each block then.
func (c *command) offerClipboard() bool {
	if len(c.installedPasters()) == 0 {
		return false
	}
	io.WriteString(c.stderr, "No reply is named. Take what the clipboard holds [y,n]? ")
	answer, err := bufio.NewReader(c.stdin).ReadString('\n') // a terminal gives a line at a time
	if err != nil || !isTerminal(c.stderr) {                 // what was typed is not in what stderr has
		fmt.Fprintln(c.stderr)
	}
	switch strings.ToLower(strings.TrimSpace(answer)) {
	case "y", "yes":
		c.clipboard = true
		c.interactive = c.verb.set == vApply && !c.dryRun && !c.list && !c.yes && !c.confirm
	}
	return c.clipboard
}
