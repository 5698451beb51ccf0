package unread

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/srpatch/srpatch/parser/internal/envelope"
	"github.com/srpatch/srpatch/parser/internal/filename"
	"github.com/srpatch/srpatch/parser/internal/jsontext"
	"github.com/srpatch/srpatch/parser/internal/mdline"
)

// traces is a set of signs of an edit in any format, one bit each. Many texts have one of them;
// only several together are suspicious.
type traces uint16

const (
	fenceTrace   traces = 1 << iota // a fence line, or a line that would be one without a typo
	oldTrace                        // a word or tag for the old text
	newTrace                        // a word or tag for the new text
	sureOld                         // an oldTrace that only edits have
	sureNew                         // a newTrace that only edits have
	searchTrace                     // SEARCH after signs
	replaceTrace                    // REPLACE after signs
	dividerTrace                    // a line that consists of equals signs
	formTrace                       // part of an edit format: "@@", a tool call, a command
	keyTrace                        // a key for the old or new text that is also used outside edits
	nameTrace                       // a file's name
	saidTrace                       // a sentence that introduces something and names a file
)

// madeSure returns t with sureOld added to an oldTrace, and sureNew to a newTrace.
func (t traces) madeSure() traces {
	return t | t&(oldTrace|newTrace)*(sureOld/oldTrace) // the bits are equally far apart
}

const (
	// maxLine is the number of bytes of a line that are searched for tags and keys.
	maxLine = 16 << 10
	// maxLabelLine is the number of bytes that are searched for anything else.
	maxLabelLine = 200
	// maxKey is the maximum length of a key, including the blanks after it.
	maxKey = 40
	// maxHead is the maximum length of a tag or of a tool's name.
	maxHead = 60
)

// mayTrace is a quick check whether a line may have a trace: it begins or ends unlike prose, or may
// contain a key, a tag or a command.
func mayTrace(raw []byte) bool {
	line := bytes.TrimSpace(raw)
	if len(line) < 2 {
		return false
	}
	last := line[len(line)-1]
	return !mdline.IsLetter(line[0]) || isUpper(line[1]) || !mdline.IsLetter(last) && last != '.' ||
		bytes.ContainsAny(line, ":<>") || mayCommand(line)
}

func isUpper(c byte) bool { return 'A' <= c && c <= 'Z' }

// mayCommand is a quick check whether a line may be a command that changes a file.
func mayCommand(line []byte) bool {
	return begins(line, "sed ") || begins(line, "perl ") || bytes.IndexByte(line, '>') > 0
}

