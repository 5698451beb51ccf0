package ablate

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/srpatch/srpatch/apply"
	"github.com/srpatch/srpatch/internal/casetable"
	"github.com/srpatch/srpatch/parser"
)

// TableCases are the cases of the module's testdata: the tables of the engine, the reference and the parser, the example of
// the README, and what the command's scripts apply.
func TableCases(root string) ([]Case, error) {
	var all []Case
	for _, of := range []struct {
		folder string
		cases  func(pattern string) ([]Case, error)
	}{{"engine", planCases}, {"reference", planCases}, {"parse", archives(parseCases)}, {"script", archives(scriptCases)}} {
		cases, err := of.cases(filepath.Join(root, "testdata", of.folder, "*.txtar"))
		if err != nil {
			return nil, err
		}
		if len(cases) == 0 {
			return nil, fmt.Errorf("no cases in testdata/%s: run inside the module", of.folder)
		}
		all = append(all, cases...)
	}
	example, err := exampleCase(filepath.Join(root, "testdata", "example"))
	return append(all, example), err
}

// archives makes a function on the archives that a pattern matches from one on a single one, which it gives FOLDER/FILE as the
// group of its cases.
func archives(of func(group string, archive *txtar.Archive) []Case) func(pattern string) ([]Case, error) {
	return func(pattern string) (all []Case, err error) {
		files, err := filepath.Glob(pattern)
		if err != nil {
			return nil, err
		}
		for _, file := range files {
			archive, err := txtar.ParseFile(file)
			if err != nil {
				return nil, err
			}
			group := filepath.Base(filepath.Dir(file)) + "/" + strings.TrimSuffix(filepath.Base(file), ".txtar")
			all = append(all, of(group, archive)...)
		}
		return all, nil
	}
}

// planCases are the cases of a table of the engine or of the reference, once for each policy.
func planCases(pattern string) ([]Case, error) {
	read, err := casetable.Read(pattern)
	if err != nil {
		return nil, err
	}
	var all []Case
	for _, c := range read {
		folder := filepath.Base(filepath.Dir(pattern))
		name, policies := folder+"/"+c.Name, c.Policies()
		switch run := c.Facts["run"]; {
		case run == "safe" || run == "loose":
			policies = []string{run}
		case run == "parse":
			all = append(all, parseCase(name, []byte(c.Parts["reply"])))
			continue
		case run != "" || folder == "reference":
			all = append(all, replaceCase(name, c.Parts["content"], c.Parts["old"], c.Parts["new"], c.Set("replace_all")))
			continue
		}
		for _, p := range policies {
			all = append(all, planCase(name+"/"+p, c.Tree(), c.Options(p), c.Reply, nil))
		}
	}
	return all, nil
}

func parseCases(group string, archive *txtar.Archive) (cases []Case) {
	for _, r := range casetable.Replies(archive) {
		cases = append(cases, parseCase(group+"/"+r.Name, r.Text))
	}
	return cases
}

// scriptCases makes a case of each file of a script that is a reply, with the other files as the tree.
func scriptCases(group string, archive *txtar.Archive) (cases []Case) {
	tree := apply.Files{}
	for _, f := range archive.Files {
		tree[f.Name] = f.Data
	}
	for _, f := range archive.Files {
		if len(parser.Parse(f.Data).Blocks) > 0 {
			cases = append(cases, planCase(group+"/"+f.Name, tree, apply.Options{}, parsed(string(f.Data)), nil))
		}
	}
	return cases
}

// exampleCase is the example of the README: a model's reply to a small tree.
func exampleCase(dir string) (Case, error) {
	reply, err := os.ReadFile(filepath.Join(dir, "reply.md"))
	if err != nil {
		return Case{}, err
	}
	tree := apply.Files{}
	under := os.DirFS(filepath.Join(dir, "tree"))
	err = fs.WalkDir(under, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		tree[name], err = fs.ReadFile(under, name)
		return err
	})
	return planCase("example", tree, apply.Options{}, parsed(string(reply)), nil), err
}
