package parser

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/srpatch/srpatch/internal/diagnosis"
)

type list = []any
type dict = map[string]any

// messagesOf are questions with answers that edit the named files, as a program spells messages.
func messagesOf(names []string, user, model func(text string, number int) dict) (all list) {
	for i, name := range names {
		all = append(all, user("change "+name+"\n\n"+editOf("pasted.py"), 2*i), model("Sure:\n\n"+editOf(name), 2*i+1))
	}
	return all
}

// spelled makes messages with a speaker and a text under their keys.
func spelled(speaker, user, model, text string) func(names []string) list {
	message := func(who string) func(string, int) dict {
		return func(said string, _ int) dict { return dict{speaker: who, text: said} }
	}
	return func(names []string) list { return messagesOf(names, message(user), message(model)) }
}

// treeOf links messages as a tree, with a branch that was given up at each.
func treeOf(all list) (nodes dict, last string) {
	nodes = dict{}
	for i, m := range all {
		id := fmt.Sprintf("m%02d", i)
		node := m.(dict)
		node["id"], node["parentId"] = id, last
		nodes[id] = node
		nodes["x"+id] = dict{"id": "x" + id, "parentId": last, "role": "assistant", "content": editOf("dropped.py")}
		last = id
	}
	return nodes, last
}

// TestLastReplyOfExportsInJSON holds that an export that ends with any answer gives that answer.
func TestLastReplyOfExportsInJSON(t *testing.T) {
	openAI := spelled("role", "user", "assistant", "content")
	for _, e := range []struct {
		source string
		export func(names []string) any
	}{
		{"Google AI Studio", func(names []string) any {
			return dict{"runSettings": dict{"model": "models/m"}, "chunkedPrompt": dict{"chunks": spelled("role", "user", "model", "text")(names)}}
		}},
		{"Open WebUI", func(names []string) any {
			nodes, last := treeOf(openAI(names))
			return list{dict{"title": "t", "chat": dict{"history": dict{"messages": nodes, "currentId": last}}, "updated_at": 7}}
		}},
		{"Open WebUI, with the branch as a list", func(names []string) any {
			nodes, last := treeOf(openAI(names))
			return list{dict{"title": "t", "chat": dict{"history": dict{"messages": nodes, "currentId": last}, "messages": openAI(names)}}}
		}},
		{"Copilot Chat in VS Code", func(names []string) any {
			var requests list
			for _, name := range names {
				requests = append(requests, dict{"message": dict{"text": editOf("pasted.py")}, "response": list{dict{"kind": "thinking", "value": editOf("thought.py")},
					dict{"value": "In "}, dict{"kind": "inlineReference", "name": name}, dict{"value": ":\n\n" + editOf(name)}, dict{"kind": "toolInvocationSerialized", "toolId": "x"}}})
			}
			return dict{"requesterUsername": "me", "responderUsername": "GitHub Copilot", "requests": requests}
		}},
		{"LibreChat", func(names []string) any {
			by := func(own bool) func(string, int) dict {
				return func(text string, _ int) dict { return dict{"sender": "x", "text": text, "isCreatedByUser": own} }
			}
			return dict{"title": "t", "messages": messagesOf(names, by(true), by(false))}
		}},
		{"LibreChat, as a tree", func(names []string) any {
			below := list{}
			for i := len(names) - 1; i >= 0; i-- {
				below = list{dict{"sender": "User", "text": editOf("pasted.py"), "isCreatedByUser": true, "children": list{
					dict{"sender": "m", "text": editOf("dropped.py"), "isCreatedByUser": false, "children": list{}},
					dict{"sender": "m", "text": editOf(names[i]), "isCreatedByUser": false, "children": below}}}}
			}
			return dict{"recursive": true, "messages": below}
		}},
		{"LibreChat, with parts", func(names []string) any {
			return dict{"messages": messagesOf(names, func(text string, _ int) dict { return dict{"text": text, "isCreatedByUser": true} },
				func(text string, _ int) dict {
					return dict{"text": "", "isCreatedByUser": false, "content": list{dict{"type": "think", "think": editOf("thought.py")}, dict{"type": "text", "text": dict{"value": text}}}}
				})}
		}},
		{"Cursor's tabs", func(names []string) any {
			return dict{"tabs": list{dict{"chatTitle": "t", "bubbles": messagesOf(names, func(text string, _ int) dict { return dict{"type": "user", "text": text} },
				func(text string, _ int) dict { return dict{"type": "ai", "rawText": text} })}}}
		}},
		{"ShareGPT", func(names []string) any {
			return list{dict{"id": "x", "conversations": spelled("from", "human", "gpt", "value")(names)}}
		}},
		{"ChatGPT, without the branch", func(names []string) any {
			nodes := dict{}
			for i, m := range openAI(names) {
				m := m.(dict)
				nodes[fmt.Sprintf("%02d", i)] = dict{"message": dict{"author": dict{"role": m["role"]}, "content": dict{"content_type": "text", "parts": list{m["content"]}}}}
			}
			return list{dict{"title": "t", "mapping": nodes}}
		}},
		{"DeepSeek", func(names []string) any {
			return dict{"chat_session": dict{"id": "s"}, "chat_messages": spelled("role", "USER", "ASSISTANT", "content")(names)}
		}},
		{"Chatbox", func(names []string) any {
			part := func(role string) func(string, int) dict {
				return func(text string, _ int) dict {
					return dict{"role": role, "contentParts": list{dict{"type": "text", "text": text}}}
				}
			}
			return dict{"name": "t", "messages": messagesOf(names, part("user"), part("assistant"))}
		}},
		{"a checkpoint of Gemini CLI", func(names []string) any {
			part := func(role string) func(string, int) dict {
				return func(text string, _ int) dict { return dict{"role": role, "parts": list{dict{"text": text}}} }
			}
			all := messagesOf(names, part("user"), part("model"))
			return dict{"clientHistory": all, "history": spelled("type", "user", "gemini", "text")(names), "toolCall": dict{"name": "read_file", "args": dict{"path": "x"}}}
		}},
		{"questions with answers", func(names []string) any {
			var turns list
			for _, name := range names {
				turns = append(turns, dict{"question": editOf("pasted.py"), "answer": editOf(name)})
			}
			return dict{"turns": turns}
		}},
		{"a list with speakers of its own", func(names []string) any { return spelled("speaker", "You", "Bot", "body")(names) }},
	} {
		all := []string{"a.py", "b.py", "c.py"}
		for i := range all {
			log, err := json.MarshalIndent(e.export(all[:i+1]), "", " ")
			if err != nil {
				t.Fatal(err)
			}
			if got := parseLast(t, string(log)); paths(got) != all[i] || codes(got) != "" {
				t.Errorf("%s: after %s the last answer has\n%s", e.source, all[i], render(got))
			}
			if got := Parse(log); paths(got) != "" || codes(got) != diagnosis.ChatLog {
				t.Errorf("%s is read as one reply:\n%s", e.source, render(got))
			}
		}
	}
}

// TestJSONInWhichNobodySpeaks holds that JSON is no log by its looks, and that a log that is not known is refused with what was found.
func TestJSONInWhichNobodySpeaks(t *testing.T) {
	for _, c := range []struct{ log, want string }{
		{`{"exportedAt":"x","entries":[{"k":"q","t":"do"}]}`, "JSON with exportedAt, entries, without speakers"},
		{`[{"a":1},{"a":2}]`, "JSON with a, without speakers"},
		{`{"edits":[{"from":"user","to":"person"}]}`, "JSON with edits, without speakers"},
		{"Nothing.", ""},
	} {
		r := parseLast(t, c.log)
		var found []string
		for _, d := range r.Diagnostics {
			found = append(found, d.Found)
		}
		if got := strings.Join(found, ", "); got != c.want {
			t.Errorf("%s: %q, not %q", c.log, got, c.want)
		}
	}
	if r := Parse([]byte(`{"path":"a.py","edits":[{"type":"user","old_string":"a","new_string":"b"}]}`)); codes(r) != "unsupported" {
		t.Errorf("an edit with a type of its own is read as\n%s", render(r))
	}
}
