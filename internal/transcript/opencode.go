package transcript

import "encoding/json"

// openCodeExport reads what opencode export writes: the messages of a session with their parts.
func openCodeExport() form {
	return form{
		name: "an exported session of OpenCode", list: "messages",
		occurs: func(s shape) bool {
			return s.all("messages[].info", "messages[].parts") || s.all("[].info", "[].parts") || s.all("info.role", "parts")
		},
		read: func(t *turns, record []byte) {
			var m struct {
				Info  struct{ Role string }
				Parts []openCodePart
			}
			if json.Unmarshal(record, &m) != nil {
				return
			}
			switch m.Info.Role {
			case "user":
				t.ask()
			case "assistant":
				for _, p := range m.Parts {
					p.speak(t)
				}
			}
		},
	}
}

// openCodeEvents reads what opencode run --format json prints.
func openCodeEvents() form {
	return form{
		name: "the events of opencode run --format json", lines: true,
		occurs: func(s shape) bool { return s.all("sessionID", "part.type", "type") },
		read: func(t *turns, record []byte) {
			var e struct{ Part openCodePart }
			if json.Unmarshal(record, &e) == nil {
				e.Part.speak(t)
			}
		},
	}
}

// openCodePart is a part of a message.
type openCodePart struct {
	Type, Text, Tool, CallID string
	Synthetic                bool
	State                    struct {
		Status string
		Input  json.RawMessage
	}
}

func (p openCodePart) speak(t *turns) {
	switch {
	case p.Type == "text" && !p.Synthetic:
		t.say(p.Text)
	case p.Type == "tool":
		var patch struct{ PatchText json.RawMessage }
		input := p.State.Input
		if json.Unmarshal(input, &patch) == nil && len(patch.PatchText) > 0 {
			input = patch.PatchText
		}
		t.call(p.CallID, p.Tool, input)
		t.result(p.CallID, p.State.Status == "error")
	}
}
