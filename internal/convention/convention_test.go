package convention_test

import (
	"testing"

	"github.com/srpatch/srpatch/internal/convention"
)

// What the files of a tree say of others, in the ways that git and editors have it.
func TestOf(t *testing.T) {
	for _, c := range []struct {
		name  string
		files map[string]string
		file  string
		want  [2]string
	}{
		{"nothing is said", nil, "src/a.c", [2]string{}},
		{"git converts it", map[string]string{".gitattributes": "*.c working-tree-encoding=GBK\n"}, "src/a.c", [2]string{"GBK", ""}},
		{"git shows it", map[string]string{".gitattributes": "*.c encoding=cp1252\n"}, "src/a.c", [2]string{"cp1252", ""}},
		{"both, what git converts counts", map[string]string{".gitattributes": "*.c encoding=cp1252 working-tree-encoding=GBK\n"}, "a.c", [2]string{"GBK", ""}},
		{"another file", map[string]string{".gitattributes": "*.h encoding=cp1252\n"}, "a.c", [2]string{}},
		{"a later line counts", map[string]string{".gitattributes": "* encoding=a eol=lf\n*.c encoding=b\n"}, "a.c", [2]string{"b", "\n"}},
		{"a path from the directory", map[string]string{"src/.gitattributes": "/old/*.c encoding=a\n"}, "src/old/a.c", [2]string{"a", ""}},
		{"that path elsewhere", map[string]string{"src/.gitattributes": "/old/*.c encoding=a\n"}, "src/new/old/a.c", [2]string{}},
		{"any directory", map[string]string{".gitattributes": "**/old/** encoding=a\n"}, "src/old/x/a.c", [2]string{"a", ""}},
		{"braces are text to git", map[string]string{".gitattributes": "*.{c,h} encoding=a\n"}, "a.c", [2]string{}},
		{"line ends", map[string]string{".gitattributes": "*.bat text eol=CRLF\n"}, "a.bat", [2]string{"", "\r\n"}},
		{"no text has no line ends", map[string]string{".gitattributes": "* eol=crlf\n*.bin binary\n", ".editorconfig": "[*]\nend_of_line=crlf\n"}, "a.bin", [2]string{}},
		{"a comment and a macro", map[string]string{".gitattributes": "# * encoding=a\n[attr]x encoding=b\n"}, "a.c", [2]string{}},
		{"an editor's", map[string]string{".editorconfig": "root = true\n\n; of old\n[*.{c,h}]\nCharset = Latin1\nend_of_line = crlf\n"}, "src/a.h", [2]string{"latin1", "\r\n"}},
		{"an editor's UTF-16", map[string]string{".editorconfig": "[*]\ncharset=utf-16le\n"}, "a", [2]string{"utf-16le-bom", ""}},
		{"an editor's, for another file", map[string]string{".editorconfig": "[*.py]\ncharset = latin1\n"}, "a.c", [2]string{}},
		{"the nearer directory", map[string]string{".gitattributes": "* encoding=a\n", "src/.editorconfig": "[*]\ncharset=latin1\n"}, "src/a.c", [2]string{"latin1", ""}},
		{"both in one directory", map[string]string{".gitattributes": "* encoding=a\n", ".editorconfig": "[*]\ncharset=latin1\nend_of_line=lf"}, "a.c", [2]string{"a", "\n"}},
		{"taken back nearer", map[string]string{".gitattributes": "* encoding=a\n", "src/.editorconfig": "[*]\ncharset=unset\n"}, "src/a.c", [2]string{}},
		{"taken back by git", map[string]string{".gitattributes": "* working-tree-encoding=a\n*.c -working-tree-encoding\n"}, "a.c", [2]string{}},
		{"the end of an editor's settings", map[string]string{".editorconfig": "[*]\ncharset=latin1\n", "src/.editorconfig": "root=true\n"}, "src/a.c", [2]string{}},
		{"git knows no such end", map[string]string{".gitattributes": "* encoding=a\n", "src/.editorconfig": "root=true\n"}, "src/a.c", [2]string{"a", ""}},
	} {
		encoding, lineEnd := convention.Of(c.file, func(dir string) (attributes, editor *convention.Rules) {
			prefix := dir + "/"
			if dir == "." {
				prefix = ""
			}
			if text, ok := c.files[prefix+convention.AttributesFile]; ok {
				attributes = convention.Attributes(text)
			}
			if text, ok := c.files[prefix+convention.EditorConfigFile]; ok {
				editor = convention.EditorConfig(text)
			}
			return attributes, editor
		})
		if got := [2]string{encoding, lineEnd}; got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
