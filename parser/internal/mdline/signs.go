package mdline

import (
	"bytes"
	"unicode/utf8"
)

// Signs says which signs a line has that edits are written with, so that nobody has to look for those of them that it has not.
type Signs uint8

// The signs.
const (
	Angle  Signs = 1 << iota // "<"
	Brace                    // "{"
	Quotes                   // quotes, double or single
	Star                     // "*"
	Entity                   // "&"
	Assign                   // ":" or "=", which come after a key
	Run                      // three of a sign of which markers are made, perhaps with a blank between them, or what may stand for some

	mayRun // some sign of which there may be a run
)

// BarSigns are the signs of which there may be a run.
const BarSigns = "<>=-+[]{}~#*|"

// signOf has the signs that bytes are.
var signOf = signTable()

func signTable() (table [256]Signs) {
	for _, c := range []byte(BarSigns + `\`) {
		table[c] = mayRun
	}
	for c := utf8.RuneSelf; c < len(table); c++ {
		table[c] = mayRun
	}
	for c, sign := range map[byte]Signs{'<': Angle, '{': Brace, '"': Quotes, '\'': Quotes, '*': Star, '&': Entity, ':': Assign, '=': Assign} {
		table[c] |= sign
	}
	return table
}

// maxRunLine is how long a line may be of which it matters whether it has a run, in bytes.
const maxRunLine = 4 << 10

// SignsOf looks at each byte of a line once. What is too long to be a marker counts as having a run.
func SignsOf(line []byte) (all Signs) {
	if len(line) > maxRunLine {
		all = Run
		for _, c := range []byte("<{\"'*&:=") {
			if bytes.IndexByte(line, c) >= 0 {
				all |= signOf[c]
			}
		}
		return all &^ mayRun
	}
	for i, c := range line {
		sign := signOf[c]
		if sign == 0 {
			continue
		}
		all |= sign
		if sign&mayRun != 0 && i > 1 && (c == '\\' || c >= utf8.RuneSelf || line[i-2] == c && (line[i-1] == c || line[i-1] == ' ')) {
			all |= Run
		}
	}
	return all &^ mayRun
}
