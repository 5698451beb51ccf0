package eval

import (
	"encoding/json"
	"maps"
	"slices"
)

// Case is one question with a known answer.
type Case struct {
	ID      string
	Kind    string
	Variant string
	// Path is the block's file, or "" if the case is a whole reply about several files.
	Path string
	// Files are the contents before the run, by path.
	Files map[string]string
	// Search, Replace and StartLine (0: none) state a single block. Reply, if set, is a whole reply
	// instead.
	Search, Replace string
	StartLine       int
	Reply           string
	// Expected are the contents of all files after the run, or nil if a refusal is right.
	Expected map[string]string
	// Accept are other results that are right.
	Accept []map[string]string
	// RefuseOK is set if a refusal is as right as Expected.
	RefuseOK bool
	// Meant is what the block means if it has to be refused because it doesn't say enough. It is
	// nil if the block means nothing, or if Expected says it.
	Meant map[string]string
}

// wire is a case as a request of filter, with its answer.
type wire struct {
	ID        string            `json:"id"`
	Class     string            `json:"class"`
	Variant   string            `json:"variant"`
	Path      string            `json:"path,omitempty"`
	Content   *string           `json:"content,omitempty"`
	Files     map[string]string `json:"files,omitempty"`
	Search    *string           `json:"search,omitempty"`
	Replace   *string           `json:"replace,omitempty"`
	StartLine int               `json:"start_line,omitempty"`
	Reply     string            `json:"reply,omitempty"`
	Expected  any               `json:"expected"`
	Accept    []any             `json:"accept,omitempty"`
	RefuseOK  bool              `json:"refuse_ok,omitempty"`
}

// MarshalJSON writes the case as a request of `srpatch filter`, with the keys class, expected,
// accept and refuse_ok. The first two are strings if the case has one file, and objects by path
// otherwise.
func (c *Case) MarshalJSON() ([]byte, error) {
	w := wire{ID: c.ID, Class: c.Kind, Variant: c.Variant, Path: c.Path, StartLine: c.StartLine, Reply: c.Reply,
		RefuseOK: c.RefuseOK}
	if c.Reply == "" {
		w.Search, w.Replace = &c.Search, &c.Replace
	}
	if content := c.Files[c.Path]; c.Path != "" {
		w.Content = &content
	} else {
		w.Files = c.Files
	}
	result := func(files map[string]string) any {
		if files == nil || c.Path == "" {
			return files
		}
		return files[c.Path]
	}
	w.Expected = result(c.Expected)
	for _, files := range c.Accept {
		w.Accept = append(w.Accept, result(files))
	}
	return json.Marshal(w)
}

// paths returns the files of the case in order.
func (c *Case) paths() []string { return slices.Sorted(maps.Keys(c.Files)) }
