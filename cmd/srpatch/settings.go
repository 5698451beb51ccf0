package main

import (
	"cmp"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/srpatch/srpatch/internal/gitconfig"
)

// held is a setting that holds: the flag that it is the default of.
type held struct {
	flag string
	gitconfig.Setting
}

// settingError is a setting that cannot be used.
type settingError struct {
	gitconfig.Setting
	flag      string // whose default it was to be; "" if there is none such
	key, what string
}

func (e *settingError) Error() string {
	value := ""
	if e.Set {
		value = fmt.Sprintf(" = %q", e.Value)
	}
	return fmt.Sprintf("%s%s in %s: %s", e.key, value, e.File, e.what)
}

// warnUnusable names the settings that a verb goes on without.
func (c *command) warnUnusable() {
	var all []string
	for _, wrong := range c.unusable {
		all = append(all, wrong.Error())
	}
	c.warn(all)
}

// configure gives the flags of a verb that are not on the command line the values that the settings have for them. The last one of
// a key counts, as in git; lists add up, and what --deny names is denied besides.
//
// A setting that cannot be used may have been meant to forbid something, so it ends what looks for places in a tree. Other verbs go on without
// it: what runs have done can be seen and taken back whatever is set now, unless it was to say where that is kept.
func (c *config) configure(set *pflag.FlagSet, table iter.Seq[flagDef], v verb, all []gitconfig.Setting) error {
	given := map[string]bool{}
	set.Visit(func(f *pflag.Flag) { given[f.Name] = true })
	for _, s := range all {
		err := c.setting(set, table, v, given, s)
		wrong, isWrong := errors.AsType[*settingError](err)
		if isWrong && v.set&(vTurning|vLog|vRecover) != 0 && wrong.flag != "state-dir" {
			c.unusable = append(c.unusable, wrong)
			err = nil
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// setting gives the flag that a setting names its value.
func (c *config) setting(set *pflag.FlagSet, table iter.Seq[flagDef], v verb, given map[string]bool, s gitconfig.Setting) error {
	name := s.Flag()
	if name == "" {
		var keys []string
		for _, name := range gitconfig.Names() {
			keys = append(keys, strings.TrimPrefix(gitconfig.KeyOf(name), "srpatch."))
		}
		return &settingError{s, "", s.Key, "there is no such setting" + cmp.Or(settingMeantBy(s.Key), didYouMean(strings.TrimPrefix(s.Key, "srpatch."), keys, "srpatch."))}
	}
	var f flagDef
	for f = range table {
		if f.name == name {
			break
		}
	}
	if f.verbs&v.set == 0 || given[name] && name != "deny" {
		return nil
	}
	if name == "verify" && !s.Own {
		return &settingError{s, name, gitconfig.KeyOf(name), "only the repository's own configuration may name a command; " +
			"run git config " + gitconfig.KeyOf(name) + " COMMAND in it, or pass --verify"}
	}
	_, list := f.target.(*[]string)
	flag := set.Lookup(name).Value
	before := flag.String()
	value, err := s.As(name, flag.Type())
	if err == nil {
		if err = flag.Set(value); err != nil {
			err = fmt.Errorf("expected %s", expectedOf(flag))
		}
	}
	if err == nil {
		if err = c.validate(); err != nil && !list {
			_ = flag.Set(before) // which it had
		}
	}
	if err != nil {
		_, what, ok := strings.Cut(err.Error(), "expected ")
		if what = "expected " + what; !ok {
			what = strings.TrimPrefix(err.Error(), "--"+name+": ")
		}
		return &settingError{s, name, gitconfig.KeyOf(name), what}
	}
	if !list {
		c.held = slices.DeleteFunc(c.held, func(h held) bool { return h.flag == name })
	}
	s.Value = value
	c.held = append(c.held, held{name, s})
	return nil
}

// expectedOf says what a flag's value is.
func expectedOf(v pflag.Value) string {
	switch v.Type() {
	case "bool":
		return "true or false"
	case "message":
		return "a message"
	case "duration":
		return "a duration such as 10s or 5m"
	}
	return "a number"
}

// originOf says where the value of a flag is from, to be put behind an error about it; "" of one that is not from a setting.
func (c *config) originOf(flags ...string) string {
	for _, h := range c.held {
		if slices.Contains(flags, h.flag) {
			return fmt.Sprintf(" (%s is set in %s)", gitconfig.KeyOf(h.flag), h.File)
		}
	}
	return ""
}
