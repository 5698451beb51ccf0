package filter

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	jsonv1 "github.com/go-json-experiment/json/v1"

	"github.com/srpatch/srpatch/apply"
	"github.com/srpatch/srpatch/internal/charset"
	"github.com/srpatch/srpatch/internal/failure"
	"github.com/srpatch/srpatch/internal/suggest"
	"github.com/srpatch/srpatch/internal/warning"
	"github.com/srpatch/srpatch/parser"
)

// Text is a JSON string, or nil if the key is missing or null.
type Text []byte

// UnmarshalJSONFrom reads a string without a copy as a Go string.
func (t *Text) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	v, err := dec.ReadValue()
	*t = nil
	switch {
	case err != nil || v.Kind() == 'n':
		return err
	case v.Kind() != '"':
		return &json.SemanticError{JSONKind: v.Kind()}
	}
	*t, err = jsontext.AppendUnquote(make([]byte, 0, len(v)), v)
	return err
}

// Want is something that an answer can say about the files.
type Want string

const (
	// wantContent: their new contents. This is the default.
	wantContent Want = "content"
	// wantDiff: the unified diff.
	wantDiff Want = "diff"
	// wantEdits: the byte ranges that change.
	wantEdits Want = "edits"
	// wantHash: which of them change, and their hashes.
	wantHash Want = "hash"
	// wantNone: nothing.
	wantNone Want = "none"
	// wantFeedback: the message for the model, in addition to the others.
	wantFeedback Want = "feedback"
)

// Wants is one word or a list of them.
type Wants []Want

// UnmarshalJSONFrom reads a word or a list.
func (w *Wants) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	if dec.PeekKind() == '[' {
		return json.UnmarshalDecode(dec, (*[]Want)(w))
	}
	var one Want
	err := json.UnmarshalDecode(dec, &one)
	if *w = nil; one != "" {
		*w = Wants{one}
	}
	return err
}

// has reports whether the request wants something. The content is also wanted if nothing is asked
// for but feedback.
func (w Wants) has(one Want) bool {
	notFeedback := func(w Want) bool { return w != wantFeedback }
	return slices.Contains(w, one) || one == wantContent && !slices.ContainsFunc(w, notFeedback)
}

// NameRule says how the name in a block may differ from its file's.
type NameRule string

const (
	// namesNear allows what [apply.Options.ExactNames] forbids. This is the default.
	namesNear  NameRule = "near"
	namesExact NameRule = "exact"
)

// ByteRule says how SEARCH must match.
type ByteRule string

const (
	// bytesPolicy: as the policy says. This is the default.
	bytesPolicy ByteRule = "policy"
	bytesExact  ByteRule = "exact"
)

// The values of the keys and flags with these names.
var (
	Policies = []string{string(apply.Strict), string(apply.Safe), string(apply.Loose)}
	Splices  = []string{string(apply.ThreeWay), string(apply.Verbatim)}
)

var (
	nameRules = []string{string(namesNear), string(namesExact)}
	byteRules = []string{string(bytesPolicy), string(bytesExact)}
	wantWords = []string{
		string(wantContent), string(wantDiff), string(wantEdits), string(wantHash),
		string(wantNone), string(wantFeedback),
	}
)

// Request is one line of filter's input. A key that is null counts as missing.
type Request struct {
	ID         jsontext.Value    `json:"id"`
	Path       string            `json:"path"`
	Content    Text              `json:"content"`
	ContentB64 []byte            `json:"content_b64"`
	Files      map[string]Text   `json:"files"`
	FilesB64   map[string][]byte `json:"files_b64"`
	// Expect maps files to the SHA-256 of what the model saw, or to "absent".
	Expect map[string]string `json:"expect"`
	// ExpectedHash is the same for the file of a single-file request.
	ExpectedHash string `json:"expected_hash"`

	Search  Text `json:"search"`
	Replace Text `json:"replace"`
	Old     Text `json:"old"`
	New     Text `json:"new"`
	Reply   Text `json:"reply"`

	// StartLine is a float because tables that pass through data frames have 12.0.
	StartLine   float64 `json:"start_line"`
	ReplaceAll  bool    `json:"replace_all"`
	AppendEmpty bool    `json:"append_empty"`
	WholeFiles  bool    `json:"whole_files"`
	// Complete says that the reply was not cut off.
	Complete bool `json:"complete"`
	// Encoding is the encoding of files that aren't UTF-8.
	Encoding string `json:"encoding"`
	// Budget and RunBudget limit the search for similar places, for one block and for all. 0 means
	// the default.
	Budget    float64 `json:"budget"`
	RunBudget float64 `json:"run_budget"`
	// StrictKeys makes an unknown key an error.
	StrictKeys bool `json:"strict_keys"`
	// DeadlineMS is the time the request may take, in milliseconds. 0 means the stream's timeout.
	DeadlineMS float64 `json:"deadline_ms"`

	Policy    apply.Policy `json:"policy"`
	Splice    apply.Splice `json:"splice"`
	Threshold float64      `json:"threshold"`
	Partial   *bool        `json:"partial"`
	Want      Wants        `json:"want"`
	Names     NameRule     `json:"names"`
	Bytes     ByteRule     `json:"bytes"`
}

