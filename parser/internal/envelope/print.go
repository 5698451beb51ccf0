package envelope

import (
	"bytes"
	"fmt"
	"slices"
)

// Format writes blocks in a foreign format, one of [Formats], such that reading the text gives the same
// blocks: operation, path, sides and hints. What the format cannot express is an error; nothing is dropped.
func Format(name string, blocks []Block, m Markers) ([]byte, error) {
	all := formats()
	i := slices.IndexFunc(all, func(f format) bool { return f.name == name })
	if i < 0 {
		return nil, fmt.Errorf("unknown format %q, known are %q", name, Formats())
	}
	var out bytes.Buffer
	all[i].write(&out, blocks, m)
	got, diags := Read(out.Bytes(), 1, name, m)
	if len(diags) > 0 {
		return nil, fmt.Errorf("%s cannot express these blocks: line %d, %s", name, diags[0].Line, diags[0].Code)
	}
	if len(got) != len(blocks) {
		return nil, fmt.Errorf("%s cannot express these %d blocks: they read as %d", name, len(blocks), len(got))
	}
	for i := range blocks {
		if !Same(&blocks[i], &got[i]) {
			return nil, fmt.Errorf("%s cannot express block %d (%s of %s)", name, i+1, blocks[i].Op, blocks[i].Path)
		}
	}
	return out.Bytes(), nil
}

// Same says whether two blocks ask for the same.
func Same(a, b *Block) bool {
	return a.Op == b.Op && a.Path == b.Path && a.NewPath == b.NewPath &&
		bytes.Equal(a.Search, b.Search) && bytes.Equal(a.Replace, b.Replace) &&
		a.StartLine == b.StartLine && a.EndLine == b.EndLine && slices.Equal(a.Scope, b.Scope) &&
		a.AtEOF == b.AtEOF && a.ReplaceAll == b.ReplaceAll && a.Expected == b.Expected && a.Substring == b.Substring
}
