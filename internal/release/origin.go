package main

import (
	"cmp"
	"debug/buildinfo"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
)

// origin says what a release is made from. All files in it have its date.
type origin struct {
	version, commit string
	date            time.Time
}

// or returns o, completed by what Go recorded of git in the program here. SOURCE_DATE_EPOCH, if
// set, is the date.
func (o origin) or(here string) (origin, error) {
	info, err := buildinfo.ReadFile(here)
	if err != nil {
		return o, err
	}
	git := origin{}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			git.commit = s.Value
		case "vcs.time":
			if git.date, err = time.Parse(time.RFC3339, s.Value); err != nil {
				return o, err
			}
		}
	}
	if git.commit != "" {
		git.version = info.Main.Version
	}
	o = origin{cmp.Or(o.version, git.version), cmp.Or(o.commit, git.commit), cmp.Or(o.date, git.date)}
	switch {
	case o.version == "":
		return o, errors.New("found no git repository here (Go finds none in a worktree): " +
			"use --version v0.1.0")
	case !strings.HasPrefix(o.version, "v"):
		return o, fmt.Errorf("--version %s: expected a version such as v0.1.0", o.version)
	}
	if epoch := os.Getenv("SOURCE_DATE_EPOCH"); epoch != "" {
		seconds, err := strconv.ParseInt(epoch, 10, 64)
		if err != nil {
			return o, fmt.Errorf("SOURCE_DATE_EPOCH: %w", err)
		}
		o.date = time.Unix(seconds, 0)
	}
	if o.date.IsZero() {
		return o, errors.New("without git, set SOURCE_DATE_EPOCH to the date of all files, in seconds since 1970")
	}
	o.date = o.date.UTC()
	return o, nil
}

// number returns the version without the v, for the names of files and packages.
func (o origin) number() string { return strings.TrimPrefix(o.version, "v") }
