package workspace

import (
	"path"

	"github.com/srpatch/srpatch/apply"
	"github.com/srpatch/srpatch/internal/convention"
)

// maxConvention is how large a file may be, in bytes, that says how others are written. A larger one is left aside.
const maxConvention = 64 << 10

// conventions are the rules of one directory; nil where it has none.
type conventions struct{ attributes, editor *convention.Rules }

// Declared implements [apply.Declarer]: what .gitattributes (working-tree-encoding, encoding, eol) and .editorconfig (charset,
// end_of_line) in the file's directory and those above it, up to the root, say of it.
func (w *Workspace) Declared(name string) (d apply.Declaration) {
	clean, err := cleanName(name)
	if err != nil {
		return d
	}
	w.mu.Lock()
	_, d.Converted = w.wide[clean]
	w.mu.Unlock()
	d.Encoding, d.LineEnd = convention.Of(clean, func(dir string) (attributes, editor *convention.Rules) {
		w.mu.Lock()
		c, ok := w.conventions[dir]
		w.mu.Unlock()
		if !ok {
			c = conventions{w.readConvention(dir, convention.AttributesFile, convention.Attributes), w.readConvention(dir, convention.EditorConfigFile, convention.EditorConfig)}
			w.mu.Lock()
			if w.conventions == nil {
				w.conventions = map[string]conventions{}
			}
			w.conventions[dir] = c
			w.mu.Unlock()
		}
		return c.attributes, c.editor
	})
	return d
}

// readConvention reads the file base in a directory; nil if it is not there, or cannot be read.
func (w *Workspace) readConvention(dir, base string, read func(string) *convention.Rules) *convention.Rules {
	name := path.Join(dir, base)
	at, err := w.resolve(name)
	if err != nil || at.info == nil {
		return nil
	}
	raw, err := w.readUpTo(name, at, maxConvention)
	if err != nil {
		return nil
	}
	return read(string(raw))
}
