package parser

import (
	"bytes"
	"slices"
	"testing"

	"github.com/srpatch/srpatch/internal/diagnosis"
	"github.com/srpatch/srpatch/internal/golden"
	"github.com/srpatch/srpatch/parser/internal/envelope"
)

func TestWholeFiles(t *testing.T) {
	markerReplies(t, "whole-files", func(name string, reply []byte, want *[]byte) {
		got := render(Parse(reply, WithWholeFiles()))
		if golden.Update() {
			*want = got
		}
		if !bytes.Equal(got, *want) {
			t.Errorf("%s:\n%s\ngot:\n%swant:\n%s", name, reply, got, *want)
		}
		checkWholeFiles(t, reply)
	})
}

// checkWholeFiles checks that a whole file is written only if the option is set and the answer has
// no other edit, and that the option doesn't change other edits.
func checkWholeFiles(t *testing.T, reply []byte) {
	t.Helper()
	isWrite := func(b Block) bool { return b.Op == OpWrite }
	without, with := Parse(reply), Parse(reply, WithWholeFiles())
	if slices.ContainsFunc(without.Blocks, isWrite) {
		t.Fatalf("a whole file is written without being asked for:\n%s", reply)
	}
	if slices.ContainsFunc(with.Diagnostics, func(d Diagnostic) bool { return d.Code == diagnosis.ChatLog }) {
		return // one more of a log's answers has an edit
	}
	for i, b := range with.Blocks {
		if b.ID != i+1 {
			t.Fatalf("block %d has ID %d:\n%s", i+1, b.ID, reply)
		}
		if !isWrite(b) {
			continue
		}
		if slices.ContainsFunc(with.Blocks, func(o Block) bool { return o.Turn == b.Turn && !isWrite(o) }) {
			t.Fatalf("%s is written next to another edit:\n%s", b.Path, reply)
		}
		if !slices.ContainsFunc(without.Noticed,
			func(n Noticed) bool { return n.Lines == b.Lines && n.Path == b.Path }) {
			t.Fatalf("%s is written and not noticed without being asked for:\n%s", b.Path, reply)
		}
	}
	edits := slices.DeleteFunc(slices.Clone(with.Blocks), isWrite)
	if !slices.EqualFunc(edits, without.Blocks, func(a, b Block) bool { return envelope.Same(&a, &b) }) {
		t.Fatalf("the option changes other edits:\n%s", reply)
	}
}
