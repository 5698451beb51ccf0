// Package command knows the commands of a shell that change files as an edit would.
package command
