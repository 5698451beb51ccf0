package apply

import (
	"bytes"
	"cmp"
	"fmt"

	"github.com/srpatch/srpatch/apply/internal/splice"
)

// Limits bound the memory that a plan uses, whatever the reply contains. They are checked before
// memory is allocated. A block that would exceed a limit is refused with the reason "too-large". A
// limit of 0 means the default.
type Limits struct {
	// FileSize is the largest size, in bytes, that a file may have before or after the run. The
	// default is 64 MiB.
	FileSize int64
	// FileLines is how many lines a file may have before the run. Each line takes about 50 bytes of
	// memory in addition to its text. The default is 4 Mi lines, which is a file of 64 MiB with 16
	// bytes per line.
	FileLines int
	// Added is how many bytes all blocks of a plan together may add to files. The default is 64
	// MiB.
	Added int64
}

// DefaultFileSize is the default of Limits.FileSize, in bytes.
const DefaultFileSize = 64 << 20

// withDefaults replaces zeros with the defaults.
func (l Limits) withDefaults() Limits {
	return Limits{
		FileSize: cmp.Or(l.FileSize, DefaultFileSize), FileLines: cmp.Or(l.FileLines, 4<<20),
		Added: cmp.Or(l.Added, 64<<20),
	}
}

// tooLarge returns an error if a file with the given text is too large to search.
func (l Limits) tooLarge(text []byte) error {
	switch {
	case int64(len(text)) > l.FileSize:
		return &ReasonError{TooLarge, fmt.Errorf("the file has %d bytes, and the limit is %d", len(text), l.FileSize)}
	case len(text) > l.FileLines && bytes.Count(text, []byte{'\n'}) > l.FileLines:
		return &ReasonError{TooLarge, fmt.Errorf("the file has more than %d lines, which is the limit", l.FileLines)}
	}
	return nil
}

// claimSize reports whether a text of size bytes may be changed by edits without growing beyond the
// limits, and counts the bytes that they add. If not, it refuses the item.
func (r *run) claimSize(it *item, size int, edits []splice.Edit) bool {
	after, added := int64(size), r.added
	for _, e := range edits {
		after += int64(grows(e))
		added += int64(len(e.Text))
	}
	switch limits := r.opt.Limits; {
	case after > limits.FileSize:
		it.fail(TooLarge, fmt.Sprintf("the file would grow to %d bytes, and the limit is %d; "+
			"change less at once, or raise the limit", after, limits.FileSize))
	case added > limits.Added:
		it.fail(TooLarge, fmt.Sprintf("the blocks would add %d bytes to files, and the limit is %d; "+
			"send fewer at once, or raise the limit", added, limits.Added))
	default:
		r.added = added
		return true
	}
	return false
}

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
