package apply_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/hbollon/go-edlib"
	"pgregory.net/rapid"

	"github.com/srpatch/srpatch/apply"
	"github.com/srpatch/srpatch/parser"
)

func one(b parser.Block) *parser.Reply { return &parser.Reply{Blocks: []parser.Block{b}} }

// drawBent draws a file and a block for it that is distorted in some way.
func drawBent(t *rapid.T) (apply.Files, parser.Block) {
	s := drawSheet(t, 1, 40, true)
	first, end := s.window(t, 8)
	b := bend(t, drawScript(t, s, first, end, 1)).block(1, rapid.IntRange(0, len(s.lines)).Draw(t, "hint"))
	return apply.Files{"f.txt": s.bytes()}, b
}

// All changes are within the lines that the report gives. Everything else stays the same, byte for
// byte.
func TestNoCollateralChange(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tree, b := drawBent(t)
		plan := planned(t, tree, one(b), apply.Options{Policy: drawPolicy(t)})
		for _, f := range plan.Files {
			if len(*apply.Spans(&f)) == 0 {
				t.Fatalf("a single block leaves no spans\n%s", reports(plan))
			}
			starts := lineStarts(f.Before)
			low, high := starts[plan.Blocks[0].Lines[0]-1], starts[plan.Blocks[0].Lines[1]]
			for _, span := range *apply.Spans(&f) {
				// If the file has no final line end, deleting the last line also deletes the line
				// end before it.
				atEnd := span.BeforeEnd == len(f.Before) &&
					len(bytes.TrimRight(f.Before[span.BeforeStart:low+max(0, span.BeforeStart-low)], "\r\n")) == 0
				if span.BeforeStart < low && !atEnd || span.BeforeEnd > high {
					t.Fatalf("the span %v is outside the lines %v: bytes %d to %d\n%s", span,
						*plan.Blocks[0].Lines, low, high, reports(plan))
				}
			}
		}
	})
}

// Safe takes whatever strict takes, and loose takes whatever safe takes, with the same result.
// There is one exception: if the block's result occurs next to the place except for blanks, as a
// formatter leaves it, safe counts the block as applied and strict doesn't.
func TestEachPolicyTakesWhatTheStricterOneTakes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tree, b := drawBent(t)
		if rapid.Bool().Draw(t, "applied before") {
			tree = changed(t, tree, planned(t, tree, one(b), apply.Options{}))
		}
		if rapid.Bool().Draw(t, "formatted since") {
			for name, text := range tree {
				tree[name] = bytes.ReplaceAll(text, []byte("("), []byte("( "))
			}
		}
		var stricter *apply.Plan
		for _, policy := range []apply.Policy{apply.Strict, apply.Safe, apply.Loose} {
			plan := planned(t, tree, one(b), apply.Options{Policy: policy})
			knowsResult := policy == apply.Safe && plan.Blocks[0].Status == apply.BlockAlready
			if stricter != nil && stricter.Status == apply.Applied && !knowsResult {
				if plan.Status != apply.Applied || len(plan.Files) != len(stricter.Files) {
					t.Fatalf("%s refuses what the stricter policy takes\n%s\n%s", policy,
						reports(stricter), reports(plan))
				}
				for i, f := range plan.Files {
					if !bytes.Equal(f.After, stricter.Files[i].After) {
						t.Fatalf("%s makes %q, the stricter policy %q", policy, f.After, stricter.Files[i].After)
					}
				}
			}
			stricter = plan
		}
	})
}

// sides returns SEARCH and REPLACE of the blocks, for messages.
func sides(blocks []parser.Block) string {
	var out []string
	for _, b := range blocks {
		out = append(out, fmt.Sprintf("%d: %q -> %q", b.ID, texts(b.Search), texts(b.Replace)))
	}
	return strings.Join(out, "\n")
}

// lineStarts returns the offsets of the lines, and the end of the text.
func lineStarts(text []byte) []int {
	out := []int{0}
	for i, c := range text {
		if c == '\n' {
			out = append(out, i+1)
		}
	}
	if out[len(out)-1] != len(text) {
		out = append(out, len(text))
	}
	return out
}

