package vanish

import "strings"

// role says what a line of a written edit is for.
type role byte

const (
	content role = ' ' // of a side, or prose
	naming  role = 'n' // the file's name
	fence   role = 'f' // opens a fence
	unfence role = 'e' // closes it
	opener  role = 'o'
	divider role = 'd'
	closer  role = 'c'
	tag     role = 't' // any other line that is not content: tags, keys, labels, headers
)

// line is a line of a written edit, without its line end.
type line struct {
	role role
	text string
}

// layout is an edit as written.
type layout []line

func (l layout) text() string {
	var b strings.Builder
	for _, x := range l {
		b.WriteString(x.text)
		b.WriteByte('\n')
	}
	return b.String()
}

// all returns the indices of the lines with one of the roles.
func (l layout) all(roles string) (out []int) {
	for i, x := range l {
		if strings.IndexByte(roles, byte(x.role)) >= 0 {
			out = append(out, i)
		}
	}
	return out
}

const (
	markerRoles = string(opener) + string(divider) + string(closer)
	signRoles   = markerRoles + string(tag)
)
