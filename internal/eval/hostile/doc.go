// Package hostile makes text that is hard to read: what srpatch looks for, again and again, never
// finished or never closed. [Patterns] lists the kinds, and [Measure] says what one costs.
package hostile
