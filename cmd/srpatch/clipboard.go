package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"time"

	"golang.org/x/text/encoding/unicode"

	"github.com/srpatch/srpatch/internal/failure"
)

// clipboardName is the name of a reply from the clipboard.
const clipboardName = "(clipboard)"

// pasters returns the installed programs that print the clipboard, on macOS, Wayland, X11, Windows
// and WSL.
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

// installed returns the programs that are installed. One in the current directory doesn't count,
// because it may come from the tree.
func installed(programs [][]string) [][]string {
	return slices.DeleteFunc(programs, func(p []string) bool {
		_, err := exec.LookPath(p[0])
		return err != nil
	})
}

// copyMessage copies a message to the clipboard, and says so on stderr. It does nothing for an
// empty message.
func (c *command) copyMessage(text string) error {
	if text == "" {
		return nil
	}
	copiers := installed([][]string{
		{"pbcopy"}, {"wl-copy"}, {"xclip", "-selection", "clipboard", "-in"},
		{"xsel", "--clipboard", "--input"}, {"clip.exe"},
	})
	if len(copiers) > 0 && copiers[0][0] == "clip.exe" { // it takes UTF-8 for the console's code page
		text, _ = unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewEncoder().String(text)
	}
	// No program gets a pipe for its output: a copier goes on in the background, and would hold it.
	if err := onClipboard(copiers, text, nil, clipboardPatience); err != nil {
		return fmt.Errorf("the clipboard cannot be written: %w; without --copy the message is printed", err)
	}
	fmt.Fprintln(c.stderr, "srpatch: the message for the model is on the clipboard")
	return nil
}

// readClipboard returns the text on the clipboard. It's an error if that is blank.
func (c *invocation) readClipboard() ([]byte, error) {
	var out bytes.Buffer
	if err := onClipboard(pasters(), "", &out, clipboardPatience); err != nil {
		return nil, fmt.Errorf("the clipboard cannot be read: %w", err)
	}
	if len(bytes.TrimSpace(out.Bytes())) == 0 {
		return nil, codef(failure.NoEdits, "the clipboard holds no text")
	}
	return out.Bytes(), nil
}

// clipboardPatience is how long a program may take: one whose display is gone may wait forever.
// PowerShell needs a second or two to start.
const clipboardPatience = 10 * time.Second

// onClipboard runs the programs until one succeeds, with in as its input. Its output goes to out, if
// out isn't nil. The error says how each program failed.
func onClipboard(programs [][]string, in string, out *bytes.Buffer, patience time.Duration) error {
	var failures []string
	for _, p := range programs {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		cmd := exec.CommandContext(ctx, p[0], p[1:]...)
		cmd.WaitDelay = patience / 10 // a child that it leaves behind may hold its output open
		cmd.Stdin = strings.NewReader(in)
		if out != nil {
			out.Reset()
			cmd.Stdout = out
		}
		err := cmd.Run()
		if err == nil || errors.Is(err, exec.ErrWaitDelay) {
			return nil
		}
		failures = append(failures, p[0]+": "+err.Error())
	}
	if failures == nil {
		return errors.New("install wl-clipboard, xclip or xsel")
	}
	return errors.New(strings.Join(failures, "; "))
}

// offerClipboard asks the user, who has named no reply, whether to read the clipboard. It reports
// whether the answer is yes, and then sets c.clipboard. The user hasn't seen the content, so it
// also sets c.interactive for a run that would write.
func (c *command) offerClipboard() bool {
	if len(pasters()) == 0 {
		return false
	}
	answer, _ := c.question(c.stdin, "No reply was named. Use the clipboard [y,n]? ")
	if c.clipboard = answer == "y" || answer == "yes"; c.clipboard {
		c.interactive = c.verb.set == vApply && !c.dryRun && !c.yes && !c.confirm
	}
	return c.clipboard
}
