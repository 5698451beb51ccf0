package main

import "sync"

// memory keeps what was refused, by its tree, for the answer that corrects it. It lasts as long as the server.
type memory struct {
	mu    sync.Mutex
	texts map[string][][]byte
}

// maxAnswers is how many texts a refused reply may come to have.
const maxAnswers = 20

// of is the reply that was refused last in a tree, and the answers to it; nil for none.
func (m *memory) of(dir string) [][]byte {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.texts[dir]
}

// keep keeps a reply with its answers in the place of what was kept; none forgets it.
func (m *memory) keep(dir string, texts [][]byte) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.texts == nil {
		m.texts = map[string][][]byte{}
	}
	if m.texts[dir] = texts; texts == nil {
		delete(m.texts, dir)
	}
}
