package report

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/srpatch/srpatch/apply"
	"github.com/srpatch/srpatch/internal/linediff"
	"github.com/srpatch/srpatch/parser"
)

const (
	// longest is how many rows of the file, or of a change, a report shows before it refers to -v, and longestLine how many bytes of one.
	longest     = 30
	longestLine = 2000
	// widest is how many bytes of a corrected block are shown.
	widest = 64_000
)

// refusal writes one refused block: its line, why, where the nearest text is and how it differs, and what to do.
func (p Printer) refusal(b *apply.BlockReport, width int, detail Detail) {
	lead, reason, said := p.head(b, width)+": ", Clean(string(b.Reason)), message(b)
	if said == "" {
		p.line(lead, p.paint(bold, reason))
	} else {
		used := cells(Printer{}.head(b, width)+": "+reason+": ") - len(indent)
		p.wrapped(lead+p.paint(bold, reason)+": ", used, said)
	}
	if len(b.Tried) > 0 && detail >= Verbose {
		p.field("tried", Clean(strings.Join(b.Tried, ", ")))
	}
	if b.Searched != nil && detail >= Verbose {
		p.field("searched", linesOf(*b.Searched))
	}
	if len(b.Candidates) > 0 {
		p.field("fits at", candidates(b))
	}
	if b.Nearest != nil {
		p.nearest(b, detail)
	}
	p.warnings(b.Warnings)
	if len(b.Corrected) > 0 {
		p.field("to fix", corrected(b))
		for i, text := range b.Corrected {
			if len(b.Corrected) > 1 { // they are chosen by their numbers
				p.line(indent, p.paint(cyan, fmt.Sprintf("%d of %d", i+1, len(b.Corrected))))
			}
			p.quote(text, detail)
		}
	} else {
		if b.Block != nil && (b.Nearest != nil || b.Reason == apply.Placeholder && !whole(b)) {
			p.changes(b.Block, detail)
		}
		p.field("to fix", toFix(b))
	}
}

// message is the reason in words, without the path that stands in front of it.
func message(b *apply.BlockReport) string {
	return Clean(strings.TrimPrefix(b.Message, b.Path+": "))
}

// candidates names each place as editors and terminals understand it: path:line.
func candidates(b *apply.BlockReport) string {
	places := make([]string, len(b.Candidates))
	for i, n := range b.Candidates {
		places[i] = fmt.Sprintf("%s:%d", Clean(b.Path), n)
	}
	return strings.Join(places, ", ")
}

func corrected(b *apply.BlockReport) string {
	if len(b.Corrected) == 1 {
		return "if this is what was meant, apply it instead:"
	}
	return "apply the one that was meant:"
}

// quote writes a text indented, so that its lines cannot be taken for the report's. The parser reads blocks indented
// like this. It is there to be pasted, so it is shown to its end, unless nobody would read that.
func (p Printer) quote(text string, detail Detail) {
	if len(text) > widest && detail < Verbose {
		p.line("       ", p.paint(dim, fmt.Sprintf("… (%d bytes; -v shows all)", len(text))))
		return
	}
	for line := range cleanLines(strings.TrimRight(text, "\n")) {
		p.line("       ", line)
	}
}

// changes writes what the block changes, for whoever writes it anew: the file's lines alone do not say that.
func (p Printer) changes(b *parser.Block, detail Detail) {
	search, replace := lines(b.Search), lines(b.Replace)
	p.field("changes", "- is removed, + is added")
	shown := 0
	for _, c := range linediff.Diff(search, replace) {
		n := c.A1 - c.A0 + c.B1 - c.B0
		if shown += n; shown > longest && detail < Verbose {
			p.line("       ", p.paint(dim, "… (-v shows all)"))
			return
		}
		p.line("       ", p.paint(dim, "⋮"))
		kept := func(at, end int) {
			for ; at < min(end, len(search)); at++ {
				p.code("         ", plain, cleanTabbed(p.short(search[at])))
			}
		}
		kept(max(0, c.A0-1), c.A0)
		gone, come := search[c.A0:c.A1], replace[c.B0:c.B1]
		side := func(st style, sign string, lines, others linediff.Slice) {
			for i, line := range lines {
				var other []byte
				if len(lines) == len(others) {
					other = others[i]
				}
				p.code("       ", st, sign+cleanTabbed(p.around(p.short(line), p.short(other))))
			}
		}
		side(red, "- ", gone, come)
		side(green, "+ ", come, gone)
		kept(c.A1, c.A1+1)
	}
}

// around is a line without its beginning, where it is too long and differs from another one only further on.
func (p Printer) around(line, other string) string {
	room := p.room() - len("       - ")
	if p.room() == 0 || other == "" || cells(line) <= room {
		return line
	}
	head, _ := common(line, other)
	for head > 0 && head < len(line) && !utf8.RuneStart(line[head]) {
		head--
	}
	if cells(line[:head]) <= room/2 {
		return line
	}
	return "…" + lastCells(line[:head], room/4) + line[head:]
}

// short is a line of code as far as a report shows it.
func (p Printer) short(line []byte) string {
	if p.whole {
		return string(line)
	}
	return clip(string(line), longestLine)
}

// whole reports whether a block gives all of a file's text.
func whole(b *apply.BlockReport) bool { return b.Block != nil && b.Block.Op == parser.OpWrite }

// emptySearch reports whether a block for a file that exists gave lines without a place: its text can be added at the end. One that
// gives all of a file, or moves one, can't.
func emptySearch(b *apply.BlockReport) bool {
	return b.Block == nil || b.Block.Op != parser.OpMove && !b.Block.Whole()
}

// toFix is what a user of the command can do about a refusal, beyond what its message says.
func toFix(b *apply.BlockReport) string {
	switch b.Reason {
	case apply.Encoding:
		return "name the file's encoding with --encoding NAME (latin1, windows-1252, gbk, shift_jis)"
	case apply.NotFound:
		if slices.ContainsFunc(b.Warnings, func(w string) bool { return strings.HasPrefix(w, "encoding:") }) {
			return "name the file's encoding with --encoding NAME (latin1, windows-1252, gbk, shift_jis), or convert the file to UTF-8"
		}
		if b.Nearest != nil {
			return "make SEARCH repeat the file's lines as they are now"
		}
	case apply.Ambiguous:
		return "add such lines, or name the line in the marker: <<<<<<< SEARCH line:N"
	case apply.NoName:
		return "give the file with --file"
	case apply.Exists:
		if emptySearch(b) {
			return "use --append-empty to add the text at the end"
		}
	case apply.NoSuchFile:
		return "correct the name, or give it with --file; -d names the tree and -p strips leading directories"
	case apply.Placeholder:
		if !whole(b) { // else the file would become what the model left of it
			return "if REPLACE is meant to hold such a line, use --allow-placeholders"
		}
	case apply.Overlap:
		return "to leave one of them out, name the blocks to apply with --only"
	case apply.OutsideRoot:
		return "name a file inside the tree, or give it with --file; -p strips leading directories, and -d names another tree"
	}
	return ""
}
