package parser

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/srpatch/srpatch/internal/diagnosis"
	"github.com/srpatch/srpatch/internal/transcript"
	"github.com/srpatch/srpatch/internal/warning"
	"github.com/srpatch/srpatch/parser/internal/chatlog"
	"github.com/srpatch/srpatch/parser/internal/mdline"
)

// ErrTooLarge is a log of which more would be kept in memory than [WithMaxReply] allows.
var ErrTooLarge = errors.New("the reply is too large")

// ParseLast understands the last answer of a chat log that has an edit or an attempt at one. The log is text, as for
// [ParseLog], or JSON: a session of Claude Code, Codex, OpenCode, Cline, Roo Code or Gemini CLI, a list of messages for a model
// server or its response, an export of ChatGPT or Claude, the output of llm logs, or any other JSON with messages that say who speaks. What
// is none of these is one reply.
//
// JSON is read as a stream, and one answer is kept. In an answer the texts are read as replies, the calls of tools that edit as
// JSON, in the order of the log; sidechains are left out. All lines are those of the log, on which the text or the call begins. A
// call that failed, as its result has it, counts as long as no later call in the answer succeeded on the same file: else it was
// tried again, and is left out with a warning.
func ParseLast(log io.Reader, opts ...Option) (*Reply, error) {
	limit := newScanner(opts).req.maxReply
	in := bufio.NewReaderSize(log, transcript.HeadSize)
	head, err := in.Peek(transcript.HeadSize)
	if err != nil && err != io.EOF {
		return nil, fmt.Errorf("read the log: %w", err)
	}
	found := transcript.Detect(head)
	if found == nil {
		text, err := readAll(in, limit)
		if err != nil {
			return nil, err
		}
		r := ParseLog(text, opts...).Last()
		if len(r.Blocks)+len(r.Diagnostics) == 0 {
			r.Diagnostics = unknownLog(text)
		}
		return r, nil
	}
	l := lastAnswer{opts: opts, limit: limit, reply: &Reply{}}
	if err := found.Answers(in, l.take); err != nil {
		if errors.Is(err, transcript.ErrTooLarge) {
			err = errors.Join(ErrTooLarge, err)
		}
		return nil, fmt.Errorf("read the log: %w", err)
	}
	return l.reply, nil
}

// unknownLog says of JSON without an edit that it is no log that is known.
func unknownLog(text []byte) []Diagnostic {
	keys := transcript.Keys(text)
	if len(keys) == 0 {
		return nil
	}
	return []Diagnostic{{Code: diagnosis.ChatLog, Line: 1, Found: "JSON with " + mdline.Excerpt([]byte(strings.Join(keys, ", "))) + ", without speakers",
		Expected: "the log of a chat, with messages that have a role and a text", Remedy: "hand in the last answer as text, or export the chat as Markdown"}}
}

func readAll(in io.Reader, limit int64) ([]byte, error) {
	if limit == 0 {
		return io.ReadAll(in)
	}
	text, err := io.ReadAll(io.LimitReader(in, limit+1))
	if err == nil && int64(len(text)) > limit {
		err = ErrTooLarge
	}
	return text, err
}

// lastAnswer keeps the last answer with an edit of those that it takes.
type lastAnswer struct {
	opts  []Option
	limit int64
	time  string // of the answer that is kept
	reply *Reply
}

func (l *lastAnswer) take(a *transcript.Answer) error {
	if a.Time < l.time {
		return nil
	}
	size := int64(0)
	for _, p := range a.Parts {
		size += int64(len(p.Text) + len(p.Input))
	}
	if l.limit > 0 && size > l.limit {
		return ErrTooLarge
	}
	r := parseAnswer(a, l.opts)
	if len(r.Blocks)+len(r.Diagnostics) > 0 {
		l.reply, l.time = r, a.Time
		return nil
	}
	for _, n := range r.Noticed {
		if n.Code == lostRecord {
			l.reply.Noticed = append(l.reply.Noticed, n)
		}
	}
	return nil
}

// answer is an answer as far as it was understood.
type answer struct {
	*transcript.Answer
	opts  []Option
	parts []*Reply // what each part says
	given int
	shown bool // an example was shown
}

func parseAnswer(from *transcript.Answer, opts []Option) *Reply {
	r := parseParts(from, opts)
	writes := func(b Block) bool { return b.Op == OpWrite }
	if slices.ContainsFunc(r.Blocks, writes) && (len(r.Diagnostics) > 0 || slices.ContainsFunc(r.Blocks, func(b Block) bool { return !writes(b) })) {
		return parseParts(from, append(opts[:len(opts):len(opts)], func(s *Scanner) { s.req.wholes = false })) // one part has whole files, another edits
	}
	return r
}

