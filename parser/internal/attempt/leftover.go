package attempt

import (
	"bytes"
	"slices"
	"strings"
	"unicode"

	"github.com/srpatch/srpatch/parser/internal/command"
	"github.com/srpatch/srpatch/parser/internal/filename"
	"github.com/srpatch/srpatch/parser/internal/jsontext"
	"github.com/srpatch/srpatch/parser/internal/mdline"
)

// Leftover is a part of a text from which no edit was read, although it has what edits are made of.
type Leftover struct {
	Lines [2]int // 1-based and inclusive
	Path  string // a file that is named there; "" if none is
}

// traces are what edits are made of, in whatever form: a bit each. One alone is part of many texts; two of them hardly occur next to edits
// and mean nothing.
type traces uint8

const (
	fenceTrace traces = 1 << iota // a text in a fence, or what would open one but for a slip
	oldTrace                      // a word or a tag for the old text
	newTrace                      // one for the new text
	formTrace                     // what is part of one form or another: "@@", "existing code", a number with a hash
	keyedTrace                    // one of both texts under the key that an argument has, which programs have, too
	nameTrace                     // a line that is the name of a file
	saidTrace                     // a sentence that introduces something and names a file
)

// far is how many lines without a trace are between two edits, or more.
const far = 40

// Leftovers finds the parts of a text that have traces of an edit. The text begins with the line of the given number. Some lines of it are
// told for: they are around an edit that was read. followed says that what comes after the text is told for, too.
func Leftovers(text []byte, line int, told []int, followed bool) (found []Leftover) {
	some, n := false, line
	var none []byte // the last line that has no trace, which is often repeated
	for raw := range bytes.Lines(text) {
		if !some && mayTrace(raw) && !bytes.Equal(raw, none) && !slices.Contains(told, n) {
			some, none = tracesOf(raw) != 0, raw
		}
		n++
	}
	if !some {
		return nil
	}
	lines, all := make([][]byte, 0, n-line), make([]traces, 0, n-line)
	for raw := range bytes.Lines(text) {
		var t traces
		switch {
		case slices.Contains(told, line+len(all)):
			raw = nil
		case mayTrace(raw):
			t = tracesOf(raw)
		}
		lines, all = append(lines, raw), append(all, t)
	}
	if followed {
		cutLead(lines, all)
	}
	if !slices.ContainsFunc(all, func(t traces) bool { return t != 0 }) {
		return nil
	}
	for from := 0; from < len(all); {
		if all[from] == 0 {
			from++
			continue
		}
		to := from
		for i := from; i < len(all) && i-to <= far; i++ {
			if all[i] != 0 {
				to = i
			}
		}
		if l, ok := leftover(lines, all, from, to); ok {
			l.Lines = [2]int{l.Lines[0] + line, l.Lines[1] + line}
			found = append(found, l)
		}
		from = to + 1
	}
	return found
}

// cutLead clears the lines at the end that say what comes after them: names, labels, fences, and tags.
func cutLead(lines [][]byte, all []traces) {
	blank := false
	for i := len(lines) - 1; i >= 0; i-- {
		line := bytes.TrimSpace(lines[i])
		for range maxPeels {
			line = bytes.TrimSpace(peel(line))
		}
		blank = blank || len(line) == 0
		label := all[i] == oldTrace || all[i] == newTrace || all[i] == fenceTrace && !blank
		tag := len(line) > 1 && line[0] == '<' && line[1] != '<'
		if len(line) > 0 && !tag && !label {
			if _, name := nameOf(lines[i]); name == 0 {
				return
			}
		}
		lines[i], all[i] = nil, 0
	}
}

// nearName is how many lines are between a name and what is for the file, at most.
const nearName = 4

// leftover judges the lines from the first trace to the last one, along with the names around them. The numbers of lines count from 0.
func leftover(lines [][]byte, all []traces, from, to int) (l Leftover, ok bool) {
	var sum traces
	forms, fences := 0, 0
	for _, t := range all[from : to+1] {
		sum |= t
		if t&(formTrace|oldTrace|newTrace) != 0 {
			forms++
		}
		if t&fenceTrace != 0 {
			fences++
		}
	}
	l.Lines = [2]int{from, to}
	for i := max(0, from-nearName); i < min(len(lines), to+nearName+1); i++ {
		name, t := nameOf(lines[i])
		if t == nameTrace && sum&(formTrace|oldTrace|newTrace|keyedTrace) == 0 && !nextToFence(all, i) {
			continue
		}
		if t != 0 {
			sum |= t
			l.Lines = [2]int{min(l.Lines[0], i), max(l.Lines[1], i)}
			if l.Path == "" {
				l.Path = name
			}
		}
	}
	const sides = oldTrace | newTrace
	switch {
	case sum&sides == sides, forms > 1:
		return l, true
	case sum&(sides|formTrace|keyedTrace) != 0 && sum&(nameTrace|saidTrace) != 0, sum&formTrace != 0 && fences > 0:
		return l, true
	case sum&sides != 0:
		return l, fences > 2 // those of two texts
	}
	return l, fences > 0 && sum&nameTrace != 0
}

