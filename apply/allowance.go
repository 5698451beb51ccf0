package apply

// allowance is the work that a plan may still spend on all of its blocks, in the units of
// [Options.Budget].
type allowance struct {
	// scans pays for reading a whole file for a block, and for the index of a file that blocks have
	// changed.
	scans   int64
	places  int64 // for finding similar places
	reports int64 // for finding the nearest text, where nothing was found, and corrected blocks
	// searches is how many blocks still need a search by similarity. What one of them doesn't spend
	// is left for the others.
	searches int
}

// newAllowance returns an allowance that has half as many units for scans and for reports as for
// places.
func newAllowance(units int64) *allowance {
	return &allowance{scans: units / 2, places: units, reports: units / 2}
}

// spent returns how much of the given allowance has been used.
func (a *allowance) spent(units int64) int64 {
	b := newAllowance(units)
	return b.scans + b.places + b.reports - a.scans - a.places - a.reports
}

// share returns how many units the next block may spend, at most the given number.
func (a *allowance) share(most int64) int64 { return min(most, a.places/int64(max(1, a.searches))) }
