package hostile

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"time"
)

// MB is the unit of sizes.
const MB = 1 << 20

// Measure lets a program read a text of about size bytes, and returns the seconds of CPU time per
// MB. After 10 seconds per MB it ends the program, and the time is infinite. It writes the text to
// path, and removes that.
func Measure(ctx context.Context, program, path string, p *Pattern, size int) (perMB float64, err error) {
	text := p.Text(size)
	if err := os.WriteFile(path, text, 0o600); err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, os.Remove(path)) }()
	mb := float64(len(text)) / MB
	text = nil
	limited, cancel := context.WithTimeout(ctx, time.Duration(10*mb*float64(time.Second)))
	defer cancel()
	args := []string{"parse", "--json", path}
	if p.Log {
		args = append(args, "--last")
	}
	c := exec.CommandContext(limited, program, args...)
	err = c.Run()
	if c.ProcessState == nil {
		return 0, err
	}
	switch code := c.ProcessState.ExitCode(); {
	case ctx.Err() != nil:
		return 0, ctx.Err()
	case limited.Err() != nil && code < 0:
		return math.Inf(1), nil
	case code < 0 || code > 2:
		return 0, fmt.Errorf("%s: %v", p.Name, c.ProcessState)
	}
	return (c.ProcessState.UserTime() + c.ProcessState.SystemTime()).Seconds() / mb, nil
}
