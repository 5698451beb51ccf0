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
		want   []skip
	}{
		"decorated": {"skip block 2\r\n- **Skip block 13**.\n`SKIP LINE 4`\n",
			[]skip{{false, 2}, {false, 13}, {true, 4}}},
		"several": {"Skip blocks 1, 3, and 4\nskip block 6 and 7\nskip lines 2,9.\n",
			[]skip{{false, 1}, {false, 3}, {false, 4}, {false, 6}, {false, 7}, {true, 2}, {true, 9}}},
		"prose":    {"I skip block 5\nskip blocks 6 and why\nskip block\nskip block 99999999999\n", nil},
		"edit":     {edit + "skip block 2\n" + edit, []skip{{false, 2}}},
		"fence":    {edit + "You could say\n```\nskip block 2\n```\nor\n~~~text\nskip block 3\n~~~\nskip block 4\n", []skip{{false, 4}}},
		"quote":    {"> skip block 2\n\n" + edit, nil},
		"thoughts": {"<think>\nMaybe\nskip block 2\nno.\n</think>\nskip block 3\n" + edit, []skip{{false, 3}}},
		"tool":     {edit + "<function_results>\nskip block 2\n</function_results>\n", nil},
	} {
		got := skipsIn([]byte(c.answer), parser.Parse([]byte(c.answer)))
		if d := cmp.Diff(c.want, got, cmp.AllowUnexported(skip{})); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
}
