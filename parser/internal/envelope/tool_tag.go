package envelope

import (
	"bytes"
	"strings"

	"github.com/srpatch/srpatch/parser/internal/mdline"
)

// strayEnd recognises the end of a call that was not begun; nil for other lines.
func strayEnd(raw []byte) Envelope {
	name := closedBy(bytes.TrimSpace(raw))
	if kind, known := kindOf(name); known && kind&element != 0 && name != "edit_file" {
		return &stray{format: name, expected: "<" + name + "> before it"}
	}
	return nil
}

// openCall reads the opening tag of a call of any tool.
func openCall(t []byte) (tags callTags, name string, rest []byte, ok bool) {
	if len(t) < 2 || t[0] != '<' || !mdline.IsLetter(t[1]) {
		return tags, "", nil, false
	}
	end := bytes.IndexByte(t[:min(len(t), maxTag)], '>')
	if end < 0 {
		return tags, "", nil, false
	}
	inside, rest := string(t[1:end]), t[end+1:]
	space := ""
	if i := strings.IndexByte(inside, ':'); i > 0 && strings.HasPrefix(inside[i+1:], "invoke ") {
		space, inside = inside[:i+1], inside[i+1:]
	}
	if attrs, ok := strings.CutPrefix(inside, "invoke "); ok {
		name := attribute(attrs, "name")
		return callTags{"<" + space + "parameter ", ">", "</" + space + "parameter>", "</" + space + "invoke>"}, name, rest, name != ""
	}
	if name, ok := strings.CutPrefix(inside, "function="); ok {
		return callTags{"<parameter=", ">", "</parameter>", "</function>"}, strings.Trim(name, `"' `), rest, true
	}
	if kind, known := kindOf(inside); known && kind&element != 0 {
		return callTags{"<", ">", "", "</" + inside + ">"}, inside, rest, true
	}
	return tags, "", nil, false
}

// attribute is the value of an attribute of a tag; "" if it is not there.
func attribute(attrs, name string) string {
	for _, m := range tagAttribute().FindAllStringSubmatch(attrs, -1) {
		if m[1] == name {
			return strings.Trim(m[2], "\"'“”„‘’‚")
		}
	}
	return ""
}

// isElement reports whether an element of that name is an argument, where arguments are elements.
func isElement(name string) bool {
	switch name {
	case "path", "file_path", "filePath", "target_file", "content", "line", "line_count", "search", "replace", "operations", "use_regex",
		"ignore_case", "regex_flags", "start_line", "end_line", "old_string", "new_string", "oldString", "newString", "old_str", "new_str",
		"file_text", "command", "insert_line", "insert_text", "explanation", "instruction", "instructions", "description", "code", "code_edit",
		"replace_all", "replaceAll", "expected_replacements", "expected_hash", "replacements", "edits", "requires_approval", "task_progress",
		"source", "destination", "old_path", "new_path", "cwd", "timeout":
		return true
	}
	return false
}
