package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"runtime"
	"strings"
	"time"
)

// clipboardName is what the clipboard is called where the name of a reply is said.
const clipboardName = "(clipboard)"

// clipboardPatience is how long a program may take to print the clipboard. PowerShell takes a second or two to start.
const clipboardPatience = 10 * time.Second

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
		return nil, errors.New("the clipboard cannot be read: wl-paste, xclip, xsel, pbpaste and PowerShell are missing; install one, or paste into srpatch -")
	}
	var failures []string
	for _, p := range all {
		text, err := pasted(p, maxReply, clipboardPatience)
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

// pasted is what a program prints, at most so many bytes in so much time: one that asks a display that is gone may wait for ever.
func pasted(program []string, most int64, patience time.Duration) ([]byte, error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, program[0], program[1:]...)
	cmd.WaitDelay = patience / 10 // what it leaves behind in the background may hold its output open
	var said bytes.Buffer
	out := &upTo{left: 2*most + 2} // UTF-16 has twice the bytes, and a mark
	cmd.Stdout, cmd.Stderr = out, &said
	err := cmd.Run()
	if ctx.Err() != nil {
		return nil, fmt.Errorf("it did not answer within %v", patience)
	}
	text, readErr := io.ReadAll(io.LimitReader(decoded(&out.text), most+1))
	if out.left < 0 || int64(len(text)) > most {
		return nil, tooLarge()
	}
	if err = errors.Join(err, readErr); err == nil || errors.Is(err, exec.ErrWaitDelay) {
		return text, nil
	}
	if line, _, _ := strings.Cut(strings.TrimSpace(said.String()), "\n"); line != "" {
		err = errors.New(line)
	}
	return nil, err
}

// upTo keeps what is written, and ends it with an error once that is more than left bytes.
type upTo struct {
	text bytes.Buffer
	left int64
}

func (u *upTo) Write(p []byte) (int, error) {
	if u.left -= int64(len(p)); u.left < 0 {
		return 0, io.ErrShortWrite
	}
	return u.text.Write(p)
}

// offerClipboard asks, on a terminal on which no reply was named, whether the clipboard is meant. Who said yes has not seen yet what
// was copied, so a run that would write asks about each block then.
func (c *command) offerClipboard() bool {
	if len(c.installedPasters()) == 0 {
		return false
	}
	io.WriteString(c.stderr, "No reply is named. Use the clipboard [y,n]? ")
	answer, err := bufio.NewReader(c.stdin).ReadString('\n') // a terminal gives a line at a time
	if err != nil || !isTerminal(c.stderr) {                 // what was typed is not in what stderr has
		fmt.Fprintln(c.stderr)
	}
	switch strings.ToLower(strings.TrimSpace(answer)) {
	case "y", "yes":
		c.clipboard = true
		c.interactive = c.verb.set == vApply && !c.dryRun && !c.yes && !c.confirm
	}
	return c.clipboard
}
