package parser

import (
	"bytes"
	"encoding/json"
	"slices"
	"testing"

	"github.com/srpatch/srpatch/internal/effort"
	"github.com/srpatch/srpatch/internal/golden"
	"github.com/srpatch/srpatch/internal/text"
	"github.com/srpatch/srpatch/parser/internal/envelope"
)

// goldenReply is the expected result of reading a reply in the conformance table.
type goldenReply struct {
	Blocks      []goldenBlock `json:"blocks"`
	Diagnostics []string      `json:"diagnostics,omitempty"` // "line code: found"
}

type goldenBlock struct {
	Op         Op       `json:"op"`
	Path       string   `json:"path"`
	NewPath    string   `json:"new_path,omitempty"`
	Lines      [2]int   `json:"lines"`
	Search     string   `json:"search"`
	Replace    string   `json:"replace"`
	StartLine  int      `json:"start_line,omitempty"`
	EndLine    int      `json:"end_line,omitempty"`
	Scope      []string `json:"scope,omitempty"`
	AtEOF      bool     `json:"at_eof,omitempty"`
	ReplaceAll bool     `json:"replace_all,omitempty"`
	Expected   int      `json:"expected,omitempty"`
	Text       bool     `json:"text,omitempty"`
	Exact      bool     `json:"exact,omitempty"`
	Readings   []string `json:"readings,omitempty"` // the further readings, SEARCH and REPLACE
	Warnings   []string `json:"warnings,omitempty"`
}

func goldenOf(blocks []Block, diags []Diagnostic) goldenReply {
	g := goldenReply{Blocks: []goldenBlock{}}
	for _, b := range blocks {
		gb := goldenBlock{b.Op, b.Path, b.NewPath, b.Lines, string(b.Search), string(b.Replace), b.StartLine, b.EndLine,
			b.Scope, b.AtEOF, b.ReplaceAll, b.Expected, b.Substring, b.Exact, nil, b.Warnings}
		for _, r := range b.Readings[min(1, len(b.Readings)):] {
			gb.Readings = append(gb.Readings, string(r.Search), string(r.Replace))
		}
		g.Blocks = append(g.Blocks, gb)
	}
	for _, d := range diags {
		line, _ := json.Marshal(d.Line)
		g.Diagnostics = append(g.Diagnostics, string(line)+" "+d.Code+": "+d.Found)
	}
	return g
}

// readEnveloped reads a text that contains only envelopes.
func readEnveloped(text []byte, firstLine int) (blocks []Block, diags []Diagnostic) {
	for l := newLines(text, firstLine); l.pos < len(l.buf); {
		n := 1 // number of lines
		if e := envelope.Start(l.buf[l.pos:], l.line, readInner); e != nil {
			e.Read()
			n = e.Lines
			blocks = append(blocks, e.Blocks...)
			for _, f := range e.Faults {
				if f.Doubt == nil {
					diags = append(diags, f.Diagnostic)
				}
			}
		}
		for range n {
			l.pos, l.line = l.lineEnd(l.pos), l.line+1
		}
	}
	return blocks, diags
}

// conformance calls f with every example in the table's parts for envelopes.
func conformance(t testing.TB, f func(format, name string, reply []byte, want *[]byte)) {
	for _, format := range EnvelopeFormats() {
		tableReplies(t, format, ".json", func(name string, reply []byte, want *[]byte) {
			f(format, name, reply, want)
		})
	}
}

func TestEnvelopeConformance(t *testing.T) {
	count := map[string]int{}
	conformance(t, func(format, name string, reply []byte, want *[]byte) {
		count[format]++
		var got bytes.Buffer
		enc := json.NewEncoder(&got)
		enc.SetEscapeHTML(false)
		enc.SetIndent("", "  ")
		if err := enc.Encode(goldenOf(readEnveloped(reply, 1))); err != nil {
			t.Fatal(err)
		}
		if golden.Update() {
			*want = got.Bytes()
		}
		if !bytes.Equal(got.Bytes(), *want) {
			t.Errorf("%s/%s:\n%s\ngot:\n%swant:\n%s", format, name, reply, got.Bytes(), *want)
		}
	})
	for _, format := range EnvelopeFormats() {
		if count[format] < 12 {
			t.Errorf("%s has %d examples, too few to hold the format down", format, count[format])
		}
	}
}

// A reply that is cut off never gives an edit that the whole reply doesn't give. There are two
// exceptions: a diff whose hunk has all its lines, although a note about a missing line end could
// follow, and a diff whose last hunk ends in context.
func TestEnvelopeCutAnywhere(t *testing.T) {
	conformance(t, func(format, name string, reply []byte, _ *[]byte) {
		for cut := 0; cut < len(reply); cut += effort.Of(7, 1, 1) {
			if b, more := beyond(reply, cut); more {
				t.Errorf("%s/%s cut at byte %d gives %s %s %q -> %q, which the whole does not hold:\n%s", format, name, cut,
					b.Op, b.Path, b.Search, b.Replace, reply[:cut])
			}
		}
	})
}

// beyond cuts the reply off at a byte and returns a block that the whole reply doesn't have.
func beyond(reply []byte, cut int) (Block, bool) {
	whole, _ := readEnveloped(reply, 1)
	got, _ := readEnveloped(reply[:cut], 1)
	bare := func(b Block) Block {
		if b.Dialect == envelope.Diff {
			b.Search, b.Replace = text.Chomp(b.Search), text.Chomp(b.Replace)
		}
		return b
	}
	last := func(text []byte) string { return string(text[bytes.LastIndexByte(text, '\n')+1:]) }
	begins := func(b, g *Block) bool {
		return g.Dialect == envelope.Diff && last(g.Search) == last(g.Replace) &&
			bytes.HasPrefix(b.Search, g.Search) && bytes.HasPrefix(b.Replace, g.Replace)
	}
	for _, g := range got {
		g = bare(g)
		if !slices.ContainsFunc(whole,
			func(b Block) bool { b = bare(b); return envelope.Same(&b, &g) || begins(&b, &g) }) {
			return g, true
		}
	}
	return Block{}, false
}
