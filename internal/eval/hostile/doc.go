// Package hostile makes text that is hard to read: what srpatch looks for, repeated many times,
// unfinished or never closed. [Patterns] lists the kinds, and [Measure] times one.
package hostile
