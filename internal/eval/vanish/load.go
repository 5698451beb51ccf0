package vanish

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/srpatch/srpatch/internal/eval/program"
)

// Reply is a reply to make cases of.
type Reply struct{ ID, Text string }

// Load reads the replies of files: JSON Lines with "reply", or tables of testdata/parse, which are
// txtar archives.
func Load(files []string) ([]Reply, error) {
	var out []Reply
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		read := replyLines
		if filepath.Ext(name) == ".txtar" {
			read = replyTable
		}
		replies, err := read(text)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		out = append(out, replies...)
	}
	return out, nil
}

// OwnTables returns the tables of replies of the project.
func OwnTables() ([]string, error) {
	root, err := program.Root()
	if err != nil {
		return nil, err
	}
	return filepath.Glob(filepath.Join(root, "testdata", "parse", "*.txtar"))
}

// maxReplyLine bounds a line of a file of replies, in bytes.
const maxReplyLine = 256 << 20

func replyLines(text []byte) (out []Reply, err error) {
	lines := bufio.NewScanner(bytes.NewReader(text))
	lines.Buffer(nil, maxReplyLine)
	for n := 1; lines.Scan(); n++ {
		var r struct{ ID, Reply string }
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		if r.Reply != "" {
			out = append(out, Reply{ID: r.ID, Text: r.Reply})
		}
	}
	return out, lines.Err()
}

func replyTable(text []byte) (out []Reply, err error) {
	for _, f := range txtar.Parse(text).Files {
		if name, ok := strings.CutSuffix(f.Name, "/reply"); ok {
			out = append(out, Reply{ID: name, Text: string(f.Data)})
		}
	}
	return out, nil
}
