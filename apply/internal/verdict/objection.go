package verdict

// Code is the stable name of an objection.
type Code string

// The codes, grouped by subject. The table in rules.go says what each means.
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

// Objection is a reason against a place.
type Objection struct {
	Code Code
	// Search is the line of SEARCH that the objection is about, and File the line of the file. Both
	// are 1-based, or 0 if there is none.
	Search, File int
	// Sure is set if the place is probably the right one despite the objection.
	Sure bool
}

// about returns an objection about SEARCH line i, 0-based, and the file line that it's paired with,
// if any.
func (t *trial) about(i int) *Objection {
	return &Objection{Search: i + 1, File: t.Alignment[t.At[i]].File + 1}
}

// Sentence returns the meaning of this code, as the end of a sentence about the place, or "" if no
// rule has the code.
func (c Code) Sentence() string {
	for _, r := range rules() {
		if r.code == c {
			return r.says
		}
	}
	return ""
}
