package unread

import (
	"bytes"
	"slices"
	"strings"

	"github.com/srpatch/srpatch/parser/internal/envelope"
	"github.com/srpatch/srpatch/parser/internal/filename"
	"github.com/srpatch/srpatch/parser/internal/jsontext"
	"github.com/srpatch/srpatch/parser/internal/mdline"
)

// traces are what edits are made of, in whatever form: a bit each. One alone is part of many texts.
type traces uint16

const (
	fenceTrace   traces = 1 << iota // a text in a fence, or what would open one but for a slip
	oldTrace                        // a word or a tag for the old text
	newTrace                        // one for the new text
	sureOld                         // one that only edits have
	sureNew                         // one that only edits have
	searchTrace                     // SEARCH behind signs
	replaceTrace                    // REPLACE behind signs
	dividerTrace                    // a line of signs alone
	formTrace                       // a part of a form: "@@", a call, a command that writes a file
	keyTrace                        // either text below the key of an argument, as programs have it
	nameTrace                       // the name of a file
	saidTrace                       // a sentence that introduces something and names a file
)

const (
	// maxLine is how much of a line is searched for tags and keys, in bytes.
	maxLine = 16 << 10
	// maxLabelLine is how much of it is searched for anything else.
	maxLabelLine = 200
	// maxKey is how long a key with the blanks after it may be.
	maxKey = 40
	// maxHead is how long a tag or the name of a tool may be.
	maxHead = 60
)

// firsts and lasts are the bytes with which a line begins or ends that may have a trace, blanks
// aside.
var (
	firsts = bytesIn("<@*[#/;>-+`~'\"\\{.%|&=0123456789\xc2\xe2\xef")
	lasts  = bytesIn(":*`>])=}-#(,;<")
)

func bytesIn(some string) (table [256]bool) {
	for _, c := range []byte(some) {
		table[c] = true
	}
	return table
}

// mayTrace reports quickly whether a line may have a trace: by its ends, as a word in capitals, by
// a key, as a command.
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
	capitals := len(line) <= maxLabel && isUpper(line[0]) && isUpper(line[1])
	if firsts[line[0]] || lasts[line[len(line)-1]] || capitals {
		return true
	}
	return bytes.IndexByte(line, ':') > 0 || bytes.IndexByte(line, '<') > 0 || mayCommand(line)
}

func isUpper(c byte) bool { return 'A' <= c && c <= 'Z' }

// mayCommand reports quickly whether a line may be a command that changes a file.
func mayCommand(line []byte) bool {
	return begins(line, "sed ") || begins(line, "perl ") || bytes.IndexByte(line, '>') > 0
}

// tracesOf looks for what a line has that edits are made of, whatever is before it.
func tracesOf(raw []byte) traces {
	line := raw[:min(len(raw), maxLine)]
	if bytes.IndexByte(line, '&') >= 0 {
		line = bytes.ReplaceAll(line, []byte("&lt;"), []byte("<"))
		line = bytes.ReplaceAll(line, []byte("&gt;"), []byte(">"))
	}
	line = bytes.TrimSpace(bytes.TrimSuffix(bytes.TrimSpace(line), []byte("-->")))
	if len(line) < 2 {
		return 0
	}
	all := tagTraces(line) | keyTraces(line)
	if has(line, `*** Begin Patch\n`) {
		all |= formTrace | nameTrace
	}
	if line[0] == '|' && line[len(line)-1] == '|' {
		all &^= sureOld | sureNew // a row of a table
	}
	line = line[:min(len(line), maxLabelLine)]
	item := bytes.TrimLeft(line, "-*+ ")
	code := len(item) > 2 && begins(item, "`") && ends(item, "`") && bytes.Count(item, []byte("`")) == 2
	if code {
		line = item[1 : len(item)-1]
		all &^= sureOld | sureNew
	}
	for i := range maxPeels + 1 {
		t := traceOf(line)
		if code {
			t &^= sureOld | sureNew
		}
		if i > 0 || line[0] == '\\' {
			t &^= searchTrace // perhaps an example
		}
		if t != 0 {
			return all | t
		}
		rest := bytes.TrimSpace(peel(line))
		if len(rest) == len(line) || len(rest) < 2 {
			break
		}
		line = rest
	}
	return all
}

