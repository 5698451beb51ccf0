package apply

// text places a block whose SEARCH is text, not lines.
func (l *locator) text(it *item) {}

// all places a block that asks for every occurrence.
func (l *locator) all(it *item) {}

// loose is the search under the policy loose.
func (l *locator) loose(vs []*variant) findings { return findings{} }
