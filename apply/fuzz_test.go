package apply_test

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/srpatch/srpatch/apply"
	"github.com/srpatch/srpatch/parser"
)

// seedFiles calls f with the texts of every case that has one file.
func seedFiles(f *testing.F, add func(c example, content string)) {
	for _, pattern := range []string{"../testdata/engine/*.txtar", "../testdata/reference/*.txtar"} {
		for _, c := range examples(f, pattern) {
			if content, ok := c.Parts["content"]; ok && len(content) < 2000 {
				add(c, content)
			}
		}
	}
}

// Any reply on any file causes no panic and gives a sound plan. A single exact block changes
// nothing outside its lines.
func FuzzPlan(f *testing.F) {
	seedFiles(f, func(c example, content string) {
		reply, ok := c.Parts["reply"]
		if !ok {
			text, err := parser.Format(c.Reply().Blocks)
			if err != nil {
				return
			}
			reply = string(text)
		}
		f.Add([]byte(content), []byte(reply), byte(len(reply)))
	})
	policies := []apply.Policy{apply.Safe, apply.Strict, apply.Loose}
	f.Fuzz(func(t *testing.T, file, reply []byte, choice byte) {
		tree := apply.Files{"f.txt": file}
		opt := apply.Options{Single: "f.txt", Policy: policies[choice%3], Partial: choice&8 != 0,
			AppendEmpty: choice&16 != 0, AllowPlaceholders: choice&32 != 0}
		if choice&64 != 0 {
			opt.Splice = apply.Verbatim
		}
		if choice&128 != 0 {
			opt.File = "f.txt"
		}
		parsed := parser.Parse(reply)
		plan := planned(t, tree, parsed, opt)
		if !bytes.Equal(file, tree["f.txt"]) {
			t.Fatal("the file was changed in place")
		}
		if len(plan.Blocks) != 1 || len(plan.Files) != 1 || plan.Files[0].Action != apply.Modify ||
			plan.Blocks[0].Strategy != "exact" || plan.Blocks[0].Lines == nil {
			return
		}
		b, change := parsed.Blocks[0], plan.Files[0]
		if opt.Policy == apply.Loose && opt.Splice == apply.Verbatim || b.Op != parser.OpEdit ||
			b.Substring || b.ReplaceAll || len(b.Readings) > 1 || isUTF16(file) {
			return
		}
		lines := plan.Blocks[0].Lines
		starts := lineStarts(change.Before)
		head, tail := change.Before[:starts[lines[0]-1]], change.Before[starts[lines[1]]:]
		if len(tail) == 0 {
			head = bytes.TrimRight(head, "\r\n") // deleted together with a last line without a line end
		}
		if !bytes.HasPrefix(change.After, head) || !bytes.HasSuffix(change.After, tail) {
			t.Fatalf("outside of the lines %v: %q became %q\n%s", *lines, change.Before, change.After, reports(plan))
		}
		if gone, dropped := less(texts(change.Before), texts(change.After)),
			less(texts(b.Search), texts(b.Replace)); opt.Splice != apply.Verbatim && len(gone) > len(dropped) {
			t.Fatalf("the lines %q go, the block drops %q\n%s", gone, dropped, reports(plan))
		}
	})
}

// If SEARCH is cut from the file and REPLACE is arbitrary, the result equals replacing the text.
var numbered = regexp.MustCompile(`^\s*\d+\s*(\||→)`)

func FuzzSplice(f *testing.F) {
	seedFiles(f, func(c example, content string) {
		n := strings.Count(content, "\n")
		for _, part := range []string{"replace", "new", "want"} {
			if text, ok := c.Parts[part]; ok {
				f.Add([]byte(content), byte(n/2), byte(1), []byte(text))
				f.Add([]byte(content), byte(0), byte(n), []byte(text))
			}
		}
	})
	f.Fuzz(func(t *testing.T, file []byte, first, height byte, replace []byte) {
		starts := lineStarts(file)
		if int(first)+1 >= len(starts) || height == 0 || bytes.Contains(replace, []byte("\r")) ||
			bytes.HasPrefix(file, []byte("\ufeff")) || bytes.HasPrefix(replace, []byte("\ufeff")) || isUTF16(file) {
			return
		}
		start, end := starts[first], starts[min(int(first)+int(height), len(starts)-1)]
		search := file[start:end]
		if bytes.HasPrefix(search, []byte("\ufeff")) {
			return
		}
		plan := planned(t, apply.Files{"f.txt": file},
			one(parser.Block{ID: 1, Op: parser.OpEdit, Path: "f.txt", Search: search,
				Replace: replace}), apply.Options{AllowPlaceholders: true})
		block := plan.Blocks[0]
		at := placesOf(plainEnds(file), plainEnds(search))
		switch {
		case len(at) == 0:
			t.Fatalf("%q does not occur in %q", search, file)
		case len(at) > 1 && block.Status != apply.BlockFailed &&
			block.Status != apply.BlockAlready && block.Status != apply.BlockNoOp:
			t.Fatalf("one of %d places is taken\n%s", len(at), reports(plan))
		case cannotHold(block.Reason, file, replace):
			return
		case len(at) == 1 && block.Status == apply.BlockFailed:
			t.Fatalf("refused, though it occurs at one place\n%s", reports(plan))
		case block.Status != apply.BlockApplied:
			return
		}
		if numbered.Match(replace) {
			return // copied line numbers are not pasted
		}
		if repeats(file[:start], file[end:], replace) {
			return // an existing change is not made again
		}
		if last := texts(replace); file[len(file)-1] != '\n' && len(last) > 0 && last[len(last)-1] == "" {
			return // an empty last line without a line end doesn't exist
		}
		got := plainEnds(plan.Files[0].After)
		want := replaced(plainEnds(file), at[0], plainEnds(search), plainEnds(replace))
		if !bytes.Equal(got, want) {
			t.Fatalf("got  %q\nwant %q\n%s", got, want, reports(plan))
		}
	})
}

