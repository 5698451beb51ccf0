package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/jsonschema-go/jsonschema"

	"github.com/srpatch/srpatch/apply"
	"github.com/srpatch/srpatch/apply/report"
	"github.com/srpatch/srpatch/internal/casetable"
	"github.com/srpatch/srpatch/internal/failure"
	"github.com/srpatch/srpatch/internal/filter"
	"github.com/srpatch/srpatch/internal/golden"
	"github.com/srpatch/srpatch/internal/verify"
	"github.com/srpatch/srpatch/parser"
)

const schemaFile = "../../docs/report.schema.json"

// forms are all that is printed as JSON.
func forms() map[string]any {
	return map[string]any{
		"run": report.Run{}, "turn": report.Turn{}, "log": report.Log{}, "parse": report.Parsed{}, "why": report.Why{},
		"answer": filter.Answer{}, "request": filter.Request{},
	}
}

// TestSchema holds docs/report.schema.json to the types that are printed. With -update it is
// written anew.
func TestSchema(t *testing.T) {
	types := map[reflect.Type]*jsonschema.Schema{
		reflect.TypeFor[[]byte]():         {Type: "string", ContentEncoding: "base64"},
		reflect.TypeFor[any]():            {Types: []string{"string", "null"}}, // the content of a file, or none
		reflect.TypeFor[jsontext.Value](): {},
		reflect.TypeFor[filter.Text]():    {Types: []string{"string", "null"}},
		reflect.TypeFor[apply.Edit]():     {Type: "object"}, // embedded where JSON leaves it out
	}
	for of, values := range enums(t) {
		s := &jsonschema.Schema{Type: "string"}
		for _, v := range values {
			s.Enum = append(s.Enum, v)
		}
		types[of] = s
	}
	word := types[reflect.TypeFor[filter.Want]()]
	types[reflect.TypeFor[filter.Wants]()] = &jsonschema.Schema{AnyOf: []*jsonschema.Schema{word,
		{Type: "array", Items: word}, {Type: "null"}}}
	all := jsonschema.Schema{
		Schema: "https://json-schema.org/draft/2020-12/schema",
		ID:     "https://github.com/srpatch/srpatch/blob/main/docs/report.schema.json",
		Title:  "What srpatch prints as JSON", Defs: map[string]*jsonschema.Schema{},
	}
	for _, name := range slices.Sorted(maps.Keys(forms())) {
		of, err := jsonschema.ForType(reflect.TypeOf(forms()[name]), &jsonschema.ForOptions{TypeSchemas: types})
		if err != nil {
			t.Fatal(err)
		}
		walk(of, func(s *jsonschema.Schema) { // new keys may come, and no list is null
			s.PropertyOrder = nil
			if s.Properties != nil {
				s.AdditionalProperties = nil
			}
			if s.Items != nil {
				s.Type, s.Types = "array", nil
			}
		})
		if of.Properties["version"] != nil {
			of.Properties["version"] = &jsonschema.Schema{Const: jsonschema.Ptr(any(1))}
		}
		if name == "request" { // null is as good as no key
			of.Required = nil
			for _, p := range of.Properties {
				if p.Type != "" {
					p.Type, p.Types = "", []string{p.Type, "null"}
				}
				if p.Enum != nil {
					p.Enum = append(p.Enum, nil)
				}
			}
		}
		all.Defs[name] = of
		all.AnyOf = append(all.AnyOf, &jsonschema.Schema{Ref: "#/$defs/" + name})
	}
	text, err := json.MarshalIndent(&all, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	golden.Check(t, schemaFile, string(text)+"\n")
	if _, err := all.Resolve(nil); err != nil {
		t.Error(err)
	}
}

// enums are the types of strings that have certain values, as the constants in the source say.
func enums(t *testing.T) map[reflect.Type][]string {
	values := func(places ...string) (out []string) {
		for i := 0; i < len(places); i += 2 {
			for _, c := range codesOf(t, "../../"+places[i], places[i+1]) {
				out = append(out, c.Value)
			}
		}
		return out
	}
	const reports, requests = "apply/report.go", "internal/filter/request.go"
	return map[reflect.Type][]string{
		reflect.TypeFor[apply.Status]():        values(reports, "Status", "apply/report/run.go", "apply.Status"),
		reflect.TypeFor[apply.BlockStatus]():   values(reports, "BlockStatus"),
		reflect.TypeFor[apply.Reason]():        values(reports, "Reason", "apply/workspace/errors.go", "apply.Reason"),
		reflect.TypeFor[apply.Action]():        values(reports, "Action"),
		reflect.TypeFor[apply.ObjectionCode](): values("apply/internal/verdict/objection.go", "Code"),
		reflect.TypeFor[parser.Op]():           values("parser/internal/envelope/block.go", "Op"),
		reflect.TypeFor[apply.Outcome](): values("apply/outcome.go", "Outcome",
			"internal/filter/answer.go", "apply.Outcome"),
		reflect.TypeFor[apply.Policy]():    filter.Policies,
		reflect.TypeFor[apply.Splice]():    filter.Splices,
		reflect.TypeFor[filter.Want]():     values(requests, "Want"),
		reflect.TypeFor[filter.NameRule](): values(requests, "NameRule"),
		reflect.TypeFor[filter.ByteRule](): values(requests, "ByteRule"),
		reflect.TypeFor[filter.Form]():     values(requests, "Form"),
		reflect.TypeFor[verify.Status]():   values("internal/verify/verify.go", "Status"),
	}
}

// walk calls f with a schema and those within it.
func walk(s *jsonschema.Schema, f func(*jsonschema.Schema)) {
	if s == nil {
		return
	}
	f(s)
	for _, p := range s.Properties {
		walk(p, f)
	}
	walk(s.Items, f)
	walk(s.AdditionalProperties, f)
}

// form is the schema of something that is printed as JSON.
type form struct {
	*jsonschema.Resolved
	// lines: it is printed once a line.
	lines bool
}

// readForm reads the schema of a form.
func readForm(file, name string, lines bool) (form, error) {
	published, err := os.ReadFile(file)
	if err != nil {
		return form{}, err
	}
	var all jsonschema.Schema
	if err := json.Unmarshal(published, &all); err != nil {
		return form{}, err
	}
	of := all.Defs[name]
	if of == nil {
		return form{}, fmt.Errorf("there is no form %q", name)
	}
	walk(of, func(s *jsonschema.Schema) { // what is printed has no other keys; of requests they are ignored
		if name != "request" && s.Properties != nil {
			s.AdditionalProperties = &jsonschema.Schema{Not: &jsonschema.Schema{}}
		}
	})
	read, err := of.Resolve(nil)
	return form{read, lines}, err
}

// theForm is [readForm] for tests.
func theForm(t *testing.T, args ...string) form {
	t.Helper()
	name, lines := formOf(args)
	f, err := readForm(schemaFile, name, lines)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// readsRequests is the form of filter's requests, for tests.
func readsRequests(t *testing.T) form {
	t.Helper()
	f, err := readForm(schemaFile, "request", false)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// check is nil if text is what the schema says.
func (f form) check(text []byte) error {
	for n := 1; len(text) > 0; n++ {
		one := text
		if f.lines {
			i := bytes.IndexByte(text, '\n') + 1
			if i == 0 {
				return fmt.Errorf("line %d does not end", n)
			}
			one = text[:i]
		}
		text = text[len(one):]
		var value any
		err := json.Unmarshal(one, &value)
		if err == nil {
			err = f.Validate(value)
		}
		if err != nil {
			return fmt.Errorf("%.300s: %w", one, err)
		}
	}
	return nil
}

// checkRequests is nil if the schema of requests allows each line of filter's input that was taken
// for one, and none that was refused for the kind of a value.
func (f form) checkRequests(in, out []byte) error {
	next, stop := iter.Pull(bytes.Lines(out))
	defer stop()
	for line := range bytes.Lines(in) {
		answer, _ := next()
		var a struct {
			Error *report.Error
		}
		if err := json.Unmarshal(answer, &a); err != nil {
			return fmt.Errorf("the answer to %.300s: %w", line, err)
		}
		err := f.check(line)
		switch {
		case a.Error == nil || a.Error.Code == string(failure.NoEdits):
			if err != nil {
				return fmt.Errorf("a request: %w", err)
			}
		case strings.Contains(a.Error.Message, " is a") && err == nil:
			return fmt.Errorf("the schema allows what is refused: %s", a.Error.Message)
		}
	}
	return nil
}

// formOf says what a command line prints as JSON: the name of its form, "" for none, and whether it
// is one a line.
func formOf(args []string) (name string, lines bool) {
	c, err := parseFlags(args, func(string) string { return "" })
	switch {
	case err != nil || c.help || c.version:
	case c.verb.set == vFilter:
		return "answer", true
	case !c.json:
	case c.verb.set == vParse:
		return "parse", false
	case c.verb.set&vTurning != 0:
		return "turn", false
	case c.verb.set == vLog:
		return "log", false
	case c.verb.set == vWhy:
		return "why", false
	default:
		return "run", c.each
	}
	return "", false
}

// kept is stdout, and what came through.
type kept struct {
	io.Writer
	text bytes.Buffer
	lost bool
}

func (k *kept) Write(p []byte) (int, error) {
	n, err := k.Writer.Write(p)
	k.lost = k.lost || err != nil
	k.text.Write(p[:n])
	return n, err
}

// checkedMain is main for scripts, which holds all JSON that is printed to the schema that the
// environment names.
func checkedMain() {
	if os.Getenv("SRPATCH_SCHEMA") == "" {
		main() // with the streams of the process, which may be a terminal
	}
	name, lines := formOf(os.Args[1:])
	var in bytes.Buffer
	stdin := io.Reader(os.Stdin)
	if name == "answer" {
		stdin = io.TeeReader(stdin, &in)
	}
	out := &kept{Writer: os.Stdout}
	code := run(context.Background(), os.Args[1:], stdin, out, os.Stderr, os.Getenv)
	if name != "" && !out.lost {
		f, err := readForm(os.Getenv("SRPATCH_SCHEMA"), name, lines)
		if err == nil {
			err = f.check(out.text.Bytes())
		}
		if err == nil && name == "answer" {
			if f, err = readForm(os.Getenv("SRPATCH_SCHEMA"), "request", false); err == nil {
				err = f.checkRequests(in.Bytes(), out.text.Bytes())
			}
		}
		if err != nil {
			fmt.Fprintf(os.Stderr, "srpatch %s: %v\n", strings.Join(os.Args[1:], " "), err)
			code = 99
		}
	}
	os.Exit(code)
}

// Every case of the engine gets an answer from filter, and every reply is parsed, in the form that
// the schema says.
func TestCasesConformToSchema(t *testing.T) {
	if testing.Short() {
		t.Skip("each case is run three times over; the cases are under the race detector elsewhere")
	}
	cases, err := casetable.Read("../../testdata/engine/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	parse := []string{"parse", "--json"}
	parsed := theForm(t, parse...)
	var requests bytes.Buffer
	encoder := json.NewEncoder(&requests)
	for _, c := range cases {
		reply, ok := c.Parts["reply"]
		if !ok {
			continue
		}
		request := map[string]any{"id": c.Name, "reply": reply, "files_b64": c.Tree()}
		maps.Copy(request, map[string]any{"partial": c.Set("partial")})
		if err := encoder.Encode(request); err != nil {
			t.Fatal(err)
		}
		if err := parsed.check(ran(t, parse, reply)); err != nil {
			t.Errorf("%s: %v", c.Name, err)
		}
	}
	out := ran(t, []string{"filter"}, requests.String())
	if err := theForm(t, "filter").check(out); err != nil {
		t.Error(err)
	}
	if err := readsRequests(t).checkRequests(requests.Bytes(), out); err != nil {
		t.Error(err)
	}
	checkWarnings(t, out)
	if n := bytes.Count(out, []byte("\n")); n < 100 || n != bytes.Count(requests.Bytes(), []byte("\n")) {
		t.Errorf("%d answers", n)
	}
}

// ran is what the command prints.
func ran(t *testing.T, args []string, stdin string) []byte {
	t.Helper()
	var out bytes.Buffer
	run(t.Context(), args, strings.NewReader(stdin), &out, io.Discard, func(string) string { return "" })
	return out.Bytes()
}

// The schema refuses what is no report.
func TestSchemaRefuses(t *testing.T) {
	f := theForm(t, "--json")
	for name, text := range map[string]string{
		"a new key":        `{"version":1,"status":"applied","blocks":[],"files":[],"diagnostics":[],"warnings":[],"extra":1}`,
		"null for a list":  `{"version":1,"status":"applied","blocks":null,"files":[],"diagnostics":[],"warnings":[]}`,
		"an unknown state": `{"version":1,"status":"done","blocks":[],"files":[],"diagnostics":[],"warnings":[]}`,
		"a missing key":    `{"version":1,"status":"applied","blocks":[],"files":[],"diagnostics":[]}`,
	} {
		if f.check([]byte(text)) == nil {
			t.Errorf("%s passes", name)
		}
	}
}

func schemaPath(t *testing.T) string {
	t.Helper()
	path, err := filepath.Abs(schemaFile)
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// checkWarnings holds the warnings of answers to those that are listed: each begins with its code.
func checkWarnings(t *testing.T, answers []byte) {
	t.Helper()
	listed := map[string]bool{}
	for _, c := range codesOf(t, "../../internal/warning/warning.go", "Code") {
		listed[c.Value] = true
	}
	seen := map[string]bool{}
	for line := range bytes.Lines(answers) {
		var a struct{ Blocks []apply.BlockReport }
		if err := json.Unmarshal(line, &a); err != nil {
			t.Fatal(err)
		}
		for _, b := range a.Blocks {
			for _, w := range b.Warnings {
				code, _, ok := strings.Cut(w, ": ")
				if !ok || !listed[code] {
					t.Errorf("a warning without a code: %s", w)
				}
				seen[code] = true
			}
		}
	}
	if len(seen) < 15 {
		t.Errorf("only %d different warnings", len(seen))
	}
}
