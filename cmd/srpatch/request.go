package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/srpatch/srpatch/apply"
	"github.com/srpatch/srpatch/internal/suggest"
	"github.com/srpatch/srpatch/internal/warning"
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

// settings are what a request may say besides what is to be done; flags say it for all requests that do not.
type settings struct {
	Policy    apply.Policy `json:"policy"`
	Splice    apply.Splice `json:"splice"`
	Threshold float64      `json:"threshold"`
	Partial   bool         `json:"partial"`
	Want      want         `json:"want"`
	Names     nameRule     `json:"names"`
	Bytes     byteRule     `json:"bytes"`
}

// nameRule says which names a block may have for its file.
type nameRule string

const (
	// namesNear: what [apply.Options.ExactNames] forbids is allowed. The default.
	namesNear  nameRule = "near"
	namesExact nameRule = "exact"
)

// byteRule says how SEARCH must occur.
type byteRule string

const (
	// bytesPolicy: as the policy says. The default.
	bytesPolicy byteRule = "policy"
	bytesExact  byteRule = "exact"
)

var (
	nameRules = []string{string(namesNear), string(namesExact)}
	byteRules = []string{string(bytesPolicy), string(bytesExact)}
)

// validate finds what is no value of a setting.
func (s *settings) validate() error {
	for _, f := range []struct {
		key string
		err error
	}{
		{"policy", oneOf(string(s.Policy), policies)},
		{"splice", oneOf(string(s.Splice), splices)},
		{"threshold", validThreshold(s.Threshold)},
		{"want", oneOf(string(s.Want), wants)},
		{"names", oneOf(string(s.Names), nameRules)},
		{"bytes", oneOf(string(s.Bytes), byteRules)},
	} {
		if f.err != nil {
			return invalid("%q: %v", f.key, f.err)
		}
	}
	return nil
}

// request is one line of filter's input. A key that is null is a key that is missing.
//
// The codec is encoding/json, and for texts its successor, which is as strict and takes a third of the time.
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
	StartLine   float64 `json:"start_line"`
	ReplaceAll  bool    `json:"replace_all"`
	AppendEmpty bool    `json:"append_empty"`
	WholeFiles  bool    `json:"whole_files"`
	// Encoding is that of files that are not UTF-8.
	Encoding string `json:"encoding"`
	// Budget and RunBudget bound the work of the search for similar places, for one block and for all; 0 for the defaults.
	Budget    float64 `json:"budget"`
	RunBudget float64 `json:"run_budget"`
	// StrictKeys makes an unknown key an error, and one that is there twice.
	StrictKeys bool `json:"strict_keys"`
	// DeadlineMS is how many milliseconds the request may take; 0 for the stream's timeout.
	DeadlineMS float64 `json:"deadline_ms"`
	// Unordered lets the answer go ahead of those to the lines before it.
	Unordered bool `json:"unordered"`

	settings
}

// requestKeys are the keys of requests, with the fields that they fill.
type requestKeys map[string][]int

func newRequestKeys() requestKeys {
	keys := requestKeys{}
	for _, f := range reflect.VisibleFields(reflect.TypeFor[request]()) {
		if key := f.Tag.Get("json"); key != "" {
			keys[key] = f.Index
		}
	}
	return keys
}

// field is what the value of a key goes into; nil if there is no such key.
func (keys requestKeys) field(r *request, key []byte) any {
	if index := keys[string(key)]; index != nil {
		return reflect.ValueOf(r).Elem().FieldByIndex(index).Addr().Interface()
	}
	return nil
}

