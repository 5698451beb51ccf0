package parser

import (
	"bytes"
	"iter"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/srpatch/srpatch/parser/internal/mdline"

	"github.com/srpatch/srpatch/internal/text"
)

// strength says how much a line looks like a file name.
type strength uint8

const (
	none   strength = iota
	weak            // a name if such a file exists
	plain           // the whole line is a name
	marked          // a name that is marked as one: by a label, a heading, bold or code
)

// lineName reads a line as a file name, with or without decoration.
func lineName(line []byte) (string, strength) {
	if len(line) > maxNameLine {
		return "", none
	}
	if bare := text.Chomp(line); len(bare) > 0 && isPlainPath(bare) {
		if name, how := judge(string(bare), false); how >= plain && name == string(bare) {
			return name, how
		}
	}
	d := decorated{text: string(bytes.TrimFunc(line, text.Invisible))}
	if strings.Contains(d.text, "：") {
		d.text = strings.ReplaceAll(d.text, "：", ":")
	}
	if d.text == "" || strings.Trim(d.text, "`~=-_*#. ") == "" {
		return "", none
	}
	if name, ok := explicit(d.text); ok {
		return name, marked
	}
	d.strip()
	name, how := judge(d.text, d.quoted || d.labelled)
	if first, _, blank := strings.Cut(name, " "); how == plain && blank && !strings.ContainsAny(first, `/\`) && !d.code && !d.labelled {
		how = weak // a sentence in bold or in quotes may also end like a name
	}
	if how == plain && (d.labelled || d.heading || d.quoted) && !d.listed {
		how = marked
	}
	if how < plain && !d.listed {
		if first, ok := d.leading(); ok && d.heading {
			return first, marked
		} else if ok && (strings.ContainsAny(first, `/\`) || knownExt(first)) {
			return first, plain
		}
	}
	return name, how
}

const maxNameLine = 512

// isPlainPath reports whether a text begins with a letter and has only the characters that are common in paths: it has no
// decoration.
func isPlainPath(text []byte) bool {
	for i, c := range text {
		switch {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z':
		case i > 0 && ('0' <= c && c <= '9' || c == '/' || c == '.' || c == '_' || c == '-'):
		default:
			return false
		}
	}
	return true
}

// explicit reads "File: `name`": the text between the backticks is a name, whatever it looks like.
func explicit(t string) (string, bool) {
	name, ok := strings.CutPrefix(t, "File: `")
	if !ok {
		return "", false
	}
	name, ok = strings.CutSuffix(name, "`")
	return name, ok && name != "" && !strings.Contains(name, "`") && name == strings.TrimSpace(name)
}

// isDoubtful reports whether a line that is read as a file's name may mean something else: a member as in "### os.path", two
// things as in "### Setup/Teardown", changes to a file elsewhere. An empty SEARCH below such a line creates no file.
func isDoubtful(line []byte, name string) bool {
	text := bytes.TrimFunc(line, text.Invisible)
	base := name[strings.LastIndexAny(name, `/\`)+1:]
	ext := base[strings.LastIndexByte(base, '.')+1:]
	slash, dot := len(base) < len(name), len(ext) < len(base)
	switch {
	case string(text) == name, isKnownName(base):
		return false
	case isLabelled(text):
		return !slash && bytes.Contains(bytes.ToLower(text), []byte("changes "))
	case base[0] == '.', dot && !isMember(ext), knownExt(base), isLanguage(ext):
		return false
	case slash:
		return !dot && !strings.ContainsFunc(name, func(r rune) bool { return unicode.IsDigit(r) || r == '_' || r == '-' }) &&
			!slices.ContainsFunc(strings.FieldsFunc(name, isSeparator), func(word string) bool {
				first, _ := utf8.DecodeRuneInString(word)
				return !unicode.IsUpper(first)
			})
	}
	return strings.TrimRight(string(text), ":") != name
}

// isLabelled reports whether the name in a line has a label before it or an HTML element around it.
func isLabelled(line []byte) bool {
	d := decorated{text: string(line)}
	d.strip()
	return d.labelled
}

// decorated is a line from which the decoration around a name is being removed.
type decorated struct {
	text                                    string
	quoted, code, labelled, heading, listed bool
}

// strip removes decoration until none is left.
func (d *decorated) strip() {
	for range 12 {
		before := d.text
		d.lead()
		d.trail()
		d.pairs()
		if d.text == before {
			return
		}
	}
}

// lead removes decoration before a name: heading, quote, bullet, number, comment sign, label.
func (d *decorated) lead() {
	t := d.text
	switch {
	case strings.HasPrefix(t, "#"):
		if rest := strings.TrimLeft(t, "#"); rest != "" {
			d.heading = d.heading || rest[0] == ' '
			t = rest
		}
	case strings.HasPrefix(t, "> "):
		t = t[2:]
	case strings.HasPrefix(t, "- "), strings.HasPrefix(t, "* "), strings.HasPrefix(t, "+ "), strings.HasPrefix(t, "• "):
		_, t, _ = strings.Cut(t, " ")
		if len(t) > 3 && t[0] == '[' && t[2] == ']' && t[3] == ' ' {
			t = t[4:] // the box of a task
		}
		d.listed = true
	case strings.HasPrefix(t, "+++ "), strings.HasPrefix(t, "--- ") && !strings.HasSuffix(t, "---"):
		if rest := t[4:]; isFileName(rest) {
			t = rest
		}
	case strings.HasPrefix(t, "---"): // a rule on both sides, see pairs
	default:
		if said, ok := text.Comment([]byte(t)); ok {
			t = string(said)
		} else if first, size := utf8.DecodeRuneInString(t); unicode.IsSymbol(first) && first >= utf8.RuneSelf {
			t = strings.TrimPrefix(t[size:], "\ufe0f")
		} else if rest := strings.TrimLeft(t, "0123456789"); len(rest) < len(t) && (strings.HasPrefix(rest, ". ") || strings.HasPrefix(rest, ") ")) {
			t = rest[2:]
			d.listed = !d.heading
		} else if rest, ok := cutLabel(t); ok {
			t = rest
			d.labelled = true
		}
	}
	d.text = strings.TrimSpace(t)
}

// trail removes decoration after a name: a colon, a comma, a remark in brackets.
func (d *decorated) trail() {
	t := strings.TrimRight(d.text, ":, ")
	for _, end := range [...]string{"<br>", "<br/>", "<br />", "，", "。"} {
		t = strings.TrimSuffix(t, end)
	}
	if strings.HasSuffix(t, ")") {
		if i := strings.LastIndexByte(t, '('); i > 0 && (t[i-1] == ' ' || t[i-1] == '`' || t[i-1] == '*') {
			t = t[:i]
		}
	}
	if i := strings.LastIndex(t, "（"); i > 0 && strings.HasSuffix(t, "）") {
		t = t[:i]
	}
	d.text = strings.TrimSpace(t)
}

// pairs removes quotes, emphasis, rules, tags and link syntax around a name.
func (d *decorated) pairs() {
	t := d.text
	for _, q := range [...][2]string{{"`", "`"}, {"**", "**"}, {"*", "*"}, {`"`, `"`}, {"'", "'"}, {"“", "”"}, {"‘", "’"}, {"„", "“"},
		{"«", "»"}, {"‹", "›"}, {"「", "」"}, {"『", "』"}, {"【", "】"}, {"《", "》"}, {"（", "）"}, {"==>", "<=="}, {"[", "]"}} {
		if len(t) > len(q[0])+len(q[1]) && strings.HasPrefix(t, q[0]) && strings.HasSuffix(t, q[1]) {
			t = t[len(q[0]) : len(t)-len(q[1])]
			d.quoted = true
			d.code = d.code || q[0] == "`"
			break
		}
	}
	// Emphasis around the label alone leaves its end before the name; or one half of a pair is missing.
	t = strings.TrimSpace(t)
	if t = strings.TrimPrefix(strings.TrimSuffix(t, "**"), "**"); strings.Count(t, "`")%2 == 1 {
		t = strings.Trim(t, "`")
	}
	for _, c := range [...]string{"===", "---"} {
		if strings.HasPrefix(t, c) && strings.HasSuffix(t, c) {
			t = strings.Trim(t, c[:1]+" ")
			d.labelled = true
		}
	}
	if name, ok := mdline.TagName(t); ok {
		t = name
		d.labelled = true
	} else if inner, ok := mdline.Element(t); ok {
		t = inner
		d.labelled = true
	} else if inner := strings.Trim(t, "<>()"); len(inner) == len(t)-2 && (t[0] == '<' || t[0] == '(') && isFileName(inner) {
		t = inner
		d.quoted = true
	}
	if strings.HasPrefix(t, "[") && strings.HasSuffix(t, ")") {
		if text, target, ok := strings.Cut(t[1:len(t)-1], "]("); ok && strings.HasSuffix(cutPosition(target), cutPosition(strings.Trim(text, "`*"))) {
			t = text
			d.quoted = true
		}
	}
	d.text = strings.TrimSpace(t)
}

// leading takes the name at the beginning of a line that continues with a remark: "`src/a.py`: the imports",
// "src/a.py - the imports", "### src/a.py, as in src/b.py".
func (d *decorated) leading() (string, bool) {
	word, rest, _ := strings.Cut(d.text, " ")
	second, _, _ := strings.Cut(rest, " ")
	if !strings.HasSuffix(word, ":") && !(d.heading && strings.HasSuffix(word, ",") && (second == "as" || compares([]byte(second)))) && !strings.HasPrefix(rest, "- ") && !strings.HasPrefix(rest, "–") &&
		!strings.HasPrefix(rest, "—") && !strings.HasPrefix(rest, "(") {
		return "", false
	}
	e := decorated{text: word}
	e.strip()
	name, how := judge(e.text, e.quoted)
	return name, how >= plain
}

// cutLabel removes a label such as "File:", "**Filename**:", "Update" from before a name.
func cutLabel(t string) (string, bool) {
	if path, ok := strings.CutPrefix(t, "file://"); ok {
		return path, true
	}
	if head, rest, ok := strings.Cut(t, "="); ok {
		switch strings.ToLower(head) {
		case "file", "filename", "file_name", "path", "filepath", "file_path":
			return rest, true
		}
	}
	head, rest, ok := strings.Cut(t, ":")
	if ok && len(head) < 40 && rest != "" && rest[0] != '\\' && rest[0] != '/' {
		words := strings.Fields(strings.ToLower(strings.Trim(head, "* `_")))
		if len(words) > 1 && strings.Trim(words[len(words)-1], "#0123456789") == "" {
			words = words[:len(words)-1]
		}
		switch strings.Join(words, " ") {
		case "file", "filename", "file name", "path", "filepath", "file path", "full path", "new file", "modified file",
			"updated file", "in file", "target", "target file", "edit", "update", "create", "modify", "change", "changes to",
			"changes in", "step", "index":
			return strings.TrimSpace(strings.TrimLeft(rest, "*")), true
		case "modified", "updated", "changed", "added", "created", "edited", "editing", "updating", "now", "next", "also", "then",
			"source", "script", "module", "current file", "existing file", "same file", "datei", "neue datei", "dateiname",
			"fichier", "nouveau fichier", "archivo", "nuevo archivo", "arquivo", "novo arquivo", "bestand", "nieuw bestand",
			"plik", "nowy plik", "dosya":
			if rest = strings.TrimSpace(strings.TrimLeft(rest, "*")); isFileName(strings.Trim(rest, "`*\"'")) {
				return rest, true
			}
		}
		if rest = strings.TrimSpace(strings.TrimLeft(rest, "*")); isForeign(head) && isFileName(strings.Trim(rest, "`*\"'")) {
			return rest, true
		}
		if !strings.Contains(rest, " ") && isLanguage(head) && strings.ContainsAny(rest, "./\\") {
			return rest, true
		}
	}
	for _, verb := range [...]string{"in file ", "new file ", "file ", "in ", "for ", "update ", "edit ", "modify ", "create ",
		"create file ", "create the file ", "create new file ", "create a new file ", "neue datei ", "nouveau fichier ", "nuevo archivo ",
		"changes to ", "changes in ", "changes for ", "path "} {
		if len(t) > len(verb) && strings.EqualFold(t[:len(verb)], verb) {
			rest := strings.TrimSpace(t[len(verb):])
			if !strings.Contains(strings.TrimRight(rest, " :"), " ") && strings.ContainsAny(rest, "./\\") {
				return rest, true
			}
		}
	}
	if word, rest, ok := strings.Cut(t, " "); ok && isLanguage(word) && !strings.Contains(rest, " ") && strings.ContainsAny(rest, "./\\") {
		return rest, true
	}
	return "", false
}

// isForeign reports whether a label has letters, but no Latin ones, as "文件路径" and "Новый файл" are.
func isForeign(label string) bool {
	label = strings.Trim(label, "* `_")
	return strings.IndexFunc(label, unicode.IsLetter) >= 0 && strings.IndexFunc(label, func(r rune) bool { return r < utf8.RuneSelf && r != ' ' }) < 0
}

// isFileName reports whether a text is one word, and more likely a file's name than anything else.
func isFileName(t string) bool {
	name, how := judge(t, false)
	return how >= plain && !strings.Contains(t, " ") && tellsFile(name)
}

// tellsFile reports whether a name within prose is more likely a file's than a member's or an ordinary word.
func tellsFile(name string) bool {
	return strings.ContainsAny(name, `/\`) || knownExt(name) || isKnownName(name) && strings.Contains(name, "file") ||
		len(name) > 3 && name[0] == '.' && strings.IndexByte(name[1:], '.') < 0
}

// infoName finds the name in a fence's info string: "src/a.py", "python:src/a.py", "python src/a.py", "12:20:src/a.py",
// `js title="src/a.js"`. A language is never a name.
func infoName(info []byte) string {
	if !bytes.ContainsAny(info, "./\\=") {
		if len(info) == 0 || !isKnownName(string(info[bytes.LastIndexAny(info, " :")+1:])) {
			return ""
		}
	}
	t := strings.TrimSpace(string(info))
	if t == "" || len(t) > maxNameLine {
		return ""
	}
	if strings.HasPrefix(t, "{") && strings.HasSuffix(t, "}") {
		t = strings.TrimLeft(strings.TrimSpace(t[1:len(t)-1]), ".") // Pandoc writes the language ".python"
	}
	for _, attr := range [...]string{"title", "filename", "file", "path", "name"} {
		if _, value, ok := strings.Cut(" "+t, " "+attr+"="); ok {
			value = strings.TrimSpace(value)
			if len(value) > 1 && (value[0] == '"' || value[0] == '\'') {
				value, _, _ = strings.Cut(value[1:], value[:1])
			} else {
				value, _, _ = strings.Cut(value, " ")
			}
			if name, how := judge(value, true); how >= weak {
				return name
			}
		}
	}
	below := false // a language comes before
	for word := range strings.FieldsSeq(t) {
		for {
			head, rest, ok := strings.Cut(word, ":")
			if isLanguage(word) && !(below && isKnownName(word)) {
				below = true
				break
			}
			if ok && len(rest) > 0 && (isLanguage(head) || strings.Trim(head, "0123456789") == "" || !strings.ContainsAny(head, "./\\") && len(head) > 1) {
				word, below = rest, below || isLanguage(head)
				continue
			}
			if name, how := judge(strings.Trim(word, "`\"'*"), false); how >= plain && !mediaType(name) {
				return name
			}
			break
		}
	}
	return ""
}

