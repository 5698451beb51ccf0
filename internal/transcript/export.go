package transcript

import (
	"bytes"
	"encoding/json"
	"fmt"
	"iter"
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

func readExport(t *turns, record []byte) { t.walk(record) }

// walk looks for messages in a value. A list of them is a chat.
func (t *turns) walk(value json.RawMessage) {
	if !t.mayNest(value, 1) {
		return
	}
	if len(value) == 0 || value[0] != '{' {
		if t.all(elements(value)) {
			t.ask()
		}
		return
	}
	all := members(value)
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
		if contains(m.value, `"current`) && members(m.value).current() != "" { // what else there is of messages is the same branch again
			t.walk(m.value)
			return
		}
	}
	for _, m := range all {
		t.walk(m.value)
	}
}

// all walks over values. It reports whether the first one is a message.
func (t *turns) all(list []json.RawMessage) bool {
	for _, e := range list {
		t.walk(e)
	}
	return len(list) > 0 && (speaks(members(list[0])) != nobody || list[0][0] == '{' && isPair(members(list[0])))
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
		case len(m.get("observation")) > 0: // what the model's action came to
			t.result("", str(m.get("observation")) == "error")
		case !t.act(m):
			t.utter(m)
		}
	}
	if below := elements(m.get("children")); len(below) > 0 && below[0][0] == '{' {
		t.walk(below[len(below)-1]) // the others were begun before
	}
	return true
}

