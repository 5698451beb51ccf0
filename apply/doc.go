// Package apply is the engine: it turns blocks and files into a plan.
package apply
