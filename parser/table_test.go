package parser

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/srpatch/srpatch/internal/golden"
)

// tableReplies calls f with every reply in a part of the conformance table. With -update it
// replaces the expected results. A section is called name/reply, with the suffix .crlf if its lines
// end in CRLF, .cr if they end in CR, and .noeol if the last line has no line end. The section with
// the expected result is called name/want, with the given extension.
func tableReplies(t testing.TB, part, ending string, f func(name string, reply []byte, want *[]byte)) {
	file := filepath.Join("../testdata/parse", part+".txtar")
	arc, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	out := txtar.Archive{Comment: arc.Comment}
	for i, sec := range arc.Files {
		name, kind, _ := strings.Cut(sec.Name, "/")
		if !strings.HasPrefix(kind, "reply") {
			continue
		}
		reply := bytes.Clone(sec.Data)
		if strings.Contains(kind, ".noeol") {
			reply = bytes.TrimSuffix(reply, []byte("\n"))
		}
		if strings.Contains(kind, ".crlf") {
			reply = bytes.ReplaceAll(reply, []byte("\n"), []byte("\r\n"))
		}
		if strings.HasSuffix(kind, ".cr") {
			reply = bytes.ReplaceAll(reply, []byte("\n"), []byte("\r"))
		}
		wanted := name + "/want" + ending
		var want []byte
		if i+1 < len(arc.Files) && arc.Files[i+1].Name == wanted {
			want = arc.Files[i+1].Data
		}
		f(name, reply, &want)
		out.Files = append(out.Files, sec, txtar.File{Name: wanted, Data: want})
	}
	if golden.Update() {
		golden.Write(t, file, string(txtar.Format(&out)))
	}
}
