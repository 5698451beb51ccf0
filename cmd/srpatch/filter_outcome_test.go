package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/srpatch/srpatch/internal/effort"
	"github.com/srpatch/srpatch/internal/filter"
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
	stream   filter.Stream
	requests form
}

func newScorer(t *testing.T) *scorer {
	return &scorer{requests: readsRequests(t)}
}

// score answers a request.
func (s *scorer) score(t interface{ Fatalf(string, ...any) }, request map[string]any) (a scored) {
	line, err := json.Marshal(request)
	if err != nil {
		t.Fatalf("%v", err)
	}
	out := s.stream.Answer(context.Background(), line)
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
		"same sides":                {block("a.txt", "one\n", "one\n"), "no-op"},
		"same sides, not there":     {block("a.txt", "nowhere\n", "nowhere\n"), "not-found"},
		"same sides, no such file":  {block("z.txt", "one\n", "one\n"), "path"},
		"same sides, empty":         {block("empty.txt", "", ""), "no-op"},
		"blank lines into nothing":  {block("a.txt", "", "\n"), "refused"},
		"same sides but for blanks": {block("a.txt", "  two\n", "  two\n"), "no-op"},
		"same sides, CRLF":          {strings.ReplaceAll(block("a.txt", "one\n", "one\n"), "\n", "\r\n"), "no-op"},
		"other line ends":           {block("b.txt", "alpha\n", "alpha\r\n"), "already"},
		"applied before":            {block("a.txt", "one\nTWO = 2\nthree\n", "one\ntwo\nthree\n"), "already"},
		"the file as it is":         {block("a.txt", "", "one\ntwo\nthree\n"), "already"},
		"there and back":            {block("a.txt", "two\n", "2\n") + block("a.txt", "2\n", "two\n"), "no-op"},
		"a swap and a swap": {block("a.txt", "one\ntwo\n", "two\none\n") +
			block("a.txt", "two\none\n", "one\ntwo\n"), "no-op"},
		"taken and made":           {patch("*** Delete File: a.txt\n*** Add File: a.txt\n+one\n+two\n+three\n"), "no-op"},
		"made and taken":           {patch("*** Add File: n.txt\n+one\n*** Delete File: n.txt\n"), "no-op"},
		"moved to itself":          {patch("*** Update File: a.txt\n*** Move to: a.txt\n"), "no-op"},
		"moved to itself, in dots": {patch("*** Update File: a.txt\n*** Move to: x/../a.txt\n"), "no-op"},
		"no block":                 {"I have changed it.\n", "format"},
		"nothing":                  {"", "format"},
		"half a block":             {"a.txt\n<<<<<<< SEARCH\none\n=======\n1\n", "format"},
		"a bare opener":            {"<<<<<<< SEARCH\n", "format"},
		"one good, one bad": {block("a.txt", "one\n", "1\n") +
			block("a.txt", "nowhere to be found\n", "2\n"), "not-found"},
		"one good, one without file": {block("a.txt", "one\n", "1\n") + block("z.txt", "one\n", "2\n"), "path"},
		"in a whole file":            {"```json\n{\"path\": \"a.txt\", \"old_string\": \"two\", \"new_string\": \"two\"}\n```\n", "no-op"},
	}
}

