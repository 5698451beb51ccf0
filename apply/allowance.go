package apply

// allowance is the work that a plan may still do for all of its blocks together, in the units of [Options.Budget].
type allowance struct {
	places  int64 // for finding similar places
	reports int64 // for finding the nearest text, where nothing was found
	// searches is how many blocks have yet to be looked for by similarity. What one of them does not need is left for the others.
	searches int
}

// newAllowance is as much for places as for reports.
func newAllowance(units int64) *allowance { return &allowance{places: units, reports: units} }

// share is how much of at most most units the next block may take.
func (a *allowance) share(most int64) int64 { return min(most, a.places/int64(max(1, a.searches))) }
