package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	prose "github.com/srpatch/srpatch/internal/text"
)

const shortUsage = `Usage: srpatch [flags] [REPLY...]
       srpatch VERB [flags] [ARG...]

` + summary + `
  srpatch reply.md        apply a reply     srpatch -n reply.md   show the diff
  llm "..." | srpatch     from a pipe       srpatch --clipboard  what was copied
  srpatch undo            take it back      srpatch --help        all there is
`

// summary is what the command does.
const summary = "Applies the SEARCH/REPLACE blocks of a model's reply to the tree at hand."

const exitHelp = `Exit status: 0 everything is applied or was already; 1 a block was refused or an attempted edit was not understood,
and nothing was written (except with --partial), or the command of --verify failed and the run was taken back; 2 trouble: usage, I/O, a reply without any edit.
`

func helpCommand(v verb) string {
	if v.name == "" {
		return "srpatch --help"
	}
	return "srpatch " + v.name + " --help"
}

// helpOn is the verb help.
func (c *command) helpOn(context.Context) error {
	all := verbs()
	if len(c.args) == 0 {
		return help(c.stdout, all[0], c.width())
	}
	i := slices.IndexFunc(all, func(v verb) bool { return v.name == c.args[0] })
	if i < 0 || len(c.args) > 1 {
		return usagef("help: there is no verb %q%s", strings.Join(c.args, " "), verbMeantBy(c.args[0]))
	}
	return help(c.stdout, all[i], c.width())
}

// help writes the manual: of the whole command, or of one verb.
func help(w io.Writer, v verb, width int) error {
	var b strings.Builder
	if v.name == "" {
		b.WriteString("srpatch: patch(1) for SEARCH/REPLACE blocks\n\n")
		b.WriteString("Usage: srpatch [flags] [REPLY...]\n       srpatch VERB [flags] [ARG...]\n\n")
	} else {
		fmt.Fprintf(&b, "Usage: srpatch %s\n\n%s\n", strings.TrimSpace(v.name+" [flags] "+v.args), filled(sentence(v.doc)+".\n", width))
	}
	if v.about != "" {
		b.WriteString(filled(v.about+"\n", width) + "\n")
	}
	if v.name == "" {
		b.WriteString("Verbs:\n")
		for _, v := range verbs() {
			name := v.name
			if name == "" {
				name = "(none)"
			}
			const column = 14
			fmt.Fprintf(&b, "  %-12s", name)
			prose.Fill(&b, strings.Fields(v.doc), column, column, width)
			b.WriteByte('\n')
		}
		b.WriteString("  A verb's name wins over a file of that name: ./check is the file.\n\n")
	}
	for _, g := range flagGroups(&config{}) {
		writeFlags(&b, g, v, width)
	}
	b.WriteString(filled(exitHelp, width))
	_, err := io.WriteString(w, b.String())
	return err
}

func sentence(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// flagHead is a flag as it is typed, and the placeholder of its value.
func flagHead(f flagDef) (typed, value string) {
	for _, letter := range f.short {
		typed += "-" + string(letter) + ", "
	}
	switch {
	case f.needsValue():
		value = "=" + f.value
	case f.value != "":
		value = "[=" + f.value[1:]
	}
	return typed + "--" + f.name, value
}

// writeFlags lists the flags of a group that go with a verb.
func writeFlags(b *strings.Builder, g flagGroup, v verb, width int) {
	const column = 27
	g.flags = slices.DeleteFunc(g.flags, func(f flagDef) bool { return f.verbs&v.set == 0 })
	if len(g.flags) == 0 {
		return
	}
	fmt.Fprintf(b, "%s:\n", g.title)
	defer b.WriteByte('\n')
	for _, f := range g.flags {
		typed, value := flagHead(f)
		head := "  " + typed + value
		if f.short == "" {
			head = "    " + head
		}
		if len(head) >= column {
			fmt.Fprintf(b, "%s\n%*s", head, column, "")
		} else {
			fmt.Fprintf(b, "%-*s", column, head)
		}
		prose.Fill(b, strings.Fields(f.doc), column, column, width)
		b.WriteByte('\n')
	}
}

// filled is a text in lines of at most width columns. Lines that are indented are samples, and stay as they are, as do blank ones.
func filled(text string, width int) string {
	var b strings.Builder
	var words []string
	flush := func() {
		if prose.Fill(&b, words, 0, 0, width); len(words) > 0 {
			b.WriteByte('\n')
		}
		words = nil
	}
	for line := range strings.Lines(text) {
		if strings.TrimSpace(line) == "" || strings.HasPrefix(line, " ") {
			flush()
			b.WriteString(line)
			continue
		}
		words = append(words, strings.Fields(line)...)
	}
	flush()
	return b.String()
}
