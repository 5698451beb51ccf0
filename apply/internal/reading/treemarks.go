package reading

import (
	"bytes"

	"github.com/srpatch/srpatch/strategy"
)

// treeMarks are what maps of repositories put before the lines of a file that they show.
func treeMarks() []string { return []string{"│", "█", "⋮"} }

// withoutTreeMark takes the mark off a line.
func withoutTreeMark(line []byte) []byte {
	for _, mark := range treeMarks() {
		if rest, ok := bytes.CutPrefix(line, []byte(mark)); ok {
			return rest
		}
	}
	return line
}

// hasTreeMarks reports whether a line of the document begins with a mark, as in a drawing.
func hasTreeMarks(doc *strategy.Document) bool {
	for _, mark := range treeMarks() {
		for rest := doc.Text(); ; {
			at := bytes.Index(rest, []byte(mark))
			if at < 0 {
				break
			}
			if line := rest[:at]; len(bytes.TrimLeft(line[bytes.LastIndexByte(line, '\n')+1:], " \t")) == 0 {
				return true
			}
			rest = rest[at+len(mark):]
		}
	}
	return false
}
