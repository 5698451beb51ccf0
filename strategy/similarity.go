package strategy

import "math"

// Ratio is a fraction. Similarities and thresholds are compared as fractions of integers, because
// 0.9 has no exact binary representation, and nine tenths must reach a threshold of nine tenths.
type Ratio struct{ Num, Den int }

// RatioOf returns f, which must be between 0 and 1, as a fraction with six decimals.
func RatioOf(f float64) Ratio {
	const den = 1_000_000
	return Ratio{int(math.Round(min(max(f, 0), 1) * den)), den}
}

// Similarity is 1 - Distance/Length. Distance is the edit distance of two texts, and Length is the
// length of the longer one, in runes after folding.
type Similarity struct{ Distance, Length int }

// Float returns the similarity as a number, for reports.
func (s Similarity) Float() float64 {
	if s.Length == 0 {
		return 1
	}
	return float64(s.Length-s.Distance) / float64(s.Length)
}

// Compare returns a negative number if s is less similar than t, zero if both are equally similar,
// and a positive number if s is more similar.
func (s Similarity) Compare(t Similarity) int {
	// Two empty texts are equal: 0/0 counts as 0/1.
	a := int64(t.Distance) * int64(max(s.Length, 1))
	b := int64(s.Distance) * int64(max(t.Length, 1))
	switch {
	case a > b:
		return 1
	case a < b:
		return -1
	}
	return 0
}

// Reaches reports whether the similarity is at least r.
func (s Similarity) Reaches(r Ratio) bool { return s.Distance <= r.allows(s.Length) }

// allows returns the greatest distance at which a text of the given length has a similarity of at
// least r.
func (r Ratio) allows(length int) int {
	return int(int64(r.Den-r.Num) * int64(length) / int64(r.Den))
}

// lengths returns the smallest and greatest length, in symbols, of a text whose similarity to a
// text of n symbols may be at least r.
func (r Ratio) lengths(n int) (least, most int) {
	if r.Num == 0 {
		return 0, math.MaxInt
	}
	return n - r.allows(n), int(int64(n) * int64(r.Den) / int64(r.Num))
}
