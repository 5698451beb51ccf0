package apply_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"pgregory.net/rapid"

	"github.com/srpatch/srpatch/apply"
	"github.com/srpatch/srpatch/parser"
)

// sheet is a randomly drawn file: its lines and, separately, their line ends.
type sheet struct {
	bom   bool
	lines []string
	ends  []string // "\n" or "\r\n"; the last may be ""
}

func (s sheet) bytes() []byte {
	var b bytes.Buffer
	if s.bom {
		b.WriteString("\ufeff")
	}
	for i, line := range s.lines {
		b.WriteString(line)
		b.WriteString(s.ends[i])
	}
	return b.Bytes()
}

var (
	margins = []string{"", "", "    ", "    ", "        ", "\t", "\t\t", "  ", "\t  "}
	nouns   = []string{"order", "total", "client", "index", "buffer", "parser", "window", "margin", "日本語", "größe"}
	verbs   = []string{"load", "store", "check", "render", "merge", "split", "commit", "resolve"}
	common  = []string{"", "", "}", "return nil", "x = 1", "else:", "end", "# note", "a\rb",
		"caf\xe9 \xff", "|---|---|"}
)

// drawText draws a meaningful line; serial makes it unique.
func drawText(t *rapid.T, serial int) string {
	return fmt.Sprintf("%s_%s_%d(\"%s\", %d)", rapid.SampledFrom(verbs).Draw(t, "verb"),
		rapid.SampledFrom(nouns).Draw(t, "noun"),
		serial, rapid.SampledFrom(nouns).Draw(t, "argument"), rapid.IntRange(0, 99).Draw(t, "number"))
}

// drawSheet draws a file of least to most lines. Unless copies is set, each line occurs only once.
func drawSheet(t *rapid.T, least, most int, copies bool) sheet {
	s := sheet{bom: rapid.IntRange(0, 9).Draw(t, "bom") == 0}
	mode := rapid.SampledFrom([]string{"lf", "lf", "crlf", "mixed"}).Draw(t, "ends")
	for i := range rapid.IntRange(least, most).Draw(t, "lines") {
		line := rapid.SampledFrom(margins).Draw(t, "margin")
		if copies && rapid.IntRange(0, 2).Draw(t, "common") == 0 {
			line += rapid.SampledFrom(common).Draw(t, "line")
		} else {
			line += drawText(t, i)
		}
		if rapid.IntRange(0, 11).Draw(t, "blanks") == 0 {
			line += "  "
		}
		s.lines = append(s.lines, line)
		end := "\n"
		if mode == "crlf" || mode == "mixed" && rapid.Bool().Draw(t, "cr") {
			end = "\r\n"
		}
		s.ends = append(s.ends, end)
	}
	if last := len(s.lines) - 1; last >= 0 && s.lines[last] != "" &&
		(last == 0 || s.lines[last-1] != "") && rapid.IntRange(0, 3).Draw(t, "final") == 0 {
		s.ends[last] = ""
	}
	return s
}

// step is one line of an edit script.
type step struct {
	kind byte // ' ' kept, '-' deleted, '+' added
	text string
}

type script []step

func (s script) side(without byte) (lines []string) {
	for _, st := range s {
		if st.kind != without {
			lines = append(lines, st.text)
		}
	}
	return lines
}

func (s script) search() []string  { return s.side('+') }
func (s script) replace() []string { return s.side('-') }

// block returns the block that describes the script.
func (s script) block(id, hint int) parser.Block {
	return parser.Block{ID: id, Op: parser.OpEdit, Path: "f.txt", Search: joined(s.search()),
		Replace: joined(s.replace()), StartLine: hint}
}

func joined(lines []string) []byte {
	var b bytes.Buffer
	for _, line := range lines {
		b.WriteString(line + "\n")
	}
	return b.Bytes()
}

// drawScript draws an edit of the lines from first to end-1. At least one of them changes, and
// serial makes the added lines unique.
func drawScript(t *rapid.T, s sheet, first, end, serial int) script {
	var out script
	changed := rapid.IntRange(first, end-1).Draw(t, "changed")
	for i := first; i < end; i++ {
		line := s.lines[i]
		margin := line[:len(line)-len(strings.TrimLeft(line, " \t"))]
		kind := rapid.SampledFrom([]string{"keep", "keep", "keep", "change", "insert", "delete"}).Draw(t, "edit")
		if i == changed && kind != "insert" {
			kind = "change"
		}
		switch kind {
		case "keep":
			out = append(out, step{' ', line})
		case "change":
			out = append(out, step{'-', line}, step{'+', margin + "new_" + drawText(t, 1000*serial+i)})
		case "insert":
			out = append(out, step{' ', line}, step{'+', margin + "added_" + drawText(t, 1000*serial+i)})
		case "delete":
			out = append(out, step{'-', line})
		}
	}
	return out
}

