package transcript

import "encoding/json"

// claudeCode reads the sessions of Claude Code (~/.claude/projects/*/*.jsonl) and what it prints as stream-json.
func claudeCode() form {
	return form{
		name: "a session of Claude Code", lines: true,
		occurs: func(s shape) bool {
			said := s.any("type=user", "type=assistant") && s.all("message.role")
			return said && s.any("sessionId", "session_id", "uuid", "isSidechain") ||
				s.any("type=file-history-snapshot", "type=queue-operation") || s.all("type=summary", "leafUuid") || s.all("type=system", "subtype=init")
		},
		read: readClaudeCode,
	}
}

func readClaudeCode(t *turns, record []byte) {
	var r struct {
		Type             string
		Message          message
		IsMeta           bool
		IsSidechain      bool
		IsCompactSummary bool
		ParentToolUseID  string `json:"parent_tool_use_id"`
		Attachment       struct{ Type, CommandMode string }
	}
	if json.Unmarshal(record, &r) != nil {
		return
	}
	if a := r.Attachment; r.Type == "attachment" && a.Type == "queued_command" && a.CommandMode != "task-notification" && r.IsSidechain == t.own {
		t.ask() // what the user said while the model was at work
	}
	if r.Type != "user" && r.Type != "assistant" {
		return
	}
	// Records of a sidechain are somebody else's in a session, and the only ones where the log begins with one.
	side := r.IsSidechain || r.ParentToolUseID != ""
	if !t.known {
		t.own, t.known = side, true
	}
	switch {
	case side != t.own, r.IsMeta, r.IsCompactSummary:
	case r.Type == "assistant":
		t.speak(r.Message.Content)
	default:
		t.hear(r.Message.Content)
	}
}