// reset forgets the request except for its buffers of at most keep bytes; one huge line must not hold its memory for the rest of the
// stream.
func (r *request) reset(keep int) {
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

// decoder reads requests.
type decoder struct {
	keys     requestKeys
	defaults settings
	// keep is the largest buffer, in bytes, that serves again.
	keep int
}

// decode reads a line. Of a line that is no request the id is known if it can be read. What encoding/json would replace by U+FFFD
// without a word is an error here.
func (d *decoder) decode(r *request, line []byte) error {
	r.reset(d.keep)
	r.settings = d.defaults
	err := d.members(r, line)
	if !utf8.Valid(r.ID) {
		r.ID = nil
	}
	if !utf8.Valid(line) {
		return &requestError{codeInvalidUTF8, "the line is not UTF-8; send bytes that are not text as content_b64 or files_b64"}
	}
	if at := loneSurrogate(line); at >= 0 {
		return &requestError{codeLoneSurrogate, fmt.Sprintf("%s at byte %d is half of a surrogate pair, without the other half", line[at:at+6], at)}
	}
	if err != nil {
		return err
	}
	return r.validate()
}

// members fills r with the members of the line. The first fault counts; the members after it are read for the sake of the id, as far
// as the line is JSON.
func (d *decoder) members(r *request, line []byte) (fault error) {
	m := members{line: line}
	if !m.open() {
		return notObject(line)
	}
	for m.next() {
		if err := d.member(r, &m); err != nil {
			if errors.As(err, new(*json.SyntaxError)) {
				return notObject(line)
			}
			if fault == nil {
				fault = err
			}
		}
	}
	if !m.ended {
		return notObject(line)
	}
	if fault == nil && r.StrictKeys {
		return d.known(line)
	}
	return fault
}

// known finds a key of the line that is unknown, or is there twice.
func (d *decoder) known(line []byte) error {
	seen := map[string]bool{}
	m := members{line: line}
	for ok := m.open(); ok && m.next(); {
		text, _ := keyOf(&m) // which was read before
		key := string(text)
		switch {
		case d.keys[key] == nil:
			return invalid("there is no key %q%s", key, didYouMean(key, maps.Keys(d.keys)))
		case seen[key]:
			return invalid("the key %q is there twice", key)
		}
		seen[key] = true
	}
	return nil
}

// keyOf is the key of the current member.
func keyOf(m *members) ([]byte, error) {
	key := m.key[1 : len(m.key)-1]
	if json.Valid(m.key) && bytes.IndexByte(key, '\\') < 0 {
		return key, nil
	}
	var text string
	err := json.Unmarshal(m.key, &text)
	return []byte(text), err
}

// member fills the field of the current member.
func (d *decoder) member(r *request, m *members) error {
	key, err := keyOf(m)
	if err != nil {
		return err
	}
	field := d.keys.field(r, key)
	if field == nil {
		return syntaxError(m.value)
	}
	err = unmarshal(m.value, field)
	if e, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return invalid("%q is a %s, expected %s", key, e.Value, expected(e.Type))
	}
	if err == nil || errors.As(err, new(*json.SyntaxError)) {
		return err
	}
	return invalid("%q: %v", key, err)
}

// unmarshal is [json.Unmarshal], faster for texts, which are most of a request.
func unmarshal(value []byte, field any) error {
	if t, ok := field.(*text); ok {
		var err error
		if t.b, err = jsontext.AppendUnquote(t.b[:0], value); err == nil {
			t.set = true
			return nil
		}
	}
	return json.Unmarshal(value, field)
}

// syntaxError says why value is no JSON, nil if it is. The faster codec does not take all that is.
func syntaxError(value []byte) error {
	if jsontext.Value(value).IsValid() {
		return nil
	}
	return json.Unmarshal(value, new(json.RawMessage))
}

// notObject says why a line is no JSON object; nil if it is null, which is as good as one without members.
func notObject(line []byte) error {
	err := json.Unmarshal(line, &struct{}{})
	if e, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return invalid("the line is a JSON %s, expected an object", e.Value)
	}
	if e, ok := errors.AsType[*json.SyntaxError](err); ok {
		return &requestError{codeInvalidJSON, fmt.Sprintf("byte %d: %v", e.Offset, e)}
	}
	return err
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

// requestForm is how a request states its edit.
type requestForm string

