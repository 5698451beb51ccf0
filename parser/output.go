package parser

// output collects the items that were read.
type output struct {
	in  *lines
	ctx *context
	req *request

	queue            []item
	head             int // first unread item of queue
	item             item
	blocks           int
	given            int       // number of blocks and diagnostics that next returned
	over             bool      // there were too many blocks and diagnostics
	exampleShown     bool      // a diagnostic already showed a correct example
	ignoreNextCloser bool      // the next closer belongs to a refused attempt
	refused          int       // the last line that was refused
	uses             *lineUses // nil if the text is only a part of a reply
	markdown         *Noticed  // the last fence, if it contains a Markdown file that may continue below the fence
}

// empty reports whether the queue is empty. If so, it makes room for new items.
func (out *output) empty() bool {
	if out.head < len(out.queue) {
		return false
	}
	out.queue, out.head = out.queue[:0], 0
	return true
}

// next removes the first item from the queue and makes it the current one. If the limit on blocks
// and diagnostics is exceeded, a diagnostic about the limit becomes the current item instead.
func (out *output) next() {
	out.item = out.queue[out.head]
	out.queue[out.head] = item{}
	out.head++
	if out.item.Shell == nil && out.item.Noticed == nil {
		out.count()
	}
}

// count counts the current item, a block or a diagnostic. If it exceeds the limit, count replaces
// it with a diagnostic and ends the scan.
func (out *output) count() {
	if out.given++; out.req.most == 0 || out.given <= out.req.most {
		return
	}
	out.item = item{Diagnostic: out.req.tooMany(out.item.line())}
	out.queue, out.head, out.over = out.queue[:0], 0, true
}

// emit adds an item to the queue.
func (out *output) emit(it item) { out.queue = append(out.queue, it) }

// emitNoticed emits a part of the reply that may only show something.
func (out *output) emitNoticed(n Noticed) { out.emit(item{Noticed: &n}) }

// refuse reports the lines first to last, which were not understood, with the diagnostic d.
func (out *output) refuse(d *Diagnostic, first, last int) { out.refuseOf("", d, first, last) }

// refuseOf is like refuse, for lines in the given format; "" if the format is unknown, see item.
func (out *output) refuseOf(format string, d *Diagnostic, first, last int) {
	out.emit(item{Diagnostic: d, of: format})
	out.refused = max(out.refused, last)
	out.uses.put(diagnosed, first, last)
	out.ctx.markFenceHasEdit()
}
