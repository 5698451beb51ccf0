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

func readMessages(t *turns, record []byte) {
	if !t.mayNest(record, 16) {
		return
	}
	var r struct {
		message
		Choices []struct{ Message *message }
		Input   json.RawMessage
		Output  json.RawMessage
		// Some programs keep the answer next to the request.
		Response json.RawMessage
	}
	if json.Unmarshal(record, &r) != nil {
		return
	}
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
	if r.Type != "" && t.item(record) {
		return
	}
	t.items(r.Input)
	t.items(r.Output)
	if len(r.Choices) > 0 && r.Choices[0].Message != nil { // one of several answers to the same question
		t.message(r.Choices[0].Message)
	}
	if len(r.Response) > 0 && r.Response[0] == '{' {
		readMessages(t, r.Response)
	}
}

func (t *turns) items(list json.RawMessage) {
	var items []json.RawMessage
	if json.Unmarshal(list, &items) != nil {
		return
	}
	for _, i := range items {
		readMessages(t, i)
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