// mediaType reports whether a word of an info string is a media type that is used for a language: "text/x-python".
func mediaType(word string) bool {
	kind, _, _ := strings.Cut(word, "/")
	return (kind == "text" || kind == "application") && !strings.Contains(word, ".") && !isKnownName(word[len(kind)+1:])
}

// judge decides whether a text without decoration is a file name. If it is marked as a name (set), it may have blanks.
func judge(t string, set bool) (string, strength) {
	t = cutPosition(strings.TrimRight(t, ".,;"))
	if isKnownName(t) || t != "" && (t[0] == '$' || t[0] == '%') && inVariable(t) {
		return t, plain
	}
	if t == "" || len(t) > 255 || isLanguage(t) || !utf8.ValidString(t) || strings.Contains(t, "://") ||
		strings.ContainsAny(t, "<>|\"?*`\t{}=;!&^%«»‹›„“”「」『』《》") || strings.IndexFunc(t, unicode.IsControl) >= 0 {
		return "", none
	}
	// Markdown escapes the underscore. If there is no other backslash, this one is no separator.
	if bare := strings.ReplaceAll(t, `\_`, "_"); !strings.Contains(bare, `\`) {
		t = bare
	}
	base := t[strings.LastIndexAny(t, `/\`)+1:]
	if base == "" || strings.Trim(base, ".-_") == "" || strings.HasSuffix(t, "()") {
		return "", none
	}
	slash := len(base) < len(t)
	stem, ext := "", ""
	if i := strings.LastIndexByte(base, '.'); i >= 0 {
		stem, ext = base[:i], base[i+1:]
	}
	isExt := ext != "" && (len(ext) <= 12 || stem == "" && len(ext) <= 24) && strings.Trim(strings.ToLower(ext), "abcdefghijklmnopqrstuvwxyz0123456789_+-") == "" &&
		strings.Trim(ext, "0123456789") != ""
	if strings.ContainsAny(t, " ") {
		first, _, _ := strings.Cut(t, " ")
		switch {
		case abbreviation(strings.TrimSuffix(first, ".")):
		case isExt && set && strings.Count(t, " ") <= 6:
			return t, plain
		case isExt && strings.Count(t, " ") <= 3, slash && set && strings.Count(t, " ") <= 2:
			return t, weak
		}
		return "", none
	}
	if strings.ContainsAny(t, "()") && !slash || strings.ContainsAny(t, ",") && !isExt {
		return "", none
	}
	switch {
	case inWords(t):
		return t, weak
	case isKnownName(base):
		return t, plain
	case isExt && (stem != "" || slash || len(ext) > 1):
		if abbreviation(t) {
			return "", none
		}
		return t, plain
	case slash:
		if segments := strings.FieldsFunc(t, isSeparator); len(segments) == 1 || short(t) {
			return t, weak
		}
		return t, plain
	case set || strings.ContainsAny(base, "_-."):
		if strings.Trim(base, "0123456789.-_") == "" {
			return "", none
		}
		return t, weak
	}
	return "", none
}

// inWords reports whether a path of Latin letters touches words of a script that is written without blanks, as in "在src/a.py中".
func inWords(t string) bool {
	start := strings.IndexFunc(t, partOfASCIIPath)
	if start < 0 || strings.IndexFunc(t, isUnspaced) < 0 {
		return false
	}
	word := t[start:]
	if end := strings.IndexFunc(word, isUnspaced); end >= 0 {
		return end > 0 && knownExt(strings.TrimRight(word[:end], ":,."))
	}
	return start > 0 && strings.ContainsAny(word, `/\`) && !isSeparator(rune(word[0])) && knownExt(word)
}

// isUnspaced reports whether a character belongs to a script that is written without blanks between words, or to its
// punctuation.
func isUnspaced(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai) ||
		0x3000 <= r && r <= 0x303f || 0xff00 <= r && r <= 0xffef
}

// inVariable reports whether a text is a path below a variable that shells replace by a directory, "$HOME/a.py" or
// "%TEMP%\a.py". No tree has such a path; it counts as a name so that the block is refused.
func inVariable(t string) bool {
	i := strings.IndexAny(t, `/\`)
	if i > 3 && strings.HasPrefix(t, "${") && t[i-1] == '}' {
		return i+1 < len(t) && !strings.ContainsAny(t[2:i-1]+t[i:], " \t`\"'()<>{}")
	}
	return i > 1 && i+1 < len(t) && (t[1] < '0' || t[1] > '9') && !strings.ContainsAny(t, " \t`\"'()<>") &&
		strings.Trim(strings.TrimPrefix(t[:i], "$env:"), "${}%ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == ""
}

