package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/srpatch/srpatch/apply"
	"github.com/srpatch/srpatch/internal/render"
	"github.com/srpatch/srpatch/parser"
)

// text is a JSON string as bytes, or nothing where the key is missing or null. It goes in and out through the text
// interfaces, which spares the copies that a Go string would cost, and its buffer serves one request after the other.
type text struct {
	b   []byte
	set bool
}

func (t *text) UnmarshalText(s []byte) error {
	t.b, t.set = append(t.b[:0], s...), true
	return nil
}

// request is one line of filter's input. A key that is null is a key that is missing.
type request struct {
	ID         json.RawMessage   `json:"id"`
	Path       string            `json:"path"`
	Content    text              `json:"content"`
	ContentB64 []byte            `json:"content_b64"`
	Files      map[string]*text  `json:"files"`
	FilesB64   map[string][]byte `json:"files_b64"`

	Search  text `json:"search"`
	Replace text `json:"replace"`
	Old     text `json:"old"`
	New     text `json:"new"`
	Reply   text `json:"reply"`

	// StartLine is a float because tables that pass through data frames write 12.0.
	StartLine   float64      `json:"start_line"`
	ReplaceAll  bool         `json:"replace_all"`
	Policy      apply.Policy `json:"policy"`
	Splice      apply.Splice `json:"splice"`
	Threshold   float64      `json:"threshold"`
	Partial     bool         `json:"partial"`
	AppendEmpty bool         `json:"append_empty"`
}

// keep is the largest buffer, in bytes, that serves again; one huge line must not hold its memory for the rest of the
// stream.
const keep = 1 << 20

// reset forgets the request but for its buffers.
func (r *request) reset() {
	old := *r
	*r = request{}
	for _, t := range [...]struct{ to, from *text }{
		{&r.Content, &old.Content}, {&r.Search, &old.Search}, {&r.Replace, &old.Replace},
		{&r.Old, &old.Old}, {&r.New, &old.New}, {&r.Reply, &old.Reply},
	} {
		if cap(t.from.b) <= keep {
			t.to.b = t.from.b[:0]
		}
	}
}

// decode reads a line. What encoding/json would replace by U+FFFD without a word is an error here.
func (r *request) decode(line []byte) error {
	r.reset()
	err := json.Unmarshal(line, r)
	if !utf8.Valid(line) {
		r.ID = nil
		return &requestError{"invalid-utf8", "the line is not UTF-8; send bytes that are not text as content_b64 or files_b64"}
	}
	if at := loneSurrogate(line); at >= 0 {
		return &requestError{"lone-surrogate", fmt.Sprintf("%s at byte %d is half of a surrogate pair, without the other half", line[at:at+6], at)}
	}
	if e, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		if e.Field == "" {
			return invalid("the line is a JSON %s, expected an object", e.Value)
		}
		return invalid("%q is a %s, expected %s", e.Field, e.Value, expected(e.Type))
	}
	if e, ok := errors.AsType[*json.SyntaxError](err); ok {
		return &requestError{"invalid-json", fmt.Sprintf("byte %d: %v", e.Offset, e)}
	}
	if err != nil {
		return &requestError{"invalid-request", err.Error()}
	}
	return r.validate()
}

// expected names the JSON type that fills a Go type of the request.
func expected(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Map:
		return "an object"
	case reflect.Float64:
		return "a number"
	case reflect.Bool:
		return "true or false"
	}
	return "a string"
}

