// Command dmp is diff-match-patch as an applier for the evaluation. SEARCH and REPLACE become a
// patch that names the true place.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/sergi/go-diff/diffmatchpatch"
)

type request struct {
	ID      string  `json:"id"`
	Content *string `json:"content,omitempty"`
	Search  string  `json:"search,omitempty"`
	Replace string  `json:"replace,omitempty"`
	Line    int     `json:"line,omitempty"`
}

func main() {
	dec, enc := json.NewDecoder(os.Stdin), json.NewEncoder(os.Stdout)
	for {
		var q request
		if err := dec.Decode(&q); err == io.EOF {
			return
		} else if err != nil {
			fmt.Fprintln(os.Stderr, "dmp:", err)
			os.Exit(2)
		}
		content := apply(*q.Content, q.Search, q.Replace, q.Line)
		if err := enc.Encode(request{ID: q.ID, Content: content}); err != nil {
			fmt.Fprintln(os.Stderr, "dmp:", err)
			os.Exit(2)
		}
	}
}

// apply returns nil unless all patches were applied.
func apply(content, search, replace string, line int) *string {
	dmp := diffmatchpatch.New()
	patches := dmp.PatchMake(search, replace)
	offset := 0
	for range line - 1 {
		offset += strings.IndexByte(content[offset:], '\n') + 1
	}
	for i := range patches {
		patches[i].Start1 += offset
		patches[i].Start2 += offset
	}
	text, applied := dmp.PatchApply(patches, content)
	if slices.Contains(applied, false) {
		return nil
	}
	return &text
}