func parseParts(from *transcript.Answer, opts []Option) *Reply {
	a := answer{Answer: from, opts: opts}
	for i := range a.Parts {
		a.parts = append(a.parts, a.part(&a.Parts[i]))
	}
	a.dropRetried()
	r := &Reply{}
	for _, p := range a.parts {
		for _, b := range p.Blocks {
			b.ID = len(r.Blocks) + 1
			r.Blocks = append(r.Blocks, b)
		}
		r.Shell = append(r.Shell, p.Shell...)
		r.Noticed = append(r.Noticed, p.Noticed...)
		r.Diagnostics = append(r.Diagnostics, p.Diagnostics...)
	}
	return r
}

// part understands one part. Names do not carry over from one to the next.
func (a *answer) part(p *transcript.Part) *Reply {
	if p.Lost != nil {
		return lost(*p.Lost, p.Line)
	}
	text := []byte(p.Text)
	if p.Tool != "" {
		text = callText(p)
	}
	s := newScanner(a.opts)
	s.in.buf, s.in.end, s.in.eof, s.log = text, len(text), true, chatlog.None()
	s.out.given, s.out.exampleShown = a.given, a.shown
	r := &Reply{}
	for !s.out.over && s.Scan() {
		r.add(s.Item())
	}
	a.given, a.shown = s.out.given, s.out.exampleShown
	if p.Edits && len(r.Blocks)+len(r.Diagnostics) == 0 && s.req.format == "" {
		r.Diagnostics = []Diagnostic{{Code: diagnosis.Malformed, Found: fmt.Sprintf("the call %s", mdline.Excerpt(bytes.TrimSpace(text))),
			Expected: "an edit in a format that is understood", Remedy: "send the edit as a block"}}
	}
	switch understood := len(r.Blocks) + len(r.Diagnostics); {
	case p.Runs && understood > 0: // what the command is given is for the program that it runs
		r = &Reply{Noticed: []Noticed{{Code: likeAnEdit, What: "a command with an edit in it"}}}
	case p.MayEdit && !p.Failed && understood+len(r.Noticed) == 0:
		r.Noticed = []Noticed{{Code: likeAnEdit, What: fmt.Sprintf("a call of %q, which may change a file", p.Tool)}}
	}
	a.relocate(p, r)
	return r
}

// callText writes a call as a reply has it.
func callText(p *transcript.Part) []byte {
	text := new(bytes.Buffer)
	tool := p.Tool
	if p.Runs {
		tool = "Bash" // which is known to run commands
	}
	name, _ := json.Marshal(tool)
	fmt.Fprintf(text, `{"name":%s,"input":`, name)
	if json.Compact(text, p.Input) != nil {
		return p.Input
	}
	text.WriteString("}\n")
	return text.Bytes()
}

// relocate gives everything in a part the line on which the part begins. Diagnostics say where in it they are.
func (a *answer) relocate(p *transcript.Part, r *Reply) {
	at := [2]int{p.Line, p.Line}
	for i := range r.Blocks {
		b := &r.Blocks[i]
		b.Lines, b.Turn = at, a.Number
		for j := range b.Readings {
			b.Readings[j].Divider = p.Line
		}
		if p.Failed {
			b.Warnings = append(b.Warnings, warning.FailedCall.Say("the log says that this call failed"))
		}
	}
	for i := range r.Shell {
		r.Shell[i].Lines = at
	}
	for i := range r.Noticed {
		r.Noticed[i].Lines = at
	}
	for i := range r.Diagnostics {
		d := &r.Diagnostics[i]
		if p.Tool == "" {
			d.Found = fmt.Sprintf("in line %d of a text in answer %d: %s", d.Line, a.Number, d.Found)
		} else {
			d.Found = fmt.Sprintf("in answer %d: %s", a.Number, d.Found)
		}
		d.Line = p.Line
	}
	r.Attempts = nil // they tell what is where by lines
}

