// Package convention reads what a tree says of how its files are written: the encoding and the line ends that .gitattributes and
// .editorconfig name for them.
package convention

import (
	"path"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// AttributesFile and EditorConfigFile are the names of the files that say it.
const (
	AttributesFile   = ".gitattributes"
	EditorConfigFile = ".editorconfig"
)

// Setting is what is said of a file. A key that is not in it says nothing, one that is empty takes back what is said farther away.
type Setting map[string]string

// The keys of a [Setting].
const (
	// Encoding is the name of an encoding.
	Encoding = "encoding"
	// LineEnd is "\n" or "\r\n".
	LineEnd = "line-end"
)

// Rules are those of one file with settings. They are about the files in its directory and below.
type Rules struct {
	// Root says that settings of directories above do not count.
	Root  bool
	rules []rule
}

// rule is a glob and what it sets.
type rule struct {
	glob string
	set  Setting
}

// For is what the rules say of the file name, which is relative to their directory. Of two rules about it the later one counts.
func (r *Rules) For(name string) Setting {
	out := Setting{}
	for _, rule := range r.rules {
		if tangled(rule.glob) {
			continue
		}
		if ok, _ := doublestar.Match(rule.glob, name); ok {
			for key, value := range rule.set {
				out[key] = value
			}
		}
	}
	return out
}

// tangled says that a glob could take long to compare. Nobody writes such ones, except for harm.
func tangled(glob string) bool { return len(glob) > 200 || strings.Count(glob, "{") > 2 }

// anchored is a glob as the path of a file below the rules' directory is compared with it: one without a slash fits in any directory.
func anchored(glob string) string {
	if strings.Contains(glob, "/") {
		return strings.TrimPrefix(glob, "/")
	}
	return "**/" + glob
}

// Attributes reads a .gitattributes.
func Attributes(text string) *Rules {
	r := &Rules{}
	for line := range strings.Lines(strings.TrimPrefix(text, "\ufeff")) {
		fields := strings.Fields(line)
		if len(fields) < 2 || strings.HasPrefix(fields[0], "#") || strings.HasPrefix(fields[0], "[attr]") {
			continue
		}
		// To git, braces are characters like others.
		glob := strings.NewReplacer("{", `\{`, "}", `\}`).Replace(strings.Trim(fields[0], `"`))
		if set := attributes(fields[1:]); len(set) > 0 {
			r.rules = append(r.rules, rule{anchored(glob), set})
		}
	}
	return r
}

// attributes are what the attributes of one line set. That which git converts by itself goes before what is only shown.
func attributes(fields []string) Setting {
	set := Setting{}
	shown, isShown := "", false
	for _, f := range fields {
		key, value, _ := strings.Cut(f, "=")
		switch key {
		case "working-tree-encoding":
			set[Encoding] = value
		case "-working-tree-encoding", "!working-tree-encoding":
			set[Encoding] = ""
		case "encoding":
			shown, isShown = value, true
		case "eol":
			set[LineEnd] = lineEnd(value)
		case "-text", "binary", "-eol", "!eol":
			set[LineEnd] = ""
		}
	}
	if _, converted := set[Encoding]; isShown && !converted {
		set[Encoding] = shown
	}
	return set
}

// lineEnd is what a setting calls lf or crlf; "" for anything else.
func lineEnd(value string) string {
	switch strings.ToLower(value) {
	case "lf":
		return "\n"
	case "crlf":
		return "\r\n"
	}
	return ""
}

// EditorConfig reads an .editorconfig.
func EditorConfig(text string) *Rules {
	r := &Rules{}
	for line := range strings.Lines(strings.TrimPrefix(text, "\ufeff")) {
		line = strings.TrimSpace(line)
		if line == "" || strings.ContainsAny(line[:1], "#;") {
			continue
		}
		if glob, ok := strings.CutPrefix(line, "["); ok && strings.HasSuffix(glob, "]") {
			r.rules = append(r.rules, rule{anchored(strings.TrimSuffix(glob, "]")), Setting{}})
			continue
		}
		key, value, _ := strings.Cut(line, "=")
		key, value = strings.ToLower(strings.TrimSpace(key)), strings.ToLower(strings.TrimSpace(value))
		if len(r.rules) == 0 {
			r.Root = r.Root || key == "root" && value == "true"
			continue
		}
		set := r.rules[len(r.rules)-1].set
		switch key {
		case "charset":
			set[Encoding] = marked(value)
		case "end_of_line":
			set[LineEnd] = lineEnd(value)
		}
	}
	return r
}

// marked is an encoding as .editorconfig names it: its UTF-16 has a byte order mark. "unset" is none.
func marked(name string) string {
	switch name {
	case "utf-16le", "utf-16be":
		return name + "-bom"
	case "unset":
		return ""
	}
	return name
}

// Of is what a tree says of the file name, a path from its root. read gives the rules of a directory, nil where it has none: those
// of its .gitattributes and of its .editorconfig. The directory nearest to the file decides, and in one directory .gitattributes.
func Of(name string, read func(dir string) (attributes, editor *Rules)) (encoding, lineEnd string) {
	all := Setting{}
	note := func(s Setting) {
		for key, value := range s {
			if _, said := all[key]; !said {
				all[key] = value
			}
		}
	}
	below, ended := path.Base(name), false
	for dir := path.Dir(name); ; dir = path.Dir(dir) {
		attributes, editor := read(dir)
		if attributes != nil {
			note(attributes.For(below))
		}
		if editor != nil && !ended {
			note(editor.For(below))
			ended = editor.Root
		}
		if dir == "." {
			return all[Encoding], all[LineEnd]
		}
		below = path.Join(path.Base(dir), below)
	}
}
