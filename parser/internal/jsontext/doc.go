// Package jsontext reads JSON as replies have it: a [Scanner] takes it line by line and says at once where it is none, [Members] and
// [Elements] walk over a value that was scanned, [Unquote] keeps every byte, and [Roles] says what a key means for an edit, in
// the spellings of all tools.
//
// It imports nothing of ours. It promises to accept what encoding/json accepts as an object or an array, up to a depth, and
// nothing else.
package jsontext
