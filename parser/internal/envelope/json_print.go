package envelope

import (
	"bytes"
	"strconv"

	"github.com/srpatch/srpatch/parser/internal/jsontext"
)

// writeJSON writes each block as one JSON object on one line.
func writeJSON(out *bytes.Buffer, blocks []Block, _ Markers) {
	for _, b := range blocks {
		w := jsonWriter{out: out}
		switch b.Op {
		case OpCreate:
			w.text("command", []byte("create"))
			w.path(&b)
			w.text("file_text", b.Replace)
		case OpInsert:
			w.text("command", []byte("insert"))
			w.path(&b)
			w.number("insert_line", b.StartLine)
			w.text("new_str", b.Replace)
		case OpEdit:
			w.path(&b)
			w.text("old_string", b.Search)
			w.text("new_string", b.Replace)
			if b.ReplaceAll {
				w.key("replace_all")
				out.WriteString("true")
			}
			if b.Expected > 0 {
				w.number("expected_replacements", b.Expected)
			}
			if b.StartLine > 0 {
				w.number("start_line", b.StartLine)
			}
			if b.EndLine > 0 {
				w.number("end_line", b.EndLine)
			}
		default:
			continue
		}
		out.WriteString("}\n")
	}
}

// jsonWriter writes one object, member by member.
type jsonWriter struct {
	out *bytes.Buffer
	any bool
}

func (w *jsonWriter) key(name string) {
	sep := `{"`
	if w.any {
		sep = `, "`
	}
	w.any = true
	w.out.WriteString(sep + name + `": `)
}

func (w *jsonWriter) text(name string, value []byte) {
	w.key(name)
	w.out.Write(jsontext.AppendString(w.out.AvailableBuffer(), value))
}

func (w *jsonWriter) number(name string, value int) {
	w.key(name)
	w.out.WriteString(strconv.Itoa(value))
}

func (w *jsonWriter) path(b *Block) {
	if b.Path != "" {
		w.text("path", []byte(b.Path))
	}
}
