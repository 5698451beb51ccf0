package vanish

import (
	"path/filepath"
	"strings"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/srpatch/srpatch/internal/eval"
	"github.com/srpatch/srpatch/internal/eval/program"
)

// Reply is a reply to make cases of.
type Reply struct{ ID, Text string }

// Load reads the replies of files: JSON Lines with "reply", or tables of testdata/parse, which are
// txtar archives.
func Load(files []string) (out []Reply, err error) {
	for _, name := range files {
		if filepath.Ext(name) == ".txtar" {
			archive, err := txtar.ParseFile(name)
			if err != nil {
				return nil, err
			}
			for _, f := range archive.Files {
				if id, ok := strings.CutSuffix(f.Name, "/reply"); ok {
					out = append(out, Reply{id, string(f.Data)})
				}
			}
			continue
		}
		qs, err := eval.QuestionsOf(name)
		if err != nil {
			return nil, err
		}
		for _, q := range qs {
			if len(q.Reply) > 0 {
				out = append(out, Reply{q.ID, string(q.Reply)})
			}
		}
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
