// Package chatlog says whose turn it is in the log of a chat: the model's, whose edits count, or
// that of the user or the tool, who quote edits. A [Log] takes the lines outside of blocks, and
// says which of them are not the model's and where replies begin.
//
// It imports the room mdline and internal/text, and knows nothing of blocks or files. It promises
// that an input that is one reply has no turns, and that where it cannot be known who speaks, the
// line is among the doubts.
package chatlog
