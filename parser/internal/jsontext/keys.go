package jsontext

import (
	"strings"
	"sync"
)

// Role is the meaning of a key in an edit. Roles are bits, so that the roles of several keys can be
// combined.
type Role uint32

const (
	Path Role = 1 << iota
	Old
	New
	Strong // a name that only edits use: old_string, but not before
	All
	StartLine
	EndLine
	Nested // a list of edits, or the arguments of a call
	Patch  // text in another format: marker blocks or a patch
	Command
	FileText
	InsertLine
	ExpectedCount
	Pattern // a flag that keeps the old text from being matched literally
	Tool    // the name of the called tool
	Find    // the old text, but only if a key with the role New or With is present
	With    // the new text, but only if a key with the role Find is present
)

// row lists keys with the same role, separated by blanks. If any is set, case and underscores are
// ignored, so that Old_String and oldstring are the same key.
type row struct {
	role Role
	any  bool
	keys string
}

// rows returns the table of all keys with a role. The second column says that other spellings of
// the keys count, too, see row.
func rows() []row {
	return []row{
		{Path, true, "path filepath file filename targetfile absolutepath relativepath notebookpath pathinproject"},
		{Old | Strong, true, "oldstring oldstr oldstr1 oldtext originaltext targetcontent"},
		{New | Strong, true, "newstring newstr newstr1 newtext replacementtext replacementcontent"},
		{New | Strong, false, "insert_text"},
		{Old, false, "old before search"},
		{New, false, "new after replace"},
		{Find, false, "find original"},
		{With, false, "with replacement updated"},
		{All, true, "replaceall allowmultiple"},
		{ExpectedCount, false, "expected_replacements"},
		{StartLine, true, "startline line linenumber"},
		{EndLine, true, "endline"},
		{Pattern, true, "pattern ispattern regex regexp useregex useregexp isregex isregexp " +
			"useregularexpression ignorecase"},
		{Tool, false, "name tool tool_name toolName recipient_name"},
		{Nested, false, "edits edit changes replacements operations files diffs creates " +
			"operation tool_calls function functionCall function_call choices message candidates parts"},
		{Nested, false, "deletes renames moves"},
		{Nested, true, "replacementchunks"},
		{Nested | Patch, false, "arguments input parameters params args cmd diff patch content"},
		{Nested | Patch | Command, false, "command"},
		{FileText, false, "file_text"},
		{InsertLine, false, "insert_line"},
	}
}

type keys struct{ exact, plain map[string]Role }

var known = sync.OnceValue(func() keys {
	k := keys{map[string]Role{}, map[string]Role{}}
	for _, r := range rows() {
		for key := range strings.FieldsSeq(r.keys) {
			if r.any {
				k.plain[key] = r.role
			} else {
				k.exact[key] = r.role
			}
		}
	}
	return k
})

// maxKey is longer than every key in the table.
const maxKey = 30

// Roles returns the roles of a key, in any spelling that tools use, or 0 if the key has none.
func Roles(key string) Role {
	if len(key) > maxKey {
		return 0
	}
	if role, ok := known().exact[key]; ok {
		return role
	}
	var plain [maxKey]byte
	n := 0
	for _, c := range []byte(key) {
		if c == '_' || c == '-' {
			continue
		}
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		plain[n] = c
		n++
	}
	return known().plain[string(plain[:n])]
}