// decode reads a line, and sets the defaults of the stream. If the line isn't a valid request, it
// returns an error and a request that has at least what the answer needs; see sketch.
func (s *Stream) decode(line []byte) (*Request, error) {
	r := new(Request)
	loose := jsonv1.ParseBytesWithLooseRFC4648(true) // base64 may be broken into lines
	err := json.Unmarshal(line, r, loose)
	if err == nil && r.StrictKeys {
		err = json.Unmarshal(line, new(Request), loose, json.RejectUnknownMembers(true))
	}
	if err != nil {
		return sketch(line), fault(line, err)
	}
	r.Policy = cmp.Or(r.Policy, s.Policy)
	r.Partial = cmp.Or(r.Partial, &s.Partial)
	return r, r.validate()
}

// sketch reads from a line that isn't a valid request, or only the beginning of one, what the
// answer needs: the id, and whether there are several files. It stops at the first syntax error.
func sketch(line []byte) *Request {
	r := new(Request)
	dec := jsontext.NewDecoder(bytes.NewReader(line),
		jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true))
	dec.ReadToken()
	for dec.PeekKind() == '"' {
		key, err := dec.ReadToken()
		name := key.String()
		value, wrong := dec.ReadValue()
		// A number at the end of the line may be cut off: 12 may be the beginning of 123.
		if err != nil || wrong != nil || dec.InputOffset() == int64(len(line)) {
			break
		}
		switch {
		case name == "id" && utf8.Valid(value):
			r.ID = value.Clone()
		case (name == "files" || name == "files_b64") && value.Kind() == '{':
			r.Files = map[string]Text{}
		}
	}
	return r
}

// fault returns the reason why a line isn't a request, given the decoder's error.
func fault(line []byte, err error) error {
	wrong, misfits := errors.AsType[*json.SemanticError](err)
	broken, _ := errors.AsType[*jsontext.SyntacticError](err)
	switch {
	case !utf8.Valid(line):
		return &requestError{failure.InvalidUTF8,
			"the line is not UTF-8; send bytes that are not text as content_b64 or files_b64"}
	case misfits:
		return misfit(wrong)
	case broken == nil:
		return err
	case errors.Is(broken.Err, jsontext.ErrDuplicateName):
		return invalid("the key %q is there twice", broken.JSONPointer.LastToken())
	}
	at := line[min(int(broken.ByteOffset), len(line)):]
	if len(at) >= 6 && at[0] == '\\' && at[1] == 'u' { // such as \ud83d without \ude00 after it
		unit, err := strconv.ParseUint(string(at[2:6]), 16, 16)
		if err == nil && utf16.IsSurrogate(rune(unit)) {
			return &requestError{failure.LoneSurrogate, fmt.Sprintf("%s at byte %d is half of a surrogate pair, "+
				"without the other half", at[:6], broken.ByteOffset)}
		}
	}
	return &requestError{failure.InvalidJSON, fmt.Sprintf("byte %d: %v", broken.ByteOffset, broken.Err)}
}

// misfit returns an error that names the key whose value has the wrong type.
func misfit(e *json.SemanticError) error {
	key := e.JSONPointer.LastToken()
	is := map[jsontext.Kind]string{
		'n': "null", 't': "true", 'f': "false", '"': "a string", '0': "a number", '[': "an array", '{': "an object",
	}[e.JSONKind]
	expected := map[reflect.Kind]string{
		reflect.Map: "an object", reflect.Float64: "a number", reflect.Bool: "true or false",
	}
	switch {
	case errors.Is(e.Err, json.ErrUnknownName):
		return invalid("unknown key %q", key)
	case e.Err != nil:
		return invalid("%q: %v", key, e.Err)
	case e.JSONPointer == "":
		return invalid("the line is %s, expected an object", is)
	}
	return invalid("%q is %s, expected %s", key, is, cmp.Or(expected[e.GoType.Kind()], "a string"))
}

// Form is the way in which a request states its edit.
type Form string

const (
	// formReply: a model's reply.
	formReply Form = "reply"
	// formSearch: lines to find, and lines that replace them.
	formSearch Form = "search"
	// formOld: the same for text instead of lines.
	formOld Form = "old"
)

