package eval

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/srpatch/srpatch/parser"
)

// Perturb makes cases from real replies. It drops, repeats and reorders blocks. It also gives the
// reply files that have a part of its change, have changed elsewhere or next to it, or have a
// second copy of the place. Only blocks with an obvious result count: SEARCH is whole lines that occur once in the file, apart from those
// of all other blocks. Not every case suits every reply, so kinds differ in number.
func Perturb(qs []*Question, seed uint64) (out []*Case) {
	for i, q := range qs {
		p := perturber{rng: rand.New(rand.NewPCG(seed, uint64(i+1))), id: q.ID, files: q.Files}
		p.places = p.known(q.parsed().Blocks)
		if len(p.places) > 0 {
			out = append(out, p.cases()...)
		}
	}
	slices.SortStableFunc(out, func(a, b *Case) int { return strings.Compare(a.Kind, b.Kind) })
	return out
}

// perturbations returns the kinds of [Perturb].
func perturbations() []string {
	return []string{"as_it_is", "dropped", "repeated", "reordered", "part_done", "again",
		"moved_on", "line_between", "copied"}
}

// place is a block and the one span of its file that equals SEARCH, in bytes, end exclusive.
type place struct {
	block      parser.Block
	start, end int
}

type perturber struct {
	rng    *rand.Rand
	id     string
	files  map[string]string
	places []place
}

// known returns the blocks whose result is known.
func (p *perturber) known(blocks []parser.Block) (out []place) {
	for _, b := range blocks {
		text, ok := p.files[b.Path]
		at := occurrence(text, string(b.Search))
		if !ok || at < 0 || b.Op != parser.OpEdit || b.Substring || b.ReplaceAll ||
			len(b.Readings) > 0 || bytes.Equal(b.Search, b.Replace) ||
			isPartly(text[:max(at, 0)], b) || !bytes.HasSuffix(b.Search, []byte("\n")) ||
			len(b.Replace) > 0 && !bytes.HasSuffix(b.Replace, []byte("\n")) ||
			strings.Contains(text, "\r") || len(b.Replace) > 0 &&
			strings.Contains(text, string(b.Replace)) || bytes.Contains(b.Replace, []byte("...")) ||
			len(bytes.TrimSpace(b.Search)) == 0 {
			continue
		}
		b = parser.Block{ID: len(out) + 1, Op: parser.OpEdit, Path: b.Path, Search: b.Search, Replace: b.Replace}
		if !slices.ContainsFunc(out,
			func(o place) bool { return o.block.Path == b.Path && at <= o.end && o.start <= at+len(b.Search) }) {
			out = append(out, place{b, at, at + len(b.Search)})
		}
	}
	return out
}

// isPartly reports whether text, which is above the place, ends with the lines that the block puts
// first. A part of its change is then there already.
func isPartly(text string, b parser.Block) bool {
	first, _, _ := bytes.Cut(b.Search, []byte("\n"))
	i := bytes.Index(b.Replace, first)
	return i > 0 && strings.HasSuffix(text, string(b.Replace[:i]))
}

// occurrence returns where the lines of search occur in text, or -1 unless that is one place.
func occurrence(text, search string) int {
	found := -1
	for at := 0; search != ""; {
		i := strings.Index(text[at:], search)
		if i < 0 {
			break
		}
		if at += i; at == 0 || text[at-1] == '\n' {
			if found >= 0 {
				return -1
			}
			found = at
		}
		at++
	}
	return found
}

// after returns the files with the blocks of the places applied.
func (p *perturber) after(places []place) map[string]string {
	out := maps.Clone(p.files)
	places = slices.Clone(places)
	slices.SortFunc(places, func(a, b place) int { return b.start - a.start })
	for _, x := range places {
		text := out[x.block.Path]
		out[x.block.Path] = text[:x.start] + string(x.block.Replace) + text[x.end:]
	}
	return out
}

// ask makes a case of the blocks of places on the given files.
func (p *perturber) ask(kind, variant string, files map[string]string, places []place,
	expected map[string]string) *Case {
	var blocks []parser.Block
	for i, x := range places {
		x.block.ID = i + 1
		blocks = append(blocks, x.block)
	}
	reply, err := parser.Format(blocks)
	if err != nil {
		return nil
	}
	return &Case{ID: kind + ":" + variant + ":" + p.id, Kind: kind, Variant: variant, Files: files,
		Reply: string(reply), Expected: expected}
}

// again makes a case of all blocks on files in which those of some places were applied before.
func (p *perturber) again(kind, variant string, done []place) *Case {
	c := p.ask(kind, variant, p.after(done), p.places, p.after(p.places))
	if c != nil {
		c.RefuseOK = slices.ContainsFunc(done, func(x place) bool { return deletes(x.block) })
	}
	return c
}

