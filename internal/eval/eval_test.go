package eval

import (
	"encoding/json"
	"html"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/srpatch/srpatch/apply"
)

func defaultTrees(t *testing.T) []*Tree {
	t.Helper()
	trees, err := DefaultTrees(1)
	if err != nil {
		t.Fatal(err)
	}
	return trees
}

func generate(t *testing.T, q Request) []*Case {
	t.Helper()
	cases, err := Generate(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	return cases
}

func TestSameSeedSameCases(t *testing.T) {
	trees := defaultTrees(t)
	one := generate(t, Request{Seed: 7, N: 4 * len(Kinds()), Trees: trees})
	two := generate(t, Request{Seed: 7, N: 4 * len(Kinds()), Trees: defaultTrees(t)})
	if !reflect.DeepEqual(one, two) {
		t.Error("the same seed gave different cases")
	}
	other := generate(t, Request{Seed: 9, N: 4 * len(Kinds()), Trees: trees})
	same := 0
	for i := range one {
		if reflect.DeepEqual(one[i].Files, other[i].Files) && one[i].Search == other[i].Search {
			same++
		}
	}
	if same > 0 {
		t.Errorf("%d of %d cases are the same with another seed", same, len(one))
	}
}

// Every kind gets its share, on tab-indented and on space-indented trees alike.
func TestEveryKindHasItsShare(t *testing.T) {
	trees := defaultTrees(t)
	for _, tree := range trees {
		cases := generate(t, Request{Seed: 3, N: 10 * len(Kinds()), Trees: []*Tree{tree}})
		n := map[string]int{}
		for _, c := range cases {
			n[c.Kind]++
		}
		for _, k := range Kinds() {
			if n[k.Name] != 10 {
				t.Errorf("%s: %d of %d cases are of kind %s, want 10", tree.Name, n[k.Name], len(cases), k.Name)
			}
		}
	}
}

// A variant that no longer fits any place would go missing silently.
func TestEveryVariantOccurs(t *testing.T) {
	if testing.Short() {
		t.Skip("thousands of cases, made as those of the other tests")
	}
	want := map[string]string{
		"exact":           "change insert delete delete_all",
		"indentation":     "dedent_all indent_shift _to_ search_dedented level_off",
		"blanks":          "trailing_added_all trailing_added_some trailing_lost inner_widened inner_collapsed inner_tabs blank_added blank_dropped leading_blank_both leading_blank_search",
		"typography":      "quotes quotes_plus nbsp dashes full_width",
		"copied_marks":    "html_entities html_entities_plus overescaped_quote overescaped_backslash line_numbers",
		"reflowed":        "call_broken call_joined brace_moved comment_wrapped trailing_comma semicolons quote_style tight_operators",
		"line_count":      "missing_line missing_lines comments_left_out extra_comment extra_code",
		"typo":            "kept_typo deleted_typo comment_typo comment_word other_case",
		"cut_line":        "lstrip mid end",
		"near_twin":       "natural made",
		"already_applied": "inserted changed",
		"stale":           "number identifier rewritten line_gone deleted other_file",
		"drift":           "d1 d2 old_hint translated annotated",
		"twin_gone":       "renamed natural",
		"twin_identifier": "exact typo",
		"glued":           "snippets anchors",
		"line_prefix":     "only_longer only_shorter both both_longer",
		"wrapped":         "whole part",
		"swapped_context": "swapped sorted_lines",
		"unicode":         "exact cjk_typo decomposed",
		"file_bytes":      "crlf mixed bom bom_crlf no_final crlf_no_final crlf_block",
		"edges":           "tiny whole first last insert_first insert_last delete_last blank_end emptied no_final",
		"omission":        "hash slashes block markup jsx dashes semicolon percent docstring bare trailing star twice new_file dedent_all",
		"fragment":        "bullet attribute argument value keyword twice several operand qualified word begins",
		"replies":         "independent chained shared_kept_lines conflicting identical_places identical_blocks in_order hinted one_stale one_applied creating",
		"record_gone":     "change insert twin of_several",
		"second_run":      "changed inserted",
		"double_bends":    "depth_typo depth_line depth_marks blanks_typography blanks_typo typography_line elided_depth elided_typo elided_blanks elided_drift cut_typo",
		"elided_ends":     "deeper level edited",
		"corrections":     "misplaced ambiguous_first bent_and_exact other_change other_record",
		"shared_slip":     "word mark_lost mark_added",
		"slip_or_twin":    "known between twin_line near digit number ending opposite operator",
		"short_drift":     "translated annotated commented gone part_renamed rewritten",
	}
	seen := map[string]string{}
	for _, c := range generate(t, Request{Seed: 2, N: 300 * len(Kinds()), Trees: defaultTrees(t)}) {
		seen[c.Kind] += c.Variant + "\n"
	}
	for kind, variants := range want {
		for _, v := range strings.Fields(variants) {
			if !strings.Contains(seen[kind], v) {
				t.Errorf("%s: no case of variant %s", kind, v)
			}
		}
	}
}

func TestCasesAreSound(t *testing.T) {
	for _, c := range generate(t, Request{Seed: 1, N: 12 * len(Kinds()), Trees: defaultTrees(t)}) {
		if c.Reply != "" {
			for p, text := range c.Expected {
				if before, ok := c.Files[p]; ok {
					// Some blocks are JSON and have their lines in strings.
					raw := strings.NewReplacer(`\n`, "\n", `\t`, "\t", `\"`, `"`, `\\`, `\`).Replace(c.Reply)
					said := strings.Split(c.Reply+"\n"+strings.ReplaceAll(raw, `_string":"`, "\n"), "\n")
					soundChange(t, c, before, text, said, said)
				}
			}
			continue
		}
		content := c.Files[c.Path]
		search, replace := splitLines(c.Search), splitLines(c.Replace)
		if c.Search == "" || c.Search == c.Replace {
			t.Errorf("%s asks for nothing", c.ID)
		}
		places := count(splitLines(content), search, verbatim)
		if c.Expected == nil {
			switch {
			case c.Kind == "omission":
				if places+count(splitLines(content), search, plain) == 0 || c.Meant == nil {
					t.Errorf("%s [%s]: the file does not contain its SEARCH", c.ID, c.Variant)
				}
			case c.Kind == "dup_no_hint":
				if count(splitLines(content), search, plain) == 1 {
					t.Errorf("%s fits only one place", c.ID)
				}
			case places > 0 || count(splitLines(content), search, squeeze) > 0:
				t.Errorf("%s [%s] should be refused, but the file contains its SEARCH", c.ID, c.Variant)
			}
			continue
		}
		expected := c.Expected[c.Path]
		if c.Kind == "already_applied" || c.Kind == "second_run" {
			if expected != content {
				t.Errorf("%s still changes the file", c.ID)
			}
			continue
		}
		if expected == content {
			t.Errorf("%s changes nothing", c.ID)
		}
		for _, a := range c.Accept {
			if a[c.Path] == expected || chop(a[c.Path]) != chop(expected) {
				t.Errorf("%s accepts more than another end of file", c.ID)
			}
		}
		if c.Kind == "exact" || strings.HasSuffix(c.Variant, "exact") {
			if places != 1 {
				t.Errorf("%s occurs in the file %d times", c.ID, places)
			}
			if got := "\n" + content; strings.Count(got, "\n"+c.Search) == 1 &&
				strings.Replace(got, "\n"+c.Search, "\n"+c.Replace, 1) != "\n"+expected {
				t.Errorf("%s: plain replacement gives another result", c.ID)
			}
		}
		if c.Kind == "fragment" {
			asText(t, c, content, expected)
			continue
		}
		soundChange(t, c, content, expected, search, replace)
	}
}

// asText checks that the result is REPLACE put in for SEARCH as text, ignoring white space and
// trailing commas.
func asText(t *testing.T, c *Case, before, after string) {
	t.Helper()
	one := func(s string) string {
		s = squeeze(s)
		for _, closing := range []string{")", "]", "}"} {
			s = strings.ReplaceAll(s, ","+closing, closing)
		}
		return s
	}
	if n := strings.Count(one(before), one(c.Search)); n != 1 {
		t.Errorf("%s [%s]: SEARCH occurs in the file %d times as text", c.ID, c.Variant, n)
	}
	if strings.Replace(one(before), one(c.Search), one(c.Replace), 1) != one(after) {
		t.Errorf("%s [%s]: the result differs from replacing text", c.ID, c.Variant)
	}
}

// soundChange checks that SEARCH has every removed line, and REPLACE every added one.
func soundChange(t *testing.T, c *Case, before, after string, search, replace []string) {
	t.Helper()
	gone, come := lineDiff(strings.SplitAfter(before, "\n"), strings.SplitAfter(after, "\n"))
	for _, l := range gone {
		if blank(l) {
			continue
		}
		if !slices.ContainsFunc(search, func(s string) bool {
			return alike(sign(plain(s)), sign(plain(l))) > 0.6 || strings.Contains(plain(s), plain(l))
		}) {
			t.Errorf("%s [%s]: the removed line %q is not in SEARCH", c.ID, c.Variant, l)
		}
	}
	for _, l := range come {
		// The file's last line gets a line end if others are added after it.
		if blank(l) || slices.Contains(gone, chop(l)) {
			continue
		}
		slipped := c.Kind == "shared_slip" || c.Kind == "slip_or_twin" // in REPLACE, too
		if !slices.ContainsFunc(replace, func(r string) bool {
			return strings.HasSuffix(plain(r), plain(l)) || slipped && distance(r, chop(l)) <= 4
		}) {
			t.Errorf("%s [%s]: the added line %q is not in REPLACE", c.ID, c.Variant, l)
		}
	}
}

// plain undoes what slips do to the spelling of a line.
func plain(l string) string {
	l = html.UnescapeString(l)
	l = strings.NewReplacer("“", `"`, "”", `"`, "‘", `"`, "’", `"`, "'", `"`, "—", "--", "–", "-",
		`\`, "", "\u00a0", "", "\ufeff", "").Replace(l)
	return strings.ReplaceAll(squeeze(l), "--", "-")
}

func splitLines(s string) []string {
	s = strings.TrimPrefix(strings.ReplaceAll(s, "\r\n", "\n"), "\ufeff")
	if s == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(s, "\n"), "\n")
}

// lineDiff returns the lines that only a has and those that only b has, whatever their order.
func lineDiff(a, b []string) (gone, come []string) {
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	left := map[string]int{}
	for _, l := range b {
		left[l]++
	}
	for _, l := range a {
		if left[l] > 0 {
			left[l]--
		} else {
			gone = append(gone, l)
		}
	}
	for _, l := range b {
		if left[l] > 0 {
			left[l]--
			come = append(come, l)
		}
	}
	return gone, come
}

func TestUnknownKind(t *testing.T) {
	_, err := Generate(t.Context(), Request{N: 1, Kinds: []string{"nonsense"}, Trees: defaultTrees(t)})
	if err == nil || !strings.Contains(err.Error(), "swapped_context") {
		t.Errorf("got %v, want an error that lists the kinds", err)
	}
}

func TestCaseOnTheWire(t *testing.T) {
	c := &Case{ID: "x:1:00000", Kind: "x", Variant: "v", Path: "a.go", Files: map[string]string{"a.go": "one\n"},
		Search: "one\n", Replace: "two\n", StartLine: 1, Expected: map[string]string{"a.go": "two\n"}}
	got, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	want := `{"id":"x:1:00000","class":"x","variant":"v","path":"a.go","content":"one\n","search":"one\n","replace":"two\n","start_line":1,"expected":"two\n"}`
	if string(got) != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	c.Expected = nil
	got, err = json.Marshal(c)
	if err != nil || !strings.Contains(string(got), `"expected":null`) {
		t.Errorf("a case to be refused: %s, %v", got, err)
	}
	c = &Case{ID: "r", Files: map[string]string{"a": "1\n", "b": "2\n"}, Reply: "text",
		Expected: map[string]string{"a": "1\n", "b": "3\n"}}
	got, err = json.Marshal(c)
	if err != nil || string(got) != `{"id":"r","class":"","variant":"","files":{"a":"1\n","b":"2\n"},"reply":"text","expected":{"a":"1\n","b":"3\n"}}` {
		t.Errorf("a reply: %s, %v", got, err)
	}
}

func TestJudge(t *testing.T) {
	file := func(s string) map[string]string { return map[string]string{"f": s} }
	edit := &Case{Expected: file("a b\n"), Accept: []map[string]string{file("a b")}}
	either := &Case{Expected: file("a b\n"), RefuseOK: true}
	refuse := &Case{}
	for _, x := range []struct {
		name string
		c    *Case
		got  map[string]string
		want Verdict
		near bool
	}{
		{"expected", edit, file("a b\n"), Right, false},
		{"accepted", edit, file("a b"), Right, false},
		{"other text", edit, file("a c\n"), Wrong, false},
		{"other blanks", edit, file("a  b\n"), Wrong, true},
		{"refused", edit, nil, Refused, false},
		{"refused where that is equally right", either, nil, Right, false},
		{"wrong where refusing is equally right", either, file("x"), Wrong, false},
		{"rightly refused", refuse, nil, Right, false},
		{"applied instead of refused", refuse, file("x"), Wrong, false},
	} {
		t.Run(x.name, func(t *testing.T) {
			if v, near := Judge(x.c, Outcome{Files: x.got}); v != x.want || near != x.near {
				t.Errorf("got %s, near %v; want %s, near %v", v, near, x.want, x.near)
			}
		})
	}
}

func TestBounds(t *testing.T) {
	s := &Scores{Kinds: map[string]*Tally{"most": {N: 4400, Right: 4400},
		"good": {N: 200, Right: 186, Wrong: 2}, "wrong": {N: 200, Right: 197, Wrong: 3}, "weak": {N: 200, Right: 185}}}
	got := s.Check(DefaultBounds)
	want := []string{"weak: 92.5 % right, needed 93.0 %", "wrong: 3 of 200 wrong, allowed 1.0 %"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	s = &Scores{Kinds: map[string]*Tally{
		"corrections": {N: 1000, Right: 940, Wrong: 6}, "double_bends": {N: 1000, Right: 950, Wrong: 5},
		"record_gone": {N: 1000, Right: 994}}}
	got = s.Check(DefaultBounds)
	want = []string{"corrections: 94.0 % right, needed 95.0 %", "corrections: 6 of 1000 wrong, allowed 0.5 %",
		"record_gone: 99.4 % right, needed 99.5 %"}
	if !slices.Equal(got, want) {
		t.Errorf("kinds with bounds of their own: got %q, want %q", got, want)
	}
	if got := s.Check(Bounds{TotalWrong: 1, KindWrong: 1}); len(got) > 0 {
		t.Errorf("kinds are held to bounds of their own without being asked: %q", got)
	}
}

// This checks with few cases what CI checks with many.
func TestEngine(t *testing.T) {
	cases := generate(t, Request{Seed: 4, N: 20 * len(Kinds()), Trees: defaultTrees(t)})
	scores := func(opt apply.Options) *Scores {
		t.Helper()
		outcomes, err := Run(t.Context(), cases, opt)
		if err != nil {
			t.Fatal(err)
		}
		s := Score(cases, outcomes)
		if s.Total.N != len(cases) || s.Total.Right+s.Total.Wrong+s.Total.Refused != len(cases) {
			t.Errorf("%+v does not add up to %d", s.Total, len(cases))
		}
		for i, c := range cases {
			if v, _ := Judge(c, outcomes[i]); v == Wrong && opt.Policy != apply.Loose &&
				c.Kind != "omission" { // some remarks pass as comments
				var b strings.Builder
				if err := WriteCase(&b, c, outcomes[i]); err != nil {
					t.Fatal(err)
				}
				t.Errorf("policy %q: wrong: %s", opt.Policy, b.String())
			}
		}
		return s
	}
	if s := scores(apply.Options{}); s.Total.RightShare() < 0.98 {
		t.Errorf("%d of %d right, want 98 %%", s.Total.Right, s.Total.N)
	}
	if s := scores(apply.Options{Policy: apply.Strict}); s.Kinds["exact"].Right != s.Kinds["exact"].N {
		t.Errorf("strict refuses exact matches: %+v", *s.Kinds["exact"])
	}
	// Loose may be wrong, but must answer.
	scores(apply.Options{Policy: apply.Loose})
	s := scores(apply.Options{Threshold: 0.999})
	if s.Corrections.Single < enoughCorrected {
		t.Errorf("too few corrected blocks to judge: %s", s.Corrections)
	}
	for _, missed := range s.Corrections.Check("threshold", DefaultBounds.Carried, DefaultBounds.Corrected) {
		t.Error(missed)
	}
}

func TestCorrections(t *testing.T) {
	file := func(s string) map[string]string { return map[string]string{"f": s} }
	leads := func(texts ...string) (o Outcome) {
		for _, text := range texts {
			o.Corrected = append(o.Corrected, Corrected{Files: file(text)})
		}
		return o
	}
	edit, either, senseless := &Case{Expected: file("a")}, &Case{Meant: file("a")}, &Case{}
	again := &Case{Files: file("a"), Expected: file("a"), RefuseOK: true} // no block can say that nothing needs to be done
	cases := []*Case{edit, edit, edit, edit, either, either, senseless, edit, again}
	applied := leads("b")
	applied.Files = file("a")
	s := Score(cases, []Outcome{leads("a"), leads("b"), {Corrected: []Corrected{{}}}, leads(),
		leads("b", "a"), leads("b", "c"), leads("b"), applied, leads("b")})
	want := Corrections{Refusals: 6, Single: 3, SingleRight: 1, Several: 2, SeveralRight: 1, Others: 2, Misled: 2}
	if s.Corrections != want {
		t.Errorf("got %+v, want %+v", s.Corrections, want)
	}
	for _, x := range []struct {
		n    Corrections
		want int
	}{
		{Corrections{Refusals: 19, Single: 19}, 0},
		{Corrections{Refusals: 20, Single: 20, SingleRight: 19}, 0},
		{Corrections{Refusals: 20, Single: 20, SingleRight: 18}, 1},
		{Corrections{Refusals: 40, Single: 20, SingleRight: 10, Several: 20, SeveralRight: 20}, 1},
		{Corrections{Refusals: 41, Single: 20, SingleRight: 20}, 1},
	} {
		if got := x.n.Check("it", 0.5, 0.95); len(got) != x.want {
			t.Errorf("%+v: %q", x.n, got)
		}
	}
}
