package strategy

// order is the order in which windows are visited: from a centre outwards, alternating below and
// above. It only decides between equally similar windows.
type order struct{ centre int }

// rank returns the position of a window, given by its first line, in visiting order: 0 for the
// centre, 1 for the next line, 2 for the line before the centre, and so on.
func (o order) rank(first int) int {
	if first <= o.centre {
		return 2 * (o.centre - first)
	}
	return 2*(first-o.centre) - 1
}

// orderFrom returns the visiting order in a document of n lines: from the hinted line outwards, or
// from the middle if there is no hint. The hint is 1-based, or 0 for none.
func orderFrom(hint, n int) order {
	if hint > 0 {
		return order{hint - 1}
	}
	return order{n / 2}
}
