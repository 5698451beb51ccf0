package apply

import "fmt"

// Objection is what speaks against the place of a file that is nearest to SEARCH.
type Objection struct {
	Code ObjectionCode `json:"code"`
	// Search is the line of SEARCH that it is about, File that of the file, both 1-based; 0 where it is about none.
	Search int `json:"search,omitempty"`
	File   int `json:"file,omitempty"`
}

// ObjectionCode is a stable name for what an objection says; [Objection.String] says it in a sentence.
type ObjectionCode string

// What the block changes must occur in the file as SEARCH has it, except for slips, and with nothing else in between.
const (
	LineDiffers  ObjectionCode = "line-differs"
	LineMissing  ObjectionCode = "line-missing"
	LineMoved    ObjectionCode = "line-moved"
	LineReflowed ObjectionCode = "line-reflowed"
	LinesBetween ObjectionCode = "lines-between"
	NoNeighbour  ObjectionCode = "no-neighbour"
	Adrift       ObjectionCode = "adrift"

	// The change may be made there already, and it cannot be known.
	PartlyThere    ObjectionCode = "partly-there"
	NeverThere     ObjectionCode = "never-there"
	HalfDeleted    ObjectionCode = "half-deleted"
	AddedElsewhere ObjectionCode = "added-elsewhere"

	// What the block keeps may have drifted, but most of it must occur.
	TooLittle      ObjectionCode = "too-little"
	TooMuchDrift   ObjectionCode = "too-much-drift"
	TooManyLines   ObjectionCode = "too-many-lines"
	BelowThreshold ObjectionCode = "below-threshold"

	// The place is another definition, or record, than the one that SEARCH names.
	OtherDefinition ObjectionCode = "other-definition"
	NoDefinition    ObjectionCode = "no-definition"
	OtherName       ObjectionCode = "other-name"
	OtherRecord     ObjectionCode = "other-record"
	OtherHead       ObjectionCode = "other-head"
	NoHead          ObjectionCode = "no-head"
)

// says is the objection as the end of a sentence about the place.
func (c ObjectionCode) says() string {
	switch c {
	case LineDiffers:
		return "a line that the block changes differs there"
	case LineMissing:
		return "a line that the block changes is not there"
	case LineMoved:
		return "a line that the block changes is in another place there"
	case LineReflowed:
		return "the file has a line that the block changes in one statement with others"
	case LinesBetween:
		return "the file has lines that SEARCH lacks where the block makes its change"
	case NoNeighbour:
		return "neither line next to the insertion occurs there"
	case Adrift:
		return "other lines separate what the block changes from its context, and the file has more lines like it"
	case PartlyThere:
		return "part of what the block adds is there already"
	case NeverThere:
		return "what the block deletes is not there, and nothing shows whether it ever was"
	case HalfDeleted:
		return "part of the change is made there already, and nothing shows that the lines left to delete are the block's"
	case AddedElsewhere:
		return "lines of SEARCH differ there, and what the block adds occurs elsewhere in the file"
	case TooLittle:
		return "too little of SEARCH occurs there"
	case TooMuchDrift:
		return "too many lines of SEARCH differ there"
	case TooManyLines:
		return "there are too many other lines between them"
	case BelowThreshold:
		return "its similarity is below the threshold asked for"
	case OtherDefinition:
		return "it defines something else"
	case NoDefinition:
		return "it lacks the definition that SEARCH names"
	case OtherName:
		return "it names something else"
	case OtherRecord:
		return "what is inside belongs to something else there"
	case OtherHead:
		return "the line that names its record (a heading, a key) differs there"
	case NoHead:
		return "it lacks the line that would distinguish it from others"
	}
	return string(c)
}

// String is the objection with its lines.
func (o *Objection) String() string {
	switch {
	case o.Search > 0 && o.File > 0:
		return fmt.Sprintf("%s (line %d of SEARCH, line %d of the file)", o.Code.says(), o.Search, o.File)
	case o.Search > 0:
		return fmt.Sprintf("%s (line %d of SEARCH)", o.Code.says(), o.Search)
	case o.File > 0:
		return fmt.Sprintf("%s (line %d of the file)", o.Code.says(), o.File)
	}
	return o.Code.says()
}

// objection is one that is about no line.
func objection(code ObjectionCode) *Objection { return &Objection{Code: code} }

// about is an objection about SEARCH line i, 0-based, and the file line that it is paired with, if any.
func (s *splice) about(code ObjectionCode, i int) *Objection {
	return &Objection{Code: code, Search: i + 1, File: s.alignment[s.at[i]].File + 1}
}
