package envelope

import (
	"iter"
	"slices"
	"strings"
)

// toolKind says what is special about the arguments of a tool.
type toolKind uint16

const (
	// writes: a path and the whole content of a file.
	writes toolKind = 1 << iota
	// replacesAll: every occurrence of the text is replaced.
	replacesAll
	// sketches: a text in which remarks stand for what stays, for a model to apply.
	sketches
	// element: a call may also be an element of the tool's name, with an element for each argument.
	element
	// changes: files are changed, so that a call that gives no edit is not understood.
	changes
	// asks: a call without any text asks for something, too: to delete or move a file or a part of
	// it.
	asks
	// runs: a command of a shell.
	runs
)

// tool is a row of the table of tools.
type tool struct {
	name string
	kind toolKind
}

// toolTable has the tools that edit files, and whose they are. Other tools are known by the names
// of their arguments alone, where they are called in JSON.
func toolTable() []tool {
	return []tool{
		// Claude Code, Crush: file_path, old_string, new_string, replace_all; edits; content.
		{"Edit", 0}, {"MultiEdit", element}, {"multi_edit", element}, {"Write", writes},
		// OpenCode: filePath, oldString, newString, replaceAll.
		{"edit", 0}, {"multiedit", 0}, {"write", writes},
		// Anthropic's editor tool, also in OpenHands, SWE-agent, R2E-Gym and goose: command, path,
		// old_str, new_str, file_text, insert_line.
		{"str_replace_based_edit_tool", element}, {"str_replace_editor", element}, {"str_replace", 0},
		{"text_editor", 0},
		// Cline and Roo: path, content, line_count; path, diff.
		{"write_to_file", writes | element}, {"replace_in_file", 0}, {"apply_diff", 0},
		// Roo: path, line, content; path, search, replace; file_path, old_string, new_string.
		{"insert_content", element}, {"search_and_replace", replacesAll | element}, {"search_replace", element},
		{"edit_file", element},
		// Gemini CLI, Qwen Code: file_path, old_string, new_string, expected_replacements; content.
		{"replace", 0}, {"write_file", writes | element}, {"writeFile", writes},
		// Copilot: filePath, oldString, newString; replacements; content; code.
		{"replace_string_in_file", element}, {"multi_replace_string_in_file", element}, {"create_file", writes | element},
		{"createFile", writes}, {"insert_edit_into_file", sketches | element},
		// Codex: input, with a patch.
		{"apply_patch", 0},
		// Windsurf: TargetFile, ReplacementChunks.
		{"replace_file_content", 0},
		// Claude Code: notebook_path, cell_id, new_source.
		{"NotebookEdit", 0},
		// Only these delete or move a file. Cursor, OpenHands: target_file; path. The filesystem
		// server of MCP: source, destination. Zed: old_path, new_path. Dyad: path; from, to.
		// Lovable: file_path; original_file_path, new_file_path.
		{"delete_file", asks | element}, {"remove_file", asks | element},
		{"dyad_delete", asks | element}, {"lov_delete", asks | element},
		{"move_file", asks | element}, {"rename_file", asks | element},
		{"dyad_rename", asks | element}, {"lov_rename", asks | element},
		// Claude Code, Codex, Gemini CLI, OpenHands, Cline: command.
		{"Bash", runs}, {"bash", runs}, {"shell", runs}, {"terminal", runs}, {"exec", runs}, {"execute_command", runs | element},
		{"execute_bash", runs | element},
	}
}

var tools = toolTable()

// kindOf looks a tool up, by its whole name or by its words. A server's or a namespace's name
// before it does not count: "mcp__fs__edit_file", "functions.Edit", "filesystem:edit_file".
func kindOf(name string) (kind toolKind, known bool) {
	name = name[strings.LastIndexAny(name, ".:")+1:]
	if i := strings.LastIndex(name, "__"); i >= 0 {
		name = name[i+2:]
	}
	plain := ""
	if len(name) <= maxTool {
		plain = strings.Join(slices.Collect(words(name)), "_")
	}
	for _, t := range tools {
		if t.name == name || t.kind&asks != 0 && t.name == plain {
			kind = t.kind
			if kind&runs == 0 {
				kind |= changes
			}
			return kind, true
		}
	}
	kind = kindByWords(name)
	return kind, kind != 0
}

// ChangesFiles reports whether a tool of that name changes files, and whether its calls may do so
// without a text.
func ChangesFiles(name string) (changed, textless bool) {
	kind, _ := kindOf(name)
	return kind&changes != 0, kind&asks != 0
}

// kindByWords is the kind of a tool whose name is a verb and a noun and nothing else:
// "delete_lines", "appendToFile", "run_terminal_cmd". It is 0 for any other tool. Such a name says
// that a call is an edit but not which one, so a call that is not understood is refused.
func kindByWords(name string) (kind toolKind) {
	if len(name) > maxTool {
		return 0
	}
	noun := false
	for word := range words(name) {
		switch word {
		case "delete", "remove", "move", "rename":
			kind |= changes | asks | element
		case "edit", "update", "modify", "insert", "append", "patch", "overwrite", "write", "create", "replace":
			kind |= changes
		case "run", "execute", "exec":
			kind |= runs
		case "command", "cmd", "terminal", "shell", "bash":
			kind |= runs
			noun = true
		case "file", "files", "content", "text", "string", "line", "lines", "range", "code", "notebook", "cell", "block", "diff":
			noun = true
		case "in", "to", "into", "a", "the", "and", "dyad":
		default:
			return 0
		}
	}
	if !noun || kind&runs != 0 && kind&changes != 0 {
		return 0
	}
	return kind
}

// maxTool is how long the name of a tool may be, in bytes.
const maxTool = 40

// words yields the words of a name, in lower case: "moveFile", "move-file", "move_file".
func words(name string) iter.Seq[string] {
	return func(yield func(string) bool) {
		from := 0
		for i := 1; i <= len(name); i++ {
			switch {
			case i < len(name) && !isUpper(name[i]) && name[i] != '_' && name[i] != '-':
				continue
			case i < len(name) && isUpper(name[i]) && isUpper(name[i-1]):
				continue
			}
			if word := strings.Trim(name[from:i], "_-"); word != "" && !yield(strings.ToLower(word)) {
				return
			}
			from = i
		}
	}
}

func isUpper(c byte) bool { return 'A' <= c && c <= 'Z' }
