package hostile

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"time"
)

// MB is the unit of sizes.
const MB = 1 << 20

// Measure has a program read a text of about size bytes, and says how many seconds of processor time a MB takes, and how much there is of it. A
// program that takes longer than most seconds a MB is ended, and then ok is false. The text goes by way of the file at path.
func Measure(ctx context.Context, program, path string, p *Pattern, size int, most float64) (perMB float64, ok bool, err error) {
	text := p.Text(size)
	if err := os.WriteFile(path, text, 0o600); err != nil {
		return 0, false, err
	}
	mb := float64(len(text)) / MB
	text = nil
	// A busy machine gives a program less time than passes.
	ctx, cancel := context.WithTimeout(ctx, time.Duration(10*most*mb*float64(time.Second)))
	defer cancel()
	args := []string{"parse", "--json", path}
	if p.Log {
		args = append(args, "--last")
	}
	c := exec.CommandContext(ctx, program, args...)
	err = c.Run()
	if c.ProcessState == nil {
		return 0, false, err
	}
	perMB = (c.ProcessState.UserTime() + c.ProcessState.SystemTime()).Seconds() / mb
	switch code := c.ProcessState.ExitCode(); {
	case ctx.Err() != nil && code < 0:
		return perMB, false, nil
	case code < 0 || code > 2:
		return perMB, false, fmt.Errorf("%s: %v", p.Name, c.ProcessState)
	}
	return perMB, perMB <= most, nil
}
