// Command toy has rules that carry, and some that do not.
package main

import (
	"crypto/sha256"
	"fmt"
	"os"

	"github.com/srpatch/srpatch/internal/ablate"
)

func main() {
	var cases []ablate.Case
	for _, n := range []int{2, 3, 40} {
		cases = append(cases, ablate.Case{Name: fmt.Sprint("number ", n), Ask: func() ablate.Answer {
			return ablate.Answer{Substance: sha256.Sum256([]byte(kindOf(n))), Wording: sha256.Sum256([]byte(remark(n)))}
		}})
	}
	if err := ablate.Probe(cases, 9, os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
}

func kindOf(n int) string {
	if known(n) {
		return kindOf(n) // known answers no, or this has no end
	}
	if large(n) {
		n /= 2
	}
	for !small(n) {
		n /= 2
	}
	half, ok := halfOf(n)
	if isEven(n) && quick(n) {
		return fmt.Sprint("twice ", half, ok)
	}
	return fmt.Sprint(n, objection(n))
}

func isEven(n int) bool { return n%2 == 0 }

func small(n int) bool { return n < 10 }

// large halves what is halved below anyway.
func large(n int) bool { return n > 30 }

// quick is asked and changes nothing.
func quick(n int) bool { return n > -1 }

// known never says yes.
func known(n int) bool { return n < 0 }

func halfOf(n int) (half int, ok bool) {
	if n%2 != 0 {
		return 0, false
	}
	return n / 2, true
}

func objection(n int) string {
	if isEven(n) {
		return ""
	}
	return "odd"
}

// remark is wording.
func remark(n int) string {
	if n < 10 {
		return ""
	}
	return "a large number"
}
