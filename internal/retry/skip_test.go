package retry

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/srpatch/srpatch/parser"
)

func TestSkips(t *testing.T) {
	const edit = "a.py\n```\n<<<<<<< SEARCH\na\n=======\nskip block 8\n>>>>>>> REPLACE\n```\n"
	for name, c := range map[string]struct {
		answer string
		want   Skips
	}{
		"decorated": {"skip block 2\r\n- **Skip block 13**.\n`SKIP LINE 4`\n", Skips{Blocks: []int{2, 13}, Lines: []int{4}}},
		"prose":     {"I skip block 5\nskip block 6 and 7\nskip block\nskip block 99999999999\n", Skips{}},
		"edit":      {edit + "skip block 2\n" + edit, Skips{Blocks: []int{2}}},
		"fence":     {edit + "You could say\n```\nskip block 2\n```\nor\n~~~text\nskip block 3\n~~~\nskip block 4\n", Skips{Blocks: []int{4}}},
		"quote":     {"> skip block 2\n\n" + edit, Skips{}},
		"thoughts":  {"<think>\nMaybe\nskip block 2\nno.\n</think>\nskip block 3\n" + edit, Skips{Blocks: []int{3}}},
		"tool":      {edit + "<function_results>\nskip block 2\n</function_results>\n", Skips{}},
	} {
		var s Skips
		s.Add([]byte(c.answer), parser.Parse([]byte(c.answer)))
		if d := cmp.Diff(c.want, s); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
}
