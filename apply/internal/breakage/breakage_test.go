package breakage

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
)

// edit is a change of one text in a file; the text occurs once.
type edit struct{ old, new string }

// changeOf is the change that edits make, in the order of their places.
func changeOf(t *testing.T, path, before string, edits ...edit) *Change {
	t.Helper()
	c := &Change{Path: path, Before: []byte(before)}
	at := 0
	for _, e := range edits {
		i := strings.Index(before[at:], e.old)
		if i < 0 || strings.Count(before, e.old) != 1 {
			t.Fatalf("%q does not occur once after byte %d", e.old, at)
		}
		c.After = append(c.After, before[at:at+i]...)
		s := Span{BeforeStart: at + i, BeforeEnd: at + i + len(e.old), AfterStart: len(c.After), Last: true}
		c.After = append(c.After, e.new...)
		s.AfterEnd = len(c.After)
		c.Spans = append(c.Spans, s)
		at = s.BeforeEnd
	}
	c.After = append(c.After, before[at:]...)
	return c
}

// found are the codes, lines and spans of the findings.
func found(c *Change) string {
	var out []string
	for _, f := range Find(c) {
		out = append(out, fmt.Sprintf("%s:%d by %d", f.Code, f.Line, f.Span))
	}
	return strings.Join(out, ", ")
}

func TestFind(t *testing.T) {
	const (
		loop = "function total(items) {\n  let sum = 0;\n  for (const item of items) {\n    sum += item.price;\n  }\n  return sum;\n}\n"
		goes = "package p\n\nfunc f() int {\n\treturn 1\n}\n"
		list = "{\n  \"a\": 1,\n  \"b\": 2\n}\n"
		text = "# Title\n\nSome words.\n"
		code = "def f(x):\n    y = x + 1\n    return y\n"
	)
	for _, c := range []struct {
		name, path, before string
		edits              []edit
		want               string
	}{
		{"the end of a loop is lost", "a.js", loop,
			[]edit{{"price;\n  }\n", "price;\n"}}, "unbalanced:4 by 0"},
		{"nothing opens what is closed", "a.js", loop,
			[]edit{{"sum = 0;", "sum = 0);"}}, "unbalanced:2 by 0"},
		{"a bracket in a string closes nothing", "a.js", loop, []edit{{"sum = 0;", "sum = ')';"}}, ""},
		{"a bracket in a comment closes nothing", "a.js", loop, []edit{{"sum = 0;", "sum = 0; // ) }"}}, ""},
		{"one edit opens what another closes", "a.js", loop,
			[]edit{{"let sum = 0;", "let sum = 0; {"}, {"return sum;", "} return sum;"}}, ""},
		{"the second of two edits loses a bracket", "a.js", loop,
			[]edit{{"let sum = 0;", "let sum = 1;"}, {"price;\n  }\n", "price;\n"}}, "unbalanced:4 by 1"},
		{"brackets were not balanced before", "a.js", loop + "}\n",
			[]edit{{"price;\n  }\n", "price;\n"}}, ""},
		{"a language that is not known", "a.unknown", loop, []edit{{"price;\n  }\n", "price;\n"}}, ""},

		{"Go that cannot be parsed", "a.go", goes, []edit{{"return 1", "return 1 +"}}, "not-parsed:5 by 0"},
		{"Go that could not be parsed before", "a.go", goes + "func\n",
			[]edit{{"return 1", "return 1 +"}}, ""},
		{"a comma of JSON is lost", "a.json", list, []edit{{"1,", "1"}}, "not-parsed:3 by 0"},
		{"JSON with another value", "a.json", list, []edit{{"1,", "[1],"}}, ""},

		{"a closer came in with the code", "a.py", code,
			[]edit{{"    y = x + 1\n", "    y = x + 2\n>>>>>>> REPLACE\n"}}, "stray-marker:3 by 0"},
		{"a page shows a whole block", "a.md", text,
			[]edit{{"Some words.\n", "<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n"}}, ""},
		{"a page has a closer alone", "a.md", text,
			[]edit{{"Some words.\n", "Other words.\n>>>>>>> REPLACE\n"}}, "stray-marker:4 by 0"},
		{"a heading is underlined", "a.md", text, []edit{{"# Title\n", "Title\n=======\n"}}, ""},
		{"the file has markers itself", "a.md", text + ">>>>>>> REPLACE\n",
			[]edit{{"Some words.\n", "<<<<<<< SEARCH\n"}}, ""},

		{"a fence came in with the code", "a.py", code,
			[]edit{{"    y = x + 1\n", "    y = x + 2\n```\n"}}, "stray-fence:3 by 0"},
		{"a page gets an example", "a.md", text, []edit{{"Some words.\n", "```\nmake\n```\n"}}, ""},
		{"an example on a page is left open", "a.md", text,
			[]edit{{"Some words.\n", "```\nmake\n"}}, "stray-fence:3 by 0"},

		{"the line after the place is there twice", "a.py", code,
			[]edit{{"    y = x + 1\n", "    y = x + 2\n    return y\n"}}, "repeated-line:3 by 0"},
		{"another value for a name", "a.py", code, []edit{{"x + 1", "x + 2"}}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			change := changeOf(t, c.path, c.before, c.edits...)
			after := bytes.Clone(change.After)
			if got := found(change); got != c.want {
				t.Errorf("got %q, want %q in\n%s", got, c.want, after)
			}
			if !bytes.Equal(change.After, after) || string(change.Before) != c.before {
				t.Error("the change itself was changed")
			}
		})
	}
}
