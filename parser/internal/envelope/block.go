package envelope

// Op says what a block asks for.
type Op string

// The operations, as the parser's Op has them.
const (
	OpEdit   Op = "edit"
	OpCreate Op = "create"
	OpAppend Op = "append"
	OpInsert Op = "insert"
	OpDelete Op = "delete"
	OpMove   Op = "move"
)

// Block is one edit of an envelope, in the form that all formats are brought into. The fields mean what those of the parser's
// Block mean.
type Block struct {
	Op      Op
	Path    string // "" if the envelope names no file
	RawPath string
	Other   string // a further name, which counts only where exactly that file exists; "" if there is none
	NewPath string

	Dialect            string
	Lines              [2]int
	Search, Replace    []byte
	StartLine, EndLine int
	Scope              []string
	AtEOF              bool
	ReplaceAll         bool
	Expected           int
	Substring          bool
	Exact              bool
	Readings           []Reading
	Warnings           []string
}

// Reading is one of several ways to understand a block, the line in which they differ with it.
type Reading struct {
	Divider         int
	Literal         bool
	Search, Replace []byte
}

// Fault is a part of an envelope that was not understood. The fields mean what those of the parser's Diagnostic mean.
type Fault struct {
	Code                    string
	Line                    int
	Found, Expected, Remedy string
	// Doubt is set where the part may as well only show something: then nothing is refused.
	Doubt *Doubt
}

// Doubt is what is said of a part of an envelope that may as well only show something. The fields mean what those of the parser's Noticed
// mean, whose code is that of the fault.
type Doubt struct {
	Last       int // the last line
	Path, What string
}

// Markers reads SEARCH/REPLACE blocks between markers, which some formats have inside. The parser provides it.
type Markers interface {
	Read(text []byte, firstLine int) ([]Block, []Fault)
}
