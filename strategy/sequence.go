package strategy

import (
	"bytes"
	"iter"
)

// sequence yields, in order, each i at which m consecutive lines of a document of n lines match the
// m lines of a pattern: equal(i+j, j) for each j. same(a, b) is the same relation between lines a
// and b of the pattern, with b <= a. The relation must be an equivalence relation. In particular,
// lines that match the same line of the pattern must match each other, which similarity doesn't
// guarantee.
//
// The algorithm is that of Knuth, Morris and Pratt (Fast pattern matching in strings, 1977): O(n+m)
// comparisons, however many lines are equal. m must be at least 1.
func sequence(n, m int, equal, same func(i, j int) bool) iter.Seq[int] {
	return func(yield func(int) bool) {
		var border []int32 // see prefixBorders; computed when it's first needed
		matched := 0       // how many lines of the pattern match the lines before line i
		for i := range n {
			for !equal(i, matched) {
				if matched == 0 {
					matched = -1 // line i can't even be the first line
					break
				}
				if border == nil {
					border = prefixBorders(m, same)
				}
				matched = int(border[matched])
			}
			if matched++; matched < m {
				continue
			}
			if !yield(i - m + 1) {
				return
			}
			if border == nil {
				border = prefixBorders(m, same)
			}
			matched = int(border[m])
		}
	}
}

// prefixBorders returns, for each n up to m, the length of the longest proper prefix of the first n
// items that is also their suffix. For "abab" these are 0, 0, 0, 1, 2. If matching fails after n
// items, that many items still match.
func prefixBorders(m int, same func(i, j int) bool) []int32 {
	border := make([]int32, m+1)
	k := 0
	for i := 1; i < m; i++ {
		for !same(i, k) {
			if k == 0 {
				k = -1
				break
			}
			k = int(border[k])
		}
		k++
		border[i+1] = int32(k)
	}
	return border
}

// occurrences yields the offset of each occurrence of sub in text, including overlapping ones, in
// O(len(text)+len(sub)). sub must not be empty. After an occurrence it looks for overlapping ones
// with the algorithm of [sequence], until no part of sub matches; then bytes.Index is faster.
func occurrences(text, sub []byte) iter.Seq[int] {
	return func(yield func(int) bool) {
		var border []int32
		for at := 0; ; {
			found := bytes.Index(text[at:], sub)
			if found < 0 || !yield(at+found) {
				return
			}
			at += found + len(sub)
			if border == nil {
				border = prefixBorders(len(sub), func(i, j int) bool { return sub[i] == sub[j] })
			}
			for k := int(border[len(sub)]); k > 0 && at < len(text); {
				if text[at] != sub[k] {
					k = int(border[k])
					continue
				}
				at++
				if k++; k == len(sub) {
					if !yield(at - len(sub)) {
						return
					}
					k = int(border[k])
				}
			}
		}
	}
}

// upTo yields 0 to n-1.
func upTo(n int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for i := range n {
			if !yield(i) {
				return
			}
		}
	}
}

// disjoint yields the offsets of the occurrences of sub in text, from the left and without
// overlaps. sub must not be empty.
func disjoint(text, sub []byte) iter.Seq[int] {
	return func(yield func(int) bool) {
		for at := 0; ; at += len(sub) {
			found := bytes.Index(text[at:], sub)
			if found < 0 || !yield(at+found) {
				return
			}
			at += found
		}
	}
}

// lines returns the span of n lines from line i, without the last one's line end.
func (d *Document) lines(i, n int) Candidate { return Candidate{d.Start(i), d.End(i + n - 1)} }

// body returns the pattern without the empty line that the verbatim index has after a final "\n".
func (p *Pattern) body() *Document {
	if n := p.Len(); p.raw && n > 0 && p.Start(n-1) == len(p.text) {
		return p.part(0, n-1)
	}
	return p.Document
}
