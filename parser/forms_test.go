package parser

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

// form is a way in which models write edits, with a pattern that matches it in a reply.
type form struct{ name, sign string }

// forms lists the forms that don't belong to a format with a separate table.
func forms() []form {
	return []form{
		{"a block on one line", `(?m)^[^"\n]*<{5,9} SEARCH[^"\n]*={5,9}[^"\n]*>{5,9} REPLACE`},
		{"a diff in a fence without a name of its own", "(?m)^```(diff|patch)$\n(?:[^\\n]*\n){0,3}[-+ @]"},
		{"SEARCH and REPLACE as labels of fences", "(?mi)^[*#]*\\s*(search|find)[^\\n]{0,20}[:*]*\\s*\n+```"},
		{"SEARCH and REPLACE in bold", `(?m)\*\*SEARCH`},
		{"old and new text in two fences", "(?mi)^[*#]*\\s*(before|old|current|original)\\b[^\\n]{0,20}\n+```"},
		{"a whole file in a fence", "(?m)^[*#` ]*[\\w/]+\\.(py|ts|js|md|go)[*`: ]*\n+```\\w*\n"},
		{"a whole file in an element", `(?m)<[\w-]+ [^>]*(path|filePath|file_path|name)="[\w/]+\.\w+"`},
		{"remarks for existing code", `existing code`},
		{"anchors that only a tool knows", `(?m)^@(edit|insert|replace|delete)|set_line|"pos"|^<{4} |:[0-9a-f]{2}\b`},
		{"mentat", `@@(start|end)`},
		{"a call in a fence", "(?m)^```\\w*\n\\s*(<invoke|<function|<\\w+_\\w+>|[\\w.]+\\(\\w+=|\\{\"(name|tool)\")"},
		{"invoke", `<invoke name=`},
		{"write_to_file", `<write_to_file>`},
		{"insert_content", `<insert_content>|"insert_content"`},
		{"search_and_replace", `search_and_replace`},
		{"str_replace_based_edit_tool", `str_replace_based_edit_tool|str_replace_editor`},
		{"MultiEdit", `MultiEdit|multi_edit`},
		{"edit_file", `edit_file`},
		{"a patch without its end", `\*\*\* Begin Patch`},
		{"operations", `"operations"`},
		{"a list of contents with lines", `(?s)"content":.*"start_?[lL]ine"|"start_?[lL]ine":.*"content"`},
		{"HEAD and REPLACE", `(?s)<{5,9} HEAD.*>{5,9} REPLACE`},
		{"hints by lines", `(?m)^<{5,9} SEARCH.*(L\d|line)`},
		{"hints as of a hunk", `<{5,9} SEARCH.*@@ -`},
		{"hints as a path and a line", `<{5,9} SEARCH.*\S\.\w+:\d`},
		{"markers of 3 or 4 signs", `(?m)^<{3,4} ?(SEARCH|ORIGINAL|HEAD)`},
		{"a call with its arguments in a string", `"arguments": ?"\{`},
		{"a call that deletes or moves a file",
			`delete_file|move_file|rename_file|dyad-delete|dyad-rename|action="(delete|rename)"|"deletes"`},
		{"a command in a call", `(?s)(name="Bash"|<execute_command>|run_terminal_cmd|execute_bash|"shell").*command`},
		{"a call in Python or YAML",
			"(?m)^[\\w.(]*(edit_file|replace_in_file|delete_file|move_file|Edit)\\(|^- (tool|path|file): "},
		{"commands that change a file", `(?m)^\W*(cat|tee|echo) .*>|sed -i|perl -pi`},
	}
}

// example is a reply in a table, with the expected result.
type example struct {
	table, name, reply, want string
	source                   bool // the table says where its forms are from
}

// examples returns the examples in all tables.
func examples(t *testing.T) (out []example) {
	tables, err := filepath.Glob("../testdata/parse/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, table := range tables {
		a, err := txtar.ParseFile(table)
		if err != nil {
			t.Fatal(err)
		}
		for i, f := range a.Files {
			name, ok := strings.CutSuffix(f.Name, "/reply")
			if ok && i+1 < len(a.Files) && strings.HasPrefix(a.Files[i+1].Name, name+"/want") {
				out = append(out, example{table, name, string(f.Data), string(a.Files[i+1].Data), len(a.Comment) > 0})
			}
		}
	}
	return out
}

// edits reports whether an example is read as an edit, is refused or becomes a notice.
func (e *example) edits() bool {
	return strings.TrimSpace(e.want) != "" && !strings.Contains(e.want, "\"blocks\": []\n}")
}

// TestFormsHaveExamples checks that each form has at least eight different replies with the
// expected result, in tables that name the form's source, and one reply that only looks like the
// form.
func TestFormsHaveExamples(t *testing.T) {
	all := examples(t)
	for _, f := range forms() {
		sign := regexp.MustCompile(f.sign)
		seen, strays := map[string]bool{}, 0
		for _, e := range all {
			if !sign.MatchString(e.reply) || f.name == "a patch without its end" &&
				strings.Contains(e.reply, "*** End Patch") {
				continue
			}
			switch {
			case !e.source:
				t.Errorf("%s: %s does not say where its forms are from", f.name, e.table)
			case e.edits():
				seen[e.reply] = true
			}
			if !e.edits() || strings.Contains(e.name, "stray") {
				strays++
			}
		}
		if len(seen) < 8 {
			t.Errorf("%s: %d examples, too few to hold it down", f.name, len(seen))
		}
		if strays == 0 {
			t.Errorf("%s: no reply that only looks like it", f.name)
		}
	}
}
