package editdist

import "bytes"

// Distance returns the edit distance between a and b in symbols, in O(len(a)·len(b)/64).
func Distance(a, b []byte) int {
	d, _ := Within(a, b, max(len(a), len(b)))
	return d
}

// Within returns the edit distance between a and b in symbols and true, if it is at most k.
// Otherwise it returns some number greater than k, and false. To compare one text with many,
// prepare it as a [Pattern].
func Within(a, b []byte, k int) (d int, ok bool) {
	if bytes.Equal(a, b) {
		return 0, k >= 0
	}
	x, y := AppendSymbols(nil, a), AppendSymbols(nil, b)
	for len(x) > 0 && len(y) > 0 && x[0] == y[0] {
		x, y = x[1:], y[1:]
	}
	for len(x) > 0 && len(y) > 0 && x[len(x)-1] == y[len(y)-1] {
		x, y = x[:len(x)-1], y[:len(y)-1]
	}
	if len(x) > len(y) {
		x, y = y, x // the shorter one is the cheaper to prepare
	}
	if len(y)-len(x) > k || len(x) == 0 {
		return len(y), len(y) <= k
	}
	p := Prepare(x)
	codes := make([]Code, len(y))
	for i, s := range y {
		codes[i] = p.Code(s)
	}
	return p.Within(codes, k)
}
