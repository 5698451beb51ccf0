package fsm

// Code names a violation of the grammar; it is stable. Whoever knows the text adds place, finding and remedy.
type Code string

const (
	// MissingDivider: a block ends without a divider.
	MissingDivider Code = "missing-divider"
	// MissingCloser: another block begins before the closer, and where REPLACE ends is not certain.
	MissingCloser Code = "missing-closer"
	// Truncated: the input ends inside a block.
	Truncated Code = "truncated"
	// UnexpectedCloser: a closer occurs outside of any block.
	UnexpectedCloser Code = "unexpected-closer"
	// UnexpectedDivider: a divider is directly before an opener.
	UnexpectedDivider Code = "unexpected-divider"
	// MalformedOpener: a line was meant to be an opener and is none.
	MalformedOpener Code = "malformed-opener"
	// MisplacedHint: a hint is REPLACE's first line; it belongs before SEARCH.
	MisplacedHint Code = "misplaced-hint"
	// Malformed: the block can be read in more ways than are tried, or contains another block.
	Malformed Code = "malformed"
	// TooLarge: the block is larger than the limit.
	TooLarge Code = "too-large"
	// TooLong: a line is longer than the limit.
	TooLong Code = "too-long"
	// TooMany: the reply has more blocks than the limit.
	TooMany Code = "too-many"
)