func isSeparator(r rune) bool { return r == '/' || r == '\\' }

// short reports whether a text with a slash may be a pair of words: "and/or", "I/O".
func short(t string) bool {
	a, b, _ := strings.Cut(t, "/")
	return !strings.Contains(b, "/") && !strings.ContainsAny(t, "._-\\") && len(a) <= 8 && len(b) <= 8
}

func abbreviation(t string) bool {
	switch strings.ToLower(t) {
	case "e.g", "i.e", "etc", "a.k.a", "vs", "w.r.t", "p.s", "n.b":
		return true
	}
	return false
}

// cutPosition removes a position after a name: "a.go:12", "a.go:12:3", "a.go:12-20", "a.go#L12", "a.go(12,3)".
func cutPosition(t string) string {
	for range 2 {
		if i := strings.LastIndexAny(t, ":#"); i > 1 && i+1 < len(t) && strings.Trim(t[i+1:], "0123456789-L,") == "" {
			t = t[:i]
		}
	}
	if i := strings.LastIndexByte(t, '('); i > 1 && strings.HasSuffix(t, ")") && i+2 < len(t) &&
		strings.Trim(t[i+1:len(t)-1], "0123456789-,") == "" && knownExt(t[:i]) {
		t = t[:i]
	}
	return t
}

