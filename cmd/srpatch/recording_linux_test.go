package main

import (
	"bytes"
	"fmt"
	"html"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/srpatch/srpatch/internal/golden"
)

const recording = "../../docs/recording.svg"

// TestRecording types what the picture in the README shows, on a terminal, and compares it with the
// picture. With -update that is drawn anew.
func TestRecording(t *testing.T) {
	const example = "../../testdata/example"
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(filepath.Join(example, "tree"))); err != nil {
		t.Fatal(err)
	}
	for _, reply := range []string{"reply.md", "late.md", "answer.md"} {
		text, err := os.ReadFile(filepath.Join(example, reply))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, reply), text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	env := []string{"XDG_STATE_HOME=" + t.TempDir()}
	var screen strings.Builder
	for _, args := range [][]string{{"reply.md"}, {"late.md"}, {"retry", "answer.md"}, {"undo"}} {
		shown, _ := onTerminal(t, dir, recordingColumns, env, nil, args...)
		fmt.Fprintf(&screen, "\x1b[1m$ srpatch %s\x1b[0m\n%s", strings.Join(args, " "), shown)
	}
	drawn := drawing(screen.String())
	golden.Check(t, recording, string(drawn))
}

const recordingColumns = 96

// drawing is a picture of what a terminal shows, for light pages and dark ones.
func drawing(screen string) []byte {
	const size, advance, line, margin = 13.0, 7.8, 18.0, 14.0
	var lines []string
	for text := range strings.SplitSeq(strings.TrimSuffix(screen, "\n"), "\n") {
		lines = append(lines, rowsOf(text)...)
	}
	width, height := recordingColumns*advance+2*margin, float64(len(lines))*line+2*margin
	var b bytes.Buffer
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %.0f %.0f" width="%.0f" font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="%.0f" role="img" aria-label="srpatch on a terminal">
<style>
rect { fill: #f6f8fa } text { fill: #1f2328; white-space: pre }
.s1 { font-weight: bold } .s2 { fill: #656d76 } .s31 { fill: #cf222e } .s32 { fill: #116329 } .s33 { fill: #7d4e00 } .s36 { fill: #1b7c83 }
@media (prefers-color-scheme: dark) { rect { fill: #161b22 } text { fill: #e6edf3 }
.s2 { fill: #8b949e } .s31 { fill: #ff7b72 } .s32 { fill: #7ee787 } .s33 { fill: #e3b341 } .s36 { fill: #76e3ea } }
</style>
<rect width="100%%" height="100%%" rx="6"/>
`, width, height, width, size)
	for i, text := range lines {
		fmt.Fprintf(&b, `<text x="%.0f" y="%.0f" xml:space="preserve">%s</text>`+"\n", margin,
			margin+line*(float64(i)+0.75), styled(text))
	}
	b.WriteString("</svg>\n")
	return b.Bytes()
}

// rowsOf are the rows of a terminal that a line takes. None ends in a colour here.
func rowsOf(line string) (rows []string) {
	start, column, escape := 0, 0, false
	for i, r := range line {
		switch {
		case r == '\x1b':
			escape = true
		case escape:
			escape = r != 'm'
		case column == recordingColumns:
			rows, start, column = append(rows, line[start:i]), i, 1
		default:
			column++
		}
	}
	return append(rows, line[start:])
}

// styled is a line of a terminal with its colours as classes, which are named after their numbers
// there.
func styled(line string) string {
	var b strings.Builder
	class := ""
	for i, part := range strings.Split(line, "\x1b[") {
		if i > 0 {
			class, part, _ = strings.Cut(part, "m")
		}
		switch {
		case part == "":
		case i == 0, class == "0":
			b.WriteString(html.EscapeString(part))
		default:
			fmt.Fprintf(&b, `<tspan class="s%s">%s</tspan>`, strings.ReplaceAll(class, ";", " s"),
				html.EscapeString(part))
		}
	}
	return b.String()
}
