package gitconfig

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Names are the flags whose defaults git's configuration may set, each under the key srpatch.NAME without dashes, in any case of its
// letters: how much is forgiven, what may be changed, by which command a run is verified, where things are kept. What a single run is to do is not among them, nor is
// what gives up a promise about a crash.
func Names() []string {
	return []string{"policy", "threshold", "splice", "allow", "deny", "untrusted", "no-create", "hardlinks", "encoding", "verify", "verify-timeout", "state-dir", "wait", "color", "timeout", "max-size"}
}

// KeyOf is the key of a flag as people write it: srpatch.stateDir.
func KeyOf(flag string) string {
	words := strings.Split(flag, "-")
	for i := range words[1:] {
		words[i+1] = strings.ToUpper(words[i+1][:1]) + words[i+1][1:]
	}
	return "srpatch." + strings.Join(words, "")
}

// Flag is the flag that the setting is the default of; "" if there is none such.
func (s Setting) Flag() string {
	names := Names()
	if i := slices.IndexFunc(names, func(name string) bool { return strings.EqualFold(KeyOf(name), s.Key) }); i >= 0 {
		return names[i]
	}
	return ""
}

// As is the setting's value as its flag reads it, whose type is as pflag calls it. Git's spellings of yes and no, of sizes and of paths are understood.
func (s Setting) As(flag, kind string) (string, error) {
	switch kind {
	case "bool":
		switch strings.ToLower(s.Value) {
		case "true", "yes", "on", "1":
			return "true", nil
		case "false", "no", "off", "0", "":
			return strconv.FormatBool(!s.Set), nil
		}
		return "", fmt.Errorf("expected true or false")
	case "int", "int64":
		unit := int64(1)
		digits := strings.TrimRight(s.Value, "kKmMgG")
		for _, letter := range strings.ToLower(strings.TrimPrefix(s.Value, digits)) {
			unit <<= 10 * (1 + strings.IndexRune("kmg", letter))
		}
		n, err := strconv.ParseInt(digits, 10, 64)
		if err != nil || len(s.Value) > len(digits)+1 || n*unit/unit != n {
			return "", fmt.Errorf("expected a number, with k, m or g for the units of memory")
		}
		return strconv.FormatInt(n*unit, 10), nil
	}
	if s.Set && s.Value == "" && flag == "verify" {
		return "", nil // no command, where the settings of all trees name one
	}
	if !s.Set || s.Value == "" {
		return "", fmt.Errorf("expected a value")
	}
	if below, ok := strings.CutPrefix(s.Value, "~/"); ok && flag == "state-dir" {
		home, err := os.UserHomeDir()
		return filepath.Join(home, below), err
	}
	if flag == "state-dir" && !filepath.IsAbs(s.Value) {
		return "", fmt.Errorf("expected an absolute path, or one that begins with ~/")
	}
	return s.Value, nil
}
