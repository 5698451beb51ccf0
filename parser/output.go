package parser

// output is what was read: the items, and those that later lines decide about.
type output struct {
	in  *lines
	ctx *context
	req *request

	queue            []Item
	head             int // first unread item of queue
	item             Item
	blocks           int
	given            int  // blocks and diagnostics that Scan returned
	over             bool // there were too many
	exampleShown     bool // a diagnostic showed a correct example
	ignoreNextCloser bool // it belongs to an attempt that was refused
	uses             *lineUses
	pending          pending
	ahead            lookahead
}
