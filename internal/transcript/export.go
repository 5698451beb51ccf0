package transcript

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// export reads any other log in JSON by what all of them have: messages that say who speaks, under a few names, next to a text. It finds them
// wherever they are: in a list (Google AI Studio's chunkedPrompt.chunks, ShareGPT's conversations), in a tree, of which the branch
// counts that was last shown (Open WebUI's history) or begun (LibreChat's children), or as questions with their answers (the requests of
// Copilot Chat in VS Code).
func export() form {
	return form{name: "an exported chat", occurs: hasMessages, read: readExport}
}

// The names of the keys that say who speaks, and of those that have what is said, the likelier ones first.
func speakerKeys() [7]string {
	return [...]string{"role", "sender", "author", "from", "speaker", "source", "type"}
}
func textKeys() [9]string {
	return [...]string{"content", "text", "parts", "contentParts", "value", "message", "rawText", "body", "markdown"}
}
func answerKeys() [5]string {
	return [...]string{"response", "answer", "completion", "reply", "output"}
}
func questionKeys() [6]string {
	return [...]string{"message", "prompt", "question", "request", "query", "input"}
}

// voice is whose a message is.
type voice uint8

const (
	nobody voice = iota
	user
	model
	other // a tool, or a program
)

// voiceOf reads the value of a key for the speaker.
func voiceOf(name string) voice {
	switch strings.TrimPrefix(strings.ToLower(name), "role_") {
	case "user", "human", "you", "me":
		return user
	case "assistant", "model", "ai", "bot", "gpt", "chatgpt", "claude", "gemini", "copilot", "chatbot", "agent":
		return model
	case "system", "tool", "function", "developer", "info", "error":
		return other
	}
	return nobody
}

// hasMessages reports whether there is a message of the user's, or a question with its answer.
func hasMessages(s shape) bool {
	hasText := func(object string) bool {
		for _, key := range textKeys() {
			if s[object+key] {
				return true
			}
		}
		return false
	}
	for path := range s {
		key, value, valued := strings.Cut(path, "=")
		i := strings.LastIndexByte(key, '.') + 1
		object, last := key[:i], key[i:]
		switch {
		case object == "": // one message alone is no log
		case last == "isCreatedByUser" && hasText(object):
			return true
		case last == "response" || last == "answer":
			for _, q := range questionKeys() {
				if s[object+q] && strings.HasSuffix(object, "[].") {
					return true
				}
			}
		case !valued || voiceOf(value) != user || value == "":
		case last == "role", last == "sender", last == "speaker", last == "source", last == "type", last == "author" || strings.HasSuffix(object, ".author."):
			if hasText(strings.TrimSuffix(object, "author.")) {
				return true
			}
		case last == "from" && s[object+"value"]:
			return true
		}
	}
	return false
}

func readExport(t *turns, record []byte) { t.walk(nest(record)) }

// walk looks for messages in a value. A list of them is a chat.
func (t *turns) walk(v value) {
	if t.err != nil {
		return
	}
	if !v.begins('{') {
		if t.all(v) {
			t.ask()
		}
		return
	}
	all := v.members()
	if t.exported(all) || t.pair(all) {
		return
	}
	if at := timeOf(all); at != "" {
		t.chat(at)
	}
	if t.branch(all) {
		return
	}
	for _, m := range all {
		if m.members().current() != "" { // what else there is of messages is the same branch again
			t.walk(m.value)
			return
		}
	}
	for _, m := range all {
		t.walk(m.value)
	}
}

// all walks over the elements of a list. It reports whether the first one is a message.
func (t *turns) all(list value) bool {
	first, isMessage := true, false
	for e := range list.elements() {
		t.walk(e)
		if first {
			m := e.members()
			first, isMessage = false, speaks(m) != nobody || isPair(m)
		}
	}
	return isMessage
}

// exported takes an object that is a message, and those below it. It reports whether it is one.
func (t *turns) exported(m object) bool {
	switch speaks(m) {
	case nobody:
		return false
	case user:
		t.ask()
	case model:
		switch {
		case m.isTrue("isThought"), m.isTrue("thought"):
		case m.get("observation").isThere(): // what the model's action came to
			t.result("", m.str("observation") == "error")
		case !t.act(m):
			t.utter(m)
		}
	}
	var last value
	for child := range m.get("children").elements() {
		if !last.isThere() && !child.begins('{') {
			break
		}
		last = child
	}
	t.walk(last) // the others were begun before
	return true
}

// speaks says whose message an object is, if it is one.
func speaks(m object) voice {
	for _, key := range [...]string{"isCreatedByUser", "isUser", "is_user"} {
		switch v := m.get(key); {
		case v.begins('t'):
			return user
		case v.begins('f'):
			return model
		}
	}
	for _, key := range speakerKeys() {
		v := m.get(key)
		if key == "author" && v.begins('{') {
			v = v.members().get("role")
		}
		if who := voiceOf(str(v.text)); who != nobody {
			return who
		}
	}
	return nobody
}

// utter adds what a message says.
func (t *turns) utter(m object) {
	for _, key := range textKeys() {
		if t.sayAll(m.get(key)) {
			break
		}
	}
	for _, key := range [...]string{"tool_calls", "toolCalls"} {
		for c := range m.get(key).elements() {
			t.invoke(c.members())
		}
	}
}

