//go:build linux || darwin

package workspace

import (
	"syscall"

	"golang.org/x/sys/unix"
)

func mkfifo(name string) error { return syscall.Mkfifo(name, 0o666) }

// mark gives a file an extended attribute.
func mark(name string) error { return unix.Setxattr(name, "user.srpatch", []byte("kept"), 0) }

// marked reports whether a file has what mark gives it.
func marked(name string) bool {
	value := make([]byte, 10)
	n, err := unix.Getxattr(name, "user.srpatch", value)
	return err == nil && string(value[:n]) == "kept"
}
