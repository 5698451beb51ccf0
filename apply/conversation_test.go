package apply_test

import (
	"bytes"
	"fmt"
	"maps"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/srpatch/srpatch/apply"
	"github.com/srpatch/srpatch/parser"
)

// after returns the tree with the changes of a plan applied.
func after(tree apply.Files, plan *apply.Plan) apply.Files {
	tree = maps.Clone(tree)
	for _, f := range plan.Files {
		delete(tree, f.From)
		if tree[f.Path] = f.After; f.Action == apply.Delete {
			delete(tree, f.Path)
		}
	}
	return tree
}

// The answers of a conversation, applied in order to the tree that they were written for, produce
// the tree that the conversation ended with.
func TestConversations(t *testing.T) {
	files, err := filepath.Glob("../testdata/conversations/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, name := range files {
		t.Run(filepath.Base(name), func(t *testing.T) {
			archive, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			tree, want := apply.Files{}, apply.Files{}
			var chat []byte
			says := ""
			for _, f := range archive.Files {
				text := []byte(strings.TrimSuffix(string(f.Data), "\n"))
				part, path, _ := strings.Cut(f.Name, "/")
				switch part {
				case "before":
					tree[path] = text
				case "after":
					want[path] = text
				case "chat":
					chat = text
				case "want":
					says = string(text)
				}
			}
			var got []string
			read, line := 0, 0 // line is the line of the last block read
			for i, raw := range bytes.SplitAfter(chat, []byte("\n")) {
				if read += len(raw); !bytes.HasPrefix(raw, []byte("> ")) && i+1 < bytes.Count(chat, []byte("\n")) {
					continue
				}
				reply := parser.ParseLast(chat[:read])
				if len(reply.Diagnostics) > 0 {
					t.Errorf("not understood: %+v", reply.Diagnostics)
				}
				if len(reply.Blocks) == 0 || reply.Blocks[0].Lines[0] <= line {
					continue
				}
				line = reply.Blocks[len(reply.Blocks)-1].Lines[1]
				plan := planned(t, tree, reply, apply.Options{Partial: true})
				became := fmt.Sprintf("answer %d:", len(got)+1)
				for _, b := range plan.Blocks {
					became += " " + string(b.Status)
				}
				got, tree = append(got, became), after(tree, plan)
			}
			if got := strings.Join(got, "\n"); got != says {
				t.Errorf("the answers come to\n%s\nnot\n%s", got, says)
			}
			if !maps.EqualFunc(want, tree, bytes.Equal) {
				t.Errorf("the tree is\n%s\nnot\n%s", tree, want)
			}
		})
	}
}
