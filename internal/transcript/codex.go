package transcript

import (
	"encoding/json"
	"strings"
)

// codexRollout reads the rollouts of Codex (~/.codex/sessions/**/rollout-*.jsonl), also those of 2025's summer, whose items are not
// wrapped.
func codexRollout() form {
	return form{
		name: "a rollout of Codex", lines: true,
		occurs: func(s shape) bool {
			return s.all("payload") && s.any("type=session_meta", "type=response_item", "type=event_msg", "type=turn_context") ||
				s.all("type=message", "role", "content[].type") && s.any("content[].type=input_text", "content[].type=output_text") ||
				s.all("id", "timestamp", "instructions") || s.all("record_type=state")
		},
		read: func(t *turns, record []byte) {
			var r struct {
				Type    string
				Payload json.RawMessage
			}
			var i item
			if json.Unmarshal(record, &r) != nil {
				return
			}
			switch r.Type {
			case "response_item":
				record = r.Payload
			case "session_meta", "event_msg", "turn_context", "compacted":
				return
			}
			if json.Unmarshal(record, &i) == nil {
				t.item(&i)
			}
		},
	}
}

// item is an item of OpenAI's Responses.
type item struct {
	message
	Name      json.RawMessage
	CallID    json.RawMessage `json:"call_id"`
	Arguments json.RawMessage
	Input     json.RawMessage
	Action    json.RawMessage
	Output    json.RawMessage
}

// item reports whether there is one.
func (t *turns) item(i *item) bool {
	id := str(i.CallID)
	switch i.Type {
	case "message":
		switch i.Role {
		case "assistant":
			t.speak(i.Content)
		case "user":
			t.ask()
		}
	case "function_call":
		t.call(id, str(i.Name), arguments(i.Arguments))
	case "custom_tool_call":
		t.call(id, str(i.Name), i.Input)
	case "local_shell_call":
		t.call(id, "shell", i.Action)
	case "function_call_output", "custom_tool_call_output":
		t.result(id, failedOutput(i.Output))
	default:
		return false
	}
	return true
}

// failedOutput reports whether the output of a call says that it failed: by its exit code, or by the words that come instead of
// one where a patch was not applied at all.
func failedOutput(raw json.RawMessage) bool {
	var o struct {
		Output   string
		Success  *bool
		Metadata struct {
			ExitCode int `json:"exit_code"`
		}
	}
	text := str(raw)
	if json.Unmarshal(arguments(raw), &o) == nil {
		if o.Metadata.ExitCode != 0 || o.Success != nil && !*o.Success {
			return true
		}
		text = o.Output
	}
	if code, ok := strings.CutPrefix(text, "Exit code: "); ok {
		return !strings.HasPrefix(code, "0")
	}
	for _, words := range [...]string{"apply_patch verification failed", "patch rejected by user", "rejected by user", "aborted by user", "aborted"} {
		if strings.HasPrefix(text, words) {
			return true
		}
	}
	return false
}
