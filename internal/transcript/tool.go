package transcript

import (
	"bytes"
	"encoding/json"
	"strings"
)

// tool is what is known of a tool by its name.
type tool uint8

const (
	unknown tool = iota
	edits
	looks // it does not edit files
)

// toolOf says what a tool is. A shell edits only where it is told to apply a patch.
func toolOf(name string, input json.RawMessage) tool {
	if i := strings.LastIndex(name, "__"); i >= 0 { // the name of the server comes first
		name = name[i+2:]
	}
	name = strings.ToLower(strings.NewReplacer("_", "", "-", "", ".", "").Replace(name))
	switch name {
	case "strreplacebasededittool", "strreplaceeditor":
		var i struct{ Command string }
		if json.Unmarshal(input, &i) == nil && (i.Command == "view" || i.Command == "undo_edit") {
			return looks
		}
		return edits
	case "edit", "multiedit", "write", "notebookedit", "strreplace", "applypatch", "patch",
		"replaceinfile", "writetofile", "applydiff", "searchandreplace", "searchreplace", "insertcontent", "insert", "editfile", "replace",
		"writefile", "createfile", "deletefile", "newfile", "newrule", "editnotebook", "editnotebookcell":
		return edits
	case "shell", "bash", "localshell", "shellcommand", "execcommand", "containerexec", "executecommand", "runshellcommand", "runterminalcmd":
		if bytes.Contains(input, []byte("*** Begin Patch")) {
			return edits
		}
		return looks
	case "read", "readfile", "readmanyfiles", "view", "viewimage", "glob", "grep", "ls", "list", "listfiles", "listdirectory", "searchfiles", "listcodedefinitionnames",
		"codebasesearch", "search", "webfetch", "websearch", "task", "agent", "newtask", "todowrite", "todoread", "updatetodolist", "updateplan", "exitplanmode", "planmoderespond",
		"askfollowupquestion", "askuserquestion", "attemptcompletion", "switchmode", "fetchinstructions", "browseraction", "bashoutput", "killshell", "killbash", "skill", "slashcommand", "writestdin",
		"artifacts":
		return looks
	}
	return unknown
}
