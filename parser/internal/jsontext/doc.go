// Package jsontext reads JSON as replies have it: [Parse] makes a tree of the value with which a
// text begins, keeps every byte of its strings, and says where a text is not valid JSON. [Roles]
// says what a key means for an edit, in the spellings of all tools.
//
// It imports nothing of ours. It promises to accept what encoding/json accepts as an object or an
// array, up to a depth and a number of values, and nothing else.
package jsontext
