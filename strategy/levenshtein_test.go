package strategy

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	edlib "github.com/hbollon/go-edlib"

	"github.com/srpatch/srpatch/internal/editdist"
	"github.com/srpatch/srpatch/internal/effort"
	"github.com/srpatch/srpatch/internal/typography"
)

// tall is the number of bytes of a block that is tall.
const tall = 8192

// exhaustive is the plain search: every window is compared with the whole pattern by go-edlib, in
// visiting order, and a window is better only if it is strictly more similar.
type exhaustive struct{ windows []Window } // in visiting order

func searchAll(doc *Document, pat *Pattern) exhaustive {
	join := func(d *Document, first, end int) string {
		var lines [][]byte
		for i := first; i < end; i++ {
			lines = append(lines, folded(d.Line(i)))
		}
		return string(bytes.Join(lines, []byte("\n")))
	}
	h := pat.Len()
	search := join(pat.Document, 0, h)
	var e exhaustive
	if search == "" {
		return e
	}
	distance := edlib.LevenshteinDistance
	if len(search) >= tall {
		// Here go-edlib would take minutes. Package editdist is tested against it.
		distance = func(a, b string) int { return editdist.Distance([]byte(a), []byte(b)) }
	}
	left := doc.Len() / 2
	if pat.Hint > 0 {
		left = pat.Hint - 1
	}
	for right := left + 1; left >= 0 || right < doc.Len(); left, right = left-1, right+1 {
		for _, first := range []int{left, right} {
			if first >= 0 && first+h <= doc.Len() {
				text := join(doc, first, first+h)
				longer := max(len([]rune(text)), len([]rune(search)))
				e.windows = append(e.windows, Window{first, first + h, Similarity{distance(text, search), longer}})
			}
		}
	}
	return e
}

// best is the first of the most similar windows that reach r.
func (e exhaustive) best(r Ratio) *Window {
	if all := e.all(r); len(all) > 0 {
		return &all[0]
	}
	return nil
}

func (e exhaustive) all(r Ratio) []Window {
	var all []Window
	for _, w := range e.windows {
		if (w.Similarity.Length-w.Similarity.Distance)*r.Den >= r.Num*w.Similarity.Length {
			all = append(all, w)
		}
	}
	slices.SortStableFunc(all, func(a, b Window) int { return b.Similarity.Compare(a.Similarity) })
	return all
}

func show(windows []Window, i int) string {
	if i >= len(windows) {
		return "none"
	}
	w := windows[i]
	return fmt.Sprintf("%d-%d at %d/%d", w.First, w.End, w.Similarity.Distance, w.Similarity.Length)
}

// agrees compares all that the search answers with the plain search.
func agrees(t testing.TB, text, search string, hint int, threshold Ratio) {
	t.Helper()
	doc, pat := NewDocument([]byte(text)), NewPattern([]byte(search), hint)
	e := searchAll(doc, pat)
	l := Levenshtein{Threshold: threshold}
	if got := l.Windows(doc, pat); !slices.Equal(got, e.all(threshold)) {
		t.Fatalf("windows for %q in %q, hint %d, threshold %v:\n got %v\nwant %v", search, text,
			hint, threshold, got, e.all(threshold))
	}
	near, ok := l.Nearest(doc, pat)
	if want := e.best(nearestFloor); want != nil && (!ok || near.Approximate || near.Window != *want) {
		t.Fatalf("nearest to %q in %q, hint %d: got %s, approximate %v, want %s", search, text,
			hint, show([]Window{near.Window}, 0), near.Approximate, show([]Window{*want}, 0))
	} else if want == nil && ok && !near.Approximate {
		t.Fatalf("nearest to %q in %q, hint %d: got %s, want none or an approximate one", search,
			text, hint, show([]Window{near.Window}, 0))
	}
}

// TestLevenshteinExhaustively tries all small documents over a small alphabet of lines.
func TestLevenshteinExhaustively(t *testing.T) {
	alphabet := []string{"", "a", "b", "ab", "“a"}
	var documents []string
	var grow func(text string, n int)
	grow = func(text string, n int) {
		documents = append(documents, text)
		if n > 0 {
			for _, line := range alphabet {
				grow(text+line+"\n", n-1)
			}
		}
	}
	grow("", 4)
	searches := []string{"a", "b\n", "ab\n", "a\nb\n", "\nab\n", "\"a\n\n", "a\na\nb", "c\n", "\n", ""}
	ratios := []Ratio{{1, 1}, {9, 10}, {2, 3}, {1, 2}, {0, 1}}
	for i, text := range documents {
		for j, search := range searches {
			agrees(t, text, search, (i+j)%4, ratios[(i/5+j)%5])
		}
	}
}

