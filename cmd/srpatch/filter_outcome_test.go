package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// scored is what a scorer reads of an answer.
type scored struct {
	Status, Outcome string
	Changed         bool
	Content         *string
	Files           map[string]*string
	Changes         []struct {
		Path, From, Action string
		Edits              []struct {
			Start, End int
			Text       string
		}
	}
	Diff string
}

// scorer answers requests, and holds them to their schema.
type scorer struct {
	filterer *filterer
	requests form
}

func newScorer(t *testing.T) *scorer {
	return &scorer{newFilterer(streamOf(1, inFlight)), readsRequests(t)}
}

// score answers a request.
func (s *scorer) score(t interface{ Fatalf(string, ...any) }, request map[string]any) (a scored) {
	line, err := json.Marshal(request)
	if err != nil {
		t.Fatalf("%v", err)
	}
	out := s.filterer.answer(context.Background(), line)
	if err := errors.Join(json.Unmarshal(out, &a), s.requests.checkRequests(line, out)); err != nil {
		t.Fatalf("%v in %s", err, out)
	}
	return a
}

// attack is a reply that asks for a reward and leaves the files as they are.
type attack struct{ reply, want string }

// attacks are for the files a.txt ("one\ntwo\nthree\n"), b.txt ("alpha\r\nbeta\r\n") and empty.txt.
func attacks() map[string]attack {
	block := func(path, search, replace string) string {
		return path + "\n<<<<<<< SEARCH\n" + search + "=======\n" + replace + ">>>>>>> REPLACE\n\n"
	}
	patch := func(lines string) string { return "*** Begin Patch\n" + lines + "*** End Patch\n" }
	return map[string]attack{
		"same sides":                 {block("a.txt", "one\n", "one\n"), "no-op"},
		"same sides, not there":      {block("a.txt", "nowhere\n", "nowhere\n"), "no-op"},
		"same sides, no such file":   {block("z.txt", "one\n", "one\n"), "path"},
		"same sides, empty":          {block("empty.txt", "", ""), "no-op"},
		"blank lines into nothing":   {block("a.txt", "", "\n"), "refused"},
		"same sides but for blanks":  {block("a.txt", "  two\n", "  two\n"), "no-op"},
		"same sides, CRLF":           {strings.ReplaceAll(block("a.txt", "one\n", "one\n"), "\n", "\r\n"), "no-op"},
		"other line ends":            {block("b.txt", "alpha\n", "alpha\r\n"), "already"},
		"applied before":             {block("a.txt", "one\nTWO = 2\nthree\n", "one\ntwo\nthree\n"), "already"},
		"the file as it is":          {block("a.txt", "", "one\ntwo\nthree\n"), "already"},
		"there and back":             {block("a.txt", "two\n", "2\n") + block("a.txt", "2\n", "two\n"), "no-op"},
		"a swap and a swap":          {block("a.txt", "one\ntwo\n", "two\none\n") + block("a.txt", "two\none\n", "one\ntwo\n"), "no-op"},
		"taken and made":             {patch("*** Delete File: a.txt\n*** Add File: a.txt\n+one\n+two\n+three\n"), "no-op"},
		"made and taken":             {patch("*** Add File: n.txt\n+one\n*** Delete File: n.txt\n"), "no-op"},
		"moved to itself":            {patch("*** Update File: a.txt\n*** Move to: a.txt\n"), "no-op"},
		"moved to itself, in dots":   {patch("*** Update File: a.txt\n*** Move to: x/../a.txt\n"), "no-op"},
		"no block":                   {"I have changed it.\n", "format"},
		"nothing":                    {"", "format"},
		"half a block":               {"a.txt\n<<<<<<< SEARCH\none\n=======\n1\n", "format"},
		"a bare opener":              {"<<<<<<< SEARCH\n", "format"},
		"one good, one bad":          {block("a.txt", "one\n", "1\n") + block("a.txt", "nowhere to be found\n", "2\n"), "not-found"},
		"one good, one without file": {block("a.txt", "one\n", "1\n") + block("z.txt", "one\n", "2\n"), "path"},
		"in a whole file":            {"```json\n{\"path\": \"a.txt\", \"old_string\": \"two\", \"new_string\": \"two\"}\n```\n", "no-op"},
	}
}

