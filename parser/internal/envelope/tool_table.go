package envelope

import (
	"iter"
	"strings"
	"sync"
)

// toolKind is a set of flags that describe a tool and its arguments.
type toolKind uint16

const (
	// writes: the arguments are a path and the whole content of a file.
	writes toolKind = 1 << iota
	// replacesAll: every occurrence of the text is replaced.
	replacesAll
	// element: a call may also be an element with the tool's name that contains an element for each
	// argument.
	element
	// changes: the tool changes files, so a call that gives no edit is refused or becomes a notice.
	changes
	// deletesOrMoves: the tool deletes or moves a file or a part of it, so a call requests a change
	// even without a text.
	deletesOrMoves
	// runs: the tool runs a shell command.
	runs
	// fills: without an old text, the new text creates a file.
	fills
	// unlisted: the tool is not in the table, but its name begins with a verb for editing.
	unlisted
)

// toolRow lists tools of one kind, with blanks between their names.
type toolRow struct {
	kind  toolKind
	names string
}

// toolTable lists the tools that edit files or run commands, grouped by the program that they
// belong to, each with its kind apart from changes. Calls of other tools are recognised only in
// JSON, by the names of their arguments.
func toolTable() []toolRow {
	return []toolRow{
		// Claude Code, Crush, OpenCode: file_path or filePath, old_string, new_string; edits; content.
		{0, "Edit edit multiedit NotebookEdit"},
		{element, "MultiEdit multi_edit"},
		{writes, "Write write"},
		// Anthropic's editor tool, also in OpenHands, SWE-agent, R2E-Gym and goose: command, path,
		// old_str, new_str, file_text, insert_line.
		{element, "str_replace str_replace_based_edit_tool str_replace_editor"},
		{0, "text_editor"},
		// Cline and Roo: path, content, line_count; path, diff; path, line, content; path, search,
		// replace; file_path, old_string, new_string.
		{writes | element, "write_to_file"},
		{0, "replace_in_file apply_diff"},
		{fills, "editor"},
		{element, "insert_content search_replace edit_file"},
		{replacesAll | element, "search_and_replace"},
		// Gemini CLI, Qwen Code: file_path, old_string, new_string, expected_replacements; content.
		{0, "replace"},
		{writes | element, "write_file"},
		{writes, "writeFile"},
		// Copilot: filePath, oldString, newString; replacements; content; code.
		{element, "replace_string_in_file multi_replace_string_in_file"},
		{writes | element, "create_file"},
		{writes, "createFile"},
		{element, "insert_edit_into_file"},
		// Codex: input, with a patch. Windsurf: TargetFile, ReplacementChunks.
		{0, "apply_patch replace_file_content"},
		// Claude Code, Codex, Gemini CLI, OpenHands, Cline: command.
		{runs, "Bash bash shell terminal exec execute_command execute_bash"},
	}
}

// tools maps the names in the table to their kinds.
var tools = sync.OnceValue(func() map[string]toolKind {
	all := map[string]toolKind{}
	for _, row := range toolTable() {
		for name := range strings.FieldsSeq(row.names) {
			all[name] = row.kind
			if row.kind&runs == 0 {
				all[name] |= changes
			}
		}
	}
	return all
})

// argumentNames are the arguments of tools that are called as elements. The arguments are elements,
// too.
const argumentNames = " path file_path filePath target_file content line line_count search replace " +
	"operations use_regex ignore_case regex_flags start_line end_line old_string new_string " +
	"oldString newString old_str new_str file_text command insert_line insert_text explanation " +
	"instruction instructions description code code_edit replace_all replaceAll " +
	"expected_replacements expected_hash replacements edits requires_approval task_progress " +
	"source destination old_path new_path cwd timeout "

// kindOf returns the kind of a tool, judging by its name or the words in it. The name of a server
// or namespace before the tool's name is ignored: "mcp__fs__edit_file", "functions.Edit",
// "filesystem:edit_file". known says that the tool edits files or runs commands, or may do so.
func kindOf(name string) (kind toolKind, known bool) {
	name = name[strings.LastIndexAny(name, ".:")+1:]
	if i := strings.LastIndex(name, "__"); i >= 0 {
		name = name[i+2:]
	}
	if kind, known = tools()[name]; known {
		return kind, true
	}
	if kind = kindByWords(name); kind == 0 {
		for word := range words(name) {
			if has(" edit insert patch replace swap put ", word) {
				kind = unlisted
			}
			break // only the first word counts
		}
	}
	return kind, kind != 0
}

// ChangesFiles reports whether the tool called name changes files.
func ChangesFiles(name string) bool {
	kind, _ := kindOf(name)
	return kind&changes != 0
}

// kindByWords returns the kind of a tool whose name consists of a verb and a noun, such as
// "delete_lines", "appendToFile" or "run_terminal_cmd", or 0 for other tools. Such a name shows
// that a call is an edit, but not how to read it, so a call that is not understood is refused. All
// words have to be known, and the verbs must not mean both an edit and a command.
func kindByWords(name string) (kind toolKind) {
	if len(name) > maxTool {
		return 0
	}
	noun := false
	for word := range words(name) {
		switch word {
		case "delete", "remove", "move", "rename":
			kind |= changes | deletesOrMoves | element
		case "edit", "update", "modify", "insert", "append", "patch", "overwrite", "write", "create", "replace":
			kind |= changes
		case "run", "execute", "exec":
			kind |= runs
		case "command", "cmd", "terminal", "shell", "bash":
			kind |= runs
			noun = true
		case "file", "files", "content", "text", "string", "line", "lines", "range", "code",
			"notebook", "cell", "block", "diff":
			noun = true
		case "in", "to", "into", "a", "the", "and":
		default:
			return 0
		}
	}
	if !noun || kind&runs != 0 && kind&changes != 0 {
		return 0
	}
	return kind
}

// maxTool is the maximum length of a tool's name, in bytes.
const maxTool = 40

// words yields the words of a name in lower case: "moveFile", "move-file" and "move_file" all give
// "move" and "file". Adjacent capitals are in one word: "fileURL" gives "file" and "url".
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
