package verdict

import "fmt"

// Code is a stable name for what an objection says.
type Code string

// The codes, by what they are about; the table in rules.go says what each means.
const (
	TooLittle Code = "too-little"

	OtherDefinition Code = "other-definition"
	NoDefinition    Code = "no-definition"
	OtherRecord     Code = "other-record"
	NoHead          Code = "no-head"

	LineDiffers  Code = "line-differs"
	LineMissing  Code = "line-missing"
	LinesBetween Code = "lines-between"
	NoNeighbour  Code = "no-neighbour"
	Adrift       Code = "adrift"

	PartlyThere    Code = "partly-there"
	NeverThere     Code = "never-there"
	AddedElsewhere Code = "added-elsewhere"

	TooMuchDrift   Code = "too-much-drift"
	BelowThreshold Code = "below-threshold"
	NotExact       Code = "not-exact"
)

// Objection is what speaks against a place.
type Objection struct {
	Code Code
	// Search is the line of SEARCH that it is about, File that of the file, both 1-based; 0 where
	// it is about none.
	Search, File int
	// Known says that the place is the block's all the same.
	Known bool
}

// about is an objection about SEARCH line i, 0-based, and the file line that it is paired with, if
// any.
func (t *trial) about(i int) *Objection {
	return &Objection{Search: i + 1, File: t.Alignment[t.At[i]].File + 1}
}

// SentenceAt is the sentence about a place that has another line than SEARCH for line, which what
// the block changes is inside of: a record has a name, a condition or a loop has none.
func (c Code) SentenceAt(line []byte) string {
	if word := controlWord(line); c == OtherRecord && word != "" {
		return fmt.Sprintf("the lines inside belong to another %q there", word)
	}
	return c.Sentence()
}

// Sentence says what objections with this code mean, as the end of a sentence about the place; ""
// for a code that no rule has.
func (c Code) Sentence() string {
	for _, r := range rules() {
		if r.code == c {
			return r.says
		}
	}
	return ""
}
