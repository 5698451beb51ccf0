package parser

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"
)

// hostileReplies are texts that make a scanner look twice: each returns about n bytes.
var hostileReplies = []struct {
	name string
	text func(n int) []byte
}{
	{"braces", repeat("{\n")},
	{"brackets", repeat("[\n")},
	{"code with braces", repeat("func f() {\n    if x {\n        y = append(y, a[i])\n    }\n    {\n        z()\n    }\n}\n")},
	{"JSON without an edit", repeat("{\"level\": \"info\", \"message\": \"it works\", \"path\": \"a.go\"}\n")},
	{"one long array", func(n int) []byte { return append([]byte("[\n"), bytes.Repeat([]byte("1,\n"), n/3)...) }},
	{"JSON edits", repeat("{\"path\": \"a.go\", \"old_string\": \"a\", \"new_string\": \"b\"}\n")},
	{"begin patch", repeat("*** Begin Patch\n")},
	{"begin patch, update", repeat("*** Begin Patch\n*** Update File: a\n")},
	{"end patch", repeat("*** End Patch\n")},
	{"one long patch", func(n int) []byte {
		return append([]byte("*** Begin Patch\n"), bytes.Repeat([]byte("*** Update File: a\n-a\n+b\n"), n/25)...)
	}},
	{"diff headers", repeat("diff --git a/x b/x\n")},
	{"diff names", repeat("--- a/x.go\n+++ b/x.go\n")},
	{"names of old files", repeat("--- a/x.go\n")},
	{"git names with many b/", func(n int) []byte { return []byte("diff --git a/" + strings.Repeat(" b/", n/3) + "\n") }},
	{"one long hunk", func(n int) []byte {
		return append([]byte("--- a/x.go\n+++ b/x.go\n@@ -1 +1 @@\n"), bytes.Repeat([]byte("-a\n+b\n"), n/6)...)
	}},
	{"blank lines in a hunk", func(n int) []byte {
		return append([]byte("--- a/x.go\n+++ b/x.go\n@@ -1,9999999 +1,9999999 @@\n-a\n"), bytes.Repeat([]byte("\n"), n)...)
	}},
	{"prose among added lines", func(n int) []byte {
		return []byte("*** Begin Patch\n*** Update File: a\n@@\n-a\n+a\n" + strings.Repeat("It is so.\n", n/11) + "+b\n*** End Patch\n")
	}},
	{"names in a hunk", func(n int) []byte {
		return []byte("*** Begin Patch\n*** Update File: a\n@@\n-a\n+a\n" + strings.Repeat("src/a.py\n", n/10) + " b\n*** End Patch\n")
	}},
	{"blank lines in an old_text", func(n int) []byte { return []byte("<old_text>" + strings.Repeat("\n", n) + "</old_text>\n") }},
	{"apply_diff", repeat("<apply_diff>\n")},
	{"apply_diff without an end", func(n int) []byte {
		return append([]byte("<apply_diff>\n<path>a</path>\n<diff>\n"), bytes.Repeat([]byte("text\n"), n/5)...)
	}},
	{"one line of CDATA ends", func(n int) []byte {
		return append([]byte("<apply_diff>\n<path>a</path>\n<diff><![CDATA["), bytes.Repeat([]byte("]]>"), n/3)...)
	}},
	{"old_text", repeat("<old_text>\n")},
	{"edits", repeat("<edits>\n")},
	{"tags on one line", func(n int) []byte {
		return append([]byte("<edits>"), bytes.Repeat([]byte("<old_text>a</old_text><new_text>b</new_text>"), n/44)...)
	}},
	{"openers", repeat("<<<<<<< SEARCH\n")},
	{"openers and dividers", repeat("<<<<<<< SEARCH\n=======\n")},
	{"dividers", repeat("=======\n")},
	{"closers", repeat(">>>>>>> REPLACE\n")},
	{"blocks of many dividers", repeat("<<<<<<< SEARCH\n" + strings.Repeat("=======\n", 300) + ">>>>>>> REPLACE\n")},
	{"conflicts", repeat("<<<<<<< HEAD\na\n")},
	{"whole conflicts", repeat("<<<<<<< HEAD\na\n=======\nb\n>>>>>>> main\n")},
	{"openers of different prefixes", func(n int) []byte {
		var b bytes.Buffer
		for i := 0; b.Len() < n; i++ {
			prefix := strings.NewReplacer("0", " ", "1", "\t").Replace(fmt.Sprintf("%020b", i))
			b.WriteString(prefix + "<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n")
		}
		return b.Bytes()
	}},
	{"conflicts of different prefixes", func(n int) []byte {
		var b bytes.Buffer
		for i := 0; b.Len() < n; i++ {
			b.WriteString(strings.NewReplacer("0", " ", "1", "\t").Replace(fmt.Sprintf("%020b", i)) + "<<<<<<< HEAD\na\n")
		}
		return b.Bytes()
	}},
	{"one block without an end", func(n int) []byte {
		return append([]byte("<<<<<<< SEARCH\n"), bytes.Repeat([]byte("=====\na\n"), n/8)...)
	}},
	{"escapes and dividers", func(n int) []byte {
		return []byte("<<<<<<< SEARCH\n" + strings.Repeat("\\=======\na\n", n/11) + strings.Repeat("=======\n", 30) + ">>>>>>> REPLACE\n")
	}},
	{"fences", repeat("```\n")},
	{"shell fences", repeat("```bash\nls\n")},
	{"headings", repeat("# src/a.py\n")},
	{"names", repeat("src/a.py\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n")},
	{"prose above each block", repeat("`a.py`, `b.py` and `c.py` in src/d.py, or (e.py)\n\n\n\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n")},
	{"one line of backticks", func(n int) []byte { return append(bytes.Repeat([]byte("` "), n/2), "\n<<<<<<< SEARCH\n"...) }},
	{"heredocs", repeat("apply_patch <<'EOF'\n")},
	{"one line", func(n int) []byte { return bytes.Repeat([]byte("<"), n) }},
	{"chat turns", func(n int) []byte {
		return append([]byte("# aider chat started at 1\n\n"), bytes.Repeat([]byte("#### hi\n\n<<<<<<< SEARCH\na\n\n"), n/29)...)
	}},
}

func repeat(unit string) func(int) []byte {
	return func(n int) []byte { return bytes.Repeat([]byte(unit), n/len(unit)+1) }
}

// BenchmarkHostile reports how the time grows when the text does by four, of the best runs: 1 is linear, 4 quadratic.
func BenchmarkHostile(b *testing.B) {
	const small = 128 << 10
	for _, h := range hostileReplies {
		b.Run(strings.ReplaceAll(h.name, " ", "-"), func(b *testing.B) {
			few, many := h.text(small), h.text(4*small)
			b.SetBytes(int64(len(many)))
			short, long := time.Hour, time.Hour
			for b.Loop() {
				for range 4 {
					short = min(short, timeToScan(few))
				}
				long = min(long, timeToScan(many))
			}
			b.ReportMetric(float64(long)/float64(short)/4, "growth")
		})
	}
}

// timeToScan reads a text through a Scanner.
func timeToScan(text []byte) time.Duration {
	start := time.Now()
	s := NewScanner(bytes.NewReader(text))
	for s.Scan() {
	}
	return time.Since(start)
}