func TestNoRewardWithoutAChange(t *testing.T) {
	files := map[string]any{"a.txt": "one\ntwo\nthree\n", "b.txt": "alpha\r\nbeta\r\n", "empty.txt": ""}
	s := newScorer(t)
	for name, c := range attacks() {
		for _, policy := range filter.Policies {
			for _, splice := range filter.Splices {
				t.Run(strings.Join([]string{name, policy, splice}, "/"), func(t *testing.T) {
					got := s.score(t,
						map[string]any{"files": files, "reply": c.reply, "policy": policy, "splice": splice})
					if others := differ(files, got.Files); got.Changed != others || !others &&
						got.Outcome == "changed" {
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
		"no files": {"files": map[string]any{},
			"reply": "a.txt\n<<<<<<< SEARCH\none\n=======\none\n>>>>>>> REPLACE\n"},
		"a file of nothing": {"path": "a", "content": nil, "search": "x\n", "replace": "x\n"},
		"same text":         {"path": "a", "content": "x y\n", "old": "x", "new": "x"},
		"same text, all":    {"path": "a", "content": "x y x\n", "old": "x", "new": "x", "replace_all": true},
		"same lines, all":   {"path": "a", "content": "x\nx\n", "search": "x\n", "replace": "x\n", "replace_all": true},
		"moved away": {"path": "a", "content": "x\n",
			"reply": "*** Begin Patch\n*** Update File: a\n*** Move to: b\n*** End Patch\n"},
		"no file, no text": {"path": "a", "search": "", "replace": "", "partial": true, "content": ""},
	} {
		if got := s.score(t, request); got.Changed || got.Outcome == "changed" {
			t.Errorf("%s: a reward: %+v", name, got)
		}
	}
}

// differ reports whether the files of an answer, which has those that changed, differ from those
// that went in.
func differ(before map[string]any, after map[string]*string) bool {
	for path, text := range after {
		was, there := before[path].(string)
		if text == nil && there || text != nil && (!there || was != *text) {
			return true
		}
	}
	return false
}

// Whatever a reply says: changed is true if and only if the files that come back are others than
// those that went in; the outcome is "changed" only then, and always then where a reply is taken
// whole or not at all. What is wanted of the files makes no difference.
func TestChangedSaysWhetherFilesAreOthers(t *testing.T) {
	s := newScorer(t)
	for seed := range effort.Of(50, 150, 2000) {
		t.Run(fmt.Sprint(seed),
			func(t *testing.T) { s.sameWhateverIsWanted(t, rand.New(rand.NewPCG(uint64(seed), 5))) })
	}
}

func (s *scorer) sameWhateverIsWanted(t *testing.T, r *rand.Rand) {
	text := func() string {
		end := oneDrawn(r, "\n", "\n", "\n", "\r\n")
		lines := several(r, 0, 4,
			func() string { return oneDrawn(r, "one", "two", "  two", "three", "", "}", "é = 1", "x y x") })
		s := strings.Join(lines, end)
		if s != "" && r.IntN(6) > 0 {
			s += end
		}
		return s
	}
	name := func() string { return oneDrawn(r, "a.txt", "b.txt", "./a.txt", "dir/a.txt", "c.txt") }
	edit := func() string {
		switch r.IntN(10) {
		case 0:
			return "*** Begin Patch\n*** Delete File: " + name() + "\n*** End Patch\n"
		case 1:
			return "*** Begin Patch\n*** Add File: " + name() + "\n+one\n*** End Patch\n"
		case 2:
			return "*** Begin Patch\n*** Update File: " + name() + "\n*** Move to: " + name() + "\n*** End Patch\n"
		}
		return name() + "\n<<<<<<< SEARCH\n" + text() + "=======\n" + text() + ">>>>>>> REPLACE\n"
	}
	request := map[string]any{
		"policy": oneDrawn(r, filter.Policies...), "splice": oneDrawn(r, filter.Splices...), "partial": oneDrawn(r, false, true),
		"append_empty": oneDrawn(r, false, true), "replace_all": oneDrawn(r, false, true),
		"names": oneDrawn(r, "near", "exact"), "bytes": oneDrawn(r, "policy", "exact"),
	}
	before := map[string]any{}
	form := oneDrawn(r, "reply", "files", "search", "old")
	if form == "files" {
		for _, path := range []string{"a.txt", "b.txt"} {
			if r.IntN(5) > 0 {
				before[path] = text()
			}
		}
		request["files"] = before
	} else {
		request["path"] = "a.txt"
		if r.IntN(5) > 0 {
			before["a.txt"] = text()
			request["content"] = before["a.txt"]
		}
	}
	switch form {
	case "search":
		request["search"], request["replace"] = text(), text()
	case "old":
		request["old"], request["new"] = text(), text()
	default:
		request["reply"] = strings.Join(several(r, 1, 4, edit), "\n")
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
	for _, wanted := range []string{"content", "diff", "edits", "hash", "none", "feedback"} {
		request["want"] = wanted
		again := s.score(t, request)
		if again.Changed != got.Changed || again.Outcome != got.Outcome || again.Status != got.Status {
			t.Fatalf("with %s: %+v, without: %+v", wanted, again, got)
		}
		if wanted == "edits" {
			if made := again.edited(before); differ(before, made) != got.Changed || got.Changed &&
				!sameFiles(before, made, after) {
				t.Fatalf("the edits make %v of %v, want %v", textsOf(made), before, textsOf(after))
			}
		}
		if wanted == "diff" && (again.Diff != "") != got.Changed &&
			!strings.Contains(fmt.Sprint(before), "\r") && len(after) < 2 {
			t.Fatalf("changed %v, with the diff %q", got.Changed, again.Diff)
		}
	}
}

func oneDrawn[T any](r *rand.Rand, all ...T) T { return all[r.IntN(len(all))] }

// several calls draw from least to most times.
func several(r *rand.Rand, least, most int, draw func() string) []string {
	all := make([]string, least+r.IntN(most-least+1))
	for i := range all {
		all[i] = draw()
	}
	return all
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
