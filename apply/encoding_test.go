package apply_test

import (
	"context"
	"strings"
	"testing"

	"github.com/srpatch/srpatch/apply"
	"github.com/srpatch/srpatch/parser"
)

// TestOtherEncodings: replies are UTF-8, and files need not be. Bytes match bytes, and whoever wonders why nothing fits, or gets
// two encodings in one file, is reported.
func TestOtherEncodings(t *testing.T) {
	const refused, mixed = "cannot match; convert the reply", "what REPLACE adds is; convert the reply"
	for _, c := range []struct{ name, file, search, replace, warning string }{
		{"Latin-1, looked for as UTF-8", "caf\xe9 = 1\nconf = 1\n", "café = 1", "café = 2", refused},
		{"Shift-JIS, nothing near", "\x95\x5c\x8e\xa6 = 1\n", "表示 = 1", "表示 = 2", refused},
		{"Latin-1, in a reply that was converted", "caf\xe9 = 1\nconf = 1\n", "caf\xe9 = 1", "caf\xe9 = 2", ""},
		{"Latin-1, ASCII alone", "caf\xe9 = 1\nconf = 1\n", "conf = 1", "conf = 2", ""},
		{"Latin-1, UTF-8 comes in", "caf\xe9 = 1\nconf = 1\n", "conf = 1", "conf = 'é'", mixed},
		{"both, UTF-8 is there already", "caf\xe9 = 1\nname = 'é'\n", "name = 'é'", "name = 'è'", ""},
		{"UTF-8, UTF-8 comes in", "café = 1\nconf = 1\n", "conf = 1", "conf = 'é'", ""},
		{"UTF-8, nothing near", "café = 1\nconf = 1\n", "größe = 12345", "größe = 2", ""},
		{"Latin-1, something in ASCII that is not there", "caf\xe9 = 1\nconf = 1\n", "size = 12345", "größe = 2", ""},
	} {
		reply := "f.txt\n<<<<<<< SEARCH\n" + c.search + "\n=======\n" + c.replace + "\n>>>>>>> REPLACE\n"
		plan, err := apply.New(apply.Files{"f.txt": []byte(c.file)}, apply.Options{}).Plan(context.Background(), parser.Parse([]byte(reply)))
		if err != nil {
			t.Fatal(err)
		}
		warnings := strings.Join(plan.Blocks[0].Warnings, "\n")
		if c.warning == "" && strings.Contains(warnings, "UTF-8") || !strings.Contains(warnings, c.warning) {
			t.Errorf("%s: %s, warnings %q, want %q", c.name, plan.Blocks[0].Status, warnings, c.warning)
		}
		if applied := plan.Status == apply.Applied; applied && c.warning == refused {
			t.Errorf("%s: applied", c.name)
		}
	}
}
