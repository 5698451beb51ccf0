// Package jsontext reads JSON in replies: [Parse] returns a tree of the value at the start of a
// text, keeps every byte of its strings, and says where a text is not valid JSON. [Roles]
// returns what a key means for an edit, in the spellings of all tools.
//
// It imports no other package of this module. It accepts the objects and arrays that encoding/json
// accepts, up to limits on depth, size and number of values, and nothing else.
package jsontext
