package envelope

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/srpatch/srpatch/parser/internal/mdline"
)

// writeToolXML writes each block as a call, most as Anthropic's models do.
func writeToolXML(out *bytes.Buffer, blocks []Block, _ Markers) {
	for _, b := range blocks {
		w := callWriter{out}
		switch b.Op {
		case OpCreate:
			w.begin("Write")
			w.argument("file_path", []byte(b.Path))
			w.file("content", b.Replace)
		case OpInsert:
			w.begin("str_replace_based_edit_tool")
			w.argument("command", []byte("insert"))
			w.argument("path", []byte(b.Path))
			w.argument("insert_line", fmt.Append(nil, b.StartLine))
			w.argument("insert_text", b.Replace)
		case OpEdit:
			w.begin("Edit")
			w.argument("file_path", []byte(b.Path))
			w.side("old_string", b.Search, !b.Substring)
			w.side("new_string", b.Replace, !b.Substring)
			if b.ReplaceAll {
				w.argument("replace_all", []byte("true"))
			}
			for _, n := range [...]struct {
				name string
				n    int
			}{{"expected_replacements", b.Expected}, {"start_line", b.StartLine}, {"end_line", b.EndLine}} {
				if n.n > 0 {
					w.argument(n.name, fmt.Append(nil, n.n))
				}
			}
		default:
			continue
		}
		out.WriteString("</invoke>\n")
	}
}

// callWriter writes a call.
type callWriter struct{ out *bytes.Buffer }

func (w callWriter) begin(tool string) { w.out.WriteString(`<invoke name="` + tool + "\">\n") }

func (w callWriter) argument(name string, value []byte) {
	if bytes.HasPrefix(bytes.TrimSpace(value), cdataOpen) || bytes.Contains(value, []byte("</parameter>")) {
		value = slices.Concat(cdataOpen, bytes.ReplaceAll(value, cdataClose, cdataSplit), cdataClose)
	}
	if len(value) > 0 || name != "path" && name != "file_path" {
		w.out.WriteString(`<parameter name="` + name + `">` + string(value) + "</parameter>\n")
	}
}

// side writes one text of an edit. Tags around whole lines are alone on theirs.
func (w callWriter) side(name string, value []byte, lines bool) {
	if lines && len(value) > 0 {
		value = append([]byte("\n"), value...)
	}
	w.argument(name, value)
}

// file writes the content of a file.
func (w callWriter) file(name string, value []byte) {
	w.side(name, value, mdline.Ended(value))
}
