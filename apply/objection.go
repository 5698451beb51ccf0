package apply

import (
	"fmt"

	"github.com/srpatch/srpatch/apply/internal/verdict"
)

// Objection is what speaks against the place of a file that is nearest to SEARCH.
type Objection struct {
	Code ObjectionCode `json:"code"`
	// Search is the line of SEARCH that it is about, File that of the file, both 1-based; 0 where
	// it is about none.
	Search int `json:"search,omitempty"`
	File   int `json:"file,omitempty"`
}

// ObjectionCode is a stable name for what an objection says, such as "line-differs". docs/codes.md
// lists all of them, and [Objection.String] says it in a sentence.
type ObjectionCode string

// String is the objection with its lines.
func (o *Objection) String() string {
	says := verdict.Code(o.Code).Sentence()
	switch {
	case o.Search > 0 && o.File > 0:
		return fmt.Sprintf("%s (line %d of SEARCH, line %d of the file)", says, o.Search, o.File)
	case o.Search > 0:
		return fmt.Sprintf("%s (line %d of SEARCH)", says, o.Search)
	case o.File > 0:
		return fmt.Sprintf("%s (line %d of the file)", says, o.File)
	}
	return says
}
