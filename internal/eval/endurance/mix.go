package endurance

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/srpatch/srpatch/internal/casetable"
	"github.com/srpatch/srpatch/internal/eval/bag"
	"github.com/srpatch/srpatch/internal/eval/vanish"
	"github.com/srpatch/srpatch/parser"
)

// Sizes of the text that a request is about, in bytes.
const (
	least, most = 1 << 10, 400 << 10
)

// Mix makes requests of the cases of the engine, of the replies of the project, and of blocks for lines that are there or nearly.
// All of them are about files that are filled up with text of the project.
type Mix struct {
	seed    uint64
	cases   bag.Bag[casetable.Case]
	replies bag.Bag[vanish.Reply]
	filler  []byte
}

// NewMix reads what requests are made of from testdata.
func NewMix(testdata string, seed uint64) (*Mix, error) {
	cases, err := casetable.Read(filepath.Join(testdata, "engine", "*.txtar"))
	if err != nil {
		return nil, err
	}
	tables, err := filepath.Glob(filepath.Join(testdata, "parse", "*.txtar"))
	if err != nil {
		return nil, err
	}
	replies, err := vanish.Load(tables)
	if err != nil {
		return nil, err
	}
	m := &Mix{seed: seed}
	for _, c := range cases {
		m.cases.Put(c, c.Name)
	}
	for _, r := range replies {
		m.replies.Put(r, r.Text)
	}
	for _, table := range tables {
		text, err := os.ReadFile(table)
		if err != nil {
			return nil, err
		}
		m.filler = append(m.filler, bytes.ToValidUTF8(text, nil)...)
	}
	if len(m.filler) < most {
		return nil, errors.New("too little text in " + testdata)
	}
	return m, nil
}

// WriteFile writes the requests from number from to number to, exclusive, one a line, and says how many bytes they are. Each depends on
// the seed and its number alone.
func (m *Mix) WriteFile(path string, from, to int) (size int64, err error) {
	f, err := os.Create(path)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	w := bufio.NewWriterSize(f, 1<<20)
	for i := from; i < to; i++ {
		line, err := m.line(i)
		if err != nil {
			return size, err
		}
		size += int64(len(line)) + 1
		if _, err := w.Write(append(line, '\n')); err != nil {
			return size, err
		}
	}
	return size, w.Flush()
}

// line is request i. One in twenty is broken.
func (m *Mix) line(i int) ([]byte, error) {
	rng := rand.New(rand.NewPCG(m.seed, uint64(i)))
	// Most are short: half of them are about 2 KB, one in ten about more than 80 KB.
	size := int(least * math.Pow(most/least, math.Pow(rng.Float64(), 3)))
	var request map[string]any
	switch n := rng.IntN(10); {
	case n < 4:
		request = m.ofCase(rng, size)
	case n < 7:
		request = m.ofReply(rng, size)
	default:
		request = m.ofLines(rng, size)
	}
	request["id"] = i
	if wants := []string{"", "", "", "", "diff", "edits", "hash", "none"}; rng.IntN(2) == 0 {
		if want := wants[rng.IntN(len(wants))]; want != "" {
			request["want"] = want
		}
	}
	line, err := json.Marshal(request)
	if err == nil && rng.IntN(20) == 0 {
		line = broken(rng, line)
	}
	return line, err
}

// ofCase is a case of the engine, on files with more text at their ends.
func (m *Mix) ofCase(rng *rand.Rand, size int) map[string]any {
	c := m.cases.Draw(rng.Uint64(), 1)[0].Thing
	request := map[string]any{"policy": c.Policies()[0], "partial": c.Set("partial"), "replace_all": c.Set("replace_all")}
	if splice := c.Facts["splice"]; splice != "" {
		request["splice"] = splice
	}
	tree := c.Tree()
	for _, path := range sorted(tree) {
		tree[path] = append(tree[path], m.fill(rng, size/len(tree))...)
	}
	if reply, ok := c.Parts["reply"]; ok {
		request["reply"], request["files_b64"] = reply, tree
		return request
	}
	request["path"] = "f.txt"
	if content := tree["f.txt"]; utf8.Valid(content) {
		request["content"] = string(content)
	} else {
		request["content_b64"] = content
	}
	for _, part := range []string{"search", "replace", "old", "new"} {
		if text, ok := c.Parts[part]; ok {
			request[part] = text
		}
	}
	if c.Facts["start_line"] != "" {
		request["start_line"] = c.Number("start_line")
	}
	return request
}

// ofReply is a reply of the project on files of its names; in two of three cases SEARCH is there.
func (m *Mix) ofReply(rng *rand.Rand, size int) map[string]any {
	reply := m.replies.Draw(rng.Uint64(), 1)[0].Thing.Text
	blocks := parser.Parse([]byte(reply)).Blocks
	hit := rng.IntN(3) > 0
	files := map[string]string{}
	for i := range blocks {
		b := &blocks[i]
		if _, known := files[b.Path]; !known {
			files[b.Path] = string(m.fill(rng, size/len(blocks)))
		}
		if hit {
			files[b.Path] += string(b.Search)
		}
	}
	if len(files) == 0 {
		files["a.txt"] = string(m.fill(rng, size))
	}
	return map[string]any{"files": files, "reply": reply}
}

// ofLines replaces some lines; in half of the cases they have a slip.
func (m *Mix) ofLines(rng *rand.Rand, size int) map[string]any {
	content := m.fill(rng, size)
	lines := bytes.SplitAfter(content, []byte("\n"))
	at := rng.IntN(len(lines))
	search := bytes.Join(lines[at:min(at+1+rng.IntN(20), len(lines))], nil)
	if slip := len(search) / 2; rng.IntN(2) == 0 && slip > 0 && search[slip] < utf8.RuneSelf && search[slip] != '\n' {
		search = append(search[:slip:slip], search[slip+1:]...)
	}
	return map[string]any{"path": "a.txt", "content": string(content), "search": string(search), "replace": "changed\n" + string(search)}
}

// fill is about size bytes of the project's text, in whole lines.
func (m *Mix) fill(rng *rand.Rand, size int) []byte {
	text := m.filler[rng.IntN(len(m.filler)-size):][:size]
	text = text[bytes.IndexByte(text, '\n')+1:]
	return bytes.Clone(text[:bytes.LastIndexByte(text, '\n')+1])
}

// broken is a line that is cut off, or has a byte too many, or a key of another kind.
func broken(rng *rand.Rand, line []byte) []byte {
	at := rng.IntN(len(line))
	switch rng.IntN(3) {
	case 0:
		return line[:at]
	case 1:
		return []byte(string(line[:at]) + "\xff" + string(line[at:]))
	}
	return []byte(strings.Replace(string(line), `"id":`, `"path":`+strconv.Itoa(at)+`,"id":`, 1))
}

func sorted[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
