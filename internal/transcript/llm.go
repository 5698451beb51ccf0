package transcript

import "encoding/json"

// llmLogs reads what llm logs --json prints: a list of prompts with their responses, the oldest first.
func llmLogs() form {
	return form{
		name: "the output of llm logs --json",
		occurs: func(s shape) bool {
			return s.all("[].response", "[].prompt") && s.any("[].conversation_id", "[].datetime_utc", "[].model")
		},
		read: func(t *turns, record []byte) {
			var r struct {
				Response  string
				ToolCalls []struct {
					ID        string `json:"tool_call_id"`
					Name      string
					Arguments json.RawMessage
				} `json:"tool_calls"`
			}
			if json.Unmarshal(record, &r) != nil {
				return
			}
			t.ask()
			t.say(r.Response)
			for _, c := range r.ToolCalls {
				t.call(c.ID, c.Name, arguments(c.Arguments))
			}
		},
	}
}
