package gitcommit

import "fmt"

// bounded keeps the beginning and the end of what is written to it.
type bounded struct {
	most       int
	head, tail []byte
	left       int // bytes between them
}

func (b *bounded) Write(p []byte) (int, error) {
	rest := p
	if room := b.most/2 - len(b.head); room > 0 {
		n := min(room, len(rest))
		b.head, rest = append(b.head, rest[:n]...), rest[n:]
	}
	b.tail = append(b.tail, rest...)
	if over := len(b.tail) - b.most/2; over > 0 {
		b.tail, b.left = append(b.tail[:0], b.tail[over:]...), b.left+over
	}
	return len(p), nil
}

func (b *bounded) String() string {
	if b.left == 0 {
		return string(b.head) + string(b.tail)
	}
	return fmt.Sprintf("%s\n... %d bytes are left out ...\n%s", b.head, b.left, b.tail)
}