// Each deleted line corresponds to a SEARCH line that REPLACE drops. Each new line is one that
// REPLACE adds, or a line of the file that it moves. Everything else stays the same, including the
// kept lines of a tolerant match.
func TestOnlyNamedLinesDieAndKeptLinesStay(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawSheet(t, 1, 40, true)
		first, end := s.window(t, 8)
		edit := bend(t, drawScript(t, s, first, end, 1))
		tree := apply.Files{"f.txt": s.bytes()}
		plan := planned(t, tree,
			one(edit.block(1, rapid.IntRange(0, len(s.lines)).Draw(t, "hint"))), apply.Options{Policy: drawPolicy(t)})
		if len(plan.Files) == 0 {
			return
		}
		dropped, added := less(edit.search(), edit.replace()), less(edit.replace(), edit.search())
		before, after := texts(plan.Files[0].Before), texts(plan.Files[0].After)
		gone, come := less(before, after), less(after, before)
		if len(gone) > len(dropped) || len(come) > len(added) {
			t.Fatalf("%d lines go and %d come, the block names %d and %d\ngone %q\ncome %q\n%s",
				len(gone), len(come), len(dropped), len(added), gone, come, reports(plan))
		}
		for _, line := range gone {
			if !slices.ContainsFunc(dropped, func(d string) bool { return resembles(d, line) }) {
				t.Fatalf("the line %q goes, and none of %q names it\n%s", line, dropped, reports(plan))
			}
		}
		for _, line := range come {
			if !slices.ContainsFunc(added, func(a string) bool {
				return plain(a) == plain(line) || resembles(a, line) &&
					slices.ContainsFunc(gone, func(g string) bool { return plain(g) == plain(line) })
			}) {
				t.Fatalf("the line %q comes, and is none of %q\n%s", line, added, reports(plan))
			}
		}
	})
}

// texts returns the lines of text without their line ends.
func texts(text []byte) []string {
	var out []string
	for line := range strings.Lines(strings.TrimPrefix(string(text), "\ufeff")) {
		out = append(out, strings.TrimSuffix(strings.TrimSuffix(line, "\n"), "\r"))
	}
	return out
}

// less returns the lines that a has more often than b, each as often as it is in excess.
func less(a, b []string) []string {
	have := map[string]int{}
	for _, line := range b {
		have[line]++
	}
	var out []string
	for _, line := range a {
		if have[line]--; have[line] < 0 {
			out = append(out, line)
		}
	}
	return out
}

// plain returns the line without blanks and typographic marks.
func plain(line string) string {
	line = strings.ReplaceAll(line, "\u201d", "\"")
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return -1
		}
		return r
	}, line)
}

func resembles(a, b string) bool {
	a, b = plain(a), plain(b)
	return a == b || 10*edlib.LevenshteinDistance(a, b) <= 3*max(len([]rune(a)), len([]rune(b)))
}

// If no line occurs twice, an applied block makes the intended change, however it is distorted.
func TestRightOrRefused(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawSheet(t, 3, 40, false)
		first, end := s.window(t, 10)
		edit := drawScript(t, s, first, end, 1)
		want := s.apply(edit, first)
		if unlike(edit) {
			t.Skip("margins of tabs and of blanks mixed leave open how what is added is indented")
		}
		if deepens(edit) {
			t.Skip("what replaces a line and the deeper one below it may be as deep as either")
		}
		b := bend(t, edit).block(1, 0)
		tree := apply.Files{"f.txt": s.bytes()}
		plan := planned(t, tree, one(b), apply.Options{Policy: drawPolicy(t)})
		if plan.Status == apply.Applied && plan.Blocks[0].Status == apply.BlockApplied {
			if got := changed(t, tree, plan)["f.txt"]; !bytes.Equal(plainEnds(got), plainEnds(want)) {
				t.Fatalf("got\n%q\nwant\n%q\n%s", texts(got), texts(want), reports(plan))
			}
		}
	})
}

// deepens reports whether the script replaces a line and a deeper one below it with fewer lines.
func deepens(edit script) bool {
	least := -1
	for i, st := range edit {
		margin := len(st.text) - len(strings.TrimLeft(st.text, " \t"))
		switch {
		case st.kind != '-':
			least = -1
		case least >= 0 && margin > least:
			return true
		case least < 0 && i+1 < len(edit) && edit[i+1].kind != '+':
			least = margin
		}
	}
	return false
}

// unlike reports whether the script mixes tabs and spaces in margins, so that it's unclear how to
// map added lines.
func unlike(edit script) bool {
	tabs, blanks := false, false
	for _, st := range edit {
		margin := st.text[:len(st.text)-len(strings.TrimLeft(st.text, " \t"))]
		tabs = tabs || strings.Contains(margin, "\t")
		blanks = blanks || strings.Contains(margin, " ")
	}
	return tabs && blanks
}

