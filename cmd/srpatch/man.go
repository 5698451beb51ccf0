package main

import (
	"fmt"
	"strings"

	"github.com/srpatch/srpatch/internal/gitconfig"
)

// manual is the manual page in the man macros, for man and mandoc, from the tables that --help is made of.
func manual() string {
	var p page
	p.macro(".TH", "SRPATCH", "1", "", "srpatch", "User Commands")
	p.heading("NAME")
	p.text(`srpatch - patch(1) for SEARCH/REPLACE blocks`)
	p.heading("SYNOPSIS")
	p.tagged("srpatch", "[FLAGS] [REPLY...]")
	p.b.WriteString(".br\n")
	p.tagged("srpatch", "VERB [FLAGS] [ARG...]")
	p.heading("DESCRIPTION")
	all := verbs()
	p.prose("srpatch applies the SEARCH/REPLACE blocks of a model's reply to the files of a directory.")
	p.prose(mostUsed)
	p.prose(all[0].about)
	p.heading("VERBS")
	p.text("A verb's name wins over a file of that name: ./check is the file.")
	for _, v := range all[1:] {
		p.b.WriteString(".TP\n")
		p.tagged(v.name, v.args)
		p.text(sentence(v.doc) + ".")
		if v.about != "" {
			p.b.WriteString(".RS\n")
			p.prose(v.about)
			p.b.WriteString(".RE\n")
		}
	}
	p.heading("OPTIONS")
	p.text("An option goes with the verbs that are named behind it; without any it goes with applying alone.")
	for _, g := range flagGroups(&config{}) {
		p.macro(".SS", g.title)
		for _, f := range g.flags {
			p.b.WriteString(".TP\n")
			p.tagged(flagHead(f))
			with := ""
			if names := verbsOf(f); len(names) > 0 {
				with = " (" + strings.Join(names, ", ") + ")"
			}
			p.text(sentence(f.doc) + "." + with)
		}
	}
	p.heading("EXIT STATUS")
	p.prose(strings.TrimPrefix(exitHelp, "Exit status: "))
	p.heading("CONFIGURATION")
	var keys []string
	for _, name := range gitconfig.Names() {
		keys = append(keys, gitconfig.KeyOf(name))
	}
	p.text("Defaults come from git's configuration. The keys are " + alternatives(keys) + ".")
	p.heading("FILES")
	p.b.WriteString(".TP\n")
	p.tagged("$XDG_STATE_HOME/srpatch", "")
	p.text("The journals, or ~/.local/state/srpatch; see --state-dir.")
	p.heading("SEE ALSO")
	p.text("patch(1), git-apply(1), git-config(1)")
	return p.b.String()
}

// verbsOf names the verbs of a flag; none if it goes with applying alone.
func verbsOf(f flagDef) []string {
	if f.verbs == vAll {
		return []string{"all"}
	}
	var names []string
	for _, v := range verbs()[1:] {
		if f.verbs&v.set != 0 {
			names = append(names, v.name)
		}
	}
	if f.verbs&vApply != 0 && len(names) > 0 {
		names = append([]string{"applying"}, names...)
	}
	return names
}

// page is a manual page that is being written.
type page struct {
	b     strings.Builder
	fresh bool // the last line is a heading
}

// roff is text as troff reads it: no line of it is a request, and dashes and quotes stay what they are.
func roff(s string) string {
	s = strings.NewReplacer(`\`, `\e`, "-", `\-`, "'", `\(aq`, "`", `\(ga`, "^", `\(ha`, "~", `\(ti`, `"`, `\(dq`).Replace(s)
	if strings.HasPrefix(s, ".") {
		s = `\&` + s
	}
	return s
}

// macro writes a request with its arguments.
func (p *page) macro(name string, args ...string) {
	p.b.WriteString(name)
	for _, arg := range args {
		fmt.Fprintf(&p.b, " \"%s\"", roff(arg))
	}
	p.b.WriteByte('\n')
}

func (p *page) heading(title string) {
	p.macro(".SH", title)
	p.fresh = true
}

// text writes one paragraph.
func (p *page) text(s string) {
	p.fresh = false
	for line := range strings.SplitSeq(s, "\n") {
		p.b.WriteString(roff(line) + "\n")
	}
}

// tagged writes a line whose beginning is to be typed as it is.
func (p *page) tagged(typed, rest string) {
	p.b.WriteString(`\fB` + roff(typed) + `\fR`)
	if rest != "" {
		if rest[0] != '=' && !strings.HasPrefix(rest, "[=") {
			p.b.WriteByte(' ')
		}
		p.b.WriteString(`\fI` + roff(rest) + `\fR`)
	}
	p.b.WriteByte('\n')
}

// prose writes paragraphs that have blank lines between them. Indented lines are written as they are.
func (p *page) prose(s string) {
	for paragraph := range strings.SplitSeq(strings.Trim(s, "\n"), "\n\n") {
		if !p.fresh {
			p.b.WriteString(".PP\n")
		}
		p.fresh = false
		asIs := false
		for line := range strings.SplitSeq(paragraph, "\n") {
			if indented := strings.HasPrefix(line, "  "); indented != asIs {
				asIs = indented
				p.b.WriteString(map[bool]string{true: ".nf\n", false: ".fi\n"}[asIs])
			}
			p.b.WriteString(roff(line) + "\n")
		}
		if asIs {
			p.b.WriteString(".fi\n")
		}
	}
}
