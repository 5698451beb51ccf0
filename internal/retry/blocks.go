package retry

import (
	"slices"

	"github.com/srpatch/srpatch/parser"
)

// Joined is a reply with the blocks of an answer in their places.
type Joined struct {
	Blocks []parser.Block
	// IDs are the numbers that the blocks of the answer have in it; 0 for those that only repeat.
	IDs []int
}

// Join puts the blocks of the answer in the places that the uses say. A block keeps the number of the one whose place it takes; those
// that are new, or were attempts, come last, from the number next on. A block of the answer that names no file is for the file of
// what it corrects.
func Join(reply []Edit, attempts []Attempt, answer []Edit, uses []Use, next int) Joined {
	j := Joined{Blocks: make([]parser.Block, len(reply)), IDs: make([]int, len(answer))}
	for i := range reply {
		j.Blocks[i] = reply[i].Block
	}
	gone := map[int]bool{}
	turn := 1 // of what is new: another reply than that which is corrected
	for i := range reply {
		turn = max(turn, reply[i].Block.Turn+1)
	}
	for a, use := range uses {
		for _, i := range use.Covers {
			gone[reply[i].Block.ID] = true
		}
		b := answer[a].Block
		switch {
		case use.How == Repeats:
			continue
		case use.Of < 0:
			if use.Attempt >= 0 && b.Path == "" {
				b.Path = attempts[use.Attempt].Path
			}
			b.ID, b.Turn = next, turn+b.Turn
			next++
			j.Blocks = append(j.Blocks, b)
		default:
			old := &reply[use.Of].Block
			b.ID, b.Turn = old.ID, old.Turn
			if b.Path == "" || b.Inherited && use.How == Corrects {
				b.Path, b.RawPath, b.Names, b.Inherited, b.Labels = old.Path, old.RawPath, old.Names, old.Inherited, old.Labels
			}
			j.Blocks[use.Of] = b
		}
		j.IDs[a] = b.ID
	}
	j.Blocks = slices.DeleteFunc(j.Blocks, func(b parser.Block) bool { return gone[b.ID] })
	return j
}

// Unanswered are the indices of the refused blocks of the reply, and of the attempts, for which the answer has none.
func Unanswered(reply []Edit, attempts int, uses []Use) (blocks, lost []int) {
	answered, understood := map[int]bool{}, map[int]bool{}
	for _, use := range uses {
		answered[use.Of], understood[use.Attempt] = true, true
		for _, i := range use.Covers {
			answered[i] = true
		}
	}
	for i := range reply {
		if reply[i].Refused && !answered[i] {
			blocks = append(blocks, i)
		}
	}
	for i := range attempts {
		if !understood[i] {
			lost = append(lost, i)
		}
	}
	return blocks, lost
}