// plainEnds leaves the line ends of added lines out of a comparison, because it doesn't matter
// which neighbour they follow.
func plainEnds(text []byte) []byte { return bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n")) }

// Blocks for different lines have the same effect together as separately, in any order.
func TestOrderDoesNotMatter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawSheet(t, 4, 40, false)
		var blocks []parser.Block
		want := s.bytes()
		for at := 0; at < len(s.lines); {
			first := rapid.IntRange(at, len(s.lines)-1).Draw(t, "first")
			end := rapid.IntRange(first+1, min(len(s.lines), first+6)).Draw(t, "end")
			edit := drawScript(t, s, first, end, len(blocks)+1)
			b := edit.block(len(blocks)+1, 0)
			b.StartLine = rapid.SampledFrom([]int{0, first + 1}).Draw(t, "hint")
			blocks = append(blocks, b)
			alone := planned(t, apply.Files{"f.txt": want}, one(b), apply.Options{Policy: apply.Strict})
			if alone.Status != apply.Applied {
				t.Fatalf("refused by itself\n%s", reports(alone))
			}
			want = changed(t, apply.Files{"f.txt": want}, alone)["f.txt"]
			at = end
		}
		blocks = rapid.Permutation(blocks).Draw(t, "order")
		for i := range blocks {
			blocks[i].ID = i + 1
		}
		tree := apply.Files{"f.txt": s.bytes()}
		plan := planned(t, tree, &parser.Reply{Blocks: blocks}, apply.Options{Policy: drawPolicy(t)})
		if got := changed(t, tree, plan)["f.txt"]; plan.Status != apply.Applied || !bytes.Equal(got, want) {
			t.Fatalf("of\n%q\n%s\nmakes\n%q\nwant\n%q\n%s", s.bytes(), sides(blocks), got, want, reports(plan))
		}
	})
}

// If two places are equal, neither is taken.
func TestTwoEqualPlacesAreRefused(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawSheet(t, 2, 25, false)
		first, end := s.window(t, 6)
		edit := drawScript(t, s, first, end, 1)
		at := rapid.SampledFrom([]int{0, first, end, len(s.lines)}).Draw(t, "copied to")
		if at == len(s.lines) && s.ends[at-1] == "" || end == len(s.lines) {
			s.ends[len(s.ends)-1] = "\n"
		}
		// Unique lines keep the copies apart, and none of the copies ends with one.
		piece := append([]string{"between_one()"}, append(slices.Clone(s.lines[first:end]), "between_two()")...)
		ends := slices.Repeat([]string{"\n"}, len(piece))
		s.lines, s.ends = slices.Insert(s.lines, at, piece...), slices.Insert(s.ends, at, ends...)

		tree := apply.Files{"f.txt": s.bytes()}
		b := bend(t, edit).block(1, 0)
		plan := planned(t, tree, one(b), apply.Options{Policy: drawPolicy(t)})
		if got := plan.Blocks[0]; got.Status != apply.BlockFailed {
			t.Fatalf("of\n%q\n%s\none of two places is taken\n%s", s.lines, sides([]parser.Block{b}), reports(plan))
		} else if got.Reason == apply.Ambiguous && len(got.Candidates) < 2 {
			t.Fatalf("the candidates are not listed\n%s", reports(plan))
		}
	})
}

// A place that fits exactly is taken, even if a similar place is at the hinted line.
func TestExactBeatsTolerant(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawSheet(t, 1, 25, false)
		first, end := s.window(t, 6)
		edit := drawScript(t, s, first, end, 1)
		if s.ends[len(s.ends)-1] == "" {
			s.ends[len(s.ends)-1] = "\n"
		}
		near := slices.Clone(s.lines[first:end])
		i := rapid.IntRange(0, len(near)-1).Draw(t, "bent")
		near[i] = rapid.SampledFrom([]string{"  " + near[i], near[i] + "   ",
			strings.Replace(near[i], "(", " (", 1), near[i][:len(near[i])-1]}).Draw(t, "near")
		above := rapid.Bool().Draw(t, "above")
		hint, want := len(s.lines)+1, first+1
		if above {
			s.lines, s.ends = slices.Concat(near, s.lines), append(slices.Repeat([]string{"\n"}, len(near)), s.ends...)
			hint, want = 1, first+1+len(near)
		} else {
			s.lines, s.ends = slices.Concat(s.lines, near), append(s.ends, slices.Repeat([]string{"\n"}, len(near))...)
		}
		tree := apply.Files{"f.txt": s.bytes()}
		plan := planned(t, tree, one(edit.block(1, hint)), apply.Options{Policy: drawPolicy(t)})
		if b := plan.Blocks[0]; b.Status != apply.BlockApplied || b.Strategy != "exact" || b.Lines[0] != want {
			t.Fatalf("the exact place is line %d\n%s", want, reports(plan))
		}
	})
}