// dropRetried leaves out calls that failed where a later call in the answer edited the same files: it did what they were to do,
// or what is to be done instead.
func (a *answer) dropRetried() {
	instead := make([]int, len(a.parts)) // the call that did, for each that failed; 0 if none
	edited := map[string][]int{}         // the calls that edited a file, the last one first
	for i := len(a.parts) - 1; i >= 0; i-- {
		paths := pathsOf(a.parts[i])
		switch {
		case len(paths) == 0:
		case a.Parts[i].Failed:
			instead[i] = firstOfAll(edited, paths)
		default:
			for path := range paths {
				edited[path] = append(edited[path], i)
			}
		}
	}
	for i, j := range instead {
		if j > 0 {
			b := &a.parts[j].Blocks[0]
			b.Warnings = append(b.Warnings, warning.FailedCall.Say("line %d: a call that failed before this one is left out", a.Parts[i].Line))
			a.parts[i].Blocks = nil
		}
	}
}

func pathsOf(p *Reply) map[string]bool {
	paths := map[string]bool{}
	for i := range p.Blocks {
		paths[p.Blocks[i].Path] = true
	}
	return paths
}

// firstOfAll is the first of the calls that edited all of some files; 0 if there is none.
func firstOfAll(edited map[string][]int, paths map[string]bool) int {
	var calls []int // those of the file that the fewest edited
	for path := range paths {
		if c := edited[path]; calls == nil || len(c) < len(calls) {
			calls = c
		}
		if len(calls) == 0 {
			return 0
		}
	}
	for _, call := range slices.Backward(calls[max(0, len(calls)-maxRetries):]) {
		all := true
		for path := range paths {
			_, found := slices.BinarySearchFunc(edited[path], call, func(e, call int) int { return call - e })
			all = all && found
		}
		if all {
			return call
		}
	}
	return 0
}

// maxRetries is how many calls may be between a call that failed and the one in its place, of those that edited some of its files.
const maxRetries = 100

// lostRecord is the code of what is noticed of a log where a record could not be read.
const lostRecord = "lost-record"

// lost says what is missing of a log.
func lost(l transcript.Loss, line int) *Reply {
	var d Diagnostic
	switch l {
	case transcript.CutOff:
		d = Diagnostic{Code: diagnosis.Truncated, Found: "the end of the log inside an answer", Expected: "the rest of the line",
			Remedy: "save the log again once the answer is complete"}
	case transcript.NamesOnly:
		d = Diagnostic{Code: diagnosis.Malformed, Found: "files that were changed, without the changes", Expected: "the patch itself",
			Remedy: "hand in the rollout of the session, in ~/.codex/sessions"}
	case transcript.Broken:
		d = Diagnostic{Code: diagnosis.Malformed, Found: "text that is no JSON, with an edit in it", Expected: "the record of a log",
			Remedy: "hand in the log as it was written"}
	default:
		return &Reply{Noticed: []Noticed{{Code: lostRecord, Lines: [2]int{line, line}, What: "a record of the log that is no JSON, or an end that is missing"}}}
	}
	d.Line = line
	return &Reply{Diagnostics: []Diagnostic{d}}
}

// lookAgain says how often the beginning of a text is looked at that may be a log: each time it has grown by such a part.
const lookAgain = 8

// findLog looks whether the reply is the log of a chat in JSON, before its first line is read. If that line is a whole value, or the
// text is not JSON, no more is waited for.
func (s *Scanner) findLog() *Diagnostic {
	s.begun = true
	if !s.log.Undecided() {
		return nil
	}
	n, ok := s.in.next()
	if !ok {
		return nil
	}
	start := bytes.TrimLeft(bytes.TrimPrefix(s.in.buf[s.in.pos:n], []byte("\ufeff")), " \t")
	if !bytes.HasPrefix(start, []byte("{")) && !bytes.HasPrefix(start, []byte("[")) {
		return nil
	}
	if line := s.in.buf[s.in.pos:n]; !s.in.eof && !json.Valid(line) {
		for looked := 0; s.in.end-s.in.pos < transcript.HeadSize && !s.in.eof && s.in.err == nil; s.in.fill() {
			size := s.in.end - s.in.pos
			if size < looked+looked/lookAgain {
				continue
			}
			if looked = size; transcript.Settled(s.in.buf[s.in.pos:s.in.end]) {
				break
			}
		}
		n = s.in.end
	} else if s.in.eof {
		n = s.in.end
	}
	l := transcript.Detect(s.in.buf[s.in.pos:min(n, s.in.pos+transcript.HeadSize)])
	if l == nil || l.Single {
		return nil
	}
	s.out.over = true
	return &Diagnostic{Code: diagnosis.ChatLog, Line: s.in.line, Found: l.Name, Expected: "one reply", Remedy: "read the last answer of the log that holds an edit"}
}
