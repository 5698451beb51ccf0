package fsm

import "bytes"

// maxHint limits line numbers. A greater number is certainly a mistake and is ignored.
const maxHint = 1 << 30

// hintLine reads ":start_line:12", ":end_line: 20" and their variants with brackets or dashes. A
// hint without a number gives line 0.
func hintLine(s []byte) (start, end int, ok bool) {
	for _, h := range [...]struct {
		word string
		end  bool
	}{{":start_line:", false}, {":end_line:", true}, {":start-line:", false}, {":end-line:", true}} {
		if len(s) < len(h.word) || !bytes.EqualFold(s[:len(h.word)], []byte(h.word)) {
			continue
		}
		n, rest, _ := number(bytes.Trim(s[len(h.word):], " \t[]"))
		if len(rest) > 0 {
			return 0, 0, false
		}
		if h.end {
			return 0, n, true
		}
		return n, 0, true
	}
	return 0, 0, false
}

// hintTail reads s, the text after an opener's label, as a hint: "line:12", "line=12", "lines
// 12-20", "(12)", "(12-20)", ":12", "L12-L20", ":start_line:12", "@@ -12,3 +12,4 @@", "@@ 12-20
// @@". s must not be empty. ok is false if s is not a hint.
func hintTail(s []byte) (start, end int, ok bool) {
	if start, end, ok = hintLine(s); ok {
		return start, end, true
	}
	if inner, ok := bytes.CutPrefix(bytes.TrimLeft(s, ": \t"), []byte("@@")); ok {
		return hunkRange(inner)
	}
	if s[0] == 'L' || s[0] == '#' && len(s) > 1 && s[1] == 'L' {
		return lineRange(bytes.TrimLeft(s, "#"), "L")
	}
	if start, end, ok = lineRange(s, ":"); ok {
		return start, end, true
	}
	bracketed := false // a number without a word before it is a hint only in brackets
	if s[0] == '(' && s[len(s)-1] == ')' {
		s, bracketed = bytes.Trim(s[1:len(s)-1], " \t"), true
	}
	labelled := false
	s = bytes.TrimLeft(s, ": \t")
	for _, word := range [...]string{"lines", "line", "start_line"} {
		if len(s) > len(word) && bytes.EqualFold(s[:len(word)], []byte(word)) {
			if rest := bytes.TrimLeft(s[len(word):], ":= \t"); len(rest) < len(s)-len(word) {
				s, labelled = rest, true
				break
			}
		}
	}
	start, s, ok = number(s)
	if !ok || !bracketed && !labelled {
		return 0, 0, false
	}
	if len(s) == 0 {
		return start, 0, true
	}
	if s = bytes.TrimLeft(s, " \t"); len(s) == 0 || s[0] != '-' {
		return 0, 0, false
	}
	end, s, ok = number(bytes.TrimLeft(s[1:], " \t"))
	return start, end, ok && len(s) == 0
}

// lineRange reads a line number, or a range with sign before each number: "L12", "L12-L20",
// ":12-20". The second sign may be missing.
func lineRange(s []byte, sign string) (start, end int, ok bool) {
	s, ok = bytes.CutPrefix(s, []byte(sign))
	if !ok {
		return 0, 0, false
	}
	if start, s, ok = number(s); !ok || len(s) == 0 {
		return start, 0, ok
	}
	if s[0] != '-' {
		return 0, 0, false
	}
	end, s, ok = number(bytes.TrimPrefix(s[1:], []byte(sign)))
	return start, end, ok && len(s) == 0
}

// hunkRange reads what follows the first "@@" of a hunk header, " -12,3 +12,4 @@", and returns the
// line number in the old file; end is 0. It also accepts a range of lines, " 12-20 @@", and ignores
// text after the second "@@".
func hunkRange(s []byte) (start, end int, ok bool) {
	s, _, _ = bytes.Cut(s, []byte("@@"))
	s = bytes.Trim(s, " \t")
	old, new, both := bytes.Cut(s, []byte("+")) // "-12,3 " and "12,4"
	old = bytes.TrimSpace(old)
	rest, signed := bytes.CutPrefix(old, []byte("-"))
	if !signed {
		start, end, ok = lineRange(append([]byte{':'}, old...), ":")
		return start, end, ok && !both
	}
	if start, rest, ok = number(rest); ok && len(rest) > 0 && rest[0] == ',' {
		_, rest, ok = number(rest[1:])
	}
	return start, 0, ok && len(rest) == 0 && len(bytes.Trim(new, "0123456789, ")) == 0
}

// namedLine splits a line number or a range off the end of a file name: "a.py:4", "a.py:4-9". A
// column may follow: "a.py:4:1".
func namedLine(name []byte) (bare []byte, start, end int) {
	i := bytes.LastIndexByte(name, ':')
	if i < 1 {
		return name, 0, 0
	}
	start, end, ok := lineRange(name[i:], ":")
	if !ok {
		return name, 0, 0
	}
	if bare, line, last := namedLine(name[:i]); line > 0 { // what was read last is a column
		return bare, line, last
	}
	return name[:i], start, end
}

// number reads leading digits. A number that is too large is not an error; number returns 0 for it,
// which means no hint.
func number(s []byte) (n int, rest []byte, ok bool) {
	i := 0
	for i < len(s) && s[i] >= '0' && s[i] <= '9' {
		if n < maxHint {
			n = n*10 + int(s[i]-'0')
		}
		i++
	}
	if n >= maxHint {
		n = 0
	}
	return n, s[i:], i > 0
}
