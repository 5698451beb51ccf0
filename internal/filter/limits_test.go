package filter

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/srpatch/srpatch/internal/effort"
)

// meter notes the most memory that was in use when it looked.
type meter struct{ peak uint64 }

func (m *meter) look() {
	var s runtime.MemStats
	runtime.ReadMemStats(&s)
	m.peak = max(m.peak, s.HeapAlloc)
}

// statusOf are the ids of the answers, in their order, with their error codes or reasons.
func statusOf(t *testing.T, out []byte) (all []string) {
	t.Helper()
	for line := range bytes.Lines(out) {
		var a struct {
			ID     any
			Status string
			Error  struct{ Code string }
			Blocks []struct{ Reason string }
		}
		if err := json.Unmarshal(line, &a); err != nil {
			t.Fatal(err)
		}
		what := a.Status + a.Error.Code
		if len(a.Blocks) > 0 {
			what += a.Blocks[0].Reason
		}
		all = append(all, fmt.Sprintf("%v %s", a.ID, what))
	}
	return all
}

// A line of 80 KB asked for gigabytes, and the stream ended with all that was in it.
func TestLostAllAnswersToABomb(t *testing.T) {
	bomb := func(id int) string {
		return fmt.Sprintf(`{"id": %d, "path": "a", "content": %q, "old": "x", "new": %q, "replace_all": true}`, id, strings.Repeat("x", 40_000), strings.Repeat("y", 40_000))
	}
	small := `{"id": %d, "path": "a", "content": "x\n", "search": "x\n", "replace": "y\n"}`
	in := strings.Join([]string{fmt.Sprintf(small, 1), bomb(2), fmt.Sprintf(small, 3), bomb(4),
		fmt.Sprintf(small, 5)}, "\n")
	var out bytes.Buffer
	if err := streamOf(2, defaultInFlight).AnswerAll(t.Context(), strings.NewReader(in), &out); err != nil {
		t.Fatal(err)
	}
	want := "[1 applied 2 refusedtoo-large 3 applied 4 refusedtoo-large 5 applied]"
	if got := fmt.Sprint(statusOf(t, out.Bytes())); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// slowWriter takes what it gets in small pieces, and lets everybody else run in between.
type slowWriter struct {
	meter *meter
	bytes int
}

func (w *slowWriter) Write(p []byte) (int, error) {
	for range 50 {
		runtime.Gosched()
	}
	if w.bytes>>22 != (w.bytes+len(p))>>22 {
		runtime.GC()
		w.meter.look()
	}
	w.bytes += len(p)
	return len(p), nil
}

// Answers that nobody fetched were no memory in flight: 2 MB of requests came to gigabytes.
func TestFillsTheMemoryWhereNobodyReads(t *testing.T) {
	const workers = 4
	n := effort.Of(40, 300, 600)
	pr, pw := io.Pipe()
	go func() {
		old, new := strings.Repeat("x", 3_000), strings.Repeat("y", 100)
		for i := range n {
			fmt.Fprintf(pw, `{"id": %d, "path": "a", "content": %q, "old": "x", "new": %q, "replace_all": true}`+"\n", i, old, new)
		}
		pw.Close()
	}()
	runtime.GC()
	m := &meter{}
	m.look()
	before := m.peak
	w := &slowWriter{meter: m}
	s := streamOf(workers, 2<<20)
	if err := s.AnswerAll(t.Context(), pr, w); err != nil {
		t.Fatal(err)
	}
	if w.bytes < n*300_000 {
		t.Fatalf("%d bytes came out", w.bytes)
	}
	// What waits, and for each worker an answer of 300 KB with what is made on the way to it.
	if most := uint64(2<<20 + workers*(8<<20)); m.peak-before > most {
		t.Errorf("%d MB in memory, want at most %d", (m.peak-before)>>20, most>>20)
	}
}

func TestAnswersALineThatIsTooLong(t *testing.T) {
	s := streamOf(2, defaultInFlight)
	s.Longest = 200
	long := fmt.Sprintf(`{"id": 2, "path": "a", "content": %q, "search": "x\n", "replace": ""}`,
		strings.Repeat("x\n", 1000))
	in := `{"id": 1, "path": "a", "content": "x\n", "search": "x\n", "replace": "y\n"}` + "\n" + long + "\n" +
		`{"id": 3, "path": "a", "content": "x\n", "search": "x\n", "replace": "y\n"}` + "\n" + long
	var out bytes.Buffer
	if err := s.AnswerAll(t.Context(), strings.NewReader(in), &out); err != nil {
		t.Fatal(err)
	}
	want := "[1 applied 2 errortoo-large 3 applied 2 errortoo-large]"
	if got := fmt.Sprint(statusOf(t, out.Bytes())); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// slowRequest takes some tenths of a second, bounded by its budget.
func slowRequest(id int, more string) string {
	rng := rand.New(rand.NewPCG(1, 2))
	var content, reply strings.Builder
	for range 20_000 {
		fmt.Fprintf(&content, "value_%d = compute_%d(alpha_%d)\n", rng.IntN(999), rng.IntN(999), rng.IntN(999))
	}
	for b := range 10 {
		fmt.Fprintf(&reply, "a\n<<<<<<< SEARCH\n")
		for i := range 20 {
			fmt.Fprintf(&reply, "valeu_%d = cmpute_%d(apha_%d)\n", b, i, rng.IntN(999))
		}
		fmt.Fprintf(&reply, "=======\n>>>>>>> REPLACE\n\n")
	}
	return fmt.Sprintf(`{"id": %d, "path": "a", "content": %q, "reply": %q%s}`, id,
		content.String(), reply.String(), more)
}

func TestDeadlineRefusesARequestAsAWhole(t *testing.T) {
	var out bytes.Buffer
	if err := streamOf(1, defaultInFlight).AnswerAll(t.Context(),
		strings.NewReader(slowRequest(7, `, "deadline_ms": 0.001, "partial": true`)), &out); err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(statusOf(t, out.Bytes())); got != "[7 errordeadline]" {
		t.Error(got)
	}
}

// A reply of bare openers had an answer ten times as long.
func TestAnswerToOpenersIsShort(t *testing.T) {
	line, err := json.Marshal(map[string]any{"id": 1, "path": "a", "content": "x\n",
		"reply": strings.Repeat("<<<<<<< SEARCH\n", 20_000)})
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		Outcome         string
		Diagnostics     []any
		MoreDiagnostics int `json:"more_diagnostics"`
	}
	out := streamOf(1, defaultInFlight).Answer(t.Context(), line)
	if err := json.Unmarshal(out, &got); err != nil {
		t.Fatal(err)
	}
	if len(out) > len(line) || got.Outcome != "format" || len(got.Diagnostics) != 100 || got.MoreDiagnostics < 1000 {
		t.Errorf("%d bytes, %s, %d diagnostics and %d more", len(out), got.Outcome,
			len(got.Diagnostics), got.MoreDiagnostics)
	}
}

// Each worker kept the largest buffers that it had needed, and each line on its way: with many
// cores memory grew with their number.
func TestMemoryIsThatOfBytesInFlight(t *testing.T) {
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(SoftMemory)) // as filter does: else garbage counts that a busy machine leaves longer
	n := effort.Of(20, 100, 100)
	content := strings.Repeat("value = compute(x)\n", 20_000)
	var in bytes.Buffer
	for i := range n {
		fmt.Fprintf(&in, `{"id": %d, "path": "a", "content": %q, "old": "x", "new": "y", "replace_all": true}`+"\n", i, content)
	}
	runtime.GC()
	m := &meter{}
	m.look()
	before := m.peak
	w := &slowWriter{meter: m}
	if err := streamOf(32, defaultInFlight).AnswerAll(t.Context(), &in, w); err != nil {
		t.Fatal(err)
	}
	if w.bytes < n*len(content) {
		t.Fatalf("%d bytes came out", w.bytes)
	}
	lines := inWork / len("value = compute(x)\\n") // as JSON
	if most := uint64(2*defaultInFlight + 25*inWork + 200*lines); m.peak-before > most {
		t.Errorf("%d MB in memory, want at most %d", (m.peak-before)>>20, most>>20)
	}
}
