package vanish

import "slices"

// Outcome says what became of the damaged edit.
type Outcome string

const (
	// Read: a block has its sides, and its file unless nothing names that anymore.
	Read Outcome = "read"
	// Unnamed: a block has its sides, but no file or one that the reply doesn't name. A run refuses
	// it.
	Unnamed Outcome = "unnamed"
	// Misfiled: a block has its sides, but the file of another edit.
	Misfiled Outcome = "misfiled"
	// Refused: a diagnostic is about its lines.
	Refused Outcome = "refused"
	// Elsewhere: a diagnostic is about other lines only.
	Elsewhere Outcome = "elsewhere"
	// Altered: its lines were read with another SEARCH, without a diagnostic. A run hardly finds
	// it.
	Altered Outcome = "altered"
	// Garbled: its lines were read with its SEARCH and another REPLACE, without a diagnostic. A run
	// writes that.
	Garbled Outcome = "garbled"
	// Noticed: it is listed, without a diagnostic.
	Noticed Outcome = "noticed"
	// Vanished: it isn't mentioned, and other edits are read.
	Vanished Outcome = "vanished"
	// Nothing: no edit is read or refused, which has an exit status of its own.
	Nothing Outcome = "nothing"
)

// Outcomes returns all outcomes, in the order of tables.
func Outcomes() []Outcome {
	return []Outcome{Read, Refused, Noticed, Elsewhere, Unnamed, Altered, Nothing, Misfiled, Garbled, Vanished}
}

// Verdict is what became of the edits of a case.
type Verdict struct {
	Outcome Outcome
	// Neighbours are Moved if they are now for another file. Those that aren't read are Swallowed
	// if there is a diagnostic, or if they are listed. Without one, they are Bent if their lines
	// were read with other sides, and Lost otherwise.
	Lost, Swallowed, Moved, Bent int
}

// claims are the blocks that were read. Each counts for one edit.
type claims struct {
	*Reading
	used []bool
}

// claim takes a block that fits.
func (c *claims) claim(fits func(b Block) bool) bool {
	for i, b := range c.Blocks {
		if !c.used[i] && fits(b) {
			c.used[i] = true
			return true
		}
	}
	return false
}

func anyOverlaps(runs [][2]int, lines [2]int) bool {
	return slices.ContainsFunc(runs, func(r [2]int) bool { return overlap(r, lines) })
}

// Judge compares what was read with what a case asks for.
func Judge(c *Case, got *Reading) Verdict {
	var v Verdict
	all := &claims{got, make([]bool, len(got.Blocks))}
	within := func(b Block) bool { return overlap(b.Lines, c.Lines) }
	same := func(b Block) bool { return within(b) && sameSides(b.Edit, c.Edit) }
	theirs := func(path string) bool {
		return slices.ContainsFunc(c.Neighbours, func(n Neighbour) bool { return n.Path == path })
	}
	read := all.claim(func(b Block) bool { return same(b) && b.isFor(c.Edit.Path) })
	misfiled := !read && all.claim(func(b Block) bool { return same(b) && theirs(b.Path) })
	unnamed := !read && !misfiled && all.claim(same)
	garbled := c.Edit.Search != "" && slices.ContainsFunc(got.Blocks, func(b Block) bool {
		return within(b) && sameSearch(b.Edit, c.Edit) && b.isFor(c.Edit.Path) && !sameSides(b.Edit, c.Edit)
	})
	v.judgeNeighbours(c.Neighbours, all)
	switch {
	case read || (misfiled || unnamed) && c.Nameless:
		v.Outcome = Read
	case anyOverlaps(got.Refused, c.Lines):
		v.Outcome = Refused
	case misfiled:
		v.Outcome = Misfiled
	case unnamed:
		v.Outcome = Unnamed
	case len(got.Refused) > 0:
		v.Outcome = Elsewhere
	case garbled:
		v.Outcome = Garbled
	case all.claim(within) || v.Bent > 0 && slices.ContainsFunc(got.Blocks, within):
		v.Outcome = Altered
	case anyOverlaps(got.Noticed, c.Lines):
		v.Outcome = Noticed
	case len(got.Blocks) > 0:
		v.Outcome = Vanished
	default:
		v.Outcome = Nothing
	}
	return v
}

// judgeNeighbours counts what became of the edits around the damaged one.
func (v *Verdict) judgeNeighbours(neighbours []Neighbour, all *claims) {
	var missing []Neighbour
	for _, n := range neighbours {
		switch {
		case all.claim(func(b Block) bool { return b.Edit == n.Edit }):
		case all.claim(func(b Block) bool { return overlap(b.Lines, n.Lines) && sameSides(b.Edit, n.Edit) }):
			v.Moved++
		default:
			missing = append(missing, n)
		}
	}
	for _, n := range missing {
		switch {
		case len(all.Refused) > 0 || anyOverlaps(all.Noticed, n.Lines):
			v.Swallowed++
		case all.claim(func(b Block) bool { return overlap(b.Lines, n.Lines) }):
			v.Bent++
		default:
			v.Lost++
		}
	}
}

// overlap reports whether two runs of lines have one in common.
func overlap(a, b [2]int) bool { return a[0] <= b[1] && b[0] <= a[1] }