// act takes what an agent does, as OpenHands has it: to speak is one of its actions. It reports whether there is one.
func (t *turns) act(m object) bool {
	name, args := m.str("action"), m.get("args")
	if name == "" || !args.begins('{') {
		return false
	}
	if name == "message" {
		return t.sayAll(args.members().get("content"))
	}
	t.call("", name, args.text)
	return true
}

// sayAll adds the texts and calls in a value. It reports whether there are any.
func (t *turns) sayAll(v value) bool {
	before := len(t.answer.Parts)
	u := utterance{turns: t}
	u.take(v)
	u.end()
	return len(t.answer.Parts) > before
}

// utterance is a text that comes in pieces, which are parts of one text unless their type says that each is one.
type utterance struct {
	turns *turns
	text  strings.Builder
}

func (u *utterance) end() {
	u.turns.say(u.text.String())
	u.text.Reset()
}

func (u *utterance) take(v value) {
	switch {
	case v.begins('"'):
		u.text.WriteString(str(v.text))
	case v.begins('['):
		for e := range v.elements() {
			u.take(e)
		}
	case v.begins('{'):
		u.piece(v.members())
	}
}

// piece takes an element of a text.
func (u *utterance) piece(m object) {
	kind := strings.ToLower(m.str("type") + m.str("kind"))
	switch {
	case strings.Contains(kind, "think"), strings.Contains(kind, "reason"), strings.Contains(kind, "progress"), strings.Contains(kind, "result"),
		m.isTrue("thought"), m.isTrue("isThought"):
		return
	case kind == "inlinereference":
		u.text.WriteString(m.str("name"))
		return
	case kind == "text":
		u.end()
	}
	if name, input := called(m); name != "" {
		u.end()
		u.turns.call(m.str("id"), name, input)
		return
	}
	for _, key := range textKeys() {
		if inner := m.get(key); inner.isThere() {
			u.take(inner)
			return
		}
	}
}

func (t *turns) invoke(m object) {
	if name, input := called(m); name != "" {
		t.call(m.str("id"), name, input)
	}
}

// called is the tool that an object calls, and with what; "" if it calls none.
func called(m object) (name string, input json.RawMessage) {
	for _, key := range [...]string{"functionCall", "function_call", "tool_call", "toolCall", "function", "value"} {
		if inner := m.get(key); inner.begins('{') {
			m = inner.members()
		}
	}
	for _, key := range [...]string{"name", "toolName", "tool_name", "tool"} {
		if name = m.str(key); name != "" {
			break
		}
	}
	for _, key := range [...]string{"input", "args", "arguments", "parameters"} {
		if v := m.get(key); v.isThere() {
			return name, arguments(v.text)
		}
	}
	return "", nil
}

// pair takes a question with its answer. It reports whether an object is one.
func (t *turns) pair(m object) bool {
	if !isPair(m) {
		return false
	}
	t.ask()
	for _, key := range answerKeys() {
		if t.sayAll(m.get(key)) {
			break
		}
	}
	return true
}

func isPair(m object) bool {
	asked, answered := false, false
	for _, key := range questionKeys() {
		asked = asked || m.get(key).isThere()
	}
	for _, key := range answerKeys() {
		v := m.get(key)
		answered = answered || v.begins('"') || v.begins('[')
	}
	return asked && answered
}

// branch takes an object with a tree of messages by their names, and the name of the last one that was shown. It reports whether it is one.
func (t *turns) branch(m object) bool {
	id := m.current()
	if id == "" {
		return false
	}
	nodes := map[string]object{}
	for _, tree := range m {
		for _, n := range tree.members() {
			nodes[n.key] = n.members()
		}
	}
	var shown []object
	for len(nodes[id]) > 0 && len(shown) <= len(nodes) {
		shown = append(shown, nodes[id])
		parent := nodes[id].get("parentId")
		if !parent.isThere() {
			parent = nodes[id].get("parent")
		}
		id = str(parent.text)
	}
	for i := len(shown) - 1; i >= 0; i-- {
		t.exported(shown[i].without("children"))
	}
	if len(shown) > 0 {
		t.ask()
	}
	return len(shown) > 0
}

// current is the message of a tree that was shown last; "" if the object says of none.
func (o object) current() string {
	for _, key := range [...]string{"currentId", "current_id", "currentNode", "current_node", "currentLeafMessageId"} {
		if id := o.str(key); id != "" {
			return id
		}
	}
	return ""
}

func (o object) without(key string) object {
	return slices.DeleteFunc(slices.Clone(o), func(m member) bool { return m.key == key })
}

// timeOf is when a chat was last changed, in a form that can be compared with others of the log; "" if it does not say so.
func timeOf(m object) string {
	for _, key := range [...]string{"updated_at", "updatedAt", "update_time", "lastMessageDate", "lastUpdatedAt", "modified_at"} {
		var at float64
		if s := m.str(key); s != "" {
			return s
		} else if v := m.get(key); v.isThere() && len(v.nested) == 0 && json.Unmarshal(v.text, &at) == nil {
			return fmt.Sprintf("%020.6f", at)
		}
	}
	return ""
}
