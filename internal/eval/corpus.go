package eval

import (
	"fmt"
	"go/build"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/srpatch/srpatch/internal/eval/program"
)

// Bounds of what makes a good source: long enough to have distant places, short enough to compare
// every place.
const (
	minLines, maxLines = 24, 1600
	maxLineBytes       = 240
)

// source is one file, read once and never changed.
type source struct {
	tree, path string
	lang       *language
	lines      []string
	unit       string // one level of indentation
	signs      []signature
	telling    []bool
	words      map[string]bool
	names      []string // words that look like identifiers, in order
}

// Tree is a set of files to make cases from. It is safe for concurrent use once loaded.
type Tree struct {
	Name    string
	sources []*source
}

// LoadTree reads at most limit files under dir, chosen by the seed. They are UTF-8 text with LF
// line ends, in a language that the generator can write.
func LoadTree(dir string, seed uint64, limit int) (*Tree, error) {
	var names []string
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && name != dir && (strings.HasPrefix(d.Name(), ".") || d.Name() == "node_modules"):
			return filepath.SkipDir
		case d.Type().IsRegular() && languageOf(name) != nil:
			names = append(names, name)
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read the tree: %w", err)
	}
	rng := rand.New(rand.NewPCG(seed, 0x7ee5))
	rng.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	t := &Tree{Name: filepath.Base(dir)}
	for _, name := range names {
		if len(t.sources) == limit {
			break
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, fmt.Errorf("read the tree: %w", err)
		}
		rel, err := filepath.Rel(dir, name)
		if err != nil {
			return nil, fmt.Errorf("read the tree: %w", err)
		}
		if s := newSource(t.Name, filepath.ToSlash(rel), text); s != nil {
			t.sources = append(t.sources, s)
		}
	}
	if len(t.sources) == 0 {
		return nil, fmt.Errorf("no usable source file under %s: give another --tree", dir)
	}
	return t, nil
}

// newSource returns a text as a source, or nil if it is no plain source.
func newSource(tree, name string, text []byte) *source {
	lang := languageOf(name)
	if lang == nil || !utf8.Valid(text) || len(text) == 0 || text[len(text)-1] != '\n' ||
		strings.ContainsAny(string(text), "\r\x00\ufeff") {
		return nil
	}
	s := &source{tree: tree, path: name, lang: lang, words: map[string]bool{}}
	s.lines = strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	if len(s.lines) < minLines || len(s.lines) > maxLines {
		return nil
	}
	for _, l := range s.lines {
		if len(l) > maxLineBytes || isMarker(l) {
			return nil
		}
		s.signs = append(s.signs, sign(l))
		s.telling = append(s.telling, telling(l))
		for _, w := range words(l) {
			s.words[w] = true
		}
	}
	for _, w := range slices.Sorted(maps.Keys(s.words)) {
		if identifier.FindString(w) == w && !slices.Contains(keywords, w) {
			s.names = append(s.names, w)
		}
	}
	s.unit = unitOf(s.lines)
	return s
}

// isMarker reports whether a line could be taken for a block's marker, a fence or an elision. Files
// with such lines are left out, because blocks may mean something else there.
func isMarker(l string) bool {
	l = strings.TrimSpace(l)
	starts := []string{"<<<<<", ">>>>>", "=====", "-----", "+++++", "```", "~~~", "...",
		":start_line:", "// ...", "# ..."}
	return strings.Contains(l, "....") ||
		slices.ContainsFunc(starts, func(m string) bool { return strings.HasPrefix(l, m) })
}

// unitOf returns the indentation by which most lines go deeper.
func unitOf(lines []string) string {
	seen := map[string]int{}
	prev := ""
	for _, l := range lines {
		if blank(l) {
			continue
		}
		in := indentOf(l)
		if step, deeper := strings.CutPrefix(in, prev); deeper && step != "" {
			seen[step]++
		}
		prev = in
	}
	best := "    "
	for _, u := range []string{"\t", "  ", "    "} {
		if seen[u] > seen[best] {
			best = u
		}
	}
	return best
}

// words returns a line's identifiers and plain words.
func words(l string) []string {
	return strings.FieldsFunc(l, func(r rune) bool { return !wordRune(r) })
}

func wordRune(r rune) bool {
	return r == '_' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r > 0x7f && r != 0xa0
}

// DefaultTrees loads Go's own standard library and the trees of the project's testdata.
func DefaultTrees(seed uint64) ([]*Tree, error) {
	root, err := program.Root()
	if err != nil {
		return nil, err
	}
	std, err := LoadTree(filepath.Join(build.Default.GOROOT, "src"), seed, 500)
	if err != nil {
		return nil, fmt.Errorf("the standard library: %w", err)
	}
	std.Name = "std"
	own, err := LoadTree(filepath.Join(root, "testdata", "trees"), seed, 500)
	if err != nil {
		return nil, err
	}
	return []*Tree{std, own}, nil
}

// longer accepts sources of more than n lines.
func longer(n int) func(*source) bool { return func(s *source) bool { return len(s.lines) > n } }

// pick returns a random element.
func pick[T any](rng *rand.Rand, of []T) T { return of[rng.IntN(len(of))] }