// TestLevenshteinOnText compares on texts that look like source, with blocks that are edited
// copies, half rewritten or foreign, and hints right and wrong.
func TestLevenshteinOnText(t *testing.T) {
	r := rand.New(rand.NewPCG(20, 21))
	for i := range effort.Of(10, 50, 150) {
		kind := []string{"code", "repetitive", "cyrillic", "cjk", "mixed"}[i%5]
		text := sourceText(r, kind, 40+r.IntN(120))
		lines := strings.SplitAfter(text, "\n")
		h := 1 + r.IntN(12)
		at := r.IntN(len(lines) - h)
		search := strings.Join(lines[at:at+h], "")
		switch r.IntN(4) {
		case 0:
			search = scramble(r, search, 1+r.IntN(3))
		case 1:
			search = scramble(r, search, 2*h)
		case 2:
			search = scramble(r, search, len(search)/4)
		case 3:
			search = sourceText(r, kind, h)
		}
		hint := []int{0, at + 1, 1 + r.IntN(len(lines))}[r.IntN(3)]
		ratios := []Ratio{{95, 100}, {9, 10}, {8, 10}, {6, 10}, {3, 10}}
		if i%3 == 0 {
			text = strings.ReplaceAll(text, "\n", "\r\n")
		}
		agrees(t, text, search, hint, ratios[r.IntN(5)])
	}
}

// TestLevenshteinOnTallBlocks compares where a guess and closed scans do the work.
func TestLevenshteinOnTallBlocks(t *testing.T) {
	r := rand.New(rand.NewPCG(26, 27))
	for i := range effort.Of(2, 6, 12) {
		text := sourceText(r, []string{"code", "repetitive"}[i%2], 400)
		doc := NewDocument([]byte(text))
		first := r.IntN(30)
		search := scramble(r, text[doc.Start(first):doc.Start(first+360)], []int{10, 200, 2000}[i%3])
		if len(search) < tall {
			t.Fatalf("a block of %d bytes is not tall", len(search))
		}
		agrees(t, text, search, i%2*r.IntN(400), Ratio{8, 10})
	}
}

func FuzzLevenshtein(f *testing.F) {
	f.Add("a\nb\nc\n", "b\n", 0, uint8(90))
	f.Add("x “q”\ny\n", "x \"q\"\nz", 2, uint8(60))
	f.Fuzz(func(t *testing.T, text, search string, hint int, percent uint8) {
		if len(text) > 1000 || len(search) > 300 {
			t.Skip("the plain search takes the distance of every window: longer inputs would leave no time for others")
		}
		// go-edlib reads every invalid byte as U+FFFD.
		text, search = strings.ToValidUTF8(text, "?"), strings.ToValidUTF8(search, "?")
		threshold := Ratio{int(percent % 101), 100}
		agrees(t, text, search, max(0, min(hint, 1000)), threshold)
	})
}

func TestLevenshteinCounts(t *testing.T) {
	ten := "0123456789\n"
	for name, c := range map[string]struct {
		text, search string
		hint         int
		threshold    Ratio
		best, second string
	}{
		"nine tenths reach nine tenths": {ten, "012345678x\n", 0, Ratio{9, 10}, "0-1 at 1/10", "none"},
		"but not a millionth more":      {ten, "012345678x\n", 0, Ratio{900_001, 1_000_000}, "none", "none"},
		"bytes that are no text differ": {"caf\xe9\n", "caf\xe8\n", 0, Ratio{1, 2}, "0-1 at 1/4", "none"},
		"quotes, dashes, NBSP fold": {"“a” – ‘b’\u00a0c\n", "\"a\" - 'b' c\n", 0, Ratio{1, 1},
			"0-1 at 0/11", "none"},
		"line ends do not count":        {"a\r\nb\r\n", "a\nb\n", 0, Ratio{1, 1}, "0-2 at 0/3", "none"},
		"middle wins a tie":             {"x\nx\nx\nx\nx\n", "x\n", 0, Ratio{1, 1}, "2-3 at 0/1", "3-4 at 0/1"},
		"the hint wins a tie":           {"x\nx\nx\nx\nx\n", "x\n", 5, Ratio{1, 1}, "4-5 at 0/1", "3-4 at 0/1"},
		"the hint does not beat better": {"abcdef\nabcdeX\n", "abcdef\n", 2, Ratio{1, 2}, "0-1 at 0/6", "1-2 at 1/6"},
		"higher than the document":      {"a\n", "a\nb\n", 0, Ratio{0, 1}, "none", "none"},
	} {
		t.Run(name, func(t *testing.T) {
			got := Levenshtein{Threshold: c.threshold}.Windows(NewDocument([]byte(c.text)),
				NewPattern([]byte(c.search), c.hint))
			if show(got, 0) != c.best || show(got, 1) != c.second {
				t.Errorf("got %s and %s, want %s and %s", show(got, 0), show(got, 1), c.best, c.second)
			}
		})
	}
}