// forms lists the edits that a request states; a request states one.
func (r *request) forms() (names []string) {
	for name, set := range map[string]bool{
		"search": r.Search.set || r.Replace.set, "old": r.Old.set || r.New.set, "reply": r.Reply.set,
	} {
		if set {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

func (r *request) validate() error {
	switch forms := r.forms(); {
	case len(forms) == 0:
		return invalid(`no edit: expected "search" and "replace", "old" and "new", or "reply"`)
	case len(forms) > 1:
		return invalid("%q and %q in one request: send one line for each", forms[0], forms[1])
	case r.Search.set != r.Replace.set:
		return invalid(`"search" and "replace" go together; a deletion has an empty "replace"`)
	case r.Old.set != r.New.set:
		return invalid(`"old" and "new" go together; a deletion has an empty "new"`)
	}
	if r.single() {
		switch {
		case r.Path == "":
			return invalid(`"path" is missing`)
		case r.Content.set && r.ContentB64 != nil:
			return invalid(`"content" and "content_b64" are both given`)
		}
	} else if !r.Reply.set {
		return invalid(`"files" goes with "reply"; for one edit send "path" and "content"`)
	} else if r.Content.set || r.ContentB64 != nil {
		return invalid(`"files" and "content" are both given`)
	}
	for path := range r.FilesB64 {
		if r.Files[path] != nil {
			return invalid("%q is in both files and files_b64", path)
		}
	}
	if err := oneOf(string(r.Policy), policies); err != nil {
		return invalid("%q: %v", "policy", err)
	}
	if err := oneOf(string(r.Splice), splices); err != nil {
		return invalid("%q: %v", "splice", err)
	}
	if err := validThreshold(r.Threshold); err != nil {
		return invalid("%q: %v", "threshold", err)
	}
	if r.StartLine != math.Trunc(r.StartLine) || math.Abs(r.StartLine) > math.MaxInt32 {
		return invalid("%q is %v, expected a line number", "start_line", r.StartLine)
	}
	return nil
}

// single says that the request is about one file.
func (r *request) single() bool { return r.Files == nil && r.FilesB64 == nil }

func (r *request) tree() apply.Files {
	tree := apply.Files{}
	switch {
	case !r.single():
		for path, t := range r.Files {
			if t != nil {
				tree[path] = t.b
			}
		}
		maps.Copy(tree, r.FilesB64)
	case r.Content.set:
		tree[r.Path] = r.Content.b
	case r.ContentB64 != nil:
		tree[r.Path] = r.ContentB64
	}
	return tree
}

func (r *request) options() apply.Options {
	opt := apply.Options{
		Policy: r.Policy, Splice: r.Splice, Threshold: r.Threshold,
		Partial: r.Partial, AppendEmpty: r.AppendEmpty,
		Strip: -1,
	}
	if r.single() {
		opt.Single = r.Path
	}
	return opt
}

// lastLine is the number of lines of the file of a single-file request.
func (r *request) lastLine() int {
	content := r.tree()[r.Path]
	n := bytes.Count(content, []byte("\n"))
	if len(content) > 0 && content[len(content)-1] != '\n' {
		n++
	}
	return n
}

// reply is what the request asks for, as the parser would have understood it.
func (r *request) reply() *parser.Reply {
	if r.Reply.set {
		return parser.Parse(r.Reply.b)
	}
	block := parser.Block{
		ID: 1, Op: parser.OpEdit, Path: r.Path,
		Search: r.Search.b, Replace: r.Replace.b,
		StartLine: int(r.StartLine), ReplaceAll: r.ReplaceAll,
	}
	if block.StartLine != 0 {
		if last := r.lastLine(); block.StartLine < 0 || block.StartLine > last {
			block.Warnings = []string{fmt.Sprintf("start_line %d is ignored: the file ends at line %d", block.StartLine, last)}
			block.StartLine = 0
		}
	}
	if r.Old.set {
		block.Search, block.Replace, block.Text = r.Old.b, r.New.b, true
	}
	if len(block.Search) == 0 {
		block.Op = parser.OpCreate
	}
	return &parser.Reply{Blocks: []parser.Block{block}}
}

// answer is one line of filter's output.
type answer struct {
	ID     json.RawMessage `json:"id"`
	Status apply.Status    `json:"status"`
	// Content is absent, null for a file that is not there, or text.
	Content     any                 `json:"content,omitempty"`
	ContentB64  []byte              `json:"content_b64,omitempty"`
	Files       map[string]any      `json:"files,omitzero"`
	FilesB64    map[string][]byte   `json:"files_b64,omitempty"`
	Blocks      []apply.BlockReport `json:"blocks"`
	Diagnostics []render.Diagnostic `json:"diagnostics"`
	Error       *render.Error       `json:"error,omitempty"`
	MS          float64             `json:"ms"`
}

// requestError is why a line has no plan.
type requestError struct{ code, message string }

func (e *requestError) Error() string { return e.message }

func invalid(format string, args ...any) error {
	return &requestError{"invalid-request", fmt.Sprintf(format, args...)}
}

// filterer answers requests one after the other and keeps its buffers between them. It belongs to one goroutine.
type filterer struct {
	req request
	out bytes.Buffer
}

// answer turns one line of input into one line of output, "\n" included. The result is valid until the next call.
func (f *filterer) answer(ctx context.Context, line []byte) (out []byte) {
	start := time.Now()
	defer func() {
		// The engine promises not to panic; a stream of a million requests must not end on the one where it does.
		if p := recover(); p != nil {
			f.req = request{ID: f.req.ID}
			out = f.encode(f.failure(fmt.Errorf("%v", p)), start)
		}
	}()
	err := f.req.decode(line)
	if err == nil {
		var a *answer
		if a, err = f.plan(ctx); err == nil {
			return f.encode(a, start)
		}
	}
	return f.encode(f.failure(err), start)
}

func (f *filterer) failure(err error) *answer {
	a := &answer{Status: render.StatusError, Error: &render.Error{Code: "internal", Message: err.Error()}}
	if e, ok := errors.AsType[*requestError](err); ok {
		a.Error.Code = e.code
	}
	return a
}

func (f *filterer) plan(ctx context.Context) (*answer, error) {
	reply := f.req.reply()
	if len(reply.Blocks) == 0 && len(reply.Diagnostics) == 0 {
		return nil, &requestError{"no-edits", "the reply holds no edit"}
	}
	tree := f.req.tree()
	plan, err := apply.New(tree, f.req.options()).Plan(ctx, reply)
	if err != nil {
		return nil, err
	}
	a := &answer{Status: plan.Status, Blocks: plan.Blocks, Diagnostics: render.Diagnostics(plan.Diagnostics)}
	if !f.req.single() {
		a.setFiles(plan)
	} else if plan.Status != apply.Refused {
		a.setContent(plan, f.req.Path, tree)
	}
	return a, nil
}

// jsonText is UTF-8 text that is encoded without a detour over a string.
type jsonText []byte

func (t jsonText) MarshalText() ([]byte, error) { return t, nil }

func (a *answer) setContent(plan *apply.Plan, path string, tree apply.Files) {
	content, present := tree[path]
	for _, c := range plan.Files {
		if c.Path == path || c.From == path {
			content, present = c.After, c.Action != apply.Delete
		}
	}
	switch {
	case !present:
		a.Content = json.RawMessage("null")
	case utf8.Valid(content):
		a.Content = jsonText(content)
	default:
		a.ContentB64 = content
	}
}

func (a *answer) setFiles(plan *apply.Plan) {
	a.Files = map[string]any{}
	if plan.Status == apply.Refused {
		return
	}
	for _, c := range plan.Files {
		if c.From != "" && c.From != c.Path {
			a.Files[c.From] = nil
		}
		switch {
		case c.Action == apply.Delete:
			a.Files[c.Path] = nil
		case utf8.Valid(c.After):
			a.Files[c.Path] = jsonText(c.After)
		default:
			if a.FilesB64 == nil {
				a.FilesB64 = map[string][]byte{}
			}
			a.FilesB64[c.Path] = c.After
		}
	}
}

func (f *filterer) encode(a *answer, start time.Time) []byte {
	a.ID = f.req.ID
	if len(a.ID) == 0 {
		a.ID = json.RawMessage("null")
	}
	a.Blocks = render.Blocks(a.Blocks)
	if a.Diagnostics == nil {
		a.Diagnostics = []render.Diagnostic{}
	}
	a.MS = float64(time.Since(start).Microseconds()) / 1000
	if f.out.Cap() > keep {
		f.out = bytes.Buffer{}
	}
	f.out.Reset()
	enc := json.NewEncoder(&f.out)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(a); err != nil {
		panic(err) // every field of an answer can be encoded
	}
	return f.out.Bytes()
}

// loneSurrogate returns the offset of the first \u escape in line that is half of a surrogate pair without its other
// half, or -1. encoding/json would turn it into U+FFFD, which is not what the sender has.
func loneSurrogate(line []byte) int {
	if !bytes.Contains(line, []byte(`\u`)) {
		return -1 // most lines: line breaks are all the escapes they have
	}
	for i := 0; ; {
		n := bytes.IndexByte(line[i:], '\\')
		if n < 0 || i+n+1 >= len(line) {
			return -1
		}
		i += n
		if line[i+1] != 'u' {
			i += 2
			continue
		}
		switch unit := codeUnit(line[i:]); {
		case unit < 0xD800 || unit > 0xDFFF:
			i += 2
		case unit < 0xDC00 && lowSurrogate(codeUnit(line[i+6:])):
			i += 12
		default:
			return i
		}
	}
}

func lowSurrogate(unit int) bool { return unit >= 0xDC00 && unit <= 0xDFFF }

// codeUnit is the value of the escape \uXXXX that s begins with, or -1.
func codeUnit(s []byte) int {
	if len(s) < 6 || s[0] != '\\' || s[1] != 'u' {
		return -1
	}
	unit := 0
	for _, c := range s[2:6] {
		n := strings.IndexByte("0123456789abcdef", c|0x20)
		if n < 0 {
			return -1
		}
		unit = unit<<4 | n
	}
	return unit
}
