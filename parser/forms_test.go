package parser

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

// form is a way in which models write edits, and what shows it in a reply.
type form struct{ name, sign string }

// forms are those that no format of its own has a table for, with the texts by which their examples are known.
func forms() []form {
	return []form{
		{"a block on one line", `(?m)^.*<{5,9} SEARCH.*={5,9}.*>{5,9} REPLACE`},
		{"a diff in a fence without a name of its own", "(?m)^```(diff|patch)$\n(?:[^\\n]*\n){0,3}[-+ @]"},
		{"SEARCH and REPLACE as labels of fences", "(?mi)^[*#]*\\s*(search|find)[^\\n]{0,20}[:*]*\\s*\n+```"},
		{"old and new text in two fences", "(?mi)^[*#]*\\s*(before|old|current|original)\\b[^\\n]{0,20}\n+```"},
		{"a whole file in a fence", "(?m)^[*#` ]*[\\w/]+\\.(py|ts|js|md|go)[*`: ]*\n+```\\w*\n"},
		{"a whole file in an element", `(?m)<[\w-]+ [^>]*(path|filePath|file_path|name)="[\w/]+\.\w+"`},
		{"remarks for existing code", `existing code`},
		{"anchors that only a tool knows", `(?m)^@(edit|insert|replace|delete)|"anchor"|set_line|"pos"|mentat|^<{4} |:[0-9a-f]{2}\b`},
		{"a call in a fence", "(?m)^```\\w*\n\\s*(<invoke|<function|<\\w+_\\w+>|[\\w.]+\\(\\w+=|\\{\"(name|tool)\")"},
		{"invoke", `<invoke name=`},
		{"write_to_file", `<write_to_file>`},
		{"insert_content", `<insert_content>|"insert_content"`},
		{"search_and_replace", `search_and_replace`},
		{"str_replace_based_edit_tool", `str_replace_based_edit_tool|str_replace_editor`},
		{"MultiEdit", `MultiEdit|multi_edit`},
		{"edit_file", `edit_file`},
		{"a whole file in Brokk's words", `BRK_ENTIRE_FILE`},
		{"a patch without its end", `\*\*\* Begin Patch`},
		{"operations", `"operations"`},
		{"a list of contents with lines", `(?s)"content":.*"start_?[lL]ine"|"start_?[lL]ine":.*"content"`},
		{"HEAD and REPLACE", `(?s)<{5,9} HEAD.*>{5,9} REPLACE`},
		{"hints", `(?m)^<{5,9} SEARCH.*(@@|L\d|:\d|line)`},
		{"markers of 3 or 4 signs", `(?m)^<{3,4} ?(SEARCH|ORIGINAL|HEAD)`},
		{"lines by their numbers", `(?i)"(start_?line|line|line_start)":\s*\d+[^\n]*"(content|text|new_?content|new_?code|code|replacement)"`},
		{"commands that change a file", `(?m)^\W*(cat|tee|echo) .*>|sed -i|perl -pi`},
	}
}

// TestFormsHaveExamples holds that each form has at least eight replies that are read as a table says.
func TestFormsHaveExamples(t *testing.T) {
	tables, err := filepath.Glob("../testdata/parse/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	var replies []string
	for _, table := range tables {
		a, err := txtar.ParseFile(table)
		if err != nil {
			t.Fatal(err)
		}
		for i, f := range a.Files {
			if strings.Contains(f.Name, "/reply") && i+1 < len(a.Files) && strings.Contains(a.Files[i+1].Name, "/want") {
				replies = append(replies, string(f.Data))
			}
		}
	}
	for _, f := range forms() {
		sign := regexp.MustCompile(f.sign)
		n := 0
		for _, r := range replies {
			if sign.MatchString(r) && (f.name != "a patch without its end" || !strings.Contains(r, "*** End Patch")) {
				n++
			}
		}
		if n < 8 {
			t.Errorf("%s: %d examples, too few to hold it down", f.name, n)
		}
	}
}
