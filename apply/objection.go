package apply

import (
	"fmt"

	"github.com/srpatch/srpatch/apply/internal/verdict"
)

// Objection is what speaks against the place of a file that is nearest to SEARCH.
type Objection struct {
	Code ObjectionCode `json:"code"`
	// Search is the line of SEARCH that it is about, File that of the file, both 1-based; 0 where it is about none.
	Search int `json:"search,omitempty"`
	File   int `json:"file,omitempty"`
}

// ObjectionCode is a stable name for what an objection says, such as "line-differs"; [Objection.String] says it in a sentence.
type ObjectionCode string

// The place is another definition, or record, than the one that SEARCH names.
const (
	OtherDefinition ObjectionCode = ObjectionCode(verdict.OtherDefinition)
	NoDefinition    ObjectionCode = ObjectionCode(verdict.NoDefinition)
	OtherName       ObjectionCode = ObjectionCode(verdict.OtherName)
	OtherRecord     ObjectionCode = ObjectionCode(verdict.OtherRecord)
	OtherHead       ObjectionCode = ObjectionCode(verdict.OtherHead)
	NoHead          ObjectionCode = ObjectionCode(verdict.NoHead)
)

// What the block changes must occur in the file as SEARCH has it, except for slips, and with nothing else in between.
const (
	LineDiffers  ObjectionCode = ObjectionCode(verdict.LineDiffers)
	LineMissing  ObjectionCode = ObjectionCode(verdict.LineMissing)
	LineMoved    ObjectionCode = ObjectionCode(verdict.LineMoved)
	LineReflowed ObjectionCode = ObjectionCode(verdict.LineReflowed)
	PartOfLine   ObjectionCode = ObjectionCode(verdict.PartOfLine)
	LinesBetween ObjectionCode = ObjectionCode(verdict.LinesBetween)
	NoNeighbour  ObjectionCode = ObjectionCode(verdict.NoNeighbour)
	Adrift       ObjectionCode = ObjectionCode(verdict.Adrift)
)

// The change may be made there already, and it cannot be known.
const (
	PartlyThere    ObjectionCode = ObjectionCode(verdict.PartlyThere)
	NeverThere     ObjectionCode = ObjectionCode(verdict.NeverThere)
	HalfDeleted    ObjectionCode = ObjectionCode(verdict.HalfDeleted)
	AddedElsewhere ObjectionCode = ObjectionCode(verdict.AddedElsewhere)
)

// What the block keeps may have drifted, but most of it must occur.
const (
	TooLittle      ObjectionCode = ObjectionCode(verdict.TooLittle)
	TooMuchDrift   ObjectionCode = ObjectionCode(verdict.TooMuchDrift)
	BelowThreshold ObjectionCode = ObjectionCode(verdict.BelowThreshold)
	NotExact       ObjectionCode = ObjectionCode(verdict.NotExact)
)

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
