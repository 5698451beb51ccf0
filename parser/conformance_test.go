package parser

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/srpatch/srpatch/internal/golden"
	"github.com/srpatch/srpatch/internal/text"
	"github.com/srpatch/srpatch/parser/internal/envelope"
)

// markerTables lists the parts of the conformance table for replies with markers.
var markerTables = []string{"aider", "roo", "cline", "original-updated", "head-updated", "names",
	"malformed", "peers", "peer-bugs", "chatlog", "real",
	"fenced-diff", "like-an-edit", "odd-markers", "hints", "quoted", "anchors", "tools", "deeds",
	"misnamed", "calls", "shown", "content", "leftover"}

func markerReplies(t testing.TB, table string, f func(name string, reply []byte, want *[]byte)) {
	tableReplies(t, table, "", f)
}

// render formats a reply as in the tables: each block with its sides line by line, and blanks at
// line ends made visible.
func render(r *Reply) []byte {
	var out bytes.Buffer
	side := func(mark string, content []byte) {
		for line := range bytes.Lines(content) {
			s := string(text.Chomp(line))
			if strings.HasSuffix(s, " ") || strings.HasSuffix(s, "\t") || strings.Contains(s, "\r") {
				s = fmt.Sprintf("%q", s)
			}
			switch {
			case bytes.HasSuffix(line, []byte("\r\n")):
				s += `\r\n`
			case !bytes.HasSuffix(line, []byte("\n")):
				s += `\`
			}
			fmt.Fprintf(&out, "  %s %s\n", mark, s)
		}
	}
	for _, b := range r.Blocks {
		fmt.Fprintf(&out, "block %d %s %q %s lines %d-%d", b.ID, b.Op, b.Path, b.Dialect, b.Lines[0], b.Lines[1])
		if b.StartLine > 0 || b.EndLine > 0 {
			fmt.Fprintf(&out, " hint %d-%d", b.StartLine, b.EndLine)
		}
		if b.Inherited {
			out.WriteString(" inherited")
		}
		if b.Exact {
			out.WriteString(" exact")
		}
		if len(b.Names) > 0 {
			fmt.Fprintf(&out, " names %s", renderNames(b.Names))
		}
		if len(b.Labels) > 0 {
			fmt.Fprintf(&out, " labels %q", b.Labels)
		}
		out.WriteByte('\n')
		side("-", b.Search)
		side("+", b.Replace)
		for i, rd := range b.Readings {
			if i > 0 {
				fmt.Fprintf(&out, "  reading %d: divider in line %d, literal %v\n", i+1, rd.Divider, rd.Literal)
				side("  -", rd.Search)
				side("  +", rd.Replace)
			}
		}
		for _, w := range b.Warnings {
			fmt.Fprintf(&out, "  warning: %s\n", w)
		}
	}
	for _, s := range r.Shell {
		fmt.Fprintf(&out, "shell lines %d-%d %q\n", s.Lines[0], s.Lines[1], s.Text)
	}
	for _, d := range r.Diagnostics {
		fmt.Fprintf(&out, "%s in line %d: found %s; expected %s; %s\n", d.Code, d.Line, d.Found,
			d.Expected, strings.SplitN(d.Remedy, ":\n", 2)[0])
	}
	for _, n := range r.Noticed {
		fmt.Fprintf(&out, "noticed %s in lines %d-%d for %q\n", n.Code, n.Lines[0], n.Lines[1], n.Path)
	}
	for _, a := range r.Attempts {
		fmt.Fprintf(&out, "attempt %s in lines %d-%d for %q\n", a.Code, a.Lines[0], a.Lines[1], a.Path)
	}
	return out.Bytes()
}

// renderNames formats the names that are offered for a block and marks those that are near or
// inherited.
func renderNames(names []Name) []byte {
	var out []byte
	for i, n := range names {
		sep := " "
		if i == 0 {
			sep = "["
		}
		out = fmt.Appendf(out, "%s%q", sep, n.Text)
		if n.Near {
			out = append(out, " near"...)
		}
		if n.Inherited {
			out = append(out, " inherited"...)
		}
	}
	return append(out, ']')
}

func TestMarkerConformance(t *testing.T) {
	for _, table := range markerTables {
		n := 0
		markerReplies(t, table, func(name string, reply []byte, want *[]byte) {
			n++
			got := render(Parse(reply))
			if golden.Update() {
				*want = got
			}
			if !bytes.Equal(got, *want) {
				t.Errorf("%s/%s:\n%s\ngot:\n%swant:\n%s", table, name, reply, got, *want)
			}
			checkAccount(t, reply)
		})
		if n < 12 {
			t.Errorf("%s has %d examples, too few to hold it down", table, n)
		}
	}
}

// TestEnvelopesInReplies checks that an envelope gives the same edits inside a reply as without the
// text around it.
func TestEnvelopesInReplies(t *testing.T) {
	conformance(t, func(format, name string, reply []byte, _ *[]byte) {
		blocks, diags := readEnveloped(reply, 1)
		whole := Parse(reply)
		checkAccount(t, reply)
		var enveloped []Block
		for _, b := range whole.Blocks {
			if b.Dialect != "aider" {
				enveloped = append(enveloped, b)
			}
		}
		if len(enveloped) != len(blocks) || len(whole.Diagnostics) != len(diags) {
			t.Errorf("%s/%s: %d blocks and %d diagnostics, not %d and %d", format, name,
				len(enveloped), len(whole.Diagnostics),
				len(blocks), len(diags))
			return
		}
		for i := range blocks {
			if blocks[i].Path == "" {
				blocks[i].Path = enveloped[i].Path // named above the envelope
			}
			if !envelope.Same(&enveloped[i], &blocks[i]) {
				t.Errorf("%s/%s: block %d is %+v, not %+v", format, name, i+1, enveloped[i], blocks[i])
			}
		}
	})
}

// TestDiagnosticCodesAreDocumented checks that docs/codes.md lists all codes that occur in the
// tables.
func TestDiagnosticCodesAreDocumented(t *testing.T) {
	page, err := os.ReadFile("../docs/codes.md")
	if err != nil {
		t.Fatal(err)
	}
	_, page, _ = bytes.Cut(page, []byte("\n## Diagnostics\n"))
	seen := map[string]bool{}
	note := func(r *Reply) {
		for _, d := range r.Diagnostics {
			if !seen[d.Code] && !bytes.Contains(page, []byte("| `"+d.Code+"` |")) {
				t.Errorf("docs/codes.md does not have the code %s", d.Code)
			}
			seen[d.Code] = true
		}
	}
	for _, table := range markerTables {
		markerReplies(t, table, func(_ string, reply []byte, _ *[]byte) { note(Parse(reply)); note(ParseLast(reply)) })
	}
	conformance(t, func(_, _ string, reply []byte, _ *[]byte) { note(Parse(reply)) })
	if len(seen) < 8 {
		t.Errorf("only %d codes seen", len(seen))
	}
}
