package gitcommit

import (
	"context"
	"fmt"
	"path"
	"strings"
	"unicode/utf8"
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
		return inLine(r.locate(c.From)) + " to " + inLine(r.locate(c.Name))
	}
	return inLine(r.locate(c.Name))
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
	if words := " in " + inLine(dir); dir != "." && columns+utf8.RuneCountInString(words) <= mostColumns {
		return words
	}
	return ""
}

// inLine is a name in which nothing ends the line.
func inLine(name string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7F {
			return '?'
		}
		return r
	}, name)
}

// WithTrailers is a message with trailers, as git's rules put them. No line of it counts as a comment.
func (r *Repository) WithTrailers(ctx context.Context, message string, trailers []string) (string, error) {
	if len(trailers) == 0 {
		return message, nil
	}
	args := []string{"-c", "core.commentChar=\x01", "interpret-trailers", "--no-divider"}
	for _, t := range trailers {
		args = append(args, "--trailer="+t)
	}
	out, said, err := r.ask(ctx, strings.NewReader(message), args...)
	if err != nil {
		return "", failed("git does not take the trailers", said, err)
	}
	return string(out), nil
}