func TestNoRewardWithoutAChange(t *testing.T) {
	files := map[string]any{"a.txt": "one\ntwo\nthree\n", "b.txt": "alpha\r\nbeta\r\n", "empty.txt": ""}
	s := newScorer(t)
	for name, c := range attacks() {
		for _, policy := range policies {
			for _, splice := range splices {
				t.Run(strings.Join([]string{name, policy, splice}, "/"), func(t *testing.T) {
					got := s.score(t, map[string]any{"files": files, "reply": c.reply, "policy": policy, "splice": splice})
					if others := differ(files, got.Files); got.Changed != others || !others && got.Outcome == "changed" {
						t.Errorf("a reward: %+v", got)
					}
					if policy == "safe" && splice == "three-way" && got.Outcome != c.want {
						t.Errorf("%+v, want %s", got, c.want)
					}
				})
			}
		}
	}
	for name, request := range map[string]map[string]any{
		"no files":          {"files": map[string]any{}, "reply": "a.txt\n<<<<<<< SEARCH\none\n=======\none\n>>>>>>> REPLACE\n"},
		"a file of nothing": {"path": "a", "content": nil, "search": "x\n", "replace": "x\n"},
		"same text":         {"path": "a", "content": "x y\n", "old": "x", "new": "x"},
		"same text, all":    {"path": "a", "content": "x y x\n", "old": "x", "new": "x", "replace_all": true},
		"same lines, all":   {"path": "a", "content": "x\nx\n", "search": "x\n", "replace": "x\n", "replace_all": true},
		"moved away":        {"path": "a", "content": "x\n", "reply": "*** Begin Patch\n*** Update File: a\n*** Move to: b\n*** End Patch\n"},
		"no file, no text":  {"path": "a", "search": "", "replace": "", "partial": true, "content": ""},
	} {
		if got := s.score(t, request); got.Changed || got.Outcome == "changed" {
			t.Errorf("%s: a reward: %+v", name, got)
		}
	}
}

// differ reports whether the files of an answer, which has those that changed, differ from those that went in.
func differ(before map[string]any, after map[string]*string) bool {
	for path, text := range after {
		was, there := before[path].(string)
		if text == nil && there || text != nil && (!there || was != *text) {
			return true
		}
	}
	return false
}

