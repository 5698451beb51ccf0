package main

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/srpatch/srpatch/internal/filter"
)

// Lines that are no requests are answered with a code and the request's id, and say what is wrong.
func TestFilterInvalid(t *testing.T) {
	requests := readsRequests(t)
	for name, c := range map[string]struct{ line, id, code, message string }{
		"blank":    {``, `null`, "invalid-json", "unexpected EOF"},
		"cut off":  {`{"id": 1, "path": "a`, `1`, "invalid-json", "unexpected EOF"},
		"an array": {`[1]`, `null`, "invalid-request", "expected an object"},
		"null":     {`null`, `null`, "invalid-request", "no edit"},
		"no edit":  {`{"id": {"a": [1.50]}, "path": "a"}`, `{"a":[1.50]}`, "invalid-request", "no edit"},
		"two edits": {`{"id": 1, "path": "a", "search": "", "replace": "", "reply": ""}`,
			`1`, "invalid-request", `"reply" and "search"`},
		"search alone": {`{"id": 1, "path": "a", "search": "x"}`, `1`, "invalid-request", `go together`},
		"replace is null": {`{"id": 1, "path": "a", "search": "x", "replace": null}`, `1`,
			"invalid-request", `go together`},
		"new alone": {`{"id": 1, "path": "a", "new": "x"}`, `1`, "invalid-request", `go together`},
		"no path": {`{"id": 1, "content": "", "search": "x", "replace": ""}`, `1`,
			"invalid-request", `"path" is missing`},
		"path is a number": {`{"id": 1, "path": 3, "search": "x", "replace": ""}`, `1`,
			"invalid-request", `"path" is a number, expected a string`},
		"file is a number": {`{"id": 1, "files": {"a": 1}, "reply": ""}`, `1`, "invalid-request",
			`expected a string`},
		"files is a list": {`{"id": 1, "files": [], "reply": ""}`, `1`, "invalid-request", `expected an object`},
		"files and search": {`{"id": 1, "files": {}, "search": "x", "replace": ""}`, `1`,
			"invalid-request", `"files" goes with "reply"`},
		"content twice":       {`{"id": 1, "path": "a", "content": "", "content_b64": "", "search": "x", "replace": ""}`, `1`, "invalid-request", `both given`},
		"a file twice":        {`{"id": 1, "files": {"a": ""}, "files_b64": {"a": ""}, "reply": ""}`, `1`, "invalid-request", `in both`},
		"base64":              {`{"id": 1, "path": "a", "content_b64": "?", "search": "x", "replace": ""}`, `1`, "invalid-request", `base64`},
		"policy":              {`{"id": 1, "path": "a", "search": "x", "replace": "", "policy": "lax"}`, `1`, "invalid-request", `strict, safe or loose`},
		"splice":              {`{"id": 1, "path": "a", "search": "x", "replace": "", "splice": "x"}`, `1`, "invalid-request", `three-way or verbatim`},
		"threshold":           {`{"id": 1, "path": "a", "search": "x", "replace": "", "threshold": 1.5}`, `1`, "invalid-request", `0 to 1`},
		"encoding":            {`{"id": 1, "path": "a", "search": "x", "replace": "", "encoding": "lattin"}`, `1`, "invalid-request", `"lattin": no encoding`},
		"start_line in half":  {`{"id": 1, "path": "a", "search": "x", "replace": "", "start_line": 1.5}`, `1`, "invalid-request", `line number`},
		"partial is a string": {`{"id": 1, "path": "a", "search": "x", "replace": "", "partial": "yes"}`, `1`, "invalid-request", `true or false`},
		"lone high surrogate": {`{"id": 1, "path": "a", "content": "\ud83d", "search": "x", "replace": ""}`, `1`, "lone-surrogate", `\ud83d at byte 35`},
		"lone low surrogate":  {`{"id": 1, "path": "a", "content": "\uDE00\ud83d", "search": "x", "replace": ""}`, `1`, "lone-surrogate", `\uDE00`},
		"surrogates reversed": {`{"id": 1, "path": "a", "content": "\ude00\ud83d", "search": "x", "replace": ""}`, `1`, "lone-surrogate", `\ude00`},
		"in an unknown key":   {`{"id": 1, "path": "a", "search": "x", "replace": "", "note": "\ud800"}`, `1`, "lone-surrogate", `\ud800`},
		"not UTF-8":           {"{\"id\": 1, \"path\": \"a\", \"search\": \"caf\xe9\", \"replace\": \"\"}", `1`, "invalid-utf8", `content_b64`},
		"id not UTF-8":        {"{\"id\": \"caf\xe9\"}", `null`, "invalid-utf8", `content_b64`},
		"id at the end": {`{"path": 3, "search": "x", "replace": "", "id": 1}`, `1`,
			"invalid-request", `"path" is a number`},
		"id cut off":          {`{"id": "abc`, `null`, "invalid-json", "unexpected EOF"},
		"id without an end":   {`{"id": 12`, `null`, "invalid-json", "unexpected EOF"},
		"no comma":            {`{"id": 1 "path": "a"}`, `1`, "invalid-json", `after object value`},
		"a key without value": {`{"id": 1, "path"}`, `1`, "invalid-json", `after object name`},
		"a bad value":         {`{"id": 1, "note": 1x, "path": "a"}`, `1`, "invalid-json", `'x' after`},
		"a bad key":           {"{\"id\": 1, \"a\tb\": 1}", `1`, "invalid-json", `in string`},
		"more after it":       {`{"id": 1} {}`, `1`, "invalid-json", "after top-level value"},
		"keys in other case": {`{"ID": 2, "id": 1, "Path": "a", "search": "x", "replace": ""}`,
			`1`, "invalid-request", `"path" is missing`},
		"an escaped key":      {`{"\u0069d": 1, "path": "a"}`, `1`, "invalid-request", "no edit"},
		"want":                {`{"id": 1, "path": "a", "search": "x", "replace": "", "want": "all"}`, `1`, "invalid-request", `"want": "all", expected content, diff, edits, hash, none or feedback`},
		"want is a list":      {`{"id": 1, "path": "a", "search": "x", "replace": "", "want": ["hash", "all"]}`, `1`, "invalid-request", `"want": "all", expected content`},
		"content is an array": {`{"id": 1, "path": "a", "content": ["x"], "search": "x", "replace": ""}`, `1`, "invalid-request", `"content" is an array, expected a string`},
		"a key twice": {`{"id": 1, "path": "a", "path": "b", "search": "x", "replace": ""}`,
			`1`, "invalid-request", `the key "path" is there twice`},
		"expect": {`{"id": 1, "path": "a", "search": "x", "replace": "", "expect": {"a": "1234"}}`,
			`1`, "invalid-request", `expected a SHA-256`},
		"names": {`{"id": 1, "path": "a", "search": "x", "replace": "", "names": "all"}`, `1`,
			"invalid-request", `near or exact`},
		"bytes": {`{"id": 1, "path": "a", "search": "x", "replace": "", "bytes": "all"}`, `1`,
			"invalid-request", `policy or exact`},
		"no edits in a reply": {`{"id": 1, "path": "a", "reply": "There is nothing to change."}`,
			`1`, "no-edits", "no edit"},
	} {
		t.Run(name, func(t *testing.T) {
			var got struct {
				ID                  json.RawMessage
				Status              string
				Error               struct{ Code, Message string }
				Blocks, Diagnostics []any
			}
			out := new(filter.Stream).Answer(t.Context(), []byte(c.line))
			if err := json.Unmarshal(out, &got); err != nil {
				t.Fatalf("%v in %s", err, out)
			}
			if got.Status != "error" || got.Error.Code != c.code || string(got.ID) != c.id ||
				!strings.Contains(got.Error.Message, c.message) {
				t.Errorf("got %swant id %s, code %s, a message with %s", out, c.id, c.code, c.message)
			}
			if err := requests.checkRequests([]byte(c.line), out); err != nil {
				t.Error(err)
			}
			if got.Blocks == nil || got.Diagnostics == nil {
				t.Errorf("blocks and diagnostics should be lists: %s", out)
			}
		})
	}
}
