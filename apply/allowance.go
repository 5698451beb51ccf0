package apply

// allowance is the work that a plan may still spend on its blocks, in the units of
// [Options.Budget].
type allowance struct {
	// scans pays for reading whole files and for indexing files that blocks have changed.
	scans   int64
	places  int64 // for finding similar places
	reports int64 // for finding the nearest text and making corrected blocks
	// searches is how many blocks still need a search by similarity. The units that one block
	// doesn't spend are left for the others.
	searches int
}

// newAllowance returns an allowance with the given number of units for places, and half as many
// each for scans and reports.
func newAllowance(units int64) *allowance {
	return &allowance{scans: units / 2, places: units, reports: units / 2}
}

// spent returns how many of the units originally given have been used.
func (a *allowance) spent(units int64) int64 {
	b := newAllowance(units)
	return b.scans + b.places + b.reports - a.scans - a.places - a.reports
}

// share returns how many units the next block may spend, up to the given number.
func (a *allowance) share(most int64) int64 { return min(most, a.places/int64(max(1, a.searches))) }
