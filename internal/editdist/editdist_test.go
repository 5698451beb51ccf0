package editdist

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	edlib "github.com/hbollon/go-edlib"

	"github.com/srpatch/srpatch/internal/effort"
)

// plain is the textbook algorithm, the reference for everything here.
func plain(a, b []Symbol) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i, s := range a {
		diagonal := row[0]
		row[0] = i + 1
		for j, t := range b {
			cost := 1
			if s == t {
				cost = 0
			}
			diagonal, row[j+1] = row[j+1], min(row[j+1]+1, row[j]+1, diagonal+cost)
		}
	}
	return row[len(b)]
}

// checkWithin checks the contract of Within for one limit.
func checkWithin(t *testing.T, a, b string, want, k, d int, ok bool) {
	t.Helper()
	if ok != (want <= k) || ok && d != want || !ok && d <= k {
		t.Fatalf("%q, %q within %d = %d, %v; the distance is %d", a, b, k, d, ok, want)
	}
}

// checkBag checks that the bound by bags is one.
func checkBag(t *testing.T, a, b string, want int) {
	t.Helper()
	x, y := BagOf([]byte(a)), BagOf([]byte(b))
	if d := x.Least(&y); d > want || d != y.Least(&x) {
		t.Fatalf("%q, %q are at least %d apart by their bags, and %d the other way; the distance is %d", a, b, d, y.Least(&x), want)
	}
}

func TestBag(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{
		{"", "", 0},
		{"abc", "", 3},
		{"listen", "silent", 0},
		{"return x", "switch y {", 8},
		{"пароль", "", 6},
		{strings.Repeat("a", 100), strings.Repeat("b", 90), 100},
	} {
		a, b := BagOf([]byte(c.a)), BagOf([]byte(c.b))
		if got := a.Least(&b); got != c.want {
			t.Errorf("%q and %q are at least %d apart, want %d", c.a, c.b, got, c.want)
		}
	}
}

func TestDistance(t *testing.T) {
	for name, c := range map[string]struct {
		a, b string
		want int
	}{
		"both empty":             {"", "", 0},
		"one empty":              {"", "абв", 3},
		"equal":                  {"same", "same", 0},
		"substitution":           {"kitten", "sitting", 3},
		"runes, not bytes":       {"naïve", "naive", 1},
		"swap is two edits":      {"ab", "ba", 2},
		"composed, decomposed":   {"é", "e\u0301", 2},
		"astral":                 {"a😀b", "a😁b", 1},
		"bad bytes differ":       {"caf\xe9", "caf\xe8", 1},
		"bad byte and its rune":  {"caf\xe9", "café", 1},
		"bad byte and U+FFFD":    {"caf\xe9", "caf\uFFFD", 1},
		"cut-off sequence":       {"\xe2\x80", "\xe2\x80\x99", 2},
		"NUL is a symbol":        {"a\x00b", "ab", 1},
		"longer than a block":    {strings.Repeat("ab", 100), strings.Repeat("ab", 99) + "ba", 2},
		"nothing in common, far": {strings.Repeat("a", 130), strings.Repeat("b", 70), 130},
	} {
		t.Run(name, func(t *testing.T) {
			if got := Distance([]byte(c.a), []byte(c.b)); got != c.want {
				t.Errorf("Distance(%q, %q) = %d, want %d", c.a, c.b, got, c.want)
			}
			if got := Distance([]byte(c.b), []byte(c.a)); got != c.want {
				t.Errorf("Distance(%q, %q) = %d, want %d", c.b, c.a, got, c.want)
			}
		})
	}
}

// TestExhaustive compares all pairs of short words over a small alphabet, each with every limit, in
// place and with filling that moves the words over the border of a block.
func TestExhaustive(t *testing.T) {
	var words []string
	var grow func(w string, n int)
	grow = func(w string, n int) {
		words = append(words, w)
		if n > 0 {
			for _, c := range []string{"a", "é", "\xff"} {
				grow(w+c, n-1)
			}
		}
	}
	grow("", effort.Of(3, 3, 4))
	for _, fill := range []string{"", strings.Repeat("xyz", 20) + "x", strings.Repeat("x", 126)} {
		for _, a := range words {
			// The filling is at different ends, so that trimming equal ends does not remove it.
			x := AppendSymbols(nil, []byte(fill+a+"+"))
			p := Prepare(x)
			for _, b := range words {
				text := []byte(b + fill + "-")
				if fill == "" {
					text = []byte(b + "-")
				}
				want := plain(x, AppendSymbols(nil, text))
				codes := p.AppendCodes(nil, text)
				checkBag(t, fill+a+"+", string(text), want)
				for k := range want + 3 {
					d, ok := p.Within(codes, k)
					checkWithin(t, fill+a, string(text), want, k, d, ok)
				}
			}
		}
	}
}