// nextToFence reports whether a fence is next to a line, a blank one between them or not.
func nextToFence(all []traces, i int) bool {
	for _, t := range all[max(0, i-1):min(len(all), i+3)] {
		if t&fenceTrace != 0 {
			return true
		}
	}
	return false
}

// nameOf is the file that a line names: as all that it says, or in a sentence that goes on below it.
func nameOf(raw []byte) (string, traces) {
	if len(raw) > maxLabelLine || bytes.IndexByte(raw, '.') < 0 && bytes.IndexByte(raw, '/') < 0 {
		return "", 0
	}
	line := raw
	for range maxPeels {
		if namesFile(line) {
			name, _ := filename.OfLine(withoutMargin(line))
			return name, nameTrace
		}
		if name := filename.SaysWhole(line); name != "" {
			return name, nameTrace
		}
		rest := peel(line)
		if len(rest) == len(line) {
			break
		}
		line = rest
	}
	if line = bytes.TrimSpace(line); len(line) > 0 && line[len(line)-1] == ':' {
		if name := nameIn(string(line)); name != "" {
			return name, saidTrace
		}
	}
	return "", 0
}

// maxPeels is how many marks may be one before the other on a line.
const maxPeels = 4

// peel removes one mark before a text: of a quotation, a list, a heading, a comment, bold text, a number, what cannot be seen.
func peel(line []byte) []byte {
	line = bytes.TrimLeft(line, " \t\u200b\ufeff\u00a0")
	if n := numberLen(line); n > 0 {
		return line[n:]
	}
	for _, mark := range [...]string{"> ", ">", "# ", "## ", "### ", "#### ", "// ", "-- ", "; ", "- ", "* ", "+ ", "<!-- ", "<!--", "**", `\`} {
		if rest, ok := bytes.CutPrefix(line, []byte(mark)); ok {
			return rest
		}
	}
	return line
}

// traceFirst and traceLast are the bytes with which a line begins or ends that may have a trace, blanks aside.
var traceFirst, traceLast = bytesIn("<@*[#/;>-+`~'\"\\{.%|0123456789\xc2\xe2\xef"), bytesIn(":*`>])=}-#(,;")

func bytesIn(some string) (table [256]bool) {
	for _, c := range []byte(some) {
		table[c] = true
	}
	return table
}

// mayTrace reports quickly whether a line may have a trace: by its ends, as a word in capitals, by a key, as a command.
func mayTrace(raw []byte) bool {
	i, n := 0, len(raw)
	for i < n && (raw[i] == ' ' || raw[i] == '\t') {
		i++
	}
	for n > i && (raw[n-1] == '\n' || raw[n-1] == '\r' || raw[n-1] == ' ') {
		n--
	}
	if n-i < 2 {
		return false
	}
	line := raw[i:n]
	if traceFirst[line[0]] || traceLast[line[len(line)-1]] || len(line) <= maxSideLabel && isUpper(line[0]) && isUpper(line[1]) {
		return true
	}
	return bytes.IndexByte(line[:min(len(line), maxKey)], ':') > 0 || bytes.IndexByte(line, '<') > 0 || mayCommand(line)
}

func isUpper(c byte) bool { return 'A' <= c && c <= 'Z' }

// mayCommand reports quickly whether a line may be a command that changes a file.
func mayCommand(line []byte) bool {
	return bytes.HasPrefix(line, []byte("sed ")) || bytes.HasPrefix(line, []byte("perl ")) || bytes.IndexByte(line, '>') > 0
}

// tracesOf looks for what a line has that edits are made of, whatever is before it.
func tracesOf(raw []byte) (all traces) {
	line := bytes.TrimSpace(bytes.TrimSuffix(bytes.TrimSpace(raw[:min(len(raw), maxLabelLine)]), []byte("-->")))
	if len(line) < 2 {
		return 0
	}
	if item := line[1] == ' ' && (line[0] == '-' || line[0] == '*') && line[len(line)-1] != '-' && line[len(line)-1] != '*'; item {
		if line = bytes.TrimSpace(line[2:]); !mayTrace(line) {
			return 0
		}
	}
	if line[0] == '>' && EndsNew(line) {
		return formTrace
	}
	for range maxPeels {
		if all |= traceOf(line); all != 0 {
			return all
		}
		rest := bytes.TrimSpace(peel(line))
		if len(rest) == len(line) || !mayTrace(rest) {
			break
		}
		line = rest
	}
	return all
}

// traceOf looks for what begins with a line.
func traceOf(line []byte) traces {
	if strings.IndexByte("`~'\"\xc2", line[0]) >= 0 && opensText(line) {
		return fenceTrace | infoTrace(line)
	}
	if line[0] == '<' {
		if t := tagTrace(line); t != 0 {
			return t
		}
	}
	switch c := line[0]; {
	case c == '<' && len(line) >= minBar && len(bytes.Trim(line, "<")) == 0, bytes.IndexByte(line, '<') >= 0 && (dividerIn(line) != nil || bytes.Contains(line, []byte(" <<< "))):
		return formTrace
	case c == '@' && (bytes.HasPrefix(line, []byte("@@ ")) || string(line) == "@@" || bytes.HasPrefix(line, []byte("@@start")) || bytes.HasPrefix(line, []byte("@@code"))):
		return formTrace
	case '0' <= c && c <= '9' && (isHashNumber(line) || isDiffCommand(line)), (c == '*' || c == '-') && isContextMark(line):
		return formTrace
	}
	if elides := bytes.Index(line[:min(len(line), maxSideLabel)], []byte("...")); elides >= 0 && bytes.Contains(line[elides:], []byte("existing code")) {
		return formTrace
	}
	if mayCommand(line) && bytes.ContainsAny(line, " \t") {
		if file, ok := command.Edit(line); ok && filename.Likely(file) {
			return formTrace | nameTrace
		}
	}
	if bytes.IndexByte(line, '(') > 0 {
		if args, _, ok := toolHead(line); ok && beginsWithName(args) {
			return formTrace | nameTrace
		}
	}
	return labelTrace(line) | keyTrace(line)
}

// beginsWithName reports whether the first string in a text is the name of a file.
func beginsWithName(text []byte) bool {
	i := bytes.IndexAny(text, "\"'`")
	return i >= 0 && isFile(text[i+1:], "\"'`")
}

// infoTrace says what the info string of a fence is for: a file that it names, or a word for the text in it.
func infoTrace(line []byte) (t traces) {
	info := bytes.TrimLeft(line, "`~'\"´ ")
	word, _, _ := bytes.Cut(info, []byte(" "))
	switch string(word) {
	case "diff", "patch", "suggestion", "search", "replace":
		t = formTrace
	}
	if nameIn(string(info)) != "" {
		t |= nameTrace
	}
	return t
}

// opensText reports whether a line opens a fence, or would but for a slip: two signs, or quotes in their place.
func opensText(line []byte) bool {
	if mdline.IsFence(line) {
		return true
	}
	rest, ok := bytes.CutPrefix(line, []byte("``"))
	if ok {
		return bytes.IndexByte(rest, '`') < 0
	}
	for _, sign := range [...]string{"'''", `"""`, "´´´"} {
		if bytes.HasPrefix(line, []byte(sign)) {
			return true
		}
	}
	return false
}

// tagTrace says what a tag begins or ends.
func tagTrace(line []byte) traces {
	tag := line[1:]
	closes := tag[0] == '/'
	if closes {
		tag = tag[1:]
	}
	end := bytes.IndexAny(tag, "> ")
	if end <= 0 {
		return 0
	}
	name := strings.ToLower(string(tag[:end]))
	if path := mdline.FileAttribute(string(line)); !bytes.HasSuffix(line, []byte("/>")) && path != "" && filename.Likely(path) {
		return formTrace | nameTrace
	}
	if role := jsontext.Roles(name); role&jsontext.Path != 0 && isFile(tag[end+1:], "<") {
		return nameTrace
	}
	switch name {
	case "code_edit", "edit_file", "edits", "edit", "change", "diff":
		if !closes {
			return formTrace
		}
	}
	return sideTrace(name)
}

// sideTrace says which text a word is for.
func sideTrace(label string) (t traces) {
	old, new := sidesOf(label)
	if role := jsontext.Roles(label); role&jsontext.Old != 0 {
		old = true
	} else if role&jsontext.New != 0 {
		new = true
	}
	if old {
		t |= oldTrace
	}
	if new {
		t |= newTrace
	}
	return t
}

// isHashNumber reports whether a line begins as editors write it that know lines by their hashes: "12:a3|".
func isHashNumber(line []byte) bool {
	n := 0
	for n < len(line) && '0' <= line[n] && line[n] <= '9' {
		n++
	}
	return len(line) > n+3 && line[n] == ':' && line[n+3] == '|' && isHex(line[n+1]) && isHex(line[n+2])
}

func isHex(c byte) bool { return '0' <= c && c <= '9' || 'a' <= c && c <= 'f' }

// isDiffCommand reports whether a line is one above a change in a normal diff or a script for ed: "3,4c3,4", "3,4c".
func isDiffCommand(line []byte) bool {
	i := bytes.IndexAny(line, "acd")
	return i > 0 && len(bytes.Trim(line[:i], "0123456789,")) == 0 && len(bytes.Trim(line[i+1:], "0123456789,")) == 0
}

// isContextMark reports whether a line is one of a context diff.
func isContextMark(line []byte) bool {
	for _, sign := range [...]string{"*** ", "--- "} {
		rest, ok := bytes.CutPrefix(line, []byte(sign))
		if n := bytes.Trim(rest, "*-"); ok && len(n) < len(rest) && len(bytes.Trim(n, "0123456789, ")) == 0 {
			return true
		}
	}
	return len(line) == 15 && len(bytes.Trim(line, "*")) == 0
}

// maxSideLabel is how long a label of a text may be, in bytes.
const maxSideLabel = 48

// labelTrace says which text a line labels, if it says no more than that: "**Before:**", "[SEARCH]", "REPLACE WITH:".
func labelTrace(line []byte) traces {
	if bytes.HasSuffix(line, []byte(")")) {
		if i := bytes.LastIndex(line, []byte(" (")); i > 0 {
			line = line[:i]
		}
	}
	if bytes.Contains(line, []byte("<<<")) || bytes.Contains(line, []byte(">>>")) {
		return 0 // a marker, which others know
	}
	label, inline := cutLabel(line)
	if n := len(label); n > maxSideLabel && label[n-1] == ':' && bytes.HasSuffix(label, []byte("replace this:")) {
		return oldTrace
	}
	if len(label) == 0 || len(label) > maxSideLabel {
		return 0
	}
	set := strings.IndexByte(":*]>=-#", label[len(label)-1]) >= 0 || line[0] == '#' || line[0] == '/'
	if !set && bytes.ContainsFunc(label, unicode.IsLower) {
		return 0
	}
	words := strings.Trim(string(label), " *_`#:[]<>/=\"'-+|~.")
	if words == "" {
		return 0
	}
	t := sideTrace(strings.TrimPrefix(words, "END "))
	if said := append([]byte(words), ':'); t == 0 && LabelsOld(said) {
		t = oldTrace
	} else if t == 0 && LabelsNew(said) {
		t = newTrace
	}
	if t != 0 && inline {
		t |= fenceTrace
	}
	return t
}

// nextByte is where a byte occurs next in a line after an offset; -1 if it does not.
func nextByte(line []byte, i int, c byte) int {
	n := bytes.IndexByte(line[i+1:], c)
	if n < 0 {
		return -1
	}
	return i + 1 + n
}

// keyTrace says what the keys in a line are for.
func keyTrace(line []byte) (t traces) {
	for i := bytes.IndexByte(line, ':'); i >= 0; i = nextByte(line, i, ':') {
		before := bytes.TrimRight(line[:i], ` "'`)
		n := len(before)
		for n > 0 && (mdline.IsLetter(before[n-1]) || before[n-1] == '-') {
			n--
		}
		if i+1 < len(line) && line[i+1] != ' ' && line[i+1] != '"' {
			continue
		}
		name := strings.TrimLeft(string(before[n:]), "-")
		value := bytes.TrimLeft(line[i+1:], ` "'`)
		switch role := jsontext.Roles(name); {
		case role&jsontext.Path != 0 && isFile(value, `"', `):
			t |= nameTrace
		case n > 0 && before[n-1] == ' ': // the last word of a sentence
		case role&(jsontext.Old|jsontext.New) != 0:
			t |= keyedTrace
		case role&(jsontext.StartLine|jsontext.EndLine|jsontext.Anchor|jsontext.FileText|jsontext.InsertLine) != 0 && before[len(before)-1] != ' ':
			t |= formTrace
		}
	}
	return t
}
