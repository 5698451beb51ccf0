// Package workspace puts a plan on disk.
package workspace
