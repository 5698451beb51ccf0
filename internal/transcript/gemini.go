package transcript

import "encoding/json"

// geminiSession reads the sessions that Gemini CLI keeps (~/.gemini/tmp/*/chats/session-*.json).
func geminiSession() form {
	return form{
		name: "a session of Gemini CLI", list: "messages",
		occurs: func(s shape) bool {
			return s.any("messages[].type=user", "messages[].type=gemini") && s.all("sessionId", "messages[].content")
		},
		read: func(t *turns, record []byte) {
			var m struct {
				Type      string
				Content   json.RawMessage
				ToolCalls []struct {
					ID, Name, Status string
					Args             json.RawMessage
				}
			}
			if json.Unmarshal(record, &m) != nil {
				return
			}
			switch m.Type {
			case "user":
				t.ask()
			case "gemini":
				t.speak(m.Content)
				for _, c := range m.ToolCalls {
					t.call(c.ID, c.Name, c.Args)
					t.result(c.ID, c.Status == "error" || c.Status == "cancelled")
				}
			}
		},
	}
}

// geminiContents reads lists of contents as Gemini takes them.
func geminiContents() form {
	return form{
		name: "a list of contents of Gemini", list: "contents",
		occurs: func(s shape) bool {
			return s.all("[].role=user", "[].parts") || s.all("contents[].role=user", "contents[].parts")
		},
		read: readGemini,
	}
}

// geminiResponse reads what Gemini answers.
func geminiResponse() form {
	return form{
		name: "a response of Gemini", single: true,
		occurs: func(s shape) bool { return s.all("candidates[].content.parts") },
		read:   readGemini,
	}
}

func readGemini(t *turns, record []byte) {
	var r struct {
		geminiContent
		Candidates []struct{ Content geminiContent }
	}
	if json.Unmarshal(record, &r) != nil {
		return
	}
	r.speak(t)
	if len(r.Candidates) > 0 {
		c := r.Candidates[0].Content
		c.Role = "model"
		c.speak(t)
	}
}

// geminiContent is one message.
type geminiContent struct {
	Role  string
	Parts []struct {
		Text         string
		Thought      bool
		FunctionCall *struct {
			Name string
			Args json.RawMessage
		}
		FunctionResponse json.RawMessage
	}
}

func (c *geminiContent) speak(t *turns) {
	answered := false
	for _, p := range c.Parts {
		answered = answered || len(p.FunctionResponse) > 0
	}
	if c.Role == "user" && len(c.Parts) > 0 && !answered {
		t.ask()
	}
	if c.Role != "model" {
		return
	}
	for _, p := range c.Parts {
		if p.FunctionCall != nil {
			t.call("", p.FunctionCall.Name, p.FunctionCall.Args)
		} else if !p.Thought {
			t.say(p.Text)
		}
	}
}
