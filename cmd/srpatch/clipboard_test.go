package main

import (
	"bytes"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// TestClipboardProgramThatHangs is given up, with what it has started.
func TestClipboardProgramThatHangs(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("there is no shell for the scripts that stand in for the clipboard")
	}
	for name, c := range map[string]struct{ script, want, failure string }{
		"hangs":              {script: "sleep 20", failure: "killed"},
		"hangs after it":     {script: "echo text; exec sleep 20", failure: "killed"},
		"leaves one behind":  {script: "echo text; sleep 5 &", want: "text\n"},
		"prints what it has": {script: "echo text", want: "text\n"},
		"fails":              {script: "exit 1", failure: "exit status 1"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			start := time.Now()
			var text bytes.Buffer
			err := onClipboard([][]string{{"sh", "-c", c.script}}, "", &text, 2*time.Second)
			if time.Since(start) > 30*time.Second {
				t.Error("it was waited for")
			}
			if c.failure == "" && text.String() != c.want || (err == nil) != (c.failure == "") ||
				err != nil && !strings.Contains(err.Error(), c.failure) {
				t.Errorf("%q, %v", text.String(), err)
			}
		})
	}
}