// proseNames yields the file names in a line of prose: first those in backticks, then words with a slash or a known extension,
// whatever surrounds them.
func proseNames(line []byte) iter.Seq[string] {
	return func(yield func(string) bool) {
		if len(line) > maxNameLine {
			line = line[:maxNameLine]
		}
		if !bytes.ContainsAny(line, "./\\`") && !bytes.Contains(line, []byte("file")) {
			return
		}
		text := strings.TrimSpace(strings.ToValidUTF8(string(line), "?"))
		var outside strings.Builder
		for i, part := range strings.Split(text, "`") {
			if i%2 == 1 {
				if name, how := judge(part, true); how >= plain {
					if !yield(name) {
						return
					}
					continue
				}
			}
			outside.WriteString(part + " ")
		}
		for word := range strings.FieldsSeq(outside.String()) {
			word = strings.TrimPrefix(strings.Trim(word, "\"'*_()[],;:!?«»‹›„“”‘’「」『』《》，。："), "file://")
			name, how := judge(word, false)
			if how >= plain && tellsFile(name) {
				if !yield(name) {
					return
				}
				continue
			}
			if strings.Contains(word, "://") {
				continue
			}
			for _, inPath := range [...]func(rune) bool{partOfPath, partOfASCIIPath} {
				found := false
				for part := range strings.FieldsFuncSeq(word, func(r rune) bool { return !inPath(r) }) {
					if name, how := judge(part, false); len(part) < len(word) && how >= plain && tellsFile(name) {
						if found = true; !yield(name) {
							return
						}
					}
				}
				if found {
					break
				}
			}
		}
	}
}

// partOfPath reports whether a character occurs more often in paths than around them.
func partOfPath(r rune) bool { return unicode.IsLetter(r) || unicode.IsMark(r) || partOfASCIIPath(r) }

func partOfASCIIPath(r rune) bool {
	return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r < utf8.RuneSelf && strings.ContainsRune(`/\._-+@~`, r)
}
