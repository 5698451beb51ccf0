package workspace

import (
	"bytes"
	"slices"
)

// maxWitnesses limits the runs whose pre-images one call of WasAmbiguous reads.
const maxWitnesses = 20

// WasAmbiguous reports whether the lines of search occurred more than once in the file before one
// of the last maxWitnesses runs that changed it. That run may then have edited the place that is
// meant, so the one that is left proves nothing. It implements [apply.Witness].
func (w *Workspace) WasAmbiguous(name string, search []byte) bool {
	real, _, err := w.locate(name)
	if err != nil {
		return false
	}
	w.logMu.Lock()
	defer w.logMu.Unlock()
	read := 0 // how many runs that changed the file were looked at
	for i := 0; read < maxWitnesses; i++ {
		run, err := w.logged(i)
		if run == nil || err != nil {
			return false
		}
		changes := func(f RunFile) bool { return f.Path == real && f.Before != "" }
		if run.Err != nil || !slices.ContainsFunc(run.Files, changes) {
			continue
		}
		read++
		t, err := w.withImages(run)
		if err != nil { // damaged: it says nothing
			continue
		}
		for j := range t.edits {
			if e := &t.edits[j]; e.path == real && occursTwice(e.before.data, search) {
				return true
			}
		}
	}
	return false
}

// occursTwice reports whether the lines of search occur more than once in text, ignoring line ends
// and blanks around lines. The occurrences may overlap.
func occursTwice(text, search []byte) bool {
	text, search = trimmedLines(text), trimmedLines(search)
	i := bytes.Index(text, search)
	return i >= 0 && bytes.Contains(text[i+1:], search)
}

// trimmedLines returns the lines of text without the blanks around them, with a line feed before
// the first and after each: "\na\nb\n" for " a\n b". So whole lines can be searched for as text.
func trimmedLines(text []byte) []byte {
	out := []byte{'\n'}
	for line := range bytes.Lines(text) {
		out = append(append(out, bytes.TrimSpace(line)...), '\n')
	}
	return out
}
