package parser

// attempts are the lines outside of blocks that look like the beginning of an edit, one of each form. Nothing is said of them
// until later lines show that an edit was meant.
type attempts struct {
	marker markerAttempt
	json   jsonAttempt
	call   callAttempt
	labels labelAttempt
	words  labelAttempt // without fences
	tags   tagAttempt
}

// unwatch forgets what looked like the beginning of an edit: something else begins.
func (s *Scanner) unwatch() {
	s.attempt = attempts{}
}
