package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"strings"
	"time"

	"golang.org/x/text/encoding/unicode"

	"github.com/srpatch/srpatch/internal/failure"
)

// clipboardName is the name of a reply from the clipboard.
const clipboardName = "(clipboard)"

// clipboardPatience is how long a program may take to print the clipboard. PowerShell needs a
// second or two to start.
const clipboardPatience = 10 * time.Second

// pasters returns the programs that print the clipboard, on macOS, Wayland, X11, Windows and WSL.
// The first one that succeeds is used.
func pasters() [][]string {
	// PowerShell writes in the code page of its console unless told otherwise.
	const read = "[Console]::OutputEncoding = [Text.Encoding]::UTF8; Get-Clipboard -Raw"
	return installed([][]string{
		{"pbpaste"}, // before those of X11, which macOS may have, too
		{"wl-paste", "--no-newline", "--type", "text"},
		{"xclip", "-selection", "clipboard", "-out"},
		{"xsel", "--clipboard", "--output"},
		{"powershell.exe", "-NoProfile", "-NonInteractive", "-Command", read},
		{"pwsh", "-NoProfile", "-NonInteractive", "-Command", read},
	})
}

// copiers returns the programs that copy their input to the clipboard, in the order of the pasters.
func copiers() [][]string {
	return installed([][]string{
		{"pbcopy"}, {"wl-copy"}, {"xclip", "-selection", "clipboard", "-in"},
		{"xsel", "--clipboard", "--input"}, {"clip.exe"},
	})
}

// installed returns the programs that are installed. One in the current directory doesn't count,
// because it may come from the tree.
func installed(programs [][]string) [][]string {
	return slices.DeleteFunc(programs, func(p []string) bool {
		_, err := exec.LookPath(p[0])
		return err != nil
	})
}

// copyMessage copies a message to the clipboard, with the first copier that succeeds, and says so
// on stderr. It does nothing for an empty message.
func (c *command) copyMessage(text string) error {
	if text == "" {
		return nil
	}
	failures := []string{"wl-copy, xclip, xsel, pbcopy and clip.exe are missing or failed"}
	for _, p := range copiers() {
		in := text
		if p[0] == "clip.exe" { // it takes UTF-8 for the code page of the console
			in, _ = unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewEncoder().String(text)
		}
		err := runClipboard(p, in, nil, clipboardPatience)
		if err == nil {
			fmt.Fprintln(c.stderr, "srpatch: the message for the model is on the clipboard")
			return nil
		}
		failures = append(failures, p[0]+": "+err.Error())
	}
	return errors.New("the clipboard cannot be written: " + strings.Join(failures, "; ") +
		"; without --copy the message is printed")
}

// readClipboard returns the output of the first paster that succeeds. It's an error if that is
// blank.
func (c *invocation) readClipboard() ([]byte, error) {
	var failures []string
	for _, p := range pasters() {
		var out bytes.Buffer
		err := runClipboard(p, "", &out, clipboardPatience)
		if err == nil && len(bytes.TrimSpace(out.Bytes())) == 0 {
			return nil, codef(failure.NoEdits, "the clipboard holds no text")
		}
		if err == nil {
			return out.Bytes(), nil
		}
		failures = append(failures, p[0]+": "+err.Error())
	}
	if failures == nil {
		failures = []string{"wl-paste, xclip, xsel, pbpaste and PowerShell are missing; " +
			"install one, or paste into " + c.verb.command("-")}
	}
	return nil, errors.New("the clipboard cannot be read: " + strings.Join(failures, "; "))
}

// runClipboard runs a clipboard program with in as its input. out gets its output, and is nil for a
// program that copies. The time is limited to patience, because a program whose display is gone may
// wait forever. The error is the first line that the program wrote to stderr, if out isn't nil and
// there is one.
func runClipboard(program []string, in string, out io.Writer, patience time.Duration) error {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, program[0], program[1:]...)
	cmd.WaitDelay = patience / 10 // what it leaves behind may hold its output open
	cmd.Stdin = strings.NewReader(in)
	var said bytes.Buffer
	if out != nil { // a copier may go on in the background, and would hold the pipes open
		cmd.Stdout, cmd.Stderr = out, &said
	}
	err := cmd.Run()
	line, _, _ := strings.Cut(strings.TrimSpace(said.String()), "\n")
	switch {
	case ctx.Err() != nil:
		return fmt.Errorf("it did not respond within %v", patience)
	case errors.Is(err, exec.ErrWaitDelay): // it succeeded, but a child keeps its output open
		return nil
	case err != nil && line != "":
		return errors.New(line)
	}
	return err
}

// offerClipboard asks the user, who has named no reply, whether to read the clipboard. It reports
// whether the answer is yes, and then sets c.clipboard. The user hasn't seen the content, so it
// also sets c.interactive for a run that would write.
func (c *command) offerClipboard() bool {
	if len(pasters()) == 0 {
		return false
	}
	io.WriteString(c.stderr, "No reply was named. Use the clipboard [y,n]? ")
	answer, err := bufio.NewReader(c.stdin).ReadString('\n') // a terminal gives a line at a time
	if err != nil || !isTerminal(c.stderr) {
		fmt.Fprintln(c.stderr) // only a terminal shows the line end that the user types
	}
	switch strings.ToLower(strings.TrimSpace(answer)) {
	case "y", "yes":
		c.clipboard = true
		c.interactive = c.verb.set == vApply && !c.dryRun && !c.yes && !c.confirm
	}
	return c.clipboard
}
