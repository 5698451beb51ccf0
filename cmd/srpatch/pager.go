package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/term"
)

// paged does something whose output is shown in a pager, as git does: on a terminal, if there is more than fits, and only for what
// writes nothing into the tree. Whoever asks for JSON or for a message to send does not want to leaf through it.
func (c *command) paged(do func() error) error {
	out, ok := c.stdout.(*os.File)
	if !ok || !isTerminal(out) || !c.isForReading() {
		return do()
	}
	words := pagerCommand(os.LookupEnv)
	if words == nil {
		return do()
	}
	stdout, stderr := c.stdout, c.stderr
	p := &pager{out: out, words: words}
	p.columns, p.rows, _ = term.GetSize(int(out.Fd()))
	if c.stdout = p; isTerminal(stderr) {
		c.stderr = p // so that both stay in their order, and on the screen
	}
	err := do()
	c.stdout, c.stderr = stdout, stderr
	return errors.Join(err, p.close())
}

// isForReading reports whether the output is a text that somebody reads at leisure.
func (c *command) isForReading() bool {
	looks := c.verb.set&(vLooking|vParse|vLog) != 0 || c.verb.set&vApply != 0 && c.dryRun && !c.interactive
	if !looks || c.noPager || c.quiet && !c.dryRun || c.json || c.feedback {
		return false
	}
	fromStdin := len(c.args) == 0 && c.filesFrom == "" || c.filesFrom == "-" || slices.Contains(c.args, "-")
	return !(fromStdin && c.verb.set == vParse) // printed while the model writes
}

// pagerCommand is what $PAGER says, in words; nil if there is to be none. As in git that is so where it is set to nothing.
func pagerCommand(env func(string) (value string, set bool)) []string {
	terminal, _ := env("TERM")
	command, set := env("PAGER")
	command = strings.TrimSpace(command)
	switch {
	case terminal == "dumb", command == "cat", set && command == "":
		return nil
	case !set:
		return []string{"less"}
	case runtime.GOOS != "windows" && strings.ContainsAny(command, "|&;<>()$`\\\"'*?[#~=%"):
		return []string{"sh", "-c", command}
	}
	return strings.Fields(command)
}

// pager is a stream to a terminal. It holds back what fits on the screen, and starts the pager when there is more.
type pager struct {
	out           *os.File
	words         []string
	columns, rows int

	held    bytes.Buffer
	lines   int // of the terminal, that what is held takes
	process *exec.Cmd
	in      *os.File // of the process
	direct  bool     // there is no such program
	signals chan os.Signal
}

// Fd is the terminal's, so that colour and width are.
func (p *pager) Fd() uintptr { return p.out.Fd() }

// Write never fails for a pager that was left before the end of the text.
func (p *pager) Write(text []byte) (int, error) {
	switch {
	case p.direct:
		return p.out.Write(text)
	case p.process != nil:
		_, _ = p.in.Write(text)
		return len(text), nil
	}
	p.held.Write(text)
	for line := range bytes.Lines(text) {
		p.lines += 1 + len(line)/max(p.columns, 20)
	}
	if p.lines >= p.rows {
		return len(text), p.start()
	}
	return len(text), nil
}

// start hands what is held to the pager. It gets the settings that git gives it, unless it has others.
func (p *pager) start() error {
	in, out, err := os.Pipe()
	if err != nil {
		return p.giveUp()
	}
	defer in.Close()
	cmd := exec.Command(p.words[0], p.words[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr, cmd.Env = in, p.out, p.out, os.Environ()
	for name, value := range map[string]string{"LESS": "FRX", "LV": "-c"} {
		if _, set := os.LookupEnv(name); !set {
			cmd.Env = append(cmd.Env, name+"="+value)
		}
	}
	if cmd.Start() != nil {
		out.Close()
		return p.giveUp()
	}
	p.process, p.in, p.signals = cmd, out, make(chan os.Signal, 1)
	signal.Notify(p.signals, os.Interrupt) // is the pager's now: it would be left without its input
	_, _ = p.held.WriteTo(out)
	return nil
}

// giveUp writes what is held, and the rest as it comes.
func (p *pager) giveUp() error {
	p.direct = true
	_, err := p.held.WriteTo(p.out)
	return err
}

// close ends the text, and waits until it is read.
func (p *pager) close() error {
	if p.process == nil {
		return p.giveUp()
	}
	p.in.Close()
	_ = p.process.Wait() // how it was left says nothing about the run
	signal.Stop(p.signals)
	return nil
}
