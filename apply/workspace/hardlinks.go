package workspace

import (
	"bytes"

	"github.com/srpatch/srpatch/apply"
)

// Hardlinks says what is done about a file with several names.
type Hardlinks string

const (
	// HardlinksCopy gives the name that is changed a file of its own, as patch and git apply do; the other names keep the
	// content. It is the default.
	HardlinksCopy Hardlinks = "copy"
	// HardlinksFollow overwrites the file where it is, so that all names see the change, wherever they are. A crash can be
	// seen in such a file until it is recovered.
	HardlinksFollow Hardlinks = "follow"
	// HardlinksRefuse refuses such files, also to remove one of their names.
	HardlinksRefuse Hardlinks = "refuse"
)

// writtenInPlace reports whether the bytes of an existing file are overwritten, instead of its name.
func (w *Workspace) writtenInPlace(at spot, action apply.Action) bool {
	return w.opt.Hardlinks == HardlinksFollow && action != apply.Delete && at.info != nil && links(at.info) > 1
}

// pageSize is the unit in which systems write files back: a crash leaves each page as it was before or after.
const pageSize = 4096

// torn reports whether raw can be what a crash leaves of before while it is overwritten with after, or of that when it is put
// back: the beginning of one and the rest of the other, or pages of both. Somebody's edit may happen to be such a mixture, so it
// is kept when it is replaced.
func torn(raw, before, after []byte) bool {
	if len(raw) < min(len(before), len(after)) || len(raw) > max(len(before), len(after)) {
		return false
	}
	return spliced(raw, after, before) || spliced(raw, before, after) || paged(raw, before, after)
}

// spliced reports whether raw begins as head does, and goes on as tail.
func spliced(raw, head, tail []byte) bool {
	n := 0
	for n < min(len(raw), len(head)) && raw[n] == head[n] {
		n++
	}
	return n == len(raw) || len(raw) == len(tail) && bytes.Equal(raw[n:], tail[n:])
}

// paged reports whether each page of raw is one of a's or b's, as far as raw goes.
func paged(raw, a, b []byte) bool {
	for at := 0; at < len(raw); at += pageSize {
		page := raw[at:min(at+pageSize, len(raw))]
		if !startsAt(a, at, page) && !startsAt(b, at, page) {
			return false
		}
	}
	return true
}

func startsAt(text []byte, at int, page []byte) bool {
	return at <= len(text) && bytes.HasPrefix(text[at:], page)
}
