// Package retry joins a reply, some of whose blocks were refused, and the answer that a model gives to that. A block of the answer may
// correct one that was refused, repeat one that was not, write one that was not in another way, or be new. Nobody says which:
// models number nothing. So it is told by the file, by how much both sides are alike, and as a last resort by the order.
//
// The package decides about no place in a file: what it returns is planned like any reply, and refused like any.
package retry
