// Package editdist computes bounded edit distances.
package editdist
