package parser

import (
	"bytes"
	"strings"
	"testing"
	"time"
)

// benchReply returns part of an ordinary reply: prose, a shell block, and blocks of usual size.
func benchReply() []byte {
	var b bytes.Buffer
	code := "        if self.verbose and not quiet:\n            self.io.tool_output(f\"added {path}\")\n\n        return result\n"
	for i := range 40 {
		b.WriteString("Now let's update the handler so that it reports what it adds, and nothing else.\n\n")
		b.WriteString("src/module/handler.py\n```python\n<<<<<<< SEARCH\n")
		b.WriteString(strings.Repeat(code, 3+i%4))
		b.WriteString("=======\n")
		b.WriteString(strings.Repeat(code, 4+i%5))
		b.WriteString(">>>>>>> REPLACE\n```\n\nThis keeps the old behaviour for callers that pass `quiet`:\n\n- the first\n- the second\n\n")
		if i%8 == 0 {
			b.WriteString("```bash\npytest -q tests/test_handler.py\n```\n\n")
		}
	}
	return b.Bytes()
}

func BenchmarkParse(b *testing.B) {
	text := bytes.Repeat(benchReply(), 20)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		Parse(text)
	}
}

// BenchmarkHostile reports how much longer per byte the best run takes if the text is four times as
// long: 1 means linear, 4 means quadratic. internal/eval/cmd/hostile measures many more kinds of
// text.
func BenchmarkHostile(b *testing.B) {
	const small = 128 << 10
	for _, h := range []struct{ name, unit, end string }{
		{"openers", "<<<<<<< SEARCH\n", ""},
		{"names-of-old-files", "--- a/x.go\n", ""},
		{"JSON-without-an-edit", "{\"level\": \"info\", \"message\": \"it works\", \"path\": \"a.go\"}\n", ""},
		{"one-line-of-backticks", "` ", "\n<<<<<<< SEARCH\n"},
		{"one-line", "<", ""},
	} {
		b.Run(h.name, func(b *testing.B) {
			text := func(n int) []byte { return []byte(strings.Repeat(h.unit, n/len(h.unit)) + h.end) }
			few, many := text(small), text(4*small)
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

// timeToScan returns the time that it takes to read a text.
func timeToScan(text []byte) time.Duration {
	start := time.Now()
	Parse(text)
	return time.Since(start)
}
