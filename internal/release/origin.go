package main

import (
	"debug/buildinfo"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
)

// origin is what the files of a release are made from. All of their times are its date.
type origin struct {
	version, commit string
	date            time.Time
}

// or completes what the command line says from the program here, which Go built, and the
// environment.
func (o origin) or(here string) (origin, error) {
	if o.version == "" {
		info, err := buildinfo.ReadFile(here)
		if err != nil {
			return o, err
		}
		for _, s := range info.Settings {
			switch s.Key {
			case "vcs.revision":
				o.commit = s.Value
			case "vcs.time":
				if o.date, err = time.Parse(time.RFC3339, s.Value); err != nil {
					return o, err
				}
			}
		}
		if o.version = info.Main.Version; o.commit == "" {
			return o, errors.New("there is no git here that Go takes the version from (it takes none in a worktree): give it with --version v0.1.0")
		}
	} else if !strings.HasPrefix(o.version, "v") {
		return o, fmt.Errorf("--version %s: expected v0.1.0 or the like", o.version)
	}
	if epoch := os.Getenv("SOURCE_DATE_EPOCH"); epoch != "" {
		seconds, err := strconv.ParseInt(epoch, 10, 64)
		if err != nil {
			return o, fmt.Errorf("SOURCE_DATE_EPOCH: %w", err)
		}
		o.date = time.Unix(seconds, 0)
	}
	if o.date.IsZero() {
		return o, errors.New("with --version the date of all files is to be in SOURCE_DATE_EPOCH, in seconds since 1970")
	}
	o.date = o.date.UTC()
	return o, nil
}

// number returns the version as names of files and packages have it.
func (o origin) number() string { return strings.TrimPrefix(o.version, "v") }
