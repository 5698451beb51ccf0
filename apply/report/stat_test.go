package report

import (
	"strings"
	"testing"
)

func TestStat(t *testing.T) {
	files := []Changed{
		{Path: "a.go", Added: 300, Removed: 100}, {Path: "src/deep/down/in/the/tree/name.go", Added: 1}, {Path: "moved.go", From: "old.go"},
		{Path: "資料/一覧.md", Removed: 1},
	}
	for columns, want := range map[int]string{
		40: ` a.go                | 400 +++++++++---
 .../tree/name.go    |   1 +
 old.go => moved.go  |   0
 資料/一覧.md        |   1 -
 4 files changed, 301 insertions(+), 101 deletions(-)
`,
		80: ` a.go                              | 400 ++++++++++++++++++++++++++++---------
 src/deep/down/in/the/tree/name.go |   1 +
 old.go => moved.go                |   0
 資料/一覧.md                      |   1 -
 4 files changed, 301 insertions(+), 101 deletions(-)
`,
	} {
		var b strings.Builder
		Stat(Printer{W: &b}, files, columns)
		if b.String() != want {
			t.Errorf("%d columns:\n%s\nwant\n%s", columns, b.String(), want)
		}
		for line := range strings.Lines(b.String()) {
			if n := cells(strings.TrimSuffix(line, "\n")); n > columns && strings.Contains(line, "|") {
				t.Errorf("%d columns: a line has %d", columns, n)
			}
		}
	}
}
