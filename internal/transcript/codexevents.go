package transcript

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// codexEvents reads what codex exec --json prints. Its file_change has no more than the names of the files; the older events
// have the changes.
func codexEvents() form {
	return form{
		name: "the events of codex exec --json", lines: true,
		occurs: func(s shape) bool {
			return s.any("type=thread.started", "type=turn.started") || s.all("item.type", "item.id") || s.all("msg.type", "id")
		},
		read: readCodexEvent,
	}
}

func readCodexEvent(t *turns, record []byte) {
	var e struct {
		Type string
		Item struct {
			ID, Type, Text, Status string
		}
		Msg struct {
			Type, Message string
			CallID        string `json:"call_id"`
			Success       *bool
			Changes       map[string]codexChange
		}
	}
	if json.Unmarshal(record, &e) != nil {
		return
	}
	switch {
	case e.Type == "turn.started", e.Msg.Type == "task_started", e.Msg.Type == "user_message":
		t.ask()
	case e.Type == "item.completed" && e.Item.Type == "agent_message":
		t.say(e.Item.Text)
	case e.Type == "item.completed" && e.Item.Type == "file_change" && e.Item.Status != "failed":
		t.lose(NamesOnly)
	case e.Msg.Type == "agent_message":
		t.say(e.Msg.Message)
	case e.Msg.Type == "patch_apply_begin":
		var patch strings.Builder
		for _, path := range slices.Sorted(maps.Keys(e.Msg.Changes)) {
			patch.WriteString(e.Msg.Changes[path].diff(path))
		}
		t.say(patch.String())
	case e.Msg.Type == "patch_apply_end":
		t.result("", e.Msg.Success != nil && !*e.Msg.Success)
	}
}

// codexChange is the change of one file.
type codexChange struct {
	Add *struct{ Content string }
	// Delete is there for a file that is removed.
	Delete json.RawMessage
	Update *struct {
		Diff string  `json:"unified_diff"`
		Move *string `json:"move_path"`
	}
}

// diff writes the change as a patch, as which the model wrote it.
func (c codexChange) diff(path string) string {
	switch {
	case c.Add != nil:
		return "*** Begin Patch\n*** Add File: " + path + "\n+" + strings.ReplaceAll(strings.TrimSuffix(c.Add.Content, "\n"), "\n", "\n+") + "\n*** End Patch\n"
	case c.Update != nil && c.Update.Move != nil:
		return "diff --git a/" + path + " b/" + *c.Update.Move + "\nrename from " + path + "\nrename to " + *c.Update.Move +
			"\n--- a/" + path + "\n+++ b/" + *c.Update.Move + "\n" + c.Update.Diff
	case c.Update != nil:
		return "--- a/" + path + "\n+++ b/" + path + "\n" + c.Update.Diff
	}
	return "*** Begin Patch\n*** Delete File: " + path + "\n*** End Patch\n"
}
