package report

import (
	"fmt"
	"strings"
)

// Changed is how much of a file changes.
type Changed struct {
	Path string
	// From is the path before, of a file that is moved.
	From string
	// Added and Removed count lines.
	Added, Removed int
	// How says what is done to the file where it is not an edit; "" for one.
	How string
}

// Stat lists files with how many lines come and go, as git diff --stat does, in lines of at most so many columns.
func Stat(p Printer, files []Changed, columns int) {
	if len(files) == 0 {
		return
	}
	names := make([]string, len(files))
	longest, most, added, removed := 0, 0, 0, 0
	for i, f := range files {
		names[i] = Clean(f.Path)
		if f.From != "" && f.From != f.Path {
			names[i] = Clean(f.From) + " => " + names[i]
		}
		if f.How != "" {
			names[i] += " (" + f.How + ")"
		}
		longest, most = max(longest, cells(names[i])), max(most, f.Added+f.Removed)
		added, removed = added+f.Added, removed+f.Removed
	}
	digits := len(fmt.Sprint(most))
	room := max(columns-digits-6, 20) // of name and graph, with what is between them
	longest = min(longest, max(room*5/8, room-most))
	graph := room - longest
	for i, f := range files {
		name := cut(names[i], longest)
		plus, minus := scaled(f.Added, f.Removed, most, graph)
		line := fmt.Sprintf(" %s%*s | %*d", name, longest-cells(name), "", digits, f.Added+f.Removed)
		if plus+minus > 0 {
			line += " " + p.paint(green, strings.Repeat("+", plus)) + p.paint(red, strings.Repeat("-", minus))
		}
		p.line(line)
	}
	total := " " + plural(len(files), "file") + " changed"
	if added > 0 || removed == 0 {
		total += ", " + plural(added, "insertion") + "(+)"
	}
	if removed > 0 || added == 0 {
		total += ", " + plural(removed, "deletion") + "(-)"
	}
	p.line(total)
}

// scaled are the signs for added and removed lines of a file where the longest bar, of most lines, has the given room. What is there has
// a sign.
func scaled(added, removed, most, room int) (plus, minus int) {
	if most <= room {
		return added, removed
	}
	of := func(n int) int {
		if n == 0 {
			return 0
		}
		return max(n*room/most, 1)
	}
	plus, minus = of(added), of(removed)
	if plus > 1 {
		plus -= max(plus+minus-room, 0)
	} else {
		minus -= max(plus+minus-room, 0)
	}
	return plus, minus
}

// cut shortens a name to so many columns, and keeps its end, from a slash on where there is one.
func cut(name string, columns int) string {
	if cells(name) <= columns {
		return name
	}
	runes := []rune(name)
	for len(runes) > 0 && cells(string(runes))+3 > columns {
		runes = runes[1:]
	}
	end := string(runes)
	if i := strings.IndexByte(end, '/'); i >= 0 {
		end = end[i:]
	}
	return "..." + end
}
