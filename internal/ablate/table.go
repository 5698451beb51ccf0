package ablate

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/srpatch/srpatch/apply"
	"github.com/srpatch/srpatch/parser"
)

// TableCases are the cases of the module's testdata: the tables of the engine, the reference and the parser, the example of
// the README, and what the command's scripts apply.
func TableCases(root string) ([]Case, error) {
	var all []Case
	for _, of := range []struct {
		folder string
		cases  func(group string, archive *txtar.Archive) ([]Case, error)
	}{{"engine", planTable}, {"reference", planTable}, {"parse", parseTable}, {"script", scriptTable}} {
		files, err := filepath.Glob(filepath.Join(root, "testdata", of.folder, "*.txtar"))
		if err != nil {
			return nil, err
		}
		if len(files) == 0 {
			return nil, fmt.Errorf("no cases in testdata/%s: run inside the module", of.folder)
		}
		for _, file := range files {
			archive, err := txtar.ParseFile(file)
			if err != nil {
				return nil, err
			}
			cases, err := of.cases(of.folder+"/"+strings.TrimSuffix(filepath.Base(file), ".txtar"), archive)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", file, err)
			}
			all = append(all, cases...)
		}
	}
	example, err := exampleCase(filepath.Join(root, "testdata", "example"))
	return append(all, example), err
}

// entry is a case of a table: its facts and its texts; the README beside the table explains them.
type entry struct {
	name         string
	facts, parts map[string]string
}

func entries(group string, archive *txtar.Archive) (all []entry) {
	for _, f := range archive.Files {
		name, part, _ := strings.Cut(f.Name, "/")
		if part != "case" {
			all[len(all)-1].parts[part] = visible(string(f.Data))
			continue
		}
		e := entry{group + "/" + name, map[string]string{}, map[string]string{}}
		for line := range strings.Lines(string(f.Data)) {
			key, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
			e.facts[key] = value
		}
		all = append(all, e)
	}
	return all
}

// visible undoes what makes the texts of a table visible.
func visible(s string) string {
	s = strings.NewReplacer("␉", "\t", "␍", "\r", "␌", "\f", "·", " ").Replace(strings.TrimSuffix(s, "\n"))
	signs := regexp.MustCompile(`‹(?:U\+([0-9A-F]{4,5})|([0-9A-F]{2}))›`)
	return signs.ReplaceAllStringFunc(s, func(found string) string {
		sign := signs.FindStringSubmatch(found)
		if sign[1] != "" {
			r, _ := strconv.ParseUint(sign[1], 16, 32)
			return string(rune(r))
		}
		b, _ := strconv.ParseUint(sign[2], 16, 8)
		return string([]byte{byte(b)})
	})
}

func planTable(group string, archive *txtar.Archive) (cases []Case, err error) {
	for _, e := range entries(group, archive) {
		policies := strings.Fields(e.facts["policy"])
		switch run := e.facts["run"]; {
		case run == "safe" || run == "loose":
			policies = []string{run}
		case run == "parse":
			cases = append(cases, parseCase(e.name, []byte(e.parts["reply"])))
			continue
		case run != "" || strings.HasPrefix(group, "reference/"):
			cases = append(cases, replaceCase(e.name, e.parts["content"], e.parts["old"], e.parts["new"], e.facts["replace_all"] == "true"))
			continue
		case len(policies) == 0:
			policies = []string{"safe"}
		}
		opt, err := e.options()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", e.name, err)
		}
		for _, p := range policies {
			opt.Policy = apply.Policy(p)
			cases = append(cases, planCase(e.name+"/"+p, e.tree(), opt, e.reply, nil))
		}
	}
	return cases, nil
}

func (e entry) tree() apply.Files {
	tree := apply.Files{}
	for part, text := range e.parts {
		if p, ok := strings.CutPrefix(part, "file/"); ok {
			tree[p] = []byte(text)
		} else if part == "content" {
			tree["f.txt"] = []byte(text)
		}
	}
	return tree
}

func (e entry) reply() *parser.Reply {
	if text, ok := e.parts["reply"]; ok {
		return parser.Parse([]byte(text))
	}
	line, _ := strconv.Atoi(e.facts["start_line"])
	r := edit("f.txt", e.parts["search"], e.parts["replace"], line)()
	b := &r.Blocks[0]
	if old, ok := e.parts["old"]; ok {
		b.Op, b.Search, b.Replace, b.Substring = parser.OpEdit, []byte(old), []byte(e.parts["new"]), true
	}
	b.ReplaceAll = e.facts["replace_all"] == "true"
	return r
}

func (e entry) options() (opt apply.Options, err error) {
	set := func(fact string) bool { return e.facts[fact] == "true" }
	opt = apply.Options{
		Splice: apply.Splice(e.facts["splice"]), Partial: set("partial"), AppendEmpty: set("append_empty"),
		AllowPlaceholders: set("allow_placeholders"), File: e.facts["file"], Single: e.facts["single"], Root: e.facts["root"],
	}
	if s := e.facts["threshold"]; s != "" {
		if opt.Threshold, err = strconv.ParseFloat(s, 64); err != nil {
			return opt, err
		}
	}
	if s := e.facts["budget"]; s != "" {
		if opt.Budget, err = strconv.ParseInt(s, 10, 64); err != nil {
			return opt, err
		}
	}
	if s := e.facts["strip"]; s != "" {
		opt.Strip, err = strconv.Atoi(s)
	}
	return opt, err
}

func parseTable(group string, archive *txtar.Archive) (cases []Case, err error) {
	for _, f := range archive.Files {
		name, kind, _ := strings.Cut(f.Name, "/")
		if !strings.HasPrefix(kind, "reply") {
			continue
		}
		reply := f.Data
		if strings.Contains(kind, ".noeol") {
			reply = bytes.TrimSuffix(reply, []byte("\n"))
		}
		if strings.Contains(kind, ".crlf") {
			reply = bytes.ReplaceAll(reply, []byte("\n"), []byte("\r\n"))
		} else if strings.HasSuffix(kind, ".cr") {
			reply = bytes.ReplaceAll(reply, []byte("\n"), []byte("\r"))
		}
		cases = append(cases, parseCase(group+"/"+name, reply))
	}
	return cases, nil
}

// scriptTable makes a case of each file of a script that is a reply, with the other files as the tree.
func scriptTable(group string, archive *txtar.Archive) (cases []Case, err error) {
	tree := apply.Files{}
	for _, f := range archive.Files {
		tree[f.Name] = f.Data
	}
	for _, f := range archive.Files {
		if len(parser.Parse(f.Data).Blocks) > 0 {
			cases = append(cases, planCase(group+"/"+f.Name, tree, apply.Options{}, parsed(string(f.Data)), nil))
		}
	}
	return cases, nil
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
