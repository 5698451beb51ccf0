package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	prose "github.com/srpatch/srpatch/internal/text"
)

const usage = `srpatch: patch(1) for SEARCH/REPLACE blocks

Usage: srpatch [FLAGS] [REPLY...]    REPLY: a file with a model's answer, or -
       srpatch VERB [FLAGS] [ARG...]
`

// mostUsed is what people do most, and the command for each.
const mostUsed = `
  srpatch reply.md                        apply every block of a reply, or none
  llm 'add --json' | srpatch              the same from a pipe, or --clipboard
  srpatch -n reply.md                     show the diff, write nothing
  srpatch -i reply.md                     choose blocks, as git add -p does
  srpatch --verify 'make test' reply.md   keep the edits only if the tests pass
  srpatch undo                            take the last run back

`

const exitHelp = `Exit status: 0 every block is applied, or was already; 1 a block was refused or an edit was not understood, and nothing was
written (except with --partial), or the command of --verify failed and the run was taken back; 2 trouble: usage, I/O, a reply without an edit.
`

// screen is srpatch -h: what fits on a screen.
func screen(w io.Writer) error {
	var b strings.Builder
	b.WriteString(usage + mostUsed)
	listVerbs(&b, 80)
	b.WriteString(`
More: srpatch --help (flags), srpatch help VERB, man srpatch
Exit status: 0 all applied, 1 refused and nothing written, 2 trouble
`)
	_, err := io.WriteString(w, b.String())
	return err
}

// listVerbs writes a line for each verb.
func listVerbs(b *strings.Builder, width int) {
	b.WriteString("Verbs:\n")
	for _, v := range verbs()[1:] {
		const column = 14
		fmt.Fprintf(b, "  %-12s", v.name)
		prose.Fill(b, strings.Fields(v.doc), column, column, width)
		b.WriteByte('\n')
	}
}

func helpCommand(v verb) string {
	if v.name == "" {
		return "srpatch --help"
	}
	return "srpatch " + v.name + " --help"
}

// helpOn is the verb help.
func (c *command) helpOn(context.Context) error {
	if len(c.args) == 0 {
		return fullHelp(c.stdout, c.width())
	}
	name := c.args[0]
	if name == "man" && len(c.args) == 1 {
		_, err := io.WriteString(c.stdout, manual())
		return err
	}
	if here, ok := habitOf(name, taken); ok && !strings.HasPrefix(name, "-") {
		if name = here; strings.HasPrefix(here, "-") {
			name = "" // these are flags of applying
		}
	}
	all := verbs()
	i := slices.IndexFunc(all, func(v verb) bool { return v.name == name })
	if i < 0 || len(c.args) > 1 {
		return usagef("help: there is no verb %q%s", strings.Join(c.args, " "), verbMeantBy(c.args[0]))
	}
	return help(c.stdout, all[i], c.width())
}

// fullHelp is srpatch --help: the verbs, and the flags of a run but for those that few need.
func fullHelp(w io.Writer, width int) error {
	var b strings.Builder
	b.WriteString(usage + mostUsed)
	listVerbs(&b, width)
	b.WriteString("  A verb's name wins over a file of that name: ./check is the file.\n\n")
	for _, g := range flagGroups(&config{}) {
		if g.title != rarely {
			writeFlags(&b, g, verbs()[0], width)
		}
	}
	b.WriteString(filled(`srpatch help apply explains a run and has all of its flags, srpatch help VERB those of a verb; man srpatch (or srpatch help man | man -l -) has it all.
`, width) + "\n" + filled(exitHelp, width))
	_, err := io.WriteString(w, b.String())
	return err
}

// help writes all that there is to say about a verb.
func help(w io.Writer, v verb, width int) error {
	var b strings.Builder
	words := strings.Join(slices.DeleteFunc([]string{"srpatch", v.name, "[FLAGS]", v.args}, func(s string) bool { return s == "" }), " ")
	fmt.Fprintf(&b, "Usage: %s\n\n%s\n", words, filled(sentence(v.doc)+".\n", width))
	if v.about != "" {
		b.WriteString(filled(v.about+"\n", width) + "\n")
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
