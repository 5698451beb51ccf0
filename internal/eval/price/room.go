package price

import (
	"bytes"
	_ "embed"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/srpatch/srpatch/internal/ablate"
)

//go:embed rooms.txt
var roomsText string

//go:embed kept.txt
var keptText string

// Room is a part of the product with a switch.
type Room struct {
	Name string
	// Files are the patterns of the files whose lines it has.
	Files []string
	// Entries are the functions that do nothing when it is off.
	Entries []*ablate.Rule
	Lines   int
}

// Rooms reads rooms.txt for the module at root. The entries of the first room get the id first, those of the next one the id after it.
func Rooms(root string, first int) (rooms []*Room, err error) {
	for line := range strings.Lines(roomsText) {
		head, rest, _ := strings.Cut(strings.TrimRight(line, "\n"), ": ")
		switch {
		case strings.HasPrefix(line, "#") || head == "":
		case !strings.HasPrefix(line, "\t"):
			r := &Room{Name: head, Files: strings.Fields(rest)}
			if r.Lines, err = linesOf(root, r.Files); err != nil {
				return nil, fmt.Errorf("rooms.txt: %s: %w", head, err)
			}
			rooms = append(rooms, r)
		default:
			entry, value, _ := strings.Cut(strings.TrimSpace(line), " =")
			file, name, _ := strings.Cut(entry, " ")
			e, err := ablate.Shut(root, file, name, value)
			if err != nil || len(rooms) == 0 {
				return nil, fmt.Errorf("rooms.txt: %s: %w", entry, err)
			}
			last := rooms[len(rooms)-1]
			e.ID = first + len(rooms) - 1
			last.Entries = append(last.Entries, e)
		}
	}
	return rooms, nil
}

// linesOf counts the lines of the files that the patterns match, tests aside.
func linesOf(root string, patterns []string) (n int, err error) {
	for _, pattern := range patterns {
		files, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(pattern)))
		if err != nil || len(files) == 0 {
			return 0, fmt.Errorf("no file %s: %w", pattern, err)
		}
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			text, err := os.ReadFile(file)
			if err != nil {
				return 0, err
			}
			n += bytes.Count(text, []byte("\n"))
		}
	}
	return n, nil
}

// promise is a reason to keep what changes few answers.
type promise struct{ file, name, says string }

// promises reads kept.txt, and what declared.txt of package ablate says about rules that no case can show. A room is in the file "room".
func promises(declared string) (all []promise) {
	for line := range strings.Lines(keptText + declared) {
		head, says, ok := strings.Cut(strings.TrimSpace(line), ": ")
		if !ok || strings.HasPrefix(line, "#") {
			continue
		}
		file, name, _ := strings.Cut(head, " ")
		if f := strings.Fields(name); len(f) > 0 && file != "room" {
			name = f[0] // what follows is for the gate
		}
		all = append(all, promise{file, name, says})
	}
	return all
}

// keeps is what the promises say about a rule or a room; "" if they do not.
func keeps(all []promise, file, name string) string {
	for _, p := range all {
		if fits, _ := filepath.Match(p.file, file); fits && (p.name == "" || p.name == "*" || p.name == name) {
			return p.says
		}
	}
	return ""
}
