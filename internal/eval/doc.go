// Package eval makes edits with known truth and scores the engine on them.
package eval