// forms returns the forms of the edits that a request states. A valid request has one.
func (r *Request) forms() (all []Form) {
	if r.Old != nil || r.New != nil {
		all = append(all, formOld)
	}
	if r.Reply != nil {
		all = append(all, formReply)
	}
	if r.Search != nil || r.Replace != nil {
		all = append(all, formSearch)
	}
	return all
}

// form returns the form of a request, or "" if it has none or several.
func (r *Request) form() Form {
	if all := r.forms(); len(all) == 1 {
		return all[0]
	}
	return ""
}

// single reports whether the request is about one file.
func (r *Request) single() bool { return r.Files == nil && r.FilesB64 == nil }

// validate returns an error for invalid values, and for keys that are missing or conflict. It also
// adds ExpectedHash to Expect.
func (r *Request) validate() error {
	if err := r.validateForm(); err != nil {
		return err
	}
	checks := []struct {
		key string
		err error
	}{
		{"policy", suggest.OneOf(string(r.Policy), Policies)},
		{"splice", suggest.OneOf(string(r.Splice), Splices)},
		{"threshold", validNumber(r.Threshold, false, 0, 1, "a similarity from 0 to 1")},
		{"names", suggest.OneOf(string(r.Names), nameRules)},
		{"bytes", suggest.OneOf(string(r.Bytes), byteRules)},
		{"encoding", charset.Check(r.Encoding)},
		{"budget", validNumber(r.Budget, true, 0, 1<<53, "units of work")},
		{"run_budget", validNumber(r.RunBudget, true, 0, 1<<53, "units of work")},
		{"deadline_ms", validNumber(r.DeadlineMS, false, 0, math.MaxInt32, "milliseconds")},
		{"start_line", validNumber(r.StartLine, true, -math.MaxInt32, math.MaxInt32, "a line number")},
	}
	for _, w := range r.Want {
		checks = append(checks, struct {
			key string
			err error
		}{"want", suggest.OneOf(string(w), wantWords)})
	}
	for _, c := range checks {
		if c.err != nil {
			return invalid("%q: %v", c.key, c.err)
		}
	}
	if r.ExpectedHash != "" {
		if !r.single() {
			return invalid(`"expected_hash" goes with "path"; for several files send "expect"`)
		}
		if r.Expect == nil {
			r.Expect = map[string]string{}
		}
		r.Expect[r.Path] = r.ExpectedHash
	}
	for path, want := range r.Expect {
		sum, err := hex.DecodeString(strings.TrimPrefix(want, "sha256:"))
		if want != "absent" && (err != nil || len(sum) != sha256.Size) {
			return invalid("%q: %s: %q, expected a SHA-256 in hexadecimal, or absent", "expect", path, want)
		}
	}
	return nil
}

// validateForm returns an error unless the keys state one edit in one form, and name either one
// file or several.
func (r *Request) validateForm() error {
	switch forms := r.forms(); {
	case len(forms) == 0:
		return invalid(`no edit: expected "search" and "replace", "old" and "new", or "reply"`)
	case len(forms) > 1:
		return invalid("%q and %q in one request: send one line for each", forms[0], forms[1])
	case (r.Search == nil) != (r.Replace == nil):
		return invalid(`"search" and "replace" go together; a deletion has an empty "replace"`)
	case (r.Old == nil) != (r.New == nil):
		return invalid(`"old" and "new" go together; a deletion has an empty "new"`)
	case r.single() && r.Path == "":
		return invalid(`"path" is missing`)
	case r.single() && r.Content != nil && r.ContentB64 != nil:
		return invalid(`"content" and "content_b64" are both given`)
	case r.single():
		return nil
	case r.Reply == nil:
		return invalid(`"files" goes with "reply"; for one edit send "path" and "content"`)
	case r.Content != nil || r.ContentB64 != nil:
		return invalid(`"files" and "content" are both given`)
	}
	for path := range r.FilesB64 {
		if r.Files[path] != nil {
			return invalid("%q is in both files and files_b64", path)
		}
	}
	return nil
}

// validNumber returns an error unless n is from least to most, and an integer if whole is set.
// expected says in the message what n should be.
func validNumber(n float64, whole bool, least, most float64, expected string) error {
	if n < least || n > most || whole && n != math.Trunc(n) {
		return fmt.Errorf("%v, expected %s", n, expected)
	}
	return nil
}

// files returns the files of the request that exist, by their paths.
func (r *Request) files() apply.Files {
	files := apply.Files{}
	if r.single() && r.Content != nil {
		files[r.Path] = r.Content
	} else if r.single() && r.ContentB64 != nil {
		files[r.Path] = r.ContentB64
	}
	for path, t := range r.Files {
		if t != nil {
			files[path] = t
		}
	}
	for path, b := range r.FilesB64 {
		if b != nil {
			files[path] = b
		}
	}
	return files
}

