package eval

import (
	"bytes"
	"encoding/json"
	"maps"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/srpatch/srpatch/apply"
	"github.com/srpatch/srpatch/internal/casetable"
	"github.com/srpatch/srpatch/internal/eval/program"
	"github.com/srpatch/srpatch/parser"
)

// TableQuestions returns the cases in testdata of the engine, the reference mode and the parser, if
// they can be requests. leftOut is the number of the others.
func TableQuestions() (engine, replies []*Question, leftOut int, err error) {
	root, err := program.Root()
	if err != nil {
		return nil, nil, 0, err
	}
	testdata := filepath.Join(root, "testdata")
	for _, folder := range []string{"engine", "reference"} {
		cases, err := casetable.Read(filepath.Join(testdata, folder, "*.txtar"))
		if err != nil {
			return nil, nil, 0, err
		}
		for _, c := range cases {
			of := questionsOf(folder, c)
			if of == nil {
				leftOut++
			}
			engine = append(engine, of...)
		}
	}
	files, err := filepath.Glob(filepath.Join(testdata, "parse", "*.txtar"))
	if err != nil {
		return nil, nil, 0, err
	}
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			return nil, nil, 0, err
		}
		table := strings.TrimSuffix(filepath.Base(file), ".txtar")
		replies = append(replies, readQuestions(table, archive)...)
	}
	return engine, replies, leftOut, nil
}

// readQuestions returns the replies in a table of the parser: each part NAME/reply, with the line
// ends that its name asks for.
func readQuestions(table string, archive *txtar.Archive) (qs []*Question) {
	for _, f := range archive.Files {
		name, kind, _ := strings.Cut(f.Name, "/")
		if !strings.HasPrefix(kind, "reply") {
			continue
		}
		text := f.Data
		if strings.Contains(kind, ".noeol") {
			text = bytes.TrimSuffix(text, []byte("\n"))
		}
		if strings.Contains(kind, ".crlf") {
			text = bytes.ReplaceAll(text, []byte("\n"), []byte("\r\n"))
		} else if strings.HasSuffix(kind, ".cr") {
			text = bytes.ReplaceAll(text, []byte("\n"), []byte("\r"))
		}
		log := table == "chatlog" || strings.HasPrefix(table, "log-")
		qs = append(qs, &Question{ID: table + "/" + name, Reply: text, Log: log})
	}
	return qs
}

// questionsOf returns a case under each of its policies, or nil if it has something that a request
// can't say.
func questionsOf(folder string, c casetable.Case) (qs []*Question) {
	for _, fact := range []string{"allow_placeholders", "file", "single", "root", "prefix", "strip", "budget"} {
		if c.Facts[fact] != "" {
			return nil
		}
	}
	policies, splice, run := c.Policies(), c.Facts["splice"], c.Facts["run"]
	switch {
	case run == "parse" || c.Parts["second"] != "":
		return nil
	case run == "safe" || run == "loose":
		policies = []string{run}
	case run != "" || folder == "reference":
		policies, splice = []string{string(apply.Loose)}, string(apply.Verbatim)
	}
	before := c.Tree()
	request := map[string]any{
		"splice": splice, "threshold": c.Number("threshold"), "encoding": c.Facts["encoding"],
		"whole_files": c.Set("whole_files"), "partial": c.Set("partial"), "append_empty": c.Set("append_empty"),
	}
	for fact, key := range map[string]string{"exact_names": "names", "exact_bytes": "bytes"} {
		if c.Set(fact) {
			request[key] = "exact"
		}
	}
	path := ""
	if _, one := before["f.txt"]; c.Parts["reply"] == "" && (len(before) == 0 || one && len(before) == 1) {
		path = "f.txt"
		request["path"], request["replace_all"], request["start_line"] = path, c.Set("replace_all"),
			c.Number("start_line")
		if one {
			request["content_b64"] = before[path]
		}
		sides := [2]string{"search", "replace"}
		if _, text := c.Parts["old"]; text {
			sides = [2]string{"old", "new"}
		}
		for _, side := range sides {
			if request[side] = c.Parts[side]; !utf8.ValidString(c.Parts[side]) {
				return nil
			}
		}
	} else {
		reply := []byte(c.Parts["reply"])
		if len(reply) == 0 {
			var err error
			if reply, err = parser.Format(c.Reply().Blocks); err != nil {
				return nil
			}
		}
		if !utf8.Valid(reply) {
			return nil
		}
		request["files_b64"], request["reply"] = map[string][]byte(before), string(reply)
	}
	for _, policy := range policies {
		id := folder + "/" + c.Name + "/" + policy
		request["id"], request["policy"] = id, policy
		line, err := json.Marshal(request)
		if err != nil {
			return nil
		}
		qs = append(qs, &Question{ID: id, Line: line, Path: path, Files: texts(before),
			truth: becomes(texts(before), texts(c.Wanted()))})
	}
	return qs
}

func texts(tree apply.Files) map[string]string {
	out := map[string]string{}
	for p, text := range tree {
		out[p] = string(text)
	}
	return out
}

// becomes returns a judge by the files that should be there after the edit.
func becomes(before, want map[string]string) func(Answer) Verdict {
	return func(a Answer) Verdict {
		after := a.After
		if after == nil {
			after = before
		}
		switch {
		case maps.Equal(after, want):
			return Right
		case maps.Equal(after, before):
			return Refused
		}
		return Wrong
	}
}
