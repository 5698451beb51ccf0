package indent

import "bytes"

// Opens reports whether the next line should be deeper than line, because line ends with an opening
// bracket, a colon or a word that begins a block, or is an opening tag.
func Opens(line []byte) bool {
	t := bytes.TrimSpace(line)
	if len(t) == 0 {
		return false
	}
	switch t[len(t)-1] {
	case '{', '(', '[', ':':
		return true
	case '>':
		return t[0] == '<' && len(t) > 2 && t[1] != '/' && t[1] != '!' && t[len(t)-2] != '/' &&
			!bytes.Contains(t, []byte("</"))
	}
	switch last := t[bytes.LastIndexAny(t, " \t")+1:]; string(last) {
	case "then", "do", "else", "=>", "->":
		return true
	case "begin", "try", "ensure", "rescue":
		return len(last) == len(t) // otherwise it may be a name
	}
	return false
}
