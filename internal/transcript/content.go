package transcript

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
)

// message is one message in the spelling of the model servers; what a server does not have is empty.
type message struct {
	Type      string // of an item: "message", "function_call", …
	Role      string
	Content   json.RawMessage
	ToolCalls []struct {
		ID       string
		Function function
	} `json:"tool_calls"`
	FunctionCall *function `json:"function_call"`
}

// function is the call of a function.
type function struct {
	Name      string
	Arguments json.RawMessage
}

// block is one element of a message's content.
type block struct {
	Type      string
	Text      string
	ID        string
	Name      string
	Input     json.RawMessage
	ToolUseID string `json:"tool_use_id"`
	IsError   bool   `json:"is_error"`
	Content   json.RawMessage
	// Goose has the result of a call in its own envelope.
	ToolResult struct{ Status string }

	raw json.RawMessage
}

// blocks gives the elements of a content, which may be a string.
func blocks(content json.RawMessage) []block {
	if len(content) == 0 {
		return nil
	}
	if content[0] == '"' {
		return []block{{Type: "text", Text: str(content)}}
	}
	var list []json.RawMessage
	if json.Unmarshal(content, &list) != nil {
		return nil
	}
	all := make([]block, 0, len(list))
	for _, raw := range list {
		var b block
		switch {
		case len(raw) > 0 && raw[0] == '"':
			b = block{Type: "text", Text: str(raw)}
		case json.Unmarshal(raw, &b) != nil:
			continue
		}
		b.raw = raw
		all = append(all, b)
	}
	return all
}

// str is the value of a JSON string; "" for anything else.
func str(raw json.RawMessage) string {
	var s string
	if len(raw) == 0 || raw[0] != '"' || json.Unmarshal(raw, &s) != nil {
		return ""
	}
	return s
}

// arguments is what a function is called with, which comes as JSON or as JSON in a string. A string that is none is a patch.
func arguments(raw json.RawMessage) json.RawMessage {
	if s := str(raw); s != "" && json.Valid([]byte(s)) {
		return json.RawMessage(s)
	}
	return raw
}

// speak adds what the model says in a message.
func (t *turns) speak(content json.RawMessage) {
	for _, b := range blocks(content) {
		switch b.Type {
		case "text", "output_text", "": // Gemini names no type
			t.say(b.Text)
		default:
			if !b.isResult() {
				t.invoke(nest(b.raw).members())
			}
		}
	}
}

// isResult reports whether an element is the result of a call, as its type says: "tool_result", "toolResponse".
func (b *block) isResult() bool {
	kind := strings.ToLower(b.Type)
	return strings.Contains(kind, "result") || strings.Contains(kind, "response")
}

// failed reports whether an element says of a call that it failed.
func (b *block) failed() bool {
	return b.IsError || b.ToolResult.Status == "error" || deniedText(resultText(b.Content))
}

// hear takes a message that a program sends to the model: the user's question, or results of calls.
func (t *turns) hear(content json.RawMessage) {
	all := blocks(content)
	asked, results := false, false
	for _, b := range all {
		if b.isResult() {
			results = true
			t.result(cmp.Or(b.ToolUseID, b.ID), b.failed())
		} else if b.Type == "text" && strings.Contains(b.Text, "<feedback>") {
			asked = true
		}
	}
	if !results && len(all) > 0 && all[0].Type == "text" && isToolReport(all[0].Text) {
		results = true
		t.result("", slices.ContainsFunc(all, func(b block) bool { return deniedText(b.Text) }))
	}
	if asked || !results {
		t.ask()
	}
}

// resultText is the text of a result.
func resultText(content json.RawMessage) string {
	var b strings.Builder
	for _, part := range blocks(content) {
		b.WriteString(part.Text)
	}
	return b.String()
}

// isToolReport reports whether a text of the user's is what Cline or Roo say after the call of a tool: "[apply_diff for 'a.py']
// Result:", or that there was no call.
func isToolReport(text string) bool {
	if strings.HasPrefix(text, "[ERROR]") {
		return true
	}
	head, _, _ := strings.Cut(text, "\n")
	return strings.HasPrefix(head, "[") && strings.Contains(head, "] Result:")
}

// deniedText reports whether a result begins with what Cline or Roo say of a call that came to nothing.
func deniedText(text string) bool {
	if isToolReport(text) {
		_, text, _ = strings.Cut(text, "\n")
	}
	return slices.ContainsFunc([]string{"The tool execution failed", "The user denied this operation", "<error>", "<error_details>", "Failed to apply diff", "Unable to apply diff"},
		func(words string) bool { return strings.HasPrefix(text, words) })
}