func TestLevenshteinReference(t *testing.T) {
	filler := func(n int) string { return strings.Repeat("filler text\n", n) }
	for name, c := range map[string]struct {
		text, search string
		hint         int
		threshold    Ratio
		best         string
	}{
		"white space collapses": {"if  x :\n\n\treturn\n", "if x :\n\nreturn\n", 0,
			Ratio{1, 1}, "0-3 at 0/13"},
		"the hint is taken if it will do": {"abcdefghij\nabcdefghiX\n", "abcdefghij\n", 2, Ratio{9, 10}, "1-2 at 1/10"},
		"forty lines before the hint":     {"needle\n" + filler(60), "needle\n", 41, Ratio{1, 1}, "0-1 at 0/6"},
		"not forty-one":                   {"needle\n" + filler(60), "needle\n", 42, Ratio{1, 1}, "none"},
		"forty-one lines after the hint":  {filler(60) + "needle\n", "needle\n", 20, Ratio{1, 1}, "60-61 at 0/6"},
		"not forty-two":                   {filler(60) + "needle\n", "needle\n", 19, Ratio{1, 1}, "none"},
		"anywhere without a hint":         {"needle\n" + filler(60), "needle\n", 0, Ratio{1, 1}, "0-1 at 0/6"},
	} {
		t.Run(name, func(t *testing.T) {
			l := Levenshtein{Threshold: c.threshold, Reference: true}
			got := l.Windows(NewDocument([]byte(c.text)), NewPattern([]byte(c.search), c.hint))
			if show(got, 0) != c.best {
				t.Errorf("got %s, want %s", show(got, 0), c.best)
			}
		})
	}
}

