package apply

// allowance is the work that a plan may still do for all of its blocks together, in the units of
// [Options.Budget].
type allowance struct {
	// scans is for what looks at all of a file for each block, and for the index of a file that
	// blocks have changed.
	scans   int64
	places  int64 // for finding similar places
	reports int64 // for finding the nearest text, where nothing was found, and corrected blocks
	// searches is how many blocks have yet to be looked for by similarity. What one of them does
	// not need is left for the others.
	searches int
}

// newAllowance is half as much for scans and for reports as for places.
func newAllowance(units int64) *allowance {
	return &allowance{scans: units / 2, places: units, reports: units / 2}
}

// spent is how much was taken of what [newAllowance] made.
func (a *allowance) spent(units int64) int64 {
	b := newAllowance(units)
	return b.scans + b.places + b.reports - a.scans - a.places - a.reports
}

// share is how much of at most most units the next block may take.
func (a *allowance) share(most int64) int64 { return min(most, a.places/int64(max(1, a.searches))) }
