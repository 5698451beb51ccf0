package jsontext

// Role is what a key means for an edit; roles are bits, so that the keys of a value can be summed up.
type Role uint16

const (
	Path Role = 1 << iota
	Old
	New
	Strong // a name that only edit calls use: old_string, and not before
	All
	StartLine
	EndLine
	Nested // a list of edits, or the arguments of a call
	Patch  // text in another format: marker blocks or a patch
	Command
	FileText
	InsertLine
	ExpectedCount
	Pattern // a flag by which the old text is not taken as it is written
	Anchor  // the tag of a line, which only the tool that gave it knows
	Tool    // the name of a tool that is called
)

// Roles is the meaning of a key, in all the spellings that tools use; 0 for any other key.
func Roles(key string) Role {
	switch key {
	case "path", "file_path", "filePath", "filepath", "file", "filename", "file_name", "target_file":
		return Path
	case "old_string", "oldString", "old_str", "oldStr", "old_text", "oldText":
		return Old | Strong
	case "old", "before", "search":
		return Old
	case "new_string", "newString", "new_str", "newStr", "new_text", "newText", "insert_text":
		return New | Strong
	case "new", "after", "replace":
		return New
	case "replace_all", "replaceAll", "allow_multiple", "allowMultiple":
		return All
	case "expected_replacements":
		return ExpectedCount
	case "start_line", "startLine":
		return StartLine
	case "end_line", "endLine":
		return EndLine
	case "use_regex", "ignore_case":
		return Pattern
	case "anchor", "pos", "set_line", "replace_lines", "insert_after", "insert_before":
		return Anchor
	case "name", "tool", "tool_name", "toolName", "recipient_name":
		return Tool
	case "deletes", "creates", "renames", "moves": // next to edits
		return Nested
	case "edits", "edit", "changes", "replacements", "operations", "files", "diffs", "tool_calls", "function",
		"functionCall", "function_call", "choices", "message", "candidates", "parts":
		return Nested
	case "arguments", "input", "parameters", "params", "args", "command", "cmd":
		if key == "command" {
			return Command | Nested | Patch
		}
		return Nested | Patch
	case "diff", "patch", "content":
		return Nested | Patch
	case "file_text":
		return FileText
	case "insert_line":
		return InsertLine
	}
	return respelledRoles(key)
}

// respelledRoles is the meaning of a key that is written in other capitals or without underscores, if only edit calls use its
// words: "Old_String", "oldstring".
func respelledRoles(key string) Role {
	var plain [20]byte
	n := 0
	for i := range len(key) {
		c := key[i]
		switch {
		case c == '_' || c == '-':
			continue
		case 'A' <= c && c <= 'Z':
			c += 'a' - 'A'
		}
		if n == len(plain) {
			return 0
		}
		plain[n] = c
		n++
	}
	switch string(plain[:n]) {
	case "path", "filepath", "filename", "file", "targetfile", "absolutepath", "relativepath", "notebookpath":
		return Path
	case "oldstring", "oldstr", "oldtext", "targetcontent":
		return Old | Strong
	case "newstring", "newstr", "newtext", "replacementcontent":
		return New | Strong
	case "replacementchunks":
		return Nested
	case "replaceall", "allowmultiple":
		return All
	case "startline":
		return StartLine
	case "endline":
		return EndLine
	}
	return 0
}