func TestLevenshteinCandidates(t *testing.T) {
	doc := NewDocument([]byte("abcdefghiX\r\nother\r\nabcdefghij\r\n"))
	got := slices.Collect(Levenshtein{}.Candidates(doc, NewPattern([]byte("abcdefghij\n"), 1)))
	if want := []Candidate{{19, 29}, {0, 10}}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestLevenshteinBudget(t *testing.T) {
	r := rand.New(rand.NewPCG(22, 23))
	doc := NewDocument([]byte(sourceText(r, "repetitive", 2000)))
	pat := NewPattern([]byte(sourceText(r, "repetitive", 30)), 0)
	spent := func() int64 {
		budget := NewBudget(1000)
		Levenshtein{Threshold: Ratio{1, 2}, Budget: budget}.Windows(doc, pat)
		if !budget.Exhausted() || budget.left < -100 {
			t.Errorf("%d is left of the budget", budget.left)
		}
		return 1000 - budget.left
	}
	if first, again := spent(), spent(); first != again {
		t.Errorf("work %d, then %d", first, again)
	}
	if near, ok := (Levenshtein{Budget: NewBudget(1000)}).Nearest(doc, pat); ok && !near.Approximate {
		t.Error("the nearest window counts as exact although the budget ran out")
	}
}

// TestLevenshteinOnHostileText: what makes windows hard to distinguish, or long, neither exhausts
// the budget nor goes past it.
func TestLevenshteinOnHostileText(t *testing.T) {
	r := rand.New(rand.NewPCG(24, 25))
	equal := strings.Repeat("\treturn compute(value, other)\n", 10_000)
	long := strings.Repeat("abcdefgh ijk ", 40_000)
	for name, c := range map[string]struct {
		text, search string
		want         string // none, or the first lines
	}{
		"equal lines":            {equal, scramble(r, equal[:900], 20), "5000"},
		"equal lines, foreign":   {equal, sourceText(r, "code", 30), "none"},
		"blank lines":            {strings.Repeat("\n", 100_000), strings.Repeat("\n", 30), "50000"},
		"one long line":          {long + "\n", scramble(r, long, 30) + "\n", "0"},
		"one long line, foreign": {long + "\n", strings.Repeat("qrst uvwx ", 50_000) + "\n", "none"},
		"same letters everywhere": {strings.Repeat("abcdefghij klmnop\n", 10_000),
			strings.Repeat("ponmlk jihgfedcba\n", 30), "none"},
	} {
		t.Run(name, func(t *testing.T) {
			budget := NewBudget(100_000_000)
			got := Levenshtein{Budget: budget}.Windows(NewDocument([]byte(c.text)), NewPattern([]byte(c.search), 0))
			first, _, _ := strings.Cut(show(got, 0), "-")
			if first != c.want || budget.Exhausted() {
				t.Errorf("got %s, want %s; left %d", show(got, 0), c.want, budget.left)
			}
		})
	}
	t.Run("tall block", func(t *testing.T) {
		text := sourceText(r, "code", 8000)
		doc := NewDocument([]byte(text))
		pat := NewPattern([]byte(scramble(r, text[doc.Start(2000):doc.Start(6000)], 250)), 0)
		got, ok := Levenshtein{Budget: NewBudget(10_000_000)}.Nearest(doc, pat)
		if !ok || got.Approximate || got.First != 2000 || got.End != 6000 || got.Similarity.Distance > 250 {
			t.Errorf("got %+v", got)
		}
		got, _ = Levenshtein{Budget: NewBudget(1_000_000)}.Nearest(doc, pat)
		if !got.Approximate || got.Work > 1_100_000 {
			t.Errorf("got %+v", got)
		}
	})
}

// sourceText is n lines of made-up source: some names are used everywhere, others for a while only,
// as in functions.
func sourceText(r *rand.Rand, kind string, n int) string {
	letters := []rune(map[string]string{
		"code":       "etaoinsrlcdupmfghbyvwkxqjz_TSRC01",
		"repetitive": "etaoin",
		"cyrillic":   "оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфъё",
		"cjk":        "返回错误行文件结果节点树缓冲读取写入索引计数开始结束名称类型列表字符串长度位置函数变量",
		"mixed":      "eta“”–\u00a0ï日x",
	}[kind])
	word := func() string {
		var w strings.Builder
		for range 2 + r.IntN(8) {
			w.WriteRune(letters[min(r.IntN(len(letters)), r.IntN(len(letters)))])
		}
		return w.String()
	}
	everywhere, local := make([]string, 30), make([]string, 12)
	for i := range everywhere {
		everywhere[i] = word()
	}
	joints := []string{" ", " ", ".", " := ", "(", ")", ", ", " == ", "[", "] ", "\t"}
	var b strings.Builder
	for line := range n {
		if line%20 == 0 {
			for i := range local {
				local[i] = word()
			}
		}
		b.WriteString(strings.Repeat("\t", r.IntN(4)))
		for range r.IntN(9) {
			from := [][]string{everywhere, local}[r.IntN(2)]
			b.WriteString(from[r.IntN(len(from))])
			b.WriteString(joints[r.IntN(len(joints))])
			if kind == "repetitive" {
				fmt.Fprintf(&b, "%d", r.IntN(100))
			}
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// scramble makes n edits of one rune each that keep the number of lines.
func scramble(r *rand.Rand, s string, n int) string {
	text := []rune(s)
	for range n {
		at := r.IntN(len(text))
		switch {
		case text[at] == '\n' || r.IntN(3) == 0:
			text = slices.Insert(text, at, 'a'+rune(r.IntN(26)))
		case r.IntN(2) == 0:
			text[at] = 'a' + rune(r.IntN(26))
		default:
			text = slices.Delete(text, at, at+1)
		}
	}
	return string(text)
}

// folded is a line as the fallback compares it: each character by itself, so that none counts as
// several.
func folded(line []byte) []byte {
	return bytes.Map(func(r rune) rune {
		plain, _ := typography.Fold(r)
		return plain
	}, line)
}