func (p *perturber) cases() []*Case {
	whole := p.after(p.places)
	out := []*Case{p.ask("as_it_is", "", p.files, p.places, whole), p.movedOn(whole)}
	out = append(out, p.again("again", "", p.places))
	for i, x := range p.places[:min(len(p.places), 6)] {
		only, rest := []place{x}, slices.Delete(slices.Clone(p.places), i, i+1)
		variant := fmt.Sprint(i + 1)
		out = append(out,
			p.ask("repeated", variant, p.files, append(slices.Clone(p.places), x), whole),
			p.lineBetween(variant, x), p.copied(variant, x))
		out = append(out, p.again("part_done", "by_"+variant, only))
		if len(rest) > 0 {
			out = append(out, p.ask("dropped", variant, p.files, rest, p.after(rest)),
				p.again("part_done", "but_"+variant, rest))
		}
	}
	if len(p.places) > 1 {
		turned := slices.Clone(p.places)
		slices.Reverse(turned)
		out = append(out, p.ask("reordered", "reversed", p.files, turned, whole))
		turned = append(slices.Clone(p.places[1:]), p.places[0])
		out = append(out, p.ask("reordered", "rotated", p.files, turned, whole))
	}
	return slices.DeleteFunc(out, func(c *Case) bool { return c == nil })
}

// deletes reports whether a block adds no line that SEARCH lacks. Without a journal, nothing shows
// that it was applied.
func deletes(b parser.Block) bool {
	have := map[string]bool{}
	for l := range strings.Lines(string(b.Search)) {
		have[strings.TrimSpace(l)] = true
	}
	for l := range strings.Lines(string(b.Replace)) {
		if !have[strings.TrimSpace(l)] {
			return false
		}
	}
	return true
}

// movedOn adds somebody else's lines to each file, away from all places.
func (p *perturber) movedOn(whole map[string]string) *Case {
	files, expected := maps.Clone(p.files), maps.Clone(whole)
	for _, path := range slices.Sorted(maps.Keys(p.files)) {
		text := p.files[path]
		ends := slices.DeleteFunc(lineEnds(text), func(at int) bool {
			return slices.ContainsFunc(p.places,
				func(x place) bool { return x.block.Path == path && x.start <= at && at <= x.end })
		})
		if len(ends) == 0 {
			return nil
		}
		shift, at := 0, ends[p.rng.IntN(len(ends))]
		for _, x := range p.places {
			if x.block.Path == path && x.end < at {
				shift += len(x.block.Replace) - (x.end - x.start)
			}
		}
		const theirs = "audit(entry, stamp)\n"
		files[path] = text[:at] + theirs + text[at:]
		expected[path] = whole[path][:at+shift] + theirs + whole[path][at+shift:]
	}
	return p.ask("moved_on", "", files, p.places, expected)
}

// lineBetween adds somebody else's line between two lines that the block keeps.
func (p *perturber) lineBetween(variant string, x place) *Case {
	search, replace := slices.Collect(strings.Lines(string(x.block.Search))),
		slices.Collect(strings.Lines(string(x.block.Replace)))
	same, left := 0, min(len(search), len(replace))
	for same < left && search[same] == replace[same] {
		same++
	}
	back := 0
	for back < left-same && search[len(search)-1-back] == replace[len(replace)-1-back] {
		back++
	}
	// Between lines i-1 and i of SEARCH; j is the same line of REPLACE.
	var at [][2]int
	for i := 1; i < same; i++ {
		at = append(at, [2]int{i, i})
	}
	for i := 1; i < back; i++ {
		at = append(at, [2]int{len(search) - i, len(replace) - i})
	}
	if len(at) == 0 {
		return nil
	}
	k := at[p.rng.IntN(len(at))]
	margin := search[k[0]][:len(search[k[0]])-len(strings.TrimLeft(search[k[0]], " \t"))]
	theirs := []string{margin + "audit(entry, stamp)\n"}
	with := func(lines []string, i int) string {
		return strings.Join(slices.Insert(slices.Clone(lines), i, theirs...), "")
	}
	files, expected := maps.Clone(p.files), maps.Clone(p.files)
	text := p.files[x.block.Path]
	files[x.block.Path] = text[:x.start] + with(search, k[0]) + text[x.end:]
	expected[x.block.Path] = text[:x.start] + with(replace, k[1]) + text[x.end:]
	return p.ask("line_between", variant, files, []place{x}, expected)
}

// copied repeats the place at the end of the file, with two lines around it. Nothing says which one
// is meant.
func (p *perturber) copied(variant string, x place) *Case {
	text := p.files[x.block.Path]
	if !strings.HasSuffix(text, "\n") {
		return nil
	}
	from, to := x.start, x.end
	for range 2 {
		from = strings.LastIndexByte(text[:max(from-1, 0)], '\n') + 1
		to = min(len(text), to+1+strings.IndexByte(text[to:], '\n'))
	}
	files := maps.Clone(p.files)
	files[x.block.Path] = text + text[from:to]
	return p.ask("copied", variant, files, []place{x}, nil)
}

// lineEnds returns the offsets after each line of text, and 0.
func lineEnds(text string) []int {
	out := []int{0}
	for i := range len(text) {
		if text[i] == '\n' {
			out = append(out, i+1)
		}
	}
	return out
}
