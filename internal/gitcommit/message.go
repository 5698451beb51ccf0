package gitcommit

import (
	"fmt"
	"path"
	"strings"
	"unicode/utf8"

	"github.com/srpatch/srpatch/internal/text"
)

// Change is what a run did to one file.
type Change struct {
	// Verb is Change, Add, Delete or Rename.
	Verb string
	// Name is the file below the directory that was opened; From the old one where it was renamed.
	Name, From string
}

const (
	mostColumns = 72  // of a subject
	mostListed  = 100 // lines of a body
)

// Message is what a commit says where nobody has said it: what was done to which files, in a subject of at most 72 columns. What has no room
// there is listed below it.
func (r *Repository) Message(all []Change) string {
	var phrases []string
	verb := ""
	for _, c := range all {
		phrase := r.object(c)
		if c.Verb != verb {
			phrase = c.Verb + " " + phrase
			if verb != "" {
				phrase = strings.ToLower(c.Verb[:1]) + phrase[1:]
			}
			verb = c.Verb
		}
		phrases = append(phrases, phrase)
	}
	if subject := strings.Join(phrases, ", "); utf8.RuneCountInString(subject) <= mostColumns {
		return subject + "\n"
	}
	var b strings.Builder
	b.WriteString(r.counted(all) + "\n\n")
	for i, c := range all {
		if i == mostListed {
			fmt.Fprintf(&b, "and %d more\n", len(all)-i)
			break
		}
		fmt.Fprintf(&b, "%s %s\n", c.Verb, r.object(c))
	}
	return b.String()
}

func (r *Repository) object(c Change) string {
	if c.From != "" {
		return text.Clean(r.locate(c.From)) + " to " + text.Clean(r.locate(c.Name))
	}
	return text.Clean(r.locate(c.Name))
}

// counted is a subject that counts the files, and says where they are if there is room.
func (r *Repository) counted(all []Change) string {
	where := path.Dir(r.locate(all[0].Name))
	count := map[string]int{}
	var verbs []string
	for _, c := range all {
		if count[c.Verb]++; count[c.Verb] == 1 {
			verbs = append(verbs, c.Verb)
		}
		for where != "." && !strings.HasPrefix(r.locate(c.Name), where+"/") {
			where = path.Dir(where)
		}
	}
	if len(all) == 1 { // whose name is too long
		return all[0].Verb + " a file" + in(where, len(all[0].Verb)+len(" a file"))
	}
	var parts []string
	for i, verb := range verbs {
		part := fmt.Sprintf("%s %d files", verb, count[verb])
		if count[verb] == 1 {
			part = verb + " 1 file"
		}
		if i > 0 {
			part = strings.ToLower(part[:1]) + strings.TrimSuffix(strings.TrimSuffix(part[1:], " files"), " file")
		}
		parts = append(parts, part)
	}
	subject := strings.Join(parts, ", ")
	return subject + in(where, len(subject))
}

// in says in which directory, if there is room behind so many columns.
func in(dir string, columns int) string {
	if words := " in " + text.Clean(dir); dir != "." && columns+utf8.RuneCountInString(words) <= mostColumns {
		return words
	}
	return ""
}
