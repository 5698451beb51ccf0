// Package jsontext reads JSON in replies. [Parse] returns the value at the start of a text as a
// tree, preserves every byte of its strings, and says where a text is not valid JSON. [Roles]
// returns the meaning of a key in an edit, for the spellings of all tools.
//
// The package imports no other package of this module. It accepts exactly the objects and arrays
// that encoding/json accepts, up to limits on depth, size and number of values.
package jsontext
