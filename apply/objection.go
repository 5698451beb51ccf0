package apply

import (
	"fmt"

	"github.com/srpatch/srpatch/apply/internal/verdict"
)

// Objection is the reason against the place that resembles SEARCH most.
type Objection struct {
	Code ObjectionCode `json:"code"`
	// Search is the line of SEARCH that the objection is about, and File the line of the file. Both
	// are 1-based, or 0 if there is none.
	Search int `json:"search,omitempty"`
	File   int `json:"file,omitempty"`
}

// ObjectionCode is the stable name of an objection, such as "line-differs". docs/codes.md lists
// them all, and [Objection.String] puts one into a sentence.
type ObjectionCode string

// String describes the objection, including the lines that it's about.
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
