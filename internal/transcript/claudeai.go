package transcript

import "encoding/json"

// claudeAI reads conversations.json of Claude's data export, or one conversation of it.
func claudeAI() form {
	return form{
		name:   "an export of Claude",
		occurs: func(s shape) bool { return s.any("[].chat_messages[].sender", "chat_messages[].sender") },
		read: func(t *turns, record []byte) {
			var c struct {
				UpdatedAt string `json:"updated_at"`
				Messages  []struct {
					Sender  string
					Text    string
					Content json.RawMessage
				} `json:"chat_messages"`
			}
			if json.Unmarshal(record, &c) != nil {
				return
			}
			t.chat(c.UpdatedAt)
			for _, m := range c.Messages {
				switch {
				case m.Sender == "human":
					t.ask()
				case m.Sender != "assistant":
				case len(blocks(m.Content)) > 0:
					t.speak(m.Content)
				default:
					t.say(m.Text)
				}
			}
		},
	}
}
