package retry

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/srpatch/srpatch/parser"
)

// edit is a block for a file; at is the line at which it has its place, 0 for a refused one.
func edit(file string, at int, search, replace string) Edit {
	e := Edit{Block: parser.Block{Op: parser.OpEdit, Path: file, Search: []byte(search), Replace: []byte(replace)}, File: file, Refused: at == 0}
	if at > 0 {
		e.Lines = &[2]int{at, at + strings.Count(search, "\n") - 1}
	}
	return e
}

func numbered(edits []Edit) []Edit {
	for i := range edits {
		edits[i].Block.ID = i + 1
	}
	return edits
}

func refused(e Edit) Edit {
	e.Refused = true
	return e
}

func made(e Edit) Edit {
	e.Refused, e.Made = false, true
	return e
}

func inherited(e Edit) Edit {
	e.Block.Inherited = true
	return e
}

func whole(e Edit) Edit {
	e.Whole, e.Refused = true, false
	return e
}

func unnamed(e Edit) Edit {
	e.Block.Path, e.File = "", ""
	return e
}

func TestMatch(t *testing.T) {
	const total = "def total(items):\n    return sum(items)\n"
	for name, c := range map[string]struct {
		reply    []Edit
		attempts []Attempt
		answer   []Edit
		// want says of each block of the answer what it is for: how, and the number of the block or attempt.
		want string
	}{
		"the answer is as many blocks, in another order": {
			reply:  []Edit{edit("a", 0, "alpha = one\n", "alpha = two\n"), edit("a", 0, "gamma(beta, delta)\n", "gamma(delta)\n")},
			answer: []Edit{edit("a", 9, "    gamma(beta, delta)\n", "    gamma(delta)\n"), edit("a", 3, "alpha  = one;\n", "alpha  = two;\n")},
			want:   "corrects 2, corrects 1",
		},
		"the good ones are repeated": {
			reply:  []Edit{edit("a", 1, "x = 1\n", "x = 2\n"), edit("a", 0, "y == 1\n", "y == 2\n"), edit("b", 1, "x = 1\n", "x = 2\n")},
			answer: []Edit{edit("a", 1, "x = 1  \n", "x = 2\n"), edit("a", 2, "y = 1\n", "y = 2\n"), edit("b", 1, "x = 1\n", "x = 2")},
			want:   "repeats 1, corrects 2, repeats 3",
		},
		"the same change in two places, one of them refused": {
			reply:  []Edit{edit("a", 1, "f()\nx = 1\n", "f()\nx = 2\n"), edit("a", 0, "x = 1\n", "x = 2\n")},
			answer: []Edit{edit("a", 7, "g()\nx = 1\n", "g()\nx = 2\n")},
			want:   "corrects 2",
		},
		"a function comes in with another body": {
			reply:  []Edit{edit("a", 3, "    return 1\n", "    return 1\n\ndef cheapest(self):\n    return 'a cup'\n")},
			answer: []Edit{edit("a", 3, "    return 1\n", "    return 1\n\ndef cheapest(self, most=0):\n    found = min(self.items, key=lambda item: item[1])\n    return found[0]\n")},
			want:   "rewrites 1",
		},
		"another function comes in there": {
			reply:  []Edit{edit("a", 3, "    return 1\n", "    return 1\n\ndef cheapest(self):\n    return 'a cup'\n")},
			answer: []Edit{edit("a", 3, "    return 1\n", "    return 1\n\ndef dearest(self):\n    found = max(self.items, key=lambda item: item[1])\n    return found[0]\n")},
			want:   "adds",
		},
		"a method of another type comes in there": {
			reply:  []Edit{edit("a", 3, "}\n", "}\n\nfunc (c Cart) f() string {\n\treturn c.name\n}\n")},
			answer: []Edit{edit("a", 3, "}\n", "}\n\nfunc (i *Item) f() string {\n\tvar b strings.Builder\n\tfmt.Fprint(&b, i.price, i.count)\n\treturn b.String()\n}\n")},
			want:   "adds",
		},
		"of two functions that come in one has another body": {
			reply:  []Edit{edit("a", 3, "    return 1\n", "    return 1\n\ndef cheapest(self):\n    return 'a cup'\n\ndef dearest(self):\n    return 'a pot of gold'\n")},
			answer: []Edit{edit("a", 3, "    return 1\n", "    return 1\n\ndef cheapest(self):\n    return min(self.items, key=lambda item: item[1])[0]\n")},
			want:   "adds",
		},
		"many lines around the change": {
			reply:  []Edit{edit("a", 0, "x = 1\n", "x = 2\n"), edit("a", 0, "y = f(1)\n", "y = g(1)\n")},
			answer: []Edit{edit("a", 1, total+"\n\ndef other():\n    y = f(1)\n", total+"\n\ndef other():\n    y = g(1)\n")},
			want:   "corrects 2",
		},
		"the file was the wrong one": {
			reply:  []Edit{edit("a", 0, total, "def total(items):\n    return len(items)\n")},
			answer: []Edit{edit("b", 4, total, "def total(items):\n    return len(items)\n")},
			want:   "corrects 1",
		},
		"another file, and little in common": {
			reply:  []Edit{edit("a", 0, total, "def total(items):\n    return len(items)\n"), edit("a", 0, "p\n", "q\n")},
			answer: []Edit{edit("b", 4, "return sum(items)\n", "return 0\n")},
			want:   "adds",
		},
		"no file was named": {
			reply:  []Edit{edit("", 0, "x = 1\n", "x = 2\n"), edit("a", 2, "y\n", "z\n")},
			answer: []Edit{edit("a", 1, "x = 1\n", "x = 2\n"), edit("a", 5, "new\n", "newer\n")},
			want:   "corrects 1, adds",
		},
		"the answer names no file": {
			reply:  []Edit{edit("a", 0, "x == 1\n", "x == 2\n")},
			answer: []Edit{unnamed(edit("a", 0, "x = 1\n", "x = 2\n"))},
			want:   "corrects 1",
		},
		"the answer names the first file only": {
			reply:  []Edit{edit("a", 0, "x == 1\n", "x == 2\n"), edit("b", 0, "y == 1 or none\n", "y == 2 or none\n")},
			answer: []Edit{edit("a", 1, "x = 1\n", "x = 2\n"), inherited(edit("a", 0, "y = 1 or none\n", "y = 2 or none\n"))},
			want:   "corrects 1, corrects 2",
		},
		"little in common, and the order": {
			reply:  []Edit{edit("a", 0, "p q r s\n", "t\n"), edit("b", 0, "u v w\n", "")},
			answer: []Edit{edit("a", 1, "p q one\n", "two three four\n"), edit("b", 1, "v three four five\n", "")},
			want:   "by-order 1, by-order 2",
		},
		"nothing in common, but the order": {
			reply:  []Edit{edit("a", 0, "p q r s\n", "t\n"), edit("b", 0, "u v w\n", "")},
			answer: []Edit{edit("a", 1, "one\n", "two\n"), edit("b", 1, "three\n", "")},
			want:   "adds, adds",
		},
		"nothing in common, and not as many": {
			reply:  []Edit{edit("a", 0, "p q r s\n", "t\n")},
			answer: []Edit{edit("a", 1, "one\n", "two\n"), edit("a", 5, "three\n", "four\n")},
			want:   "adds, adds",
		},
		"a truncated block is sent again": {
			reply:    []Edit{edit("a", 1, "x\n", "y\n")},
			attempts: []Attempt{{Path: "b", Text: []byte("<<<<<<< SEARCH\n" + total + "=======\ndef total(it")}},
			answer:   []Edit{edit("b", 1, total, "def total(items, start):\n    return sum(items, start)\n")},
			want:     "corrects attempt 1",
		},
		"a truncated block of which nothing is known": {
			reply:    []Edit{edit("a", 1, "x\n", "y\n")},
			attempts: []Attempt{{Text: []byte("<<<<<<< SEARCH\n")}},
			answer:   []Edit{edit("b", 1, "one\n", "two\n")},
			want:     "by-order attempt 1",
		},
		"a new file is given anew": {
			reply:  []Edit{whole(edit("a", 0, "", "x = 1\n")), whole(edit("b", 0, "", "y = 1\n"))},
			answer: []Edit{whole(edit("b", 0, "", "z = 2\n")), whole(edit("c", 0, "", "x = 1\n"))},
			want:   "rewrites 2, adds",
		},
		"what is added to a file is not the file": {
			reply:  []Edit{whole(edit("a", 0, "", "x = 1\n"))},
			answer: []Edit{{Block: parser.Block{Op: parser.OpCreate, Path: "a", Replace: []byte("y = 1\n")}, File: "a"}},
			want:   "adds",
		},
		"a good block is written in another way": {
			reply:  []Edit{edit("a", 4, "x = 1\n", "x = 2\n"), edit("a", 0, "no such line at all\n", "")},
			answer: []Edit{edit("a", 4, "x = 1\n", "x = 3\n")},
			want:   "rewrites 1",
		},
		"a good block and a refused one become one": {
			reply:  []Edit{edit("a", 1, "a = 1\nb = 2\n", "a = 1\nb = 22\n"), edit("a", 0, "b = 2\nc = 3\n", "b = 23\nc = 33\n")},
			answer: []Edit{edit("a", 1, "a = 1\nb = 2\nc = 3\n", "a = 1\nb = 22\nc = 33\n")},
			want:   "corrects 2 and 1",
		},
		"a new block next to a good one": {
			reply:  []Edit{edit("a", 1, "a = 1\nb = 2\nc = 3\n", "a = 1\nb = 22\nc = 3\n")},
			answer: []Edit{edit("a", 2, "b = 2\nc = 3\n", "b = 2\nc = 33\n")},
			want:   "adds",
		},
		"another import below the same line": {
			reply:  []Edit{edit("a", 1, "import a\n", "import a\nfrom pathlib import Path\n")},
			answer: []Edit{edit("a", 1, "import a\n", "import a\nimport json\n")},
			want:   "adds",
		},
		"the same import, with another one": {
			reply:  []Edit{edit("a", 1, "import a\n", "import a\nfrom pathlib import Path\n")},
			answer: []Edit{edit("a", 1, "import a\n", "import a\nfrom pathlib import Path, PurePath\n")},
			want:   "rewrites 1",
		},
		"a block that overlaps with a good one": {
			reply:  []Edit{edit("a", 1, "a = 1\nb = 2\n", "a = 1\nb = 22\n"), refused(edit("a", 2, "b = 2\nc = 3\n", "b = 23\nc = 33\n"))},
			answer: []Edit{edit("a", 2, "b = 2\nc = 3\n", "b = now, both = at, once\nc = other(words)\n")},
			want:   "corrects 2 and 1",
		},
		"a good block is repeated, with other lines around it": {
			reply:  []Edit{edit("a", 4, "x = 1\n", "x = 2\n"), edit("a", 0, "x == 1\n", "x == 2\n")},
			answer: []Edit{edit("a", 3, "above\nx = 1\n", "above\nx = 2\n")},
			want:   "repeats 1",
		},
		"what is written is repeated, with other lines around it": {
			reply:  []Edit{edit("a", 0, "x == 1\n", "x == 2\n"), made(edit("a", 0, "x = 1\n", "x = 2\n"))},
			answer: []Edit{made(edit("a", 3, "above\nx = 1\n", "above\nx = 2\n"))},
			want:   "repeats 2",
		},
		"what is there already answers nothing by its order": {
			reply:  []Edit{edit("a", 0, "p q r s\n", "t\n")},
			answer: []Edit{made(edit("a", 1, "one\n", "two\n"))},
			want:   "adds",
		},
		"the marks of code are no likeness": {
			reply:  []Edit{edit("a", 0, "first = f(x, [1]); // (*)\n", "first = g(x, [1]); // (*)\n"), edit("a", 0, "p\n", "q\n")},
			answer: []Edit{edit("a", 1, "second = h(y, [2]); // (*)\n", "second = k(y, [2]); // (*)\n")},
			want:   "adds",
		},
		"files are deleted": {
			reply:  []Edit{{Block: parser.Block{Op: parser.OpDelete, Path: "a"}, File: "a", Refused: true}, {Block: parser.Block{Op: parser.OpDelete, Path: "b"}, File: "b", Refused: true}},
			answer: []Edit{{Block: parser.Block{Op: parser.OpDelete, Path: "b"}, File: "b"}},
			want:   "corrects 2",
		},
	} {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, use := range Match(numbered(c.reply), c.attempts, c.answer) {
				s := string(use.How)
				switch {
				case use.Attempt >= 0:
					s += fmt.Sprintf(" attempt %d", use.Attempt+1)
				case use.Of >= 0:
					s += fmt.Sprintf(" %d", use.Of+1)
				}
				for _, i := range use.Covers {
					s += fmt.Sprintf(" and %d", i+1)
				}
				got = append(got, s)
			}
			if d := cmp.Diff(c.want, strings.Join(got, ", ")); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestJoin(t *testing.T) {
	reply := numbered([]Edit{
		edit("a", 1, "a = 1\nb = 2\n", "a = 1\nb = 22\n"), edit("a", 0, "b = 2\nc = 3\n", "b = 23\nc = 33\n"), edit("b", 0, "gone\n", ""), edit("c", 1, "x\n", "y\n"),
	})
	answer := []Edit{
		edit("n", 1, "new\n", "newer\n"), unnamed(edit("a", 0, "b = 2\nc  =  3\n", "b = 23\nc  =  33\n")), edit("c", 1, "x\n", "y\n"), edit("", 0, "cut off\n", "whole\n"),
	}
	attempts := []Attempt{{Path: "t", Text: []byte("<<<<<<< SEARCH\ncut off\n=======\nwho")}}
	uses := Match(reply, attempts, answer)
	j := Join(reply, attempts, answer, uses, 5)
	var got []string
	for _, b := range j.Blocks {
		got = append(got, fmt.Sprintf("%d %s %q", b.ID, b.Path, b.Search))
	}
	want := []string{`1 a "a = 1\nb = 2\n"`, `2 a "b = 2\nc  =  3\n"`, `3 b "gone\n"`, `4 c "x\n"`, `5 n "new\n"`, `6 t "cut off\n"`}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]int{5, 2, 0, 6}, j.IDs); d != "" {
		t.Error(d)
	}
	if blocks, lost := Unanswered(reply, 1, uses); len(lost) > 0 || !cmp.Equal(blocks, []int{2}) {
		t.Errorf("unanswered: %v, %v", blocks, lost)
	}
}

// A reply of ten thousand blocks that were all refused, and as many in the answer, are matched soon.
func TestMatchOfMany(t *testing.T) {
	if testing.Short() {
		t.Skip("it is about time, which the race detector takes")
	}
	var reply, answer []Edit
	for i := range 10_000 {
		reply = append(reply, edit("a", 0, fmt.Sprintf("value_%d == compute(%d)\n", i, i), "x\n"))
		answer = append(answer, edit("a", i+1, fmt.Sprintf("value_%d = compute(%d)\n", i, i), "x\n"))
	}
	for i, use := range Match(reply, nil, answer) {
		if use.Of != i {
			t.Fatalf("block %d of the answer is for block %d", i, use.Of)
		}
	}
}
