package transcript

import "encoding/json"

// Part is one thing that the model said: a text or a call of a tool.
type Part struct {
	// Line is where in the log, 1-based: the line on which the record begins.
	Line int
	// Text is what the model wrote; "" for a call.
	Text string
	// Tool is the name of the tool that was called, "" for a text, and Input what it was called with.
	Tool  string
	Input json.RawMessage
	// Edits says that the tool by its name is one that edits files.
	Edits bool
	// Runs says that the tool runs a command.
	Runs bool
	// MayEdit says that the tool is not known, and seems to change a file.
	MayEdit bool
	// Failed says that the call was rejected or failed, as its result has it.
	Failed bool
	// Lost says why a part of the log could not be read; the part has nothing else then.
	Lost *Loss
}

// Loss is a part of a log that is missing or has no meaning.
type Loss int

const (
	// CutOff is a record that does not end.
	CutOff Loss = iota
	// Broken is a record that is no JSON.
	Broken
	// NamesOnly is an edit of which the log has no more than the names of files.
	NamesOnly
	// Unread is a record that is no JSON, and in which nothing looks like an edit.
	Unread
	// Question is what the user said, in a record that is no JSON.
	Question
)

// Answer is what the model said between two questions.
type Answer struct {
	// Number counts the answers of the log from 1.
	Number int
	// Time orders the answers of several chats in one log: the later one is greater. It is "" where the log is one chat.
	Time  string
	Parts []Part
}

// turns collects what is said, in the order of the log.
type turns struct {
	line   int // of the record at hand
	answer Answer
	count  int
	each   func(*Answer) error
	err    error // of each

	own, known bool           // whether the log is that of a sidechain, once a message was read
	calls      map[string]int // the part of each call, by its id
}

// ask ends an answer: the user speaks.
func (t *turns) ask() {
	if len(t.answer.Parts) == 0 || t.err != nil {
		return
	}
	t.count++
	a := t.answer
	a.Number = t.count
	t.answer.Parts, t.calls = nil, nil
	t.err = t.each(&a)
}

// chat begins another chat of those in the log.
func (t *turns) chat(time string) {
	t.ask()
	t.answer.Time = time
}

// say adds a text of the model's.
func (t *turns) say(text string) {
	if text != "" {
		t.add(Part{Text: text})
	}
}

// call adds the call of a tool, if the tool may edit. A call that some logs repeat is one.
func (t *turns) call(id, name string, input json.RawMessage) {
	kind := toolOf(name, input)
	if _, repeated := t.calls[id]; repeated || kind == looks || len(input) == 0 {
		return
	}
	if id != "" {
		if t.calls == nil {
			t.calls = map[string]int{}
		}
		t.calls[id] = len(t.answer.Parts)
	}
	t.add(Part{Tool: name, Input: input, Edits: kind == edits, Runs: kind == runs, MayEdit: kind == likely})
}

// result says how a call ended; "" is the last one.
func (t *turns) result(id string, failed bool) {
	if !failed {
		return
	}
	i, called := len(t.answer.Parts)-1, id == ""
	if !called {
		i, called = t.calls[id]
	}
	if called && i >= 0 {
		t.answer.Parts[i].Failed = true
	}
}

func (t *turns) lose(l Loss) {
	if l == Question {
		t.ask()
	}
	t.add(Part{Lost: &l})
}

func (t *turns) add(p Part) {
	p.Line = t.line
	t.answer.Parts = append(t.answer.Parts, p)
}
