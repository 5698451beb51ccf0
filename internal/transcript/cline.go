package transcript

import (
	"encoding/json"
	"strings"
)

// clineMessages reads ui_messages.json of Cline and Roo Code, which has what their window shows. What goes to the model,
// api_conversation_history.json, is a list of messages as any.
func clineMessages() form {
	return form{
		name:   "the messages that Cline or Roo Code shows",
		occurs: func(s shape) bool { return s.all("[].ts", "[].type") && s.any("[].say", "[].ask") },
		read:   readCline,
	}
}

func readCline(t *turns, record []byte) {
	var m struct {
		Say, Ask, Text string
		Partial        bool
	}
	if json.Unmarshal(record, &m) != nil || m.Partial {
		return
	}
	switch {
	case m.Say == "text" && !t.known, m.Say == "task", m.Say == "user_feedback", m.Say == "user_feedback_diff":
		t.known = true // the first text is the task
		t.ask()
	case m.Say == "text":
		t.say(m.Text)
	case m.Say == "tool", m.Ask == "tool":
		t.shown(m.Text)
	case m.Say == "diff_error":
		t.result("", true)
	}
}

// shown adds the call of a tool as the window shows it: under another name, and with the markers of a diff where the content was.
func (t *turns) shown(text string) {
	var s struct {
		Tool    string `json:"tool"`
		Path    string `json:"path"`
		Diff    string `json:"diff"`
		Content string `json:"content"`
	}
	if json.Unmarshal([]byte(text), &s) != nil {
		return
	}
	call := func(name string, input map[string]string) {
		raw, _ := json.Marshal(input)
		t.call("", name, raw)
	}
	if s.Diff == "" && strings.Contains(s.Content, "SEARCH\n") && strings.Contains(s.Content, "\n=======\n") {
		s.Diff = s.Content
	}
	switch s.Tool {
	case "editedExistingFile", "appliedDiff", "newFileCreated":
		if s.Diff != "" {
			call("apply_diff", map[string]string{"path": s.Path, "diff": s.Diff})
		} else {
			call("write_to_file", map[string]string{"path": s.Path, "content": s.Content})
		}
	case "searchAndReplace":
		t.call("", "search_and_replace", json.RawMessage(text))
	case "insertContent":
		t.call("", "insert_content", json.RawMessage(text))
	case "fileDeleted":
		call("delete_file", map[string]string{"path": s.Path})
	}
}
