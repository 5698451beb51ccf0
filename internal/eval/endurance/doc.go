// Package endurance asks srpatch filter many requests of all kinds, in several settings, and looks whether the answers stay the same,
// and rate and memory steady.
package endurance