// tracesOf returns the traces in a line, ignoring decoration before them. In a table row, or in
// code, no trace counts as one that only edits have (sureOld, sureNew).
func tracesOf(raw []byte) traces {
	line := raw[:min(len(raw), maxLine)]
	if bytes.IndexByte(line, '&') >= 0 {
		line = bytes.ReplaceAll(line, []byte("&lt;"), []byte("<"))
		line = bytes.ReplaceAll(line, []byte("&gt;"), []byte(">"))
	}
	line = bytes.TrimSpace(bytes.TrimSuffix(bytes.TrimSpace(line), []byte("-->")))
	switch {
	case len(line) < 2:
		return 0
	case len(line) > 2 && len(bytes.Trim(line, "`")) == 0:
		return fenceTrace
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
	for i := range maxMarks + 1 { // i marks were removed
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
		rest := bytes.TrimSpace(trimMark(line))
		if len(rest) == len(line) || len(rest) < 2 {
			break
		}
		line = rest
	}
	return all
}

// traceOf returns the traces that a line has if no decoration is removed. The line is not empty.
func traceOf(line []byte) traces {
	if strings.IndexByte("`~'\"\xc2", line[0]) >= 0 && opensFence(line) {
		return infoTrace(line)
	}
	if t, ok := signTrace(string(line)); ok {
		return t
	}
	if isForm(line) {
		return formTrace
	}
	if rest, ok := bytes.CutPrefix(line, []byte("@ ")); ok && isFile(rest, " ") { // "@ a.py"
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

// form matches the beginning of a line that occurs only in an edit format: "@@ -1 +1 @@",
// "@edit_file(", "DEL 12-14", "12:a3|", "3,4c3,4", "*** 1,4 ****".
var form = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:@@(?:$| |start|code)|@\w*(?:edit|patch)\w*\(` +
		`|(?:SWAP|PUT|DEL|INS|INSERT|DELETE|REPLACE) \d|\d+:[0-9a-f]{2}\||\d[\d, ]*[acd][\d, ]*$` +
		`|(?:\*\*\*|---) \d[\d, ]*[*-]+$|\*{15}$)`)
})

// isForm reports whether a line contains something that occurs only in an edit format: what form
// matches, "// ... existing code ...", a tag of DeepSeek's or GLM's models, or "sed -i s/a/b/ a.py".
func isForm(line []byte) bool {
	may := strings.IndexByte("@SPDIR0123456789", line[0]) >= 0 || begins(line, "***") || begins(line, "---")
	if may && form().Match(line) || has(line, "DSML") || has(line, "<arg_key>") {
		return true
	}
	dots := bytes.Index(line[:min(len(line), maxLabel)], []byte("..."))
	return dots >= 0 && has(line[dots:], "existing code") || mayCommand(line) && commandTrace(line) != 0
}

// inOneLine reports whether a line may contain a whole block: "<<<<<<< SEARCH x ======= y".
func inOneLine(line []byte) bool {
	if bytes.IndexByte(line, '<') < 0 && bytes.IndexByte(line, '>') < 0 {
		return false
	}
	return has(line, " ======= ") || has(line, " <<< ") ||
		has(line, "<<<<<<< ") && has(line, "=======")
}

// infoTrace returns the traces in a fence's info string: a file that it names, or a word for the
// text in the fence.
func infoTrace(line []byte) (t traces) {
	info := bytes.TrimLeft(line, "`~'\"´ ")
	word, _, _ := bytes.Cut(info, []byte(" "))
	t = fenceTrace
	switch string(word) {
	case "diff", "patch":
		return 0 // the parser reads diffs itself
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

// opensFence reports whether a line opens a fence, or would do so without a typo: only two
// backticks, or quotes instead of backticks.
func opensFence(line []byte) bool {
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

// tagTraces returns the traces in a line's tags, except for those in code. Tags for a file and both
// texts on the same line are certainly an edit.
func tagTraces(line []byte) (all traces) {
	for i, c := range line {
		if c == '<' && (i == 0 || line[i-1] != '`') {
			all |= tagTrace(line[i+1:])
		}
	}
	if edit := oldTrace | newTrace | nameTrace; all&edit == edit {
		all |= sureOld | sureNew
	}
	return all
}

// tagTrace returns the traces in a tag, judging by its name, its attributes and the text after it.
// text begins after the tag's "<".
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
	// <parameter name="path">, <parameter=path> and <arg_key>path name an argument.
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
		if !ok || !ends(tag, "/") { // not an empty element, such as <img/>
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

// asksForFile reports whether a tag requests that a file be deleted or moved, judging by its name
// or its attributes. text begins after the tag's "<".
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

// commandTrace returns the traces in a shell command that changes a file.
func commandTrace(line []byte) traces {
	if file, ok := envelope.ChangedFile(line); ok && filename.Likely(file) {
		return formTrace | nameTrace
	}
	return 0
}

// sideTrace returns the traces in a tag's name that is a word for the old or the new text, in lower
// case. role is its role as a key.
func sideTrace(label string, role jsontext.Role) traces {
	t := sidesOf(label)
	switch {
	case role&jsontext.Old != 0:
		t = oldTrace
	case role&jsontext.New != 0:
		t |= newTrace
	}
	if role&jsontext.Strong != 0 {
		return t.madeSure()
	}
	return t
}

// keyTraces returns the traces in a line's keys, as in JSON, YAML and function calls.
func keyTraces(line []byte) (all traces) {
	if has(line, `"..."`) {
		return 0 // the line explains what calls look like
	}
	for i, c := range line {
		if c == ':' || c == '=' {
			all |= keyTraceAt(line, i)
		}
	}
	return all
}

// sideKeys are keys of JSON for the old or the new text that no known tool has, in lower case and
// without underscores.
const sideKeys = " oldcode newcode originalcode updatedcode modifiedcode replacementcode oldcontent " +
	"newcontent originalcontent updatedcontent oldlines newlines oldblock newblock searchblock " +
	"replaceblock searchtext replacetext codebefore codeafter oldvalue newvalue from to "

// sideKeyTrace returns keyTrace if a key without a role is one of sideKeys, otherwise 0.
func sideKeyTrace(key []byte) traces {
	plain := strings.ToLower(strings.ReplaceAll(string(key), "_", ""))
	if !strings.Contains(sideKeys, " "+plain+" ") {
		return 0
	}
	return keyTrace
}

// keyTraceAt returns the traces in the key before the colon or equals sign at offset sign, as in
// {"old_string": "x"}, path: a.py and edit(old="x").
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
		return 0 // an assignment (old = x), or no blank after the colon (std::old)
	}
	role := jsontext.Roles(string(bytes.TrimLeft(before[n:], "-")))
	word := n > 0 && before[n-1] == ' ' // perhaps the last word of a sentence
	const others = jsontext.StartLine | jsontext.EndLine | jsontext.FileText |
		jsontext.InsertLine
	switch { // The first case is a key of no known tool: "new_code".
	case role == 0:
		if n > 0 && before[n-1] == '"' && quoted {
			return sideKeyTrace(before[n:])
		}
	case role&jsontext.Path != 0 && isFile(bytes.TrimLeft(text, "\"'` "), "\"'`, "):
		return nameTrace
	case role&jsontext.Strong != 0 && role&jsontext.Old != 0:
		return oldTrace | sureOld
	case role&jsontext.Strong != 0 && role&jsontext.New != 0:
		return newTrace | sureNew
	case word && !quoted: // prose
	case role&(jsontext.Old|jsontext.New) != 0:
		return keyTrace
	case role&others != 0 && !ends(line[:sign], " "):
		return formTrace
	}
	return 0
}

// toolHead finds the name of a tool that changes files, followed by a parenthesis, and returns the
// text after the parenthesis. Methods don't count unless the name has an underscore: "x.edit(" is
// not a tool.
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