// traceOf looks for what begins with a line.
func traceOf(line []byte) traces {
	if strings.IndexByte("`~'\"\xc2", line[0]) >= 0 && opensText(line) {
		return infoTrace(line)
	}
	if t, ok := signTrace(string(line)); ok {
		return t
	}
	if isForm(line) {
		return formTrace
	}
	if rest, ok := bytes.CutPrefix(line, []byte("@ ")); ok && isFile(rest, " ") {
		return formTrace | nameTrace
	}
	if envelope.NamesFile(line) {
		return formTrace | nameTrace
	}
	for _, sign := range [...]string{"--- ", "+++ "} {
		if name, ok := bytes.CutPrefix(line, []byte(sign)); ok && nameAlone(name) != "" {
			return formTrace | nameTrace
		}
	}
	if inOneLine(line) {
		if nameIn(string(line)) != "" {
			return formTrace | nameTrace
		}
		return formTrace
	}
	if bytes.IndexByte(line, '(') > 0 {
		if args, ok := toolHead(line); ok && beginsWithName(args) {
			return formTrace | nameTrace
		} else if ok && len(args) == 0 {
			return formTrace
		}
	}
	return labelTrace(line)
}

// isForm reports whether a line has what one form or another has, and nothing else does.
func isForm(line []byte) bool {
	switch c := line[0]; {
	case c == '@':
		return string(line) == "@@" || begins(line, "@@ ") || begins(line, "@@start") ||
			begins(line, "@@code") || isCalled(line[1:])
	case isUpper(c):
		word, rest, _ := strings.Cut(string(line), " ")
		return rest != "" && '0' <= rest[0] && rest[0] <= '9' && slices.Contains(lineVerbs, word)
	case '0' <= c && c <= '9':
		return isHashNumber(line) || isDiffCommand(line)
	case c == '*' || c == '-':
		if isContextMark(line) {
			return true
		}
	}
	dots := bytes.Index(line[:min(len(line), maxLabel)], []byte("..."))
	if dots >= 0 && has(line[dots:], "existing code") {
		return true
	}
	if has(line, "DSML") || has(line, "<arg_key>") {
		return true
	}
	if mayCommand(line) && bytes.ContainsAny(line, " \t") {
		return commandTrace(line) != 0
	}
	return false
}

// lineVerbs are the words before the numbers of lines that are to change.
var lineVerbs = []string{"SWAP", "PUT", "DEL", "INS", "INSERT", "DELETE", "REPLACE"}

// isCalled reports whether a line begins with the name of something that edits, and a bracket.
func isCalled(line []byte) bool {
	name, _, ok := bytes.Cut(line[:min(len(line), maxHead)], []byte("("))
	return ok && (has(name, "edit") || has(name, "patch") || envelope.ChangesFiles(string(name)))
}

// inOneLine reports whether a line may have all of a block.
func inOneLine(line []byte) bool {
	if bytes.IndexByte(line, '<') < 0 && bytes.IndexByte(line, '>') < 0 {
		return false
	}
	return has(line, " ======= ") || has(line, " <<< ") ||
		has(line, "<<<<<<< ") && has(line, "=======")
}

// infoTrace says what a fence is for by its info string: a file that it names, or a word for the
// text in it.
func infoTrace(line []byte) (t traces) {
	info := bytes.TrimLeft(line, "`~'\"´ ")
	word, _, _ := bytes.Cut(info, []byte(" "))
	t = fenceTrace
	switch string(word) {
	case "diff", "patch":
		return 0 // others look at it
	case "suggestion":
		t |= formTrace
	case "search", "find", "old", "before":
		t |= oldTrace
	case "replace", "new", "after":
		t |= newTrace
	}
	if nameIn(string(info)) != "" {
		t |= nameTrace
	}
	return t
}