func TestRandom(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	alphabets := []string{"ab", "abcdefghij \n", "абвгд\u4e00\u4e01 \n", "a\xff\xfe\u00e9"}
	for range effort.Of(200, 1000, 3000) {
		letters := alphabets[r.IntN(len(alphabets))]
		a := randomText(r, letters, r.IntN(400))
		b := randomText(r, letters, r.IntN(400))
		if r.IntN(3) > 0 {
			b = edited(r, letters, a, r.IntN(40))
		}
		x, y := AppendSymbols(nil, []byte(a)), AppendSymbols(nil, []byte(b))
		want := plain(x, y)
		if utf8.ValidString(a) && utf8.ValidString(b) {
			if oracle := edlib.LevenshteinDistance(a, b); oracle != want {
				t.Fatalf("oracles differ on %q, %q: %d, %d", a, b, oracle, want)
			}
		}
		checkBag(t, a, b, want)
		p := Prepare(x)
		codes := p.AppendCodes(nil, []byte(b))
		for _, k := range []int{0, 1, want - 1, want, want + 1, want / 2, r.IntN(400), 1000} {
			d, ok := p.Within(codes, k)
			checkWithin(t, a, b, want, k, d, ok)
			d, ok = Within([]byte(a), []byte(b), k)
			checkWithin(t, a, b, want, k, d, ok)
		}
	}
}

func TestWithinAllocatesNothing(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	a := randomText(r, letters, 2000)
	p := Prepare(AppendSymbols(nil, []byte(a)))
	codes := p.AppendCodes(nil, []byte(edited(r, letters, a, 100)))
	if n := testing.AllocsPerRun(10, func() { p.Within(codes, 200) }); n != 0 {
		t.Errorf("Within allocates %v times", n)
	}
}

func TestStepsDependOnTheTextsAlone(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	a := randomText(r, letters, 500)
	b := edited(r, letters, a, 30)
	count := func() int64 {
		p := Prepare(AppendSymbols(nil, []byte(a)))
		p.Within(p.AppendCodes(nil, []byte(b)), 50)
		return p.Steps()
	}
	full := int64(8 * len(b))
	if x, y := count(), count(); x != y || x == 0 || x > full/2 {
		t.Errorf("steps %d and %d; the whole table has %d", x, y, full)
	}
}

func TestLimit(t *testing.T) {
	p := Prepare(AppendSymbols(nil, []byte(strings.Repeat("a", 640))))
	codes := p.AppendCodes(nil, []byte(strings.Repeat("b", 640)))
	p.Limit(100)
	if d, ok := p.Within(codes, 640); ok || d != 641 || !p.exceeded() || p.Steps() > 110 {
		t.Errorf("Within = %d, %v after %d steps", d, ok, p.Steps())
	}
}

func FuzzWithin(f *testing.F) {
	f.Add([]byte("kitten"), []byte("sitting"), 2)
	f.Add([]byte("caf\xe9"), []byte("café"), 1)
	f.Add([]byte(strings.Repeat("ab", 70)), []byte(strings.Repeat("ba", 66)), 5)
	f.Fuzz(func(t *testing.T, a, b []byte, k int) {
		if len(a) > 2000 || len(b) > 2000 {
			t.Skip("the plain table has a cell for each pair of runes: longer inputs would leave no time for others")
		}
		want := plain(AppendSymbols(nil, a), AppendSymbols(nil, b))
		d, ok := Within(a, b, k)
		checkWithin(t, string(a), string(b), want, k, d, ok)
		if utf8.Valid(a) && utf8.Valid(b) {
			if oracle := edlib.LevenshteinDistance(string(a), string(b)); oracle != Distance(a, b) {
				t.Fatalf("%q, %q: %d, go-edlib says %d", a, b, Distance(a, b), oracle)
			}
		}
	})
}

const letters = "abcdefghijklmnopqrstuvwxyz_(){}=:,. \t\n"

func randomText(r *rand.Rand, letters string, n int) string {
	pool := split(letters)
	var b strings.Builder
	for range n {
		b.WriteString(pool[r.IntN(len(pool))])
	}
	return b.String()
}

// edited is s after n random edits of one symbol each.
func edited(r *rand.Rand, letters, s string, n int) string {
	pool, symbols := split(letters), split(s)
	for range n {
		at := r.IntN(len(symbols) + 1)
		switch with := pool[r.IntN(len(pool))]; {
		case r.IntN(3) == 0 || at == len(symbols):
			symbols = append(symbols[:at], append([]string{with}, symbols[at:]...)...)
		case r.IntN(2) == 0:
			symbols[at] = with
		default:
			symbols = append(symbols[:at], symbols[at+1:]...)
		}
	}
	return strings.Join(symbols, "")
}

// split cuts s into its symbols.
func split(s string) []string {
	var parts []string
	for len(s) > 0 {
		_, n := Decode([]byte(s))
		parts, s = append(parts, s[:n]), s[n:]
	}
	return parts
}