// speaks says whose message an object is, if it is one.
func speaks(m object) voice {
	for _, key := range [...]string{"isCreatedByUser", "isUser", "is_user"} {
		if v := m.get(key); len(v) > 0 && (v[0] == 't' || v[0] == 'f') {
			if v[0] == 't' {
				return user
			}
			return model
		}
	}
	for _, key := range speakerKeys() {
		v := m.get(key)
		if key == "author" && len(v) > 0 && v[0] == '{' {
			v = members(v).get("role")
		}
		if who := voiceOf(str(v)); who != nobody {
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
		for _, c := range elements(m.get(key)) {
			t.invoke(members(c))
		}
	}
}

// act takes what an agent does, as OpenHands has it: to speak is one of its actions. It reports whether there is one.
func (t *turns) act(m object) bool {
	name, args := str(m.get("action")), m.get("args")
	if name == "" || len(args) == 0 || args[0] != '{' {
		return false
	}
	if name == "message" {
		return t.sayAll(members(args).get("content"))
	}
	t.call("", name, args)
	return true
}

// sayAll adds the texts and calls in a value. It reports whether there are any.
func (t *turns) sayAll(value json.RawMessage) bool {
	before := len(t.answer.Parts)
	u := utterance{turns: t}
	u.take(value)
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

func (u *utterance) take(v json.RawMessage) {
	switch {
	case len(v) == 0, !u.turns.mayNest(v, 1):
	case v[0] == '"':
		u.text.WriteString(str(v))
	case v[0] == '[':
		for _, e := range elements(v) {
			u.take(e)
		}
	case v[0] == '{':
		u.piece(members(v))
	}
}

// piece takes an element of a text.
func (u *utterance) piece(m object) {
	kind := strings.ToLower(str(m.get("type")) + str(m.get("kind")))
	switch {
	case strings.Contains(kind, "think"), strings.Contains(kind, "reason"), strings.Contains(kind, "progress"), strings.Contains(kind, "result"),
		m.isTrue("thought"), m.isTrue("isThought"):
		return
	case kind == "inlinereference":
		u.text.WriteString(str(m.get("name")))
		return
	case kind == "text":
		u.end()
	}
	if name, input := called(m); name != "" {
		u.end()
		u.turns.call(str(m.get("id")), name, input)
		return
	}
	for _, key := range textKeys() {
		if inner := m.get(key); len(inner) > 0 {
			u.take(inner)
			return
		}
	}
}

func (t *turns) invoke(m object) {
	if name, input := called(m); name != "" {
		t.call(str(m.get("id")), name, input)
	}
}

// called is the tool that an object calls, and with what; "" if it calls none.
func called(m object) (name string, input json.RawMessage) {
	for _, key := range [...]string{"functionCall", "function_call", "tool_call", "toolCall", "function", "value"} {
		if inner := m.get(key); len(inner) > 0 && inner[0] == '{' {
			m = members(inner)
		}
	}
	for _, key := range [...]string{"name", "toolName", "tool_name", "tool"} {
		if name = str(m.get(key)); name != "" {
			break
		}
	}
	for _, key := range [...]string{"input", "args", "arguments", "parameters"} {
		if input = m.get(key); len(input) > 0 {
			return name, arguments(input)
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
		asked = asked || len(m.get(key)) > 0
	}
	for _, key := range answerKeys() {
		v := m.get(key)
		answered = answered || len(v) > 0 && (v[0] == '"' || v[0] == '[')
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
		for _, n := range members(tree.value) {
			nodes[n.key] = members(n.value)
		}
	}
	var shown []object
	for len(nodes[id]) > 0 && len(shown) <= len(nodes) {
		shown = append(shown, nodes[id])
		parent := nodes[id].get("parentId")
		if len(parent) == 0 {
			parent = nodes[id].get("parent")
		}
		id = str(parent)
	}
	for i := len(shown) - 1; i >= 0; i-- {
		t.exported(shown[i].without("children"))
	}
	if len(shown) > 0 {
		t.ask()
	}
	return len(shown) > 0
}

// object has the members of an object in their order.
type object []member

type member struct {
	key   string
	value json.RawMessage
}

func (o object) get(key string) json.RawMessage {
	for _, m := range o {
		if m.key == key {
			return m.value
		}
	}
	return nil
}

// current is the message of a tree that was shown last; "" if the object says of none.
func (o object) current() string {
	for _, key := range [...]string{"currentId", "current_id", "currentNode", "current_node", "currentLeafMessageId"} {
		if id := str(o.get(key)); id != "" {
			return id
		}
	}
	return ""
}

func (o object) isTrue(key string) bool { return string(o.get(key)) == "true" }

func (o object) without(key string) object {
	return slices.DeleteFunc(slices.Clone(o), func(m member) bool { return m.key == key })
}

// members reads an object, and elements a list; what is neither has none. Both are read as JSON before, and share the bytes of the value.
func members(value json.RawMessage) object {
	var o object
	var key []byte
	for v := range inside(value, '{') {
		if key == nil {
			key = v
			continue
		}
		o = append(o, member{str(key), v})
		key = nil
	}
	return o
}

func elements(value json.RawMessage) []json.RawMessage { return slices.Collect(inside(value, '[')) }

// inside yields the values in a list, or the keys and values of an object, as open says.
func inside(value json.RawMessage, open byte) iter.Seq[json.RawMessage] {
	return func(yield func(json.RawMessage) bool) {
		if len(value) == 0 || value[0] != open {
			return
		}
		for i := 1; i < len(value); {
			switch value[i] {
			case ' ', '\t', '\r', '\n', ',', ':':
				i++
			case '}', ']':
				return
			default:
				end := i + lengthOf(value[i:])
				if !yield(value[i:end:end]) {
					return
				}
				i = end
			}
		}
	}
}

// lengthOf is how many bytes the value has with which a text begins.
func lengthOf(text []byte) int {
	depth := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '"':
			for i++; i < len(text) && text[i] != '"'; i++ {
				if text[i] == '\\' {
					i++
				}
			}
		case '{', '[':
			depth++
			continue
		case '}', ']':
			depth--
		default:
			if depth == 0 {
				n := bytes.IndexAny(text[i:], ",:]} \t\r\n")
				if n < 0 {
					return len(text)
				}
				return max(i+n, 1)
			}
			continue
		}
		if depth <= 0 {
			return min(i+1, len(text))
		}
	}
	return len(text)
}

// timeOf is when a chat was last changed, in a form that can be compared with others of the log; "" if it does not say so.
func timeOf(m object) string {
	for _, key := range [...]string{"updated_at", "updatedAt", "update_time", "lastMessageDate", "lastUpdatedAt", "modified_at"} {
		v := m.get(key)
		var at float64
		if s := str(v); s != "" {
			return s
		} else if len(v) > 0 && json.Unmarshal(v, &at) == nil {
			return fmt.Sprintf("%020.6f", at)
		}
	}
	return ""
}
