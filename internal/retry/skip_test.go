package retry

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/srpatch/srpatch/parser"
)

func TestSkips(t *testing.T) {
	const answer = "skip block 2\r\n- **Skip block 13**.\n`SKIP LINE 4`\nI skip block 5\nskip block 6 and 7\nskip block\nskip block 99999999999\nskip block 8\n"
	var s Skips
	s.Add([]byte(answer), &parser.Reply{Blocks: []parser.Block{{Lines: [2]int{8, 9}}}})
	if d := cmp.Diff(Skips{Blocks: []int{2, 13}, Lines: []int{4}}, s); d != "" {
		t.Error(d)
	}
}