// opensText reports whether a line opens a fence, or would but for a slip: two signs, or quotes in
// their place.
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

func has(line []byte, text string) bool    { return bytes.Contains(line, []byte(text)) }
func begins(line []byte, text string) bool { return bytes.HasPrefix(line, []byte(text)) }
func ends(line []byte, text string) bool   { return bytes.HasSuffix(line, []byte(text)) }

// tagTraces says what the tags in a line are for, those in code aside.
func tagTraces(line []byte) (all traces) {
	for i := nextByte(line, -1, '<'); i >= 0; i = nextByte(line, i, '<') {
		if i == 0 || line[i-1] != '`' {
			all |= tagTrace(line[i+1:])
		}
	}
	return all
}

// tagTrace says what a tag begins or ends; text begins after its bracket.
func tagTrace(text []byte) traces {
	closes := len(text) > 0 && text[0] == '/'
	if closes {
		text = text[1:]
	}
	end := bytes.IndexAny(text[:min(len(text), maxHead)], "> =")
	if end <= 0 || !mdline.IsLetter(text[0]) {
		return 0
	}
	name, rest := string(text[:end]), text[end:]
	if name == "parameter" || name == "arg_key" {
		rest = bytes.TrimPrefix(bytes.TrimLeft(rest, " =>"), []byte("name="))
		rest = bytes.TrimLeft(rest, `"'`)
		n := bytes.IndexAny(rest[:min(len(rest), maxHead)], `"'><`)
		if n < 0 {
			return 0
		}
		name, rest = string(rest[:n]), rest[n:]
	}
	path := mdline.FileAttribute("<" + string(text[:min(len(text), maxName)]))
	if path != "" && filename.Likely(path) {
		tag, _, ok := bytes.Cut(text, []byte(">"))
		if !ok || !ends(tag, "/") {
			return formTrace | nameTrace
		}
	}
	if asksForFile(text) {
		return formTrace | nameTrace
	}
	role := jsontext.Roles(name)
	_, value, ok := bytes.Cut(rest, []byte(">"))
	if ok && role&jsontext.Path != 0 && isFile(value, "<") {
		return nameTrace
	}
	if role&jsontext.Command != 0 {
		command, _, _ := bytes.Cut(value, []byte("<"))
		return commandTrace(command)
	}
	switch name {
	case "code_edit", "edit_file", "edits", "edit", "change", "diff", "write_to_file",
		"insert_content", "search_and_replace", "insert_edit_into_file", "replace_string_in_file",
		"create_file":
		if !closes {
			return formTrace
		}
	case "search_block", "old_code", "original_code", "old_content", "search", "find":
		return oldTrace | sureOld
	case "replace_block", "new_code", "new_content", "replace":
		return newTrace | sureNew
	}
	return sideTrace(strings.ToLower(name), role)
}

// asksForFile reports whether a tag asks for a file to be deleted or moved, by its name or in its
// attributes; text begins after its bracket.
func asksForFile(text []byte) bool {
	tag, _, _ := bytes.Cut(text[:min(len(text), maxName)], []byte(">"))
	words := strings.ToLower(string(tag))
	says := func(word string) bool { return strings.Contains(words, word) }
	if !slices.ContainsFunc([]string{"delete", "remove", "rename", "move"}, says) {
		return false
	}
	for i, value := range strings.Split(string(tag), `"`) {
		if i%2 == 1 && filename.Likely(value) {
			return true
		}
	}
	return false
}

// commandTrace says of a command for a shell whether it changes a file.
func commandTrace(line []byte) traces {
	if file, ok := envelope.ChangedFile(line); ok && filename.Likely(file) {
		return formTrace | nameTrace
	}
	return 0
}

