package parser

import (
	"bytes"
	"testing"

	"github.com/srpatch/srpatch/parser/internal/envelope"
)

func seed(f *testing.F, add func(reply []byte)) {
	for _, table := range markerTables {
		markerReplies(f, table, func(_ string, reply []byte, _ *[]byte) { add(reply) })
	}
	markerReplies(f, "whole-files", func(_ string, reply []byte, _ *[]byte) { add(reply) })
	conformance(f, func(_, _ string, reply []byte, _ *[]byte) { add(reply) })
}

// FuzzParse checks properties that hold for every input: it is not changed, every line is accounted
// for, the first reading equals the block's sides, and a printed block parses back.
func FuzzParse(f *testing.F) {
	seed(f, func(reply []byte) { f.Add(reply) })
	f.Fuzz(func(t *testing.T, reply []byte) {
		before := bytes.Clone(reply)
		r := Parse(reply)
		if !bytes.Equal(before, reply) {
			t.Fatal("the reply was changed")
		}
		checkAccount(t, reply)
		for i, b := range r.Blocks {
			if b.ID != i+1 || b.Lines[0] < 1 || b.Lines[1] < b.Lines[0] {
				t.Fatalf("block %d has ID %d, lines %v", i+1, b.ID, b.Lines)
			}
			if len(b.Readings) == 1 || len(b.Readings) > maxReadings {
				t.Fatalf("block %d has %d readings", b.ID, len(b.Readings))
			}
			if len(b.Readings) > 0 &&
				(!bytes.Equal(b.Readings[0].Search, b.Search) || !bytes.Equal(b.Readings[0].Replace, b.Replace)) {
				t.Fatalf("block %d is not its first reading", b.ID)
			}
			if text, err := Format([]Block{b}); err == nil {
				again := Parse(text)
				if len(again.Blocks) != 1 || !envelope.Same(&again.Blocks[0], &b) {
					t.Fatalf("block %d prints as\n%s", b.ID, text)
				}
			}
		}
		for _, d := range r.Diagnostics {
			if d.Code == "" || d.Line < 1 || d.Expected == "" || d.Remedy == "" {
				t.Fatalf("diagnostic %+v leaves something open", d)
			}
		}
		ParseLast(reply)
		checkWholeFiles(t, reply)
	})
}