// apply returns the sheet after the script, which was drawn for the lines from first on.
func (s sheet) apply(edit script, first int) []byte {
	out := sheet{bom: s.bom, lines: slices.Clone(s.lines[:first]), ends: slices.Clone(s.ends[:first])}
	at := first
	for _, st := range edit {
		end := "\n"
		for _, i := range []int{at, at - 1, 0} {
			if i < len(s.ends) && i >= 0 && s.ends[i] != "" {
				end = s.ends[i]
				break
			}
		}
		switch st.kind {
		case ' ':
			out.lines, out.ends = append(out.lines, s.lines[at]), append(out.ends, s.ends[at])
			at++
		case '-':
			at++
		case '+':
			out.lines, out.ends = append(out.lines, st.text), append(out.ends, end)
		}
	}
	out.lines, out.ends = append(out.lines, s.lines[at:]...), append(out.ends, s.ends[at:]...)
	// The file determines whether there is a final line end.
	if n := len(out.ends) - 1; n >= 0 && s.ends[len(s.ends)-1] == "" {
		for i := range n {
			if out.ends[i] == "" {
				out.ends[i] = "\n"
			}
		}
		out.ends[n] = ""
	}
	return out.bytes()
}

// bend distorts both sides of a block as models do, without changing the meaning.
func bend(t *rapid.T, s script) script {
	out := slices.Clone(s)
	for range rapid.IntRange(0, 2).Draw(t, "bends") {
		switch rapid.SampledFrom([]string{"deeper", "shallower", "trimmed", "blanks", "slip",
			"spaces", "quotes", "forgotten", "invented"}).Draw(t, "bend") {
		case "deeper":
			more := rapid.SampledFrom([]string{"  ", "    ", "\t"}).Draw(t, "more")
			out.lines(func(line string) string { return more + line })
		case "shallower":
			n := out.commonMargin()
			out.lines(func(line string) string { return line[min(n, len(line)):] })
		case "trimmed":
			out.lines(func(line string) string { return strings.TrimRight(line, " ") })
		case "blanks":
			for i := range out {
				if out[i].kind != '+' { // blanks at the end of an added line are intended
					out[i].text += " "
				}
			}
		case "spaces":
			out.lines(func(line string) string { return strings.ReplaceAll(line, "\t", "    ") })
		case "quotes":
			out.lines(func(line string) string { return strings.ReplaceAll(line, "\"", "\u201d") })
		case "slip":
			if i := out.kept(t); i >= 0 && len(out[i].text) > 12 && !strings.Contains(out[i].text, "\xe9") {
				at := len(out[i].text) - 3
				out[i].text = out[i].text[:at] + out[i].text[at+1:]
			}
		case "forgotten":
			if i := out.inside(t); i >= 0 {
				out = slices.Delete(out, i, i+1)
			}
		case "invented":
			if i := out.inside(t); i >= 0 {
				out = slices.Insert(out, i, step{' ', "# an invented remark"})
			}
		}
	}
	return out
}

func (s script) lines(f func(string) string) {
	for i := range s {
		if strings.TrimSpace(s[i].text) != "" {
			s[i].text = f(s[i].text)
		}
	}
}

func (s script) commonMargin() int {
	common := ""
	first := true
	for _, st := range s {
		if strings.TrimSpace(st.text) == "" {
			continue
		}
		margin := st.text[:len(st.text)-len(strings.TrimLeft(st.text, " \t"))]
		if first {
			common, first = margin, false
			continue
		}
		for !strings.HasPrefix(margin, common) {
			common = common[:len(common)-1]
		}
	}
	return len(common)
}

// kept draws a kept line, or returns -1 if there is none.
func (s script) kept(t *rapid.T) int { return s.any(t, func(i int) bool { return s[i].kind == ' ' }) }

// inside draws a kept line that is between kept lines.
func (s script) inside(t *rapid.T) int {
	return s.any(t, func(i int) bool {
		return i > 0 && i+1 < len(s) && s[i-1].kind == ' ' && s[i].kind == ' ' && s[i+1].kind == ' '
	})
}

func (s script) any(t *rapid.T, fits func(i int) bool) int {
	var all []int
	for i := range s {
		if fits(i) {
			all = append(all, i)
		}
	}
	if len(all) == 0 {
		return -1
	}
	return rapid.SampledFrom(all).Draw(t, "line")
}

// drawPolicy draws one of the policies that make promises.
func drawPolicy(t *rapid.T) apply.Policy {
	return rapid.SampledFrom([]apply.Policy{apply.Safe, apply.Safe, apply.Strict}).Draw(t, "policy")
}

// window draws a range of the sheet's lines, end exclusive.
func (s sheet) window(t *rapid.T, most int) (first, end int) {
	first = rapid.IntRange(0, len(s.lines)-1).Draw(t, "first")
	return first, rapid.IntRange(first+1, min(len(s.lines), first+most)).Draw(t, "end")
}

// shrinks reports whether some lines are deleted without a replacement.
func (s script) shrinks() bool {
	for i, st := range s {
		if st.kind == '-' && (i+1 == len(s) || s[i+1].kind != '+') {
			return true
		}
	}
	return false
}

// blankEdges reports whether a side begins or ends with a blank line.
func (s script) blankEdges() bool {
	for _, side := range [][]string{s.search(), s.replace()} {
		if len(side) > 0 && (strings.TrimSpace(side[0]) == "" || strings.TrimSpace(side[len(side)-1]) == "") {
			return true
		}
	}
	return false
}