// Whatever a reply says: changed is true if and only if the files that come back are others than those that went in; the outcome is
// "changed" only then, and always then where a reply is taken whole or not at all. What is wanted of the files makes no difference.
func TestChangedSaysWhetherFilesAreOthers(t *testing.T) {
	s := newScorer(t)
	text := rapid.Custom(func(t *rapid.T) string {
		lines := rapid.SliceOfN(rapid.SampledFrom([]string{"one", "two", "  two", "three", "", "}", "é = 1", "x y x"}), 0, 4).Draw(t, "lines")
		end := rapid.SampledFrom([]string{"\n", "\n", "\n", "\r\n"}).Draw(t, "line end")
		s := strings.Join(lines, end)
		if s != "" && rapid.IntRange(0, 5).Draw(t, "ended") > 0 {
			s += end
		}
		return s
	})
	name := rapid.SampledFrom([]string{"a.txt", "b.txt", "./a.txt", "dir/a.txt", "c.txt"})
	edit := rapid.Custom(func(t *rapid.T) string {
		switch rapid.IntRange(0, 9).Draw(t, "kind") {
		case 0:
			return "*** Begin Patch\n*** Delete File: " + name.Draw(t, "deleted") + "\n*** End Patch\n"
		case 1:
			return "*** Begin Patch\n*** Add File: " + name.Draw(t, "made") + "\n+one\n*** End Patch\n"
		case 2:
			return "*** Begin Patch\n*** Update File: " + name.Draw(t, "moved") + "\n*** Move to: " + name.Draw(t, "to") + "\n*** End Patch\n"
		}
		return name.Draw(t, "path") + "\n<<<<<<< SEARCH\n" + text.Draw(t, "search") + "=======\n" + text.Draw(t, "replace") + ">>>>>>> REPLACE\n"
	})
	rapid.Check(t, func(t *rapid.T) {
		request := map[string]any{
			"policy": rapid.SampledFrom(policies).Draw(t, "policy"), "splice": rapid.SampledFrom(splices).Draw(t, "splice"),
			"partial": rapid.Bool().Draw(t, "partial"), "append_empty": rapid.Bool().Draw(t, "append empty"),
			"replace_all": rapid.Bool().Draw(t, "all"), "names": rapid.SampledFrom(nameRules).Draw(t, "names"),
			"bytes": rapid.SampledFrom(byteRules).Draw(t, "bytes"),
		}
		before := map[string]any{}
		switch form := rapid.SampledFrom([]string{"reply", "files", "search", "old"}).Draw(t, "form"); form {
		case "files":
			for _, path := range []string{"a.txt", "b.txt"} {
				if rapid.IntRange(0, 4).Draw(t, "there") > 0 {
					before[path] = text.Draw(t, path)
				}
			}
			request["files"] = before
			request["reply"] = strings.Join(rapid.SliceOfN(edit, 1, 4).Draw(t, "edits"), "\n")
		default:
			request["path"] = "a.txt"
			if rapid.IntRange(0, 4).Draw(t, "there") > 0 {
				before["a.txt"] = text.Draw(t, "content")
				request["content"] = before["a.txt"]
			}
			switch form {
			case "reply":
				request["reply"] = strings.Join(rapid.SliceOfN(edit, 1, 4).Draw(t, "edits"), "\n")
			case "search":
				request["search"], request["replace"] = text.Draw(t, "search"), text.Draw(t, "replace")
			case "old":
				request["old"], request["new"] = text.Draw(t, "old"), text.Draw(t, "new")
			}
		}
		got := s.score(t, request)
		after := got.Files
		if request["files"] == nil {
			after = map[string]*string{}
			if got.Status == "applied" || got.Status == "partial" {
				after["a.txt"] = got.Content
			}
		}
		if others := differ(before, after); got.Changed != others {
			t.Fatalf("changed %v, and files that differ: %v\n%+v", got.Changed, others, got)
		}
		if got.Outcome == "changed" && !got.Changed || got.Changed && got.Status == "applied" && got.Outcome != "changed" {
			t.Fatalf("%+v", got)
		}
		for _, wanted := range wants {
			request["want"] = wanted
			again := s.score(t, request)
			if again.Changed != got.Changed || again.Outcome != got.Outcome || again.Status != got.Status {
				t.Fatalf("with %s: %+v, without: %+v", wanted, again, got)
			}
			if wanted == "edits" {
				if made := again.edited(before); differ(before, made) != got.Changed || got.Changed && !sameFiles(before, made, after) {
					t.Fatalf("the edits make %v of %v, want %v", textsOf(made), before, textsOf(after))
				}
			}
			if wanted == "diff" && (again.Diff != "") != got.Changed && !strings.Contains(fmt.Sprint(before), "\r") && len(after) < 2 {
				t.Fatalf("changed %v, with the diff %q", got.Changed, again.Diff)
			}
		}
	})
}

// edited is what the changes of an answer make of files.
func (a *scored) edited(files map[string]any) map[string]*string {
	out := map[string]*string{}
	for _, c := range a.Changes {
		if c.Action == "delete" || c.From != "" {
			from := c.Path
			if c.From != "" {
				from = c.From
			}
			if out[from] == nil {
				out[from] = nil
			}
		}
	}
	for _, c := range a.Changes {
		if c.Action == "delete" {
			continue
		}
		from := c.Path
		if c.From != "" {
			from = c.From
		}
		was, _ := files[from].(string)
		var b bytes.Buffer
		at := 0
		for _, e := range c.Edits {
			b.WriteString(was[at:e.Start] + e.Text)
			at = e.End
		}
		b.WriteString(was[at:])
		text := b.String()
		out[c.Path] = &text
	}
	return out
}

// sameFiles reports whether two sets of changed files make the same of the files before.
func sameFiles(before map[string]any, a, b map[string]*string) bool {
	made := func(changed map[string]*string) map[string]string {
		out := map[string]string{}
		for path, text := range before {
			out[path] = text.(string)
		}
		for path, text := range changed {
			if delete(out, path); text != nil {
				out[path] = *text
			}
		}
		return out
	}
	return maps.Equal(made(a), made(b))
}

func textsOf(files map[string]*string) map[string]string {
	out := map[string]string{}
	for path, text := range files {
		if text != nil {
			out[path] = *text
		}
	}
	return out
}
