package envelope

import (
	"regexp"
	"strings"
	"sync"

	"github.com/srpatch/srpatch/parser/internal/filename"
)

// changing matches a command that changes a file like an edit: it writes text to the file (cat >
// a.py <<EOF), changes its lines (sed -i), deletes it or renames it. Each alternative has a group
// for the file's name. Group 3 is the file of an in-place editor.
var changing = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?m)(?:^|[;|&$%]|\bsudo|\bgit)[ \t]*(?:` +
		`(?:cat|echo|printf)\b[^;|&\n]*?>>?[ \t]*(\S+)` +
		`|tee[ \t]+(?:-a[ \t]+)?(\S+)` +
		`|(?:g?sed|perl|ruby)[ \t](?:[^;|&\n]*[ \t])?(?:-i|--in-place|-p\w*i)\S*[ \t][^\n]*?(\S+)[ \t]*(?:$|[;|&])` +
		`|(?:rm|mv|unlink|(?:Remove|Move|Rename)-Item|(?:Set|Add)-Content)[ \t]+(?:-\S+[ \t]+)*(\S+))`)
})

// ChangedFile returns the first name of a file that one of the commands changes. If none of them
// names a file, but one edits in place, as sed -i s/a/b/ $f does, it returns "" and true. Other
// commands without a file name (echo x > /dev/null, rm $tmp) don't count.
func ChangedFile(commands []byte) (file string, ok bool) {
	for _, m := range changing().FindAllSubmatch(commands, maxCommands) {
		name := strings.TrimRight(string(m[1])+string(m[2])+string(m[3])+string(m[4]), ";&|")
		if name = strings.Trim(name, `"'`); filename.Likely(name) && !strings.HasPrefix(name, "/dev/") {
			return name, true
		}
		ok = ok || len(m[3]) > 0 // an in-place editor
	}
	return "", ok
}

// maxCommands is the maximum number of commands that are examined.
const maxCommands = 100