// A reply whose blocks each add a unique line changes nothing the second time, and succeeds.
func TestTwiceIsOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawSheet(t, 3, 40, true)
		policy := drawPolicy(t)
		var blocks []parser.Block
		for at := 0; at < len(s.lines) && len(blocks) < 4; {
			first := rapid.IntRange(at, len(s.lines)-1).Draw(t, "first")
			end := rapid.IntRange(first+1, min(len(s.lines), first+8)).Draw(t, "end")
			edit := drawScript(t, s, first, end, len(blocks)+1)
			says := func(kinds string) bool {
				return slices.ContainsFunc(edit, func(st step) bool {
					return strings.IndexByte(kinds, st.kind) >= 0 && strings.Contains(st.text, "_")
				})
			}
			if !says("+") || !says(" -") {
				t.Skip("a block that adds or deletes no telling line leaves nothing to know it by")
			}
			if edit.shrinks() || edit.blankEdges() {
				t.Skip("a line like one that went may be next to it")
			}
			blocks = append(blocks, edit.block(len(blocks)+1, 0))
			at = end
		}
		if rapid.Bool().Draw(t, "backwards") {
			slices.Reverse(blocks)
			for i := range blocks {
				blocks[i].ID = i + 1
			}
		}
		reply := &parser.Reply{Blocks: blocks}
		tree := apply.Files{"f.txt": s.bytes()}
		opt := apply.Options{Policy: policy}
		once := planned(t, tree, reply, opt)
		if once.Status != apply.Applied || strings.Contains(reports(once), "places fit") {
			return // the place that was taken is no longer one of the equal ones
		}
		after := changed(t, tree, once)
		twice := planned(t, after, reply, opt)
		if twice.Status != apply.Applied || len(twice.Files) > 0 {
			t.Fatalf("%s: of\n%q\n%s\nmakes\n%q\nonce %s\ntwice %s\nand then\n%q", policy,
				texts(tree["f.txt"]), sides(blocks), texts(after["f.txt"]), reports(once),
				reports(twice), texts(changed(t, after, twice)["f.txt"]))
		}
	})
}

// Every edit that a reply attempts is reported or diagnosed, and a run with an edit that wasn't
// understood is refused.
func TestNothingIsSwallowed(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var reply strings.Builder
		good, bad := 0, 0
		for i := range rapid.IntRange(1, 6).Draw(t, "parts") {
			search := fmt.Sprintf("line %d", rapid.IntRange(1, 9).Draw(t, "line"))
			switch rapid.SampledFrom([]string{"block", "block", "prose", "conflict", "no divider",
				"no opener", "two openers"}).Draw(t, "part") {
			case "block":
				good++
				fmt.Fprintf(&reply, "f.txt\n<<<<<<< SEARCH\n%s\n=======\nnew %d\n>>>>>>> REPLACE\n\n", search, i)
			case "prose":
				fmt.Fprintf(&reply, "The next change is for f.txt, as said.\n\n")
			case "conflict":
				fmt.Fprintf(&reply, "<<<<<<< HEAD\nmine\n=======\ntheirs\n>>>>>>> branch\n\n")
			case "no divider":
				bad++
				fmt.Fprintf(&reply, "f.txt\n<<<<<<< SEARCH\n%s\nnew\n>>>>>>> REPLACE\n\n", search)
			case "no opener":
				bad++
				fmt.Fprintf(&reply, "f.txt\n%s\n=======\nnew\n>>>>>>> REPLACE\n\n", search)
			case "two openers":
				bad++
				fmt.Fprintf(&reply, "f.txt\n<<<<<<< SEARCH\n<<<<<<< SEARCH\n%s\n>>>>>>> REPLACE\n\n", search)
			}
		}
		if rapid.IntRange(0, 3).Draw(t, "cut off") == 0 {
			bad++
			reply.WriteString("f.txt\n<<<<<<< SEARCH\nline 1\n=======\ncut of")
		}
		tree := apply.Files{"f.txt": []byte("line 1\nline 2\nline 3\nline 4\nline 5\n")}
		plan := planned(t, tree, parser.Parse([]byte(reply.String())),
			apply.Options{Policy: drawPolicy(t), Partial: rapid.Bool().Draw(t, "partial")})
		if len(plan.Blocks) != good {
			t.Fatalf("%d of %d blocks\n%s\n%s", len(plan.Blocks), good, reply.String(), reports(plan))
		}
		if len(plan.Diagnostics) < bad || bad > 0 && plan.Status == apply.Applied {
			t.Fatalf("%d of %d attempts diagnosed\n%s\n%s", len(plan.Diagnostics), bad, reply.String(), reports(plan))
		}
	})
}

