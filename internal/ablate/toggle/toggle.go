// Package toggle answers in the place of a rule, for the copies of the product's files that package ablate builds. The product
// itself never imports it.
//
// Which rule is switched is state of the process, as the code that asks has no place to carry it. Only one goroutine may ask
// while a [Record] is taken.
package toggle

import (
	"os"
	"strconv"
	"strings"
)

// Env names the variable that switches a rule for the whole process, such as a test binary: "17=off" or "17=on".
const Env = "SRPATCH_ABLATE"

// Setting is what a rule answers.
type Setting string

// The settings of a rule; "" is its own answer.
const (
	Off Setting = "off" // false, nothing found, no objection
	On  Setting = "on"  // true
)

var (
	switched, setting = fromEnv(os.Getenv(Env))
	record            *Record
)

func fromEnv(value string) (rule int, to Setting) {
	number, name, ok := strings.Cut(value, "=")
	rule, err := strconv.Atoi(number)
	if !ok || err != nil {
		return -1, ""
	}
	return rule, Setting(name)
}

// Switch makes one rule answer as the setting says, and all others for themselves.
func Switch(rule int, to Setting) { switched, setting = rule, to }

// Record is what was asked during a run.
type Record struct {
	// Yes and No hold, by rule, whether it answered so for itself.
	Yes, No []bool
	// Asked counts the questions. Beyond Limit, where it is set, the next question panics with [Endless]: a rule that is
	// switched can keep a loop from ending.
	Asked, Limit int
}

// Endless is the panic of a run that asks more than its limit.
const Endless = "the run does not end"

// Watch makes all questions count in r; nil ends it.
func Watch(r *Record) { record = r }

// Ask answers for a rule whose answer is a bool.
func Ask(rule int, own func() bool) bool {
	if to := begin(rule); to != "" {
		return to == On
	}
	yes := own()
	note(rule, yes)
	return yes
}

// Find answers for a rule that says something of what it returns, most often that it was found: that is false when the rule is
// switched off.
func Find[T any](rule int, own func() (T, bool)) (result T, found bool) {
	to := begin(rule)
	result, found = own()
	note(rule, found)
	return result, found && to == ""
}

// FindTwo is [Find] for a rule that returns two things.
func FindTwo[T, U any](rule int, own func() (T, U, bool)) (first T, second U, found bool) {
	to := begin(rule)
	first, second, found = own()
	note(rule, found)
	return first, second, found && to == ""
}

// Object answers for a rule that objects, or returns its zero value.
func Object[T comparable](rule int, own func() T) (objection T) {
	if begin(rule) != "" {
		return objection
	}
	zero := objection
	objection = own()
	note(rule, objection != zero)
	return objection
}

// Shut reports whether a function is to do nothing.
func Shut(rule int) bool {
	to := begin(rule)
	note(rule, true)
	return to != ""
}

func begin(rule int) Setting {
	if r := record; r != nil {
		r.Asked++
		if r.Limit > 0 && r.Asked > r.Limit {
			panic(Endless)
		}
	}
	if rule != switched {
		return ""
	}
	return setting
}

func note(rule int, yes bool) {
	r := record
	if r == nil {
		return
	}
	if yes {
		r.Yes[rule] = true
	} else {
		r.No[rule] = true
	}
}