// cannotHold reports whether a block is refused because the file can't represent replace, and that
// may be true.
func cannotHold(reason apply.Reason, file, replace []byte) bool {
	wide := bytes.ContainsFunc(replace, func(r rune) bool { return r >= utf8.RuneSelf })
	return reason == apply.Binary && bytes.Contains(replace, []byte{0}) ||
		reason == apply.Encoding && !utf8.Valid(file) && wide
}

// isUTF16 reports whether file is UTF-16, by its byte order mark. Its lines then differ from the
// lines of its bytes.
func isUTF16(file []byte) bool {
	return bytes.HasPrefix(file, []byte("\xff\xfe")) || bytes.HasPrefix(file, []byte("\xfe\xff"))
}

// repeats reports whether replace has the last line of before or the first one of after.
func repeats(before, after, replace []byte) bool {
	added := texts(replace)
	above, below := texts(before), texts(after)
	return len(above) > 0 && slices.Contains(added, above[len(above)-1]) || len(below) > 0 &&
		slices.Contains(added, below[0])
}

// placesOf returns the offsets at which search occurs as whole lines.
func placesOf(text, search []byte) (at []int) {
	text, search = ended(text), ended(search)
	for _, start := range lineStarts(text) {
		if start < len(text) && bytes.HasPrefix(text[start:], search) {
			at = append(at, start)
		}
	}
	return at
}

// ended returns text with a line end after its last line.
func ended(text []byte) []byte {
	if len(text) == 0 || text[len(text)-1] == '\n' {
		return text
	}
	return append(bytes.Clone(text), '\n')
}

// replaced returns text with search at offset at replaced with the lines of replace. text
// determines whether the last line has a line end.
func replaced(text []byte, at int, search, replace []byte) []byte {
	open := text[len(text)-1] != '\n'
	text, search, replace = ended(text), ended(search), ended(replace)
	out := bytes.Join([][]byte{text[:at], replace, text[at+len(search):]}, nil)
	if open && (len(replace) > 0 || at+len(search) < len(text)) { // lines deleted take no line end but their own along
		out = bytes.TrimSuffix(out, []byte("\n"))
	}
	return out
}

// Text edits replace one occurrence as strings.Replace does, and all occurrences as
// strings.ReplaceAll does.
func FuzzText(f *testing.F) {
	seedFiles(f, func(c example, content string) {
		if old, ok := c.Parts["old"]; ok {
			f.Add(content, old, c.Parts["new"], c.Set("replace_all"))
		}
		if search, ok := c.Parts["search"]; ok {
			f.Add(content, search, c.Parts["replace"], false)
		}
	})
	f.Add("a\nb", "a\n", "a\nb\n", false)
	f.Add("a\nb", "a", " a\nb", false)
	f.Fuzz(func(t *testing.T, file, old, new string, all bool) {
		// Line ends deleted with their lines and converted line ends have separate tests.
		if file == "" || old == "" || new == "" || old == new ||
			strings.Contains(file+old+new, "\r") || strings.HasPrefix(file, "\ufeff") ||
			strings.HasPrefix(old+new, "\ufeff") || isUTF16([]byte(file)) {
			return
		}
		b := parser.Block{ID: 1, Op: parser.OpEdit, Path: "f.txt", Search: []byte(old),
			Replace: []byte(new), Substring: true, ReplaceAll: all}
		plan := planned(t, apply.Files{"f.txt": []byte(file)}, one(b),
			apply.Options{Policy: apply.Strict, AllowPlaceholders: true})
		status := plan.Blocks[0].Status
		places := 0
		for at := range len(file) {
			if strings.HasPrefix(file[at:], old) {
				places++
			}
		}
		want := strings.Replace(file, old, new, 1)
		if all {
			want = strings.ReplaceAll(file, old, new)
		}
		switch {
		case places == 0:
			if status == apply.BlockApplied {
				t.Fatalf("%q is not in %q\n%s", old, file, reports(plan))
			}
		case status == apply.BlockAlready:
			if !strings.Contains(file+"\n", new) { // a last line without a line end counts, too
				t.Fatalf("%q is not in %q\n%s", new, file, reports(plan))
			}
		case places > 1 && !all:
			if status == apply.BlockApplied && !strings.Contains(old, "\n") {
				t.Fatalf("one of %d places is taken\n%s", places, reports(plan))
			}
		case cannotHold(plan.Blocks[0].Reason, []byte(file), []byte(new)):
		case status != apply.BlockApplied:
			t.Fatalf("not applied\n%s", reports(plan))
		case len(plan.Files) == 0 && want != file || len(plan.Files) > 0 && string(plan.Files[0].After) != want:
			t.Fatalf("want %q\n%s", want, shown(changed(t, apply.Files{"f.txt": []byte(file)}, plan)))
		}
	})
}