// A plan depends only on its inputs, and leaves them unchanged.
func TestPlansAreRepeatableAndLeaveTheirInputs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawSheet(t, 1, 40, true)
		var blocks []parser.Block
		for i := range rapid.IntRange(1, 4).Draw(t, "blocks") {
			first, end := s.window(t, 8)
			b := bend(t, drawScript(t, s, first, end, i+1)).block(i+1, rapid.IntRange(0, len(s.lines)).Draw(t, "hint"))
			b.ReplaceAll = rapid.IntRange(0, 7).Draw(t, "all") == 0
			b.Substring = rapid.IntRange(0, 7).Draw(t, "text") == 0
			blocks = append(blocks, b)
		}
		opt := apply.Options{
			Policy:  rapid.SampledFrom([]apply.Policy{apply.Safe, apply.Strict, apply.Loose}).Draw(t, "policy"),
			Splice:  rapid.SampledFrom([]apply.Splice{apply.ThreeWay, apply.Verbatim}).Draw(t, "splice"),
			Partial: rapid.Bool().Draw(t, "partial"),
		}
		tree := apply.Files{"f.txt": s.bytes()}
		reply := &parser.Reply{Blocks: blocks}
		kept := maps.Clone(tree)
		kept["f.txt"] = bytes.Clone(tree["f.txt"])
		said := slices.Clone(blocks)
		for i := range said {
			said[i].Search, said[i].Replace = bytes.Clone(said[i].Search), bytes.Clone(said[i].Replace)
		}
		engine := apply.New(tree, opt)
		once, err := engine.Plan(context.Background(), reply)
		again, err2 := engine.Plan(context.Background(), reply)
		fresh, err3 := apply.New(tree, opt).Plan(context.Background(), reply)
		if err != nil || err2 != nil || err3 != nil {
			t.Fatalf("no plan: %v, %v, %v", err, err2, err3)
		}
		if !reflect.DeepEqual(once, again) || !reflect.DeepEqual(once, fresh) {
			t.Fatalf("three plans differ:\n%s\n%s\n%s", reports(once), reports(again), reports(fresh))
		}
		if !reflect.DeepEqual(tree, kept) || !reflect.DeepEqual(blocks, said) {
			t.Fatalf("the plan changed what it was made from\n%s", reports(once))
		}
	})
}

// An ended context ends the plan.
func TestEndedContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	plan, err := apply.New(apply.Files{"f.txt": []byte("a\n")}, apply.Options{}).Plan(ctx,
		one(script{{'-', "a"}, {'+', "b"}}.block(1, 0)))
	if plan != nil || err != context.Canceled {
		t.Errorf("got %v, %v", plan, err)
	}
}

// endsLater is a context that ends once it has been checked a number of times.
type endsLater struct {
	context.Context
	asked, after int
}

func (c *endsLater) Err() error {
	if c.asked++; c.asked > c.after {
		return context.Canceled
	}
	return nil
}

// The blocks of one file are searched one after the other, and each search may take long.
func TestAPlanEndsWithItsContextBetweenTwoBlocksOfAFile(t *testing.T) {
	reply := &parser.Reply{}
	for i := range 10 {
		reply.Blocks = append(reply.Blocks, script{{'-', fmt.Sprint("line ", i)}, {'+', "b"}}.block(i+1, 0))
	}
	for _, searched := range []int{3, 13} { // the original text, and the changed text
		ctx := &endsLater{Context: context.Background(), after: len(reply.Blocks) + searched}
		plan, err := apply.New(apply.Files{"f.txt": []byte("line 4\n")}, apply.Options{}).Plan(ctx, reply)
		if !errors.Is(err, context.Canceled) || plan != nil {
			t.Errorf("after %d searches: %v, %v", searched, plan, err)
		}
	}
}