// expecting is a set of files that must be as the model saw them.
type expecting struct {
	apply.Files
	expect map[string]string
}

// ReadFile fails if the file isn't as expected.
func (e expecting) ReadFile(path string) ([]byte, error) {
	if err := e.check(path); err != nil {
		return nil, err
	}
	return e.Files.ReadFile(path)
}

// CheckPlan fails if any file isn't as expected, whether it changes or not.
func (e expecting) CheckPlan(*apply.Plan) error {
	for _, path := range slices.Sorted(maps.Keys(e.expect)) {
		if err := e.check(path); err != nil {
			return err
		}
	}
	return nil
}

// CanWrite implements [apply.Checker].
func (expecting) CanWrite(*apply.FileChange) error { return nil }

// check returns an error if the file at path isn't as expected: changed, deleted, or there although
// it should be absent.
func (e expecting) check(path string) error {
	want, ok := e.expect[path]
	if !ok {
		return nil
	}
	found, there := "absent", false
	if text, ok := e.Files[path]; ok {
		found, there = hashOf(text), true
	}
	if strings.EqualFold(strings.TrimPrefix(want, "sha256:"), found) {
		return nil
	}
	says := fmt.Errorf("%s has changed; expected %s, found %s", path, want, found)
	if !there {
		says = fmt.Errorf("%s is gone; expected %s", path, want)
	}
	return &apply.ReasonError{Reason: apply.Stale, Err: says}
}

func hashOf(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// options returns the options of the engine for the request, with the limits of the stream.
func (r *Request) options(s *Stream) apply.Options {
	opt := apply.Options{
		Limits: apply.Limits{FileSize: s.MaxSize, FileLines: maxFileLines, Added: maxAdded},
		Budget: int64(r.Budget), RunBudget: int64(r.RunBudget),
		Policy: r.Policy, Splice: r.Splice, Threshold: r.Threshold,
		ExactNames: r.Names == namesExact, ExactBytes: r.Bytes == bytesExact,
		Partial: *r.Partial, AppendEmpty: r.AppendEmpty, Encoding: r.Encoding,
		Strip: -1,
	}
	if r.single() {
		opt.Single = r.Path
	}
	return opt
}

// deadline returns the time the request may take, or 0 for no limit.
func (r *Request) deadline(s *Stream) time.Duration {
	if r.DeadlineMS > 0 {
		return time.Duration(r.DeadlineMS * float64(time.Millisecond))
	}
	return s.Timeout
}

// lastLine returns the number of lines in the file of a single-file request.
func (r *Request) lastLine() int {
	content := r.files()[r.Path]
	n := bytes.Count(content, []byte("\n"))
	if len(content) > 0 && content[len(content)-1] != '\n' {
		n++
	}
	return n
}

// reply returns the edits of the request as the parser would return them. In the forms with search
// or old, that is one block, which creates the file if its text to find is empty. A StartLine
// beyond the end of the file is ignored with a warning.
func (r *Request) reply() *parser.Reply {
	if r.Reply != nil {
		var opts []parser.Option
		if r.WholeFiles {
			opts = append(opts, parser.WithWholeFiles())
		}
		if r.Complete {
			opts = append(opts, parser.WithComplete())
		}
		reply := parser.Parse(r.Reply, opts...)
		for i := range reply.Blocks {
			b := &reply.Blocks[i]
			b.ReplaceAll = b.ReplaceAll || r.ReplaceAll && b.Op == parser.OpEdit && len(b.Readings) < 2
		}
		return reply
	}
	block := parser.Block{
		ID: 1, Op: parser.OpEdit, Path: r.Path,
		Search: r.Search, Replace: r.Replace,
		StartLine: int(r.StartLine), ReplaceAll: r.ReplaceAll,
	}
	if block.StartLine != 0 {
		if last := r.lastLine(); block.StartLine < 0 || block.StartLine > last {
			block.Warnings = []string{warning.IgnoredHint.Say(
				"start_line %d is ignored: the file ends at line %d", block.StartLine, last)}
			block.StartLine = 0
		}
	}
	if r.Old != nil {
		block.Search, block.Replace, block.Substring = r.Old, r.New, true
	}
	if len(block.Search) == 0 {
		block.Op = parser.OpCreate
	}
	return &parser.Reply{Blocks: []parser.Block{block}}
}

// requestError is the reason why a line has no plan.
type requestError struct {
	code    failure.Code
	message string
}

func (e *requestError) Error() string { return e.message }

func invalid(format string, args ...any) error {
	return &requestError{failure.InvalidRequest, fmt.Sprintf(format, args...)}
}
