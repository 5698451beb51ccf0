package parser

import (
	"bytes"
	"io"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/srpatch/srpatch/internal/effort"
)

// benchReply is a stretch of an ordinary reply: prose, a shell block, blocks of a usual size.
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

// repeated reads the same text n times over.
type repeated struct {
	text []byte
	n    int
	rest []byte
}

func (r *repeated) Read(p []byte) (int, error) {
	if len(r.rest) == 0 {
		if r.n == 0 {
			return 0, io.EOF
		}
		r.n--
		r.rest = r.text
	}
	n := copy(p, r.rest)
	r.rest = r.rest[n:]
	return n, nil
}

// splitLines is the yardstick: reading and cutting into lines, nothing else.
func splitLines(r io.Reader) (lines int) {
	buf := make([]byte, bufferSize)
	start, end := 0, 0
	for {
		for {
			i := bytes.IndexByte(buf[start:end], '\n')
			if i < 0 {
				break
			}
			start += i + 1
			lines++
		}
		copy(buf, buf[start:end])
		start, end = 0, end-start
		n, err := r.Read(buf[end:])
		end += n
		if err != nil {
			return lines
		}
	}
}

// BenchmarkScanner reports the speed over a stream of 64 MB and how much longer it takes than cutting it into lines.
func BenchmarkScanner(b *testing.B) {
	text := benchReply()
	n := 64<<20/len(text) + 1
	b.SetBytes(int64(n * len(text)))
	b.ReportAllocs()
	var scanning, splitting time.Duration
	for b.Loop() {
		start := time.Now()
		s := NewScanner(&repeated{text: text, n: n})
		blocks := 0
		for s.Scan() {
			if s.Item().Block != nil {
				blocks++
			}
		}
		scanning += time.Since(start)
		if blocks != 40*n || s.Err() != nil {
			b.Fatalf("%d blocks, error %v", blocks, s.Err())
		}
		b.StopTimer()
		start = time.Now()
		splitLines(&repeated{text: text, n: n})
		splitting += time.Since(start)
		b.StartTimer()
	}
	b.ReportMetric(float64(scanning)/float64(splitting), "x-of-splitting")
}

// BenchmarkScannerMemory reports the peak of the heap over a gigabyte.
func BenchmarkScannerMemory(b *testing.B) {
	text := benchReply()
	n := effort.Of(32, 1024, 1024)<<20/len(text) + 1
	b.SetBytes(int64(n * len(text)))
	var peak uint64
	for b.Loop() {
		s := NewScanner(&repeated{text: text, n: n})
		var m runtime.MemStats
		for i := 0; s.Scan(); i++ {
			if i%20000 == 0 {
				runtime.ReadMemStats(&m)
				peak = max(peak, m.HeapSys)
			}
		}
	}
	b.ReportMetric(float64(peak)/(1<<20), "heap-MB")
}

func BenchmarkParse(b *testing.B) {
	text := bytes.Repeat(benchReply(), 20)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		Parse(text)
	}
}

// BenchmarkHostile reports how the time grows when a text grows by four, of the best runs: 1 is linear, 4 quadratic.
// internal/eval/cmd/hostile measures many more kinds.
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

// timeToScan is how long a Scanner takes to read a text.
func timeToScan(text []byte) time.Duration {
	start := time.Now()
	s := NewScanner(bytes.NewReader(text))
	for s.Scan() {
	}
	return time.Since(start)
}
