package envelope

import "strings"

// toolKind says what is special about the arguments of a tool.
type toolKind uint8

const (
	// writes: a path and the whole content of a file.
	writes toolKind = 1 << iota
	// replacesAll: every occurrence of the text is replaced.
	replacesAll
	// inserts: a line number and the content that comes before that line; 0 for the end of the file.
	inserts
	// sketches: a text in which remarks stand for what stays, for a model to apply.
	sketches
	// element: a call may also be an element of the tool's name, with an element for each argument.
	element
)

// tool is a row of the table of tools.
type tool struct {
	name string
	kind toolKind
}

// toolTable has the tools that edit files, and whose they are. Other tools are known by the names of their arguments alone, where they
// are called in JSON.
func toolTable() []tool {
	return []tool{
		// Claude Code, Crush: file_path, old_string, new_string, replace_all; edits; content.
		{"Edit", 0}, {"MultiEdit", element}, {"multi_edit", element}, {"Write", writes},
		// OpenCode: filePath, oldString, newString, replaceAll.
		{"edit", 0}, {"multiedit", 0}, {"write", writes},
		// Anthropic's editor tool, also in OpenHands, SWE-agent, R2E-Gym and goose: command, path, old_str,
		// new_str, file_text, insert_line.
		{"str_replace_based_edit_tool", element}, {"str_replace_editor", element}, {"str_replace", 0},
		{"text_editor", 0},
		// Cline and Roo: path, content, line_count; path, diff.
		{"write_to_file", writes | element}, {"replace_in_file", 0}, {"apply_diff", 0},
		// Roo: path, line, content; path, search, replace; file_path, old_string, new_string.
		{"insert_content", inserts | element}, {"search_and_replace", replacesAll | element}, {"search_replace", element},
		{"edit_file", element},
		// Gemini CLI, Qwen Code: file_path, old_string, new_string, expected_replacements; content.
		{"replace", 0}, {"write_file", writes | element}, {"writeFile", writes},
		// Copilot: filePath, oldString, newString; replacements; content; code.
		{"replace_string_in_file", element}, {"multi_replace_string_in_file", element}, {"create_file", writes | element},
		{"createFile", writes}, {"insert_edit_into_file", sketches | element},
		// Codex: input, with a patch.
		{"apply_patch", 0},
	}
}

// kindOf looks a tool up. A server's or a namespace's name before it does not count: "mcp__fs__edit_file", "functions.Edit",
// "filesystem:edit_file".
func kindOf(name string) (kind toolKind, known bool) {
	name = name[strings.LastIndexAny(name, ".:")+1:]
	if i := strings.LastIndex(name, "__"); i >= 0 {
		name = name[i+2:]
	}
	for _, t := range toolTable() {
		if t.name == name {
			return t.kind, true
		}
	}
	return 0, false
}
