// Package casetable reads the tables of cases in testdata/engine and testdata/reference, whose
// READMEs explain their form. Tests run the cases, and the comparison of two builds uses them.
package casetable

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/srpatch/srpatch/apply"
	"github.com/srpatch/srpatch/parser"
)

// Case is one case: a tree, what is applied to it, and the result.
type Case struct {
	// Name is TABLE/CASE.
	Name string
	// Facts are the lines of the case part.
	Facts map[string]string
	// Parts are the texts, with invisible characters as bytes.
	Parts map[string]string
}

// The facts that a case may state. Any other fact is a misspelling.
var (
	words = []string{
		"why", "peer", "seed", "run", "policy", "splice", "partial", "append_empty", "whole_files",
		"allow_placeholders", "exact_names", "exact_bytes", "file", "single", "root", "prefix", "encoding",
		"replace_all", "status", "error", "blocks", "strategy", "lines", "candidates", "message", "warning",
		"forgiven", "diagnostics", "deleted", "readings",
	}
	numbers = []string{"threshold", "budget", "strip", "start_line"}
)

// Read returns the cases in the files that match pattern, in order. It fails if there are none, if
// a part belongs to no case, or if a fact is unknown.
func Read(pattern string) ([]Case, error) {
	files, err := filepath.Glob(pattern)
	if err != nil {
		return nil, err
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("no cases at %s", pattern)
	}
	var all []Case
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			return nil, err
		}
		cases, err := table(strings.TrimSuffix(filepath.Base(file), ".txtar"), archive)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		all = append(all, cases...)
	}
	return all, nil
}

func table(group string, archive *txtar.Archive) (cases []Case, err error) {
	for _, f := range archive.Files {
		name, part, _ := strings.Cut(f.Name, "/")
		name = group + "/" + name
		if part != "case" {
			n := len(cases) - 1
			if n < 0 || cases[n].Name != name {
				return nil, fmt.Errorf("the part %s is out of place", f.Name)
			}
			if _, twice := cases[n].Parts[part]; twice {
				return nil, fmt.Errorf("the part %s is there twice", f.Name)
			}
			cases[n].Parts[part] = visible(string(f.Data))
			continue
		}
		if slices.ContainsFunc(cases, func(c Case) bool { return c.Name == name }) {
			return nil, fmt.Errorf("two cases are named %s", name)
		}
		c := Case{name, map[string]string{}, map[string]string{}}
		for line := range strings.Lines(string(f.Data)) {
			key, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
			_, wrong := strconv.ParseFloat(value, 64)
			if !slices.Contains(words, key) && (!slices.Contains(numbers, key) || wrong != nil) {
				return nil, fmt.Errorf("%s: %q is not a fact", name, line)
			}
			c.Facts[key] = value
		}
		cases = append(cases, c)
	}
	return cases, nil
}

var sign = regexp.MustCompile(`‹(U\+[0-9A-F]{4,5}|[0-9A-F]{2})›`)

// visible undoes the notation for invisible characters.
func visible(s string) string {
	s = strings.NewReplacer("␉", "\t", "␍", "\r", "␌", "\f", "·", " ").Replace(strings.TrimSuffix(s, "\n"))
	return sign.ReplaceAllStringFunc(s, func(found string) string {
		code, point := strings.CutPrefix(strings.Trim(found, "‹›"), "U+")
		n, _ := strconv.ParseUint(code, 16, 32)
		if point {
			return string(rune(n))
		}
		return string([]byte{byte(n)})
	})
}

// Number returns the number of the fact, or 0 if the case doesn't state it.
func (c Case) Number(fact string) float64 {
	n, _ := strconv.ParseFloat(c.Facts[fact], 64)
	return n
}

// Set reports whether the fact is true.
func (c Case) Set(fact string) bool { return c.Facts[fact] == "true" }

// Policies returns the policies under which the case runs.
func (c Case) Policies() []string {
	if named := strings.Fields(c.Facts["policy"]); len(named) > 0 {
		return named
	}
	return []string{string(apply.Safe)}
}

// Tree returns the tree before the run. The part content is f.txt.
func (c Case) Tree() apply.Files { return c.files(apply.Files{}, "content", "file/") }

// Wanted returns the tree after the run.
func (c Case) Wanted() apply.Files {
	tree := c.files(c.Tree(), "want", "want/")
	for p := range strings.FieldsSeq(c.Facts["deleted"]) {
		delete(tree, p)
	}
	return tree
}

// files adds to tree the part named as f.txt, and the parts after prefix under their paths.
func (c Case) files(tree apply.Files, named, prefix string) apply.Files {
	for part, text := range c.Parts {
		if p, ok := strings.CutPrefix(part, prefix); ok {
			tree[p] = []byte(text)
		} else if part == named {
			tree["f.txt"] = []byte(text)
		}
	}
	return tree
}

// Reply returns what is applied: the part reply, or one block made of other parts.
func (c Case) Reply() *parser.Reply {
	if text, ok := c.Parts["reply"]; ok {
		var opts []parser.Option
		if c.Set("whole_files") {
			opts = append(opts, parser.WithWholeFiles())
		}
		reply := parser.Parse([]byte(text), opts...)
		if text, ok := c.Parts["second"]; ok {
			reply.Append(parser.Parse([]byte(text), opts...))
		}
		return reply
	}
	b := parser.Block{ID: 1, Op: parser.OpEdit, Path: "f.txt",
		StartLine: int(c.Number("start_line")), ReplaceAll: c.Set("replace_all")}
	if old, ok := c.Parts["old"]; ok {
		b.Search, b.Replace, b.Substring = []byte(old), []byte(c.Parts["new"]), true
	} else {
		b.Search, b.Replace = []byte(c.Parts["search"]), []byte(c.Parts["replace"])
	}
	if len(b.Search) == 0 {
		b.Op = parser.OpCreate
	}
	return &parser.Reply{Blocks: []parser.Block{b}}
}

// Options returns the options in the facts, with the policy.
func (c Case) Options(policy string) apply.Options {
	return apply.Options{
		Policy: apply.Policy(policy), Splice: apply.Splice(c.Facts["splice"]), Threshold: c.Number("threshold"),
		Partial: c.Set("partial"), AppendEmpty: c.Set("append_empty"), AllowPlaceholders: c.Set("allow_placeholders"),
		ExactNames: c.Set("exact_names"), ExactBytes: c.Set("exact_bytes"),
		Budget: int64(c.Number("budget")), File: c.Facts["file"], Single: c.Facts["single"],
		Strip: int(c.Number("strip")),
		Root:  c.Facts["root"], Prefix: c.Facts["prefix"], Encoding: c.Facts["encoding"],
	}
}
