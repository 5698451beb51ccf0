package transcript

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
)

// tool is what is known of a tool by its name.
type tool uint8

const (
	unknown tool = iota
	edits
	runs   // it runs a command, which may edit
	likely // its name and what it is called with say that it changes a file
	looks  // it does not edit files
)

// toolOf says what a tool is. A shell is one that edits where it is told to apply a patch; else its command says what it does.
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
	case "shell", "bash", "run", "localshell", "shellcommand", "execcommand", "containerexec", "executecommand", "runshellcommand", "runterminalcmd":
		if bytes.Contains(input, []byte("*** Begin Patch")) {
			return edits
		}
		return runs
	case "read", "readfile", "readmanyfiles", "view", "viewimage", "glob", "grep", "ls", "list", "listfiles", "listdirectory", "searchfiles", "listcodedefinitionnames",
		"codebasesearch", "search", "webfetch", "websearch", "task", "agent", "newtask", "todowrite", "todoread", "updatetodolist", "updateplan", "exitplanmode", "planmoderespond",
		"askfollowupquestion", "askuserquestion", "attemptcompletion", "switchmode", "fetchinstructions", "browseraction", "bashoutput", "killshell", "killbash", "skill", "slashcommand", "writestdin",
		"artifacts":
		return looks
	}
	if changes(name) && namesFile(input) {
		return likely
	}
	return unknown
}

// changes reports whether the name of a tool has a word for a change, and none for a look before it.
func changes(name string) bool {
	for _, verb := range [...]string{"get", "read", "list", "find", "search", "view", "show"} {
		if strings.HasPrefix(name, verb) {
			return false
		}
	}
	return slices.ContainsFunc([]string{"edit", "replace", "insert", "write", "append", "patch", "modify", "update", "refactor", "rename", "move", "delete", "remove", "create"},
		func(verb string) bool { return strings.Contains(name, verb) })
}

// namesFile reports whether an argument of a call is for a file.
func namesFile(input json.RawMessage) bool {
	return slices.ContainsFunc(nest(input).members(), func(m member) bool {
		key := strings.ToLower(m.key)
		return strings.Contains(key, "path") || strings.Contains(key, "file")
	})
}
