package filter

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/srpatch/srpatch/apply"
)

// requests are n lines that each name one place of a file of 10 KB: 5 lines, as bend makes them.
func requests(n int, bend func(line string) string) []byte {
	line := func(i int) string { return fmt.Sprintf("\tline %03d of the \"file\" := value(%d)\n", i, i*i) }
	var content strings.Builder
	for i := range 256 {
		content.WriteString(line(i))
	}
	var b bytes.Buffer
	for i := range n {
		var search, replace string
		for k := range 5 {
			search += bend(line((i + k) % 252))
		}
		replace = search + "x\n"
		fmt.Fprintf(&b, `{"id": %d, "path": "a.go", "content": %q, "search": %q, "replace": %q}`+"\n", i, content.String(), search, replace)
	}
	return b.Bytes()
}

// BenchmarkStream compares a worker with a loop that does nothing but decode a request and encode
// an answer of the same size: of-codec is the share of that loop's rate that filter reaches, on one
// core. Blocks are exact, or every other one has a slip.
func BenchmarkStream(b *testing.B) {
	for _, form := range []struct {
		name string
		bend func(line string) string
	}{
		{"exact", func(line string) string { return line }},
		{"slips", func(line string) string { return strings.Replace(line, "1 of the", "1 oft he", 1) }},
	} {
		b.Run(form.name, func(b *testing.B) { benchmarkStream(b, requests(500, form.bend)) })
	}
}

func benchmarkStream(b *testing.B, in []byte) {
	b.SetBytes(int64(len(in)))
	b.ReportAllocs()
	var codec, filter time.Duration
	for b.Loop() {
		start := time.Now()
		for line := range bytes.Lines(in) {
			var r struct {
				ID                             json.RawMessage
				Path, Content, Search, Replace string
			}
			if err := json.Unmarshal(line, &r); err != nil {
				b.Fatal(err)
			}
			enc := json.NewEncoder(io.Discard)
			enc.SetEscapeHTML(false)
			enc.Encode(struct {
				ID      json.RawMessage
				Status  apply.Status
				Content string
			}{r.ID, apply.Applied, r.Content})
		}
		codec += time.Since(start)
		start = time.Now()
		if err := streamOf(1, defaultInFlight).AnswerAll(b.Context(), bytes.NewReader(in), io.Discard); err != nil {
			b.Fatal(err)
		}
		filter += time.Since(start)
	}
	b.ReportMetric(float64(codec)/float64(filter), "of-codec")
	b.ReportMetric(0, "ns/op")
}