// sideTrace says which text a word is for that has a role as a key.
func sideTrace(label string, role jsontext.Role) (t traces) {
	old, new := sidesOf(label)
	if old || role&jsontext.Old != 0 {
		t |= oldTrace
	}
	if (new || role&jsontext.New != 0) && role&jsontext.Old == 0 {
		t |= newTrace
	}
	if role&jsontext.Strong != 0 {
		t |= t & (oldTrace | newTrace) * (sureOld / oldTrace)
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

// keyTraces says what the keys in a line are for, as JSON, YAML and calls have them.
func keyTraces(line []byte) (all traces) {
	if has(line, `"..."`) {
		return 0 // it says how calls are
	}
	for i, c := range line {
		if c == ':' || c == '=' {
			all |= keyTraceAt(line, i)
		}
	}
	return all
}

// keyTraceAt says what the key before a sign is for.
func keyTraceAt(line []byte, sign int) traces {
	before := bytes.TrimRight(line[max(0, sign-maxKey):sign], " \t\"'\\")
	n := len(before)
	for n > 0 && (mdline.IsLetter(before[n-1]) || before[n-1] == '-') {
		n--
	}
	value := bytes.TrimLeft(line[sign+1:], " \t")
	text := bytes.TrimLeft(value, `rbf\`)
	quoted := len(text) > 0 && strings.IndexByte("\"'`", text[0]) >= 0
	if !quoted && (line[sign] == '=' || len(value) > 0 && len(value) == len(line)-sign-1) {
		return 0
	}
	role := jsontext.Roles(string(bytes.TrimLeft(before[n:], "-")))
	word := n > 0 && before[n-1] == ' ' // perhaps the last one of a sentence
	const others = jsontext.StartLine | jsontext.EndLine | jsontext.FileText |
		jsontext.InsertLine
	switch {
	case role == 0:
	case role&jsontext.Path != 0 && isFile(bytes.TrimLeft(text, "\"'` "), "\"'`, "):
		return nameTrace
	case role&jsontext.Strong != 0 && role&jsontext.Old != 0:
		return oldTrace | sureOld
	case role&jsontext.Strong != 0 && role&jsontext.New != 0:
		return newTrace | sureNew
	case word && !quoted:
	case role&(jsontext.Old|jsontext.New) != 0:
		return keyTrace
	case role&others != 0 && !ends(line[:sign], " "):
		return formTrace
	}
	return 0
}

// toolHead finds the name of a tool that changes files with a bracket after it, and has the text
// behind that. A method of something else is not meant, unless its name says that of files.
func toolHead(line []byte) (args []byte, ok bool) {
	line = bytes.TrimPrefix(line, []byte("print("))
	i := bytes.IndexByte(line[:min(len(line), maxHead)], '(')
	if i < 2 {
		return nil, false
	}
	n := i
	for n > 0 && mdline.IsLetter(line[n-1]) {
		n--
	}
	name := string(line[n:i])
	return line[i+1:], envelope.ChangesFiles(name) && (n == 0 || line[n-1] != '.' || strings.Contains(name, "_"))
}

// isHashNumber reports whether a line begins as editors write it that know lines by their hashes:
// "12:a3|".
func isHashNumber(line []byte) bool {
	n := 0
	for n < len(line) && '0' <= line[n] && line[n] <= '9' {
		n++
	}
	rest := line[n:]
	return len(rest) > 3 && rest[0] == ':' && rest[3] == '|' && isHex(rest[1]) && isHex(rest[2])
}

func isHex(c byte) bool { return '0' <= c && c <= '9' || 'a' <= c && c <= 'f' }

// isDiffCommand reports whether a line is one above a change in a normal diff or a script for ed:
// "3,4c3,4", "3,4c".
func isDiffCommand(line []byte) bool {
	i := bytes.IndexAny(line, "acd")
	return i > 0 && isRange(line[:i]) && isRange(line[i+1:])
}

func isRange(text []byte) bool { return len(bytes.Trim(text, "0123456789, ")) == 0 }

// isContextMark reports whether a line is one of a context diff.
func isContextMark(line []byte) bool {
	for _, sign := range [...]string{"*** ", "--- "} {
		rest, ok := bytes.CutPrefix(line, []byte(sign))
		if n := bytes.Trim(rest, "*-"); ok && len(n) < len(rest) && isRange(n) {
			return true
		}
	}
	return len(line) == 15 && len(bytes.Trim(line, "*")) == 0
}
