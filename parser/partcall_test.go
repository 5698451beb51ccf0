package parser

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// fileCalls are calls that delete or move a file, or a part of one.
func fileCalls() (calls []toolCall) {
	for _, tool := range []string{"delete_file", "remove_file", "deleteFile", "delete_cell",
		"delete_lines", "removeText", "mcp__fs__remove_lines"} {
		calls = append(calls, toolCall{tool, [][2]string{{"path", "f.txt"}}},
			toolCall{tool, [][2]string{{"path", "f.txt"}, {"start_line", "1"}, {"end_line", "2"}}})
	}
	for _, tool := range []string{"move_file", "rename_file", "move_lines"} {
		calls = append(calls, toolCall{tool, [][2]string{{"source", "f.txt"}, {"destination", "h.txt"}}})
	}
	return calls
}

type toolCall struct {
	tool string
	args [][2]string
}

// spellings are the forms in which models write a call.
func (c toolCall) spellings() map[string]string {
	var params, tags strings.Builder
	object := map[string]any{}
	for _, a := range c.args {
		object[a[0]] = a[1]
		if a[0] == "start_line" || a[0] == "end_line" {
			object[a[0]] = json.Number(a[1])
		}
		fmt.Fprintf(&params, "<parameter name=%q>%s</parameter>\n", a[0], a[1])
		fmt.Fprintf(&tags, "<%s>%s</%s>\n", a[0], a[1], a[0])
	}
	args, _ := json.Marshal(object)
	name, inString := fmt.Sprintf("%q", c.tool), fmt.Sprintf("%q", args)
	call := `{"name":` + name + `,"arguments":` + string(args) + "}\n"
	return map[string]string{
		"json":   call,
		"fence":  "```json\n" + call + "```\n",
		"string": `{"name":` + name + `,"arguments":` + inString + "}\n",
		"server": `{"tool_calls":[{"id":"1","type":"function","function":{"name":` + name +
			`,"arguments":` + inString + "}}]}\n",
		"flat":   `{"tool":` + name + "," + string(args[1:]) + "\n",
		"invoke": "<invoke name=" + name + ">\n" + params.String() + "</invoke>\n",
		"function": "<function=" + c.tool + ">\n" +
			strings.NewReplacer(`parameter name="`, "parameter=", `">`, ">").Replace(params.String()) + "</function>\n",
		"elements": "<" + c.tool + ">\n" + tags.String() + "</" + c.tool + ">\n",
	}
}

// TestCallsDeleteAndMoveNothing checks that calls that delete or move something are refused in
// every form.
func TestCallsDeleteAndMoveNothing(t *testing.T) {
	for _, c := range fileCalls() {
		for form, reply := range c.spellings() {
			r := Parse([]byte(reply))
			if len(r.Blocks) > 0 {
				t.Errorf("%s: it is read as %+v:\n%s", form, r.Blocks, reply)
			}
			if len(r.Diagnostics) == 0 && (form != "flat" || c.args[0][0] == "path") {
				t.Errorf("%s: it is not refused:\n%s", form, reply)
			}
		}
	}
}
