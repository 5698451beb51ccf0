// Package attempt watches the lines outside of blocks for text that looks like an edit and is none that is understood: a marker in a
// comment, JSON with bare keys, a call in prose, labels around fences, tags of another tool. Each form has a [Watcher] of its own, which
// keeps what it has seen; the table in order.go has them in the order in which they are asked. Text about edits looks the same, so a
// watcher says nothing before later lines show that an edit was meant.
//
// It imports fsm, internal/text, and the rooms mdline, filename, jsontext, chatlog and envelope; what is around a line it asks of a
// [Scene]. It promises that no watcher changes what others see, and that what is found is one [Finding], with the line in which the
// attempt began.
package attempt
