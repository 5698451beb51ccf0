package filename

import (
	"bytes"
	"strings"

	"github.com/srpatch/srpatch/internal/text"
)

// Strength is the degree to which a line looks like a file name.
type Strength uint8

const (
	none   Strength = iota
	Weak            // the line is a name only if such a file exists
	Plain           // the whole line is a name
	marked          // the name is marked by a label, a heading, bold type or code
)

// OfLine reads a line as a file name, with or without decoration, and says how likely it is one. A
// remark may follow the name: "`src/a.py`: the imports".
func OfLine(line []byte) (string, Strength) {
	if len(line) > MaxLine {
		return "", none
	}
	if bare := text.Chomp(line); len(bare) > 0 && isPlainPath(bare) { // a line without decoration
		if name, how := OfWord(string(bare)); how >= Plain && name == string(bare) {
			return name, how
		}
	}
	d := decorated{text: string(bytes.TrimFunc(line, text.Invisible))}
	if strings.Contains(d.text, "：") {
		d.text = strings.ReplaceAll(d.text, "：", ":")
	}
	if d.text == "" || strings.Trim(d.text, "`~=-_*#. ") == "" {
		return "", none
	}
	if name, ok := explicit(d.text); ok {
		return name, marked
	}
	d.strip()
	name, how := judge(d.text, d.quoted || d.labelled)
	how = d.strength(name, how)
	if how < Plain && !d.listed { // perhaps a name and a remark; itemName reads those of lists
		first, ok := d.leading()
		switch {
		case ok && d.heading:
			return first, marked
		case ok && (strings.ContainsAny(first, `/\`) || HasKnownExt(first)):
			return first, Plain
		}
	}
	return name, how
}

// strength returns the strength of the line as a file name. name is the line's text without
// decoration, and how is its strength.
func (d *decorated) strength(name string, how Strength) Strength {
	if how != Plain {
		return how
	}
	first, _, blank := strings.Cut(name, " ")
	switch {
	case blank && !strings.ContainsAny(first, `/\`) && !d.code && !d.labelled:
		return Weak // a sentence in bold or in quotes may also end like a name
	case (d.labelled || d.heading || d.quoted) && !d.listed:
		return marked
	}
	return Plain
}

const MaxLine = 512

// explicit returns the name in a line such as "File: `name`". The text in backticks counts as a
// name, whatever it looks like.
func explicit(t string) (string, bool) {
	name, ok := strings.CutPrefix(t, "File: `")
	if !ok {
		return "", false
	}
	name, ok = strings.CutSuffix(name, "`")
	return name, ok && name != "" && !strings.Contains(name, "`") && name == strings.TrimSpace(name)
}
