package envelope

import (
	"bytes"
	"slices"
)

// Same reports whether two blocks describe the same edit.
func Same(a, b *Block) bool {
	return a.Op == b.Op && a.Path == b.Path && a.NewPath == b.NewPath &&
		bytes.Equal(a.Search, b.Search) && bytes.Equal(a.Replace, b.Replace) &&
		a.StartLine == b.StartLine && a.EndLine == b.EndLine && slices.Equal(a.Scope, b.Scope) &&
		a.AtEOF == b.AtEOF && a.ReplaceAll == b.ReplaceAll && a.Expected == b.Expected && a.Substring == b.Substring
}
