package apply

import (
	"encoding/json"
	"testing"
)

func TestPositions(t *testing.T) {
	for name, c := range map[string]struct {
		text    string
		offsets []int
		want    string
	}{
		"line ends": {"a\r\nb\rc\nd", []int{0, 1, 3, 4, 5, 7, 8},
			`[{"line":0,"character":0},{"line":0,"character":1},{"line":1,"character":0},{"line":1,"character":1},{"line":2,"character":0},{"line":3,"character":0},{"line":3,"character":1}]`},
		"beyond the basic plane": {"é😀x", []int{2, 6, 7},
			`[{"line":0,"character":1},{"line":0,"character":3},{"line":0,"character":4}]`},
		"a mark of the byte order": {"\ufeffa\nb", []int{0, 3, 4, 5},
			`[{"line":0,"character":0},{"line":0,"character":0},{"line":0,"character":1},{"line":1,"character":0}]`},
		"no UTF-8": {"\xe9\xffa", []int{1, 2, 3},
			`[{"line":0,"character":1},{"line":0,"character":2},{"line":0,"character":3}]`},
		"the end after a line end":     {"a\n", []int{2}, `[{"line":1,"character":0}]`},
		"the end without one, and any": {"a\nbc", []int{4, 0}, `[{"line":1,"character":2},{"line":0,"character":0}]`},
		"nothing":                      {"", []int{0}, `[{"line":0,"character":0}]`},
	} {
		t.Run(name, func(t *testing.T) {
			if got, err := json.Marshal(positions([]byte(c.text), c.offsets...)); err != nil || string(got) != c.want {
				t.Errorf("%v %s, want %s", err, got, c.want)
			}
		})
	}
}