const (
	// formReply: the reply of a model.
	formReply requestForm = "reply"
	// formSearch: lines to find, and lines to put there.
	formSearch requestForm = "search"
	// formOld: the same with text.
	formOld requestForm = "old"
)

// forms lists the edits that a request states; a request states one.
func (r *request) forms() (all []requestForm) {
	for _, f := range []struct {
		form requestForm
		set  bool
	}{
		{formOld, r.Old.set || r.New.set}, {formReply, r.Reply.set}, {formSearch, r.Search.set || r.Replace.set},
	} {
		if f.set {
			all = append(all, f.form)
		}
	}
	return all
}

// form is the form of a request; "" if it has none, or several.
func (r *request) form() requestForm {
	if all := r.forms(); len(all) == 1 {
		return all[0]
	}
	return ""
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
	if err := r.settings.validate(); err != nil {
		return err
	}
	if err := validEncoding(r.Encoding); err != nil {
		return invalid("%q: %v", "encoding", err)
	}
	for _, limit := range []struct {
		key   string
		units float64
	}{{"budget", r.Budget}, {"run_budget", r.RunBudget}} {
		if limit.units != math.Trunc(limit.units) || limit.units < 0 || limit.units > 1<<53 {
			return invalid("%q is %v, expected units of work", limit.key, limit.units)
		}
	}
	if !(r.DeadlineMS >= 0) || r.DeadlineMS > math.MaxInt32 {
		return invalid("%q is %v, expected milliseconds", "deadline_ms", r.DeadlineMS)
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

func (r *request) options(s *stream) apply.Options {
	opt := apply.Options{
		Limits: s.limits, Budget: int64(r.Budget), RunBudget: int64(r.RunBudget),
		Policy: r.Policy, Splice: r.Splice, Threshold: r.Threshold,
		ExactNames: r.Names == namesExact, ExactBytes: r.Bytes == bytesExact,
		Partial: r.Partial, AppendEmpty: r.AppendEmpty, Encoding: r.Encoding,
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
		var opts []parser.Option
		if r.WholeFiles {
			opts = append(opts, parser.WithWholeFiles())
		}
		reply := parser.Parse(r.Reply.b, opts...)
		for i := range reply.Blocks {
			b := &reply.Blocks[i]
			b.ReplaceAll = b.ReplaceAll || r.ReplaceAll && b.Op == parser.OpEdit && len(b.Readings) < 2
		}
		return reply
	}
	block := parser.Block{
		ID: 1, Op: parser.OpEdit, Path: r.Path,
		Search: r.Search.b, Replace: r.Replace.b,
		StartLine: int(r.StartLine), ReplaceAll: r.ReplaceAll,
	}
	if block.StartLine != 0 {
		if last := r.lastLine(); block.StartLine < 0 || block.StartLine > last {
			block.Warnings = []string{warning.IgnoredHint.Say("start_line %d is ignored: the file ends at line %d", block.StartLine, last)}
			block.StartLine = 0
		}
	}
	if r.Old.set {
		block.Search, block.Replace, block.Substring = r.Old.b, r.New.b, true
	}
	if len(block.Search) == 0 {
		block.Op = parser.OpCreate
	}
	return &parser.Reply{Blocks: []parser.Block{block}}
}

// requestError is why a line has no plan.
type requestError struct {
	code    errorCode
	message string
}

func (e *requestError) Error() string { return e.message }

func invalid(format string, args ...any) error {
	return &requestError{codeInvalidRequest, fmt.Sprintf(format, args...)}
}

// didYouMean names the keys that are nearest to an unknown one, as the end of an error message; "" if none is near.
func didYouMean(key string, keys iter.Seq[string]) string {
	near := suggest.Nearest(key, slices.Values(slices.Sorted(keys)), 2)
	if len(near) == 0 {
		return ""
	}
	return "; did you mean " + strings.Join(near, " or ") + "?"
}

func validThreshold(t float64) error {
	if t < 0 || t > 1 || math.IsNaN(t) {
		return fmt.Errorf("%v, expected a similarity from 0 to 1", t)
	}
	return nil
}
