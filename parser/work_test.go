package parser

import (
	"runtime"
	"strings"
	"testing"
)

// Text in which the same construct begins repeatedly is read only once: four times as much text
// takes about four times the work, measured in allocated bytes.
func TestWorkGrowsWithTheText(t *testing.T) {
	reply := func(text string) { Parse([]byte(text)) }
	for name, c := range map[string]struct {
		read func(string)
		text func(n int) string
	}{
		"conflicts in a fence": {reply,
			func(n int) string { return "```\n" + strings.Repeat("src/a.py\n<<<<<<< HEAD\n", 20*n) + "```\n" }},
		"ends of texts that begin the next": {reply, func(n int) string {
			return "<apply_diff>\n<path>a</path>\n<diff>\n<<<<<<< SEARCH\n" +
				strings.Repeat("</diff><diff><<<<<<< SEARCH\n", 4*n) + "<<<<<<< SEARCH\n</apply_diff>\n"
		}},
	} {
		t.Run(name, func(t *testing.T) {
			few, many := allocated(func() { c.read(c.text(50)) }), allocated(func() { c.read(c.text(200)) })
			if growth := float64(many) / float64(few); growth > 7 { // 16 would be quadratic
				t.Errorf("four times the text takes %.1f times the work", growth)
			}
		})
	}
}

// allocated returns the number of bytes that a function allocates.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}
