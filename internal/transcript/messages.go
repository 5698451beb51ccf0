package transcript

import "encoding/json"

// messages reads lists of messages as model servers take them: OpenAI's and Anthropic's spelling, mixed as programs do, alone or
// under a key of a request.
func messages() form {
	return form{
		name: "a list of chat messages", list: "messages",
		occurs: func(s shape) bool {
			header := s.all("working_dir", "description") // Goose's
			return header || s.any("[].role=user", "messages[].role=user", "input[].role=user", "role=user") && s.any("[].content", "messages[].content", "input[].content", "content")
		},
		read: readMessages,
	}
}

// response reads what a model server answers.
func response() form {
	return form{
		name: "the response of a model server", list: "messages", single: true,
		occurs: func(s shape) bool {
			return s.any("choices[].message.role", "choices[].message.content", "choices[].message.tool_calls") ||
				s.all("role=assistant", "content") || s.all("object=response", "output") ||
				s.any("[].role=assistant", "messages[].role=assistant") || s.any("output[].type=message", "output[].type=function_call", "output[].type=custom_tool_call")
		},
		read: readMessages,
	}
}

func readMessages(t *turns, record []byte) { t.request(nest(record)) }

// request takes a message, or a request or response that has some.
func (t *turns) request(v value) {
	if t.err != nil || !v.begins('{') {
		return
	}
	own, nested := v.apart("input", "output", "response")
	var r struct {
		item
		Choices []struct{ Message *message }
	}
	if json.Unmarshal(own, &r) != nil {
		return
	}
	r.Input, r.Output = nested["input"].text, nested["output"].text
	switch r.Role {
	case "user":
		t.hear(r.Content)
		return
	case "assistant", "model":
		t.message(&r.message)
		return
	case "":
	default:
		return
	}
	if t.item(&r.item) {
		return
	}
	t.requests(nested["input"])
	t.requests(nested["output"])
	if len(r.Choices) > 0 && r.Choices[0].Message != nil { // one of several answers to the same question
		t.message(r.Choices[0].Message)
	}
	t.request(nested["response"]) // some programs keep the answer next to the request
}

func (t *turns) requests(list value) {
	for v := range list.elements() {
		t.request(v)
	}
}

// message adds a message of the model's.
func (t *turns) message(m *message) {
	t.speak(m.Content)
	for _, c := range m.ToolCalls {
		t.call(c.ID, c.Function.Name, arguments(c.Function.Arguments))
	}
	if f := m.FunctionCall; f != nil {
		t.call("", f.Name, arguments(f.Arguments))
	}
}
