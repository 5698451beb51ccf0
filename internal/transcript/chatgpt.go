package transcript

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// chatGPT reads conversations.json of ChatGPT's data export, or one conversation of it: a tree of messages, of which the branch
// counts that was last shown.
func chatGPT() form {
	return form{
		name: "an export of ChatGPT",
		occurs: func(s shape) bool {
			return s.all("[].mapping") && s.any("[].title", "[].create_time", "[].current_node") ||
				s.all("mapping") && s.any("title", "create_time", "current_node")
		},
		read: readChatGPT,
	}
}

func readChatGPT(t *turns, record []byte) {
	type node struct {
		Message *struct {
			Author    struct{ Role string }
			Recipient string
			Content   struct {
				Type  string `json:"content_type"`
				Parts []json.RawMessage
			}
		}
		Parent string
	}
	var c struct {
		UpdateTime  float64 `json:"update_time"`
		CurrentNode string  `json:"current_node"`
		Mapping     map[string]node
	}
	if json.Unmarshal(record, &c) != nil || len(c.Mapping) == 0 {
		return
	}
	t.chat(fmt.Sprintf("%020.6f", c.UpdateTime))
	if c.CurrentNode == "" { // a program wrote the export anew; the nodes are in the order in which they were said
		t.walk(nest(record).members().get("mapping"))
		return
	}
	var branch []node
	for id := c.CurrentNode; id != "" && len(branch) < len(c.Mapping); {
		n, ok := c.Mapping[id]
		if !ok {
			break
		}
		branch = append(branch, n)
		id = n.Parent
	}
	for _, n := range slices.Backward(branch) {
		if n.Message == nil {
			continue
		}
		switch n.Message.Author.Role {
		case "user":
			t.ask()
		case "assistant":
			if to := n.Message.Recipient; n.Message.Content.Type != "text" && n.Message.Content.Type != "multimodal_text" || to != "" && to != "all" {
				continue // thoughts, and what goes to a tool
			}
			var text strings.Builder
			for _, p := range n.Message.Content.Parts {
				text.WriteString(str(p))
			}
			t.say(text.String())
		}
	}
}
