package parser

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// partCalls are calls that ask for less than the deletion or the move of a whole file.
func partCalls() (calls []toolCall) {
	lines := [][2]string{{"path", "f.txt"}, {"start_line", "1"}, {"end_line", "2"}}
	for _, tool := range []string{"delete_lines", "remove_lines", "deleteLines", "DeleteLines", "remove_line", "delete_range", "delete_text", "remove_text", "delete_string",
		"delete_content", "remove_content", "delete_code", "remove_code", "delete_block", "delete_diff", "delete_notebook", "delete_text_in_file",
		"mcp__fs__remove_lines", "move_lines", "move_text", "move_code", "rename_text", "delete_file", "remove_file", "move_file", "rename_file"} {
		calls = append(calls, toolCall{tool, lines})
	}
	for _, tool := range []string{"delete_file", "remove_file", "deleteFile", "delete_cell", "delete_lines", "dyad-delete"} {
		for _, arg := range []string{"lines", "range", "text", "content", "old_string", "cell_id", "id", "symbol", "pattern", "end_line", "dry_run",
			"instruction", "instructions", "description"} {
			calls = append(calls, toolCall{tool, [][2]string{{"path", "f.txt"}, {arg, "2"}}})
		}
	}
	for _, tool := range []string{"move_file", "rename_file", "move_lines", "move_code", "dyad-rename"} {
		for _, arg := range []string{"start", "lines", "text", "symbol", "new_name", "instruction", "instructions", "description"} {
			calls = append(calls, toolCall{tool, [][2]string{{"source", "f.txt"}, {"destination", "h.txt"}, {arg, "2"}}})
		}
	}
	return calls
}

type toolCall struct {
	tool string
	args [][2]string
}

// spellings are the forms in which models write a call.
func (c toolCall) spellings() map[string]string {
	var params, pairs, tags, glm strings.Builder
	object := map[string]any{}
	for _, a := range c.args {
		object[a[0]] = a[1]
		if a[0] == "start_line" || a[0] == "end_line" {
			object[a[0]] = json.Number(a[1])
		}
		fmt.Fprintf(&params, "<parameter name=%q>%s</parameter>\n", a[0], a[1])
		fmt.Fprintf(&pairs, " %s=%q", a[0], a[1])
		fmt.Fprintf(&tags, "<%s>%s</%s>\n", a[0], a[1], a[0])
		fmt.Fprintf(&glm, "<arg_key>%s</arg_key>\n<arg_value>%s</arg_value>\n", a[0], a[1])
	}
	args, _ := json.Marshal(object)
	name, inString := fmt.Sprintf("%q", c.tool), fmt.Sprintf("%q", args)
	call := `{"name":` + name + `,"arguments":` + string(args) + "}\n"
	return map[string]string{
		"json":       call,
		"fence":      "```json\n" + call + "```\n",
		"string":     `{"name":` + name + `,"arguments":` + inString + "}\n",
		"server":     `{"tool_calls":[{"id":"1","type":"function","function":{"name":` + name + `,"arguments":` + inString + "}}]}\n",
		"flat":       `{"tool":` + name + "," + string(args[1:]) + "\n",
		"invoke":     "<invoke name=" + name + ">\n" + params.String() + "</invoke>\n",
		"function":   "<function=" + c.tool + ">\n" + strings.NewReplacer(`parameter name="`, "parameter=", `">`, ">").Replace(params.String()) + "</function>\n",
		"elements":   "<" + c.tool + ">\n" + tags.String() + "</" + c.tool + ">\n",
		"attributes": "<" + c.tool + pairs.String() + "></" + c.tool + ">\n",
		"element":    "<" + c.tool + pairs.String() + "/>\n",
		"tool_call":  "<tool_call>" + strings.TrimSpace(call) + "</tool_call>\n",
		"kimi":       "<|tool_call_begin|>functions." + c.tool + ":0<|tool_call_argument_begin|>" + string(args) + "<|tool_call_end|>\n",
		"glm":        "<tool_call>" + c.tool + "\n" + glm.String() + "</tool_call>\n",
	}
}

// TestOnlyAWholeFileIsDeletedOrMoved calls tools that delete lines, a text or a cell, and tools that delete a file with more than its name. A call
// of either kind may never delete or move a file, and it is not passed over.
func TestOnlyAWholeFileIsDeletedOrMoved(t *testing.T) {
	for _, c := range partCalls() {
		for form, reply := range c.spellings() {
			r := Parse([]byte(reply))
			if slices.ContainsFunc(r.Blocks, deletesOrMoves) {
				t.Errorf("%s: it deletes or moves the file:\n%s", form, reply)
			}
			if len(r.Diagnostics) == 0 && (form != "flat" || c.args[0][0] == "path") {
				t.Errorf("%s: it is not refused:\n%s", form, reply)
			}
		}
	}
}

func deletesOrMoves(b Block) bool { return b.Op == OpDelete || b.Op == OpMove }
