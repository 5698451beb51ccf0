package parser

// output collects the items that were read, in the order of the reply.
type output struct {
	in  *lines
	ctx *context
	req *request

	items            []item
	blocks           int       // number of blocks that were read
	edits            int       // number of blocks and diagnostics in items
	over             bool      // there were too many blocks and diagnostics
	exampleShown     bool      // a diagnostic already showed a correct example
	ignoreNextCloser bool      // the next closer belongs to a refused attempt
	refused          int       // the last line that was refused
	uses             *lineUses // nil if the text is only a part of a reply
	markdown         *Noticed  // the last fence, if it contains a Markdown file that may continue below the fence
}

// emit adds an item. If it exceeds the limit on blocks and diagnostics, a diagnostic about the limit
// replaces it, and nothing is added after that.
func (out *output) emit(it item) {
	if out.over {
		return
	}
	if it.isEdit() {
		out.edits++
	}
	if out.over = out.req.most > 0 && out.edits > out.req.most; out.over {
		it = item{Diagnostic: out.req.tooMany(it.line())}
	}
	out.items = append(out.items, it)
}

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
