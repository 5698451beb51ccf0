package verdict

import "fmt"

// Code is a stable name for what an objection says.
type Code string

// The codes, by what they are about; the table in rules.go says what each means.
const (
	// Remedy: Copy SEARCH from the file.
	TooLittle Code = "too-little"

	// Remedy: Name the definition that the file has, or the file that has this one.
	OtherDefinition Code = "other-definition"
	// Remedy: Include the definition as the file has it.
	NoDefinition Code = "no-definition"
	// Remedy: Include the line that names the record, as the file has it.
	OtherRecord Code = "other-record"
	// Remedy: Include the line that names the record.
	NoHead Code = "no-head"

	// Remedy: Copy that line from the file.
	LineDiffers Code = "line-differs"
	// Remedy: Leave that line out, or name the file that has it.
	LineMissing Code = "line-missing"
	// Remedy: Include the lines that the file has there.
	LinesBetween Code = "lines-between"
	// Remedy: Include a line of the file next to the new ones.
	NoNeighbour Code = "no-neighbour"
	// Remedy: Include the lines that the file has in between.
	Adrift Code = "adrift"

	// Remedy: Leave out what the file has already.
	PartlyThere Code = "partly-there"
	// Remedy: Nothing, if it is gone already; otherwise copy the lines to delete from the file.
	NeverThere Code = "never-there"
	// Remedy: Nothing, if the change is there already; otherwise copy SEARCH from the file.
	AddedElsewhere Code = "added-elsewhere"

	// Remedy: Copy SEARCH from the file as it is now.
	TooMuchDrift Code = "too-much-drift"
	// Remedy: Copy SEARCH from the file, or lower the threshold.
	BelowThreshold Code = "below-threshold"
	// Remedy: Copy SEARCH from the file byte for byte, or choose another --policy.
	NotExact Code = "not-exact"
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
