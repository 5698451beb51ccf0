//go:build linux || darwin

package workspace

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"strings"
	"unicode/utf8"

	"golang.org/x/sys/unix"
)

// exchange swaps two names in one directory. It returns [errors.ErrUnsupported] if the file system
// cannot do that.
func exchange(root *os.Root, a, b string) error {
	dir, err := root.Open(path.Dir(a))
	if err != nil {
		return err
	}
	defer dir.Close()
	switch err := swap(int(dir.Fd()), path.Base(a), path.Base(b)); {
	case err == nil:
		return nil
	case err == unix.EINVAL, errors.Is(err, errors.ErrUnsupported):
		return errors.ErrUnsupported
	default:
		return &os.LinkError{Op: "exchange", Old: a, New: b, Err: err}
	}
}

// readXattrs returns the extended attributes of src, including access control lists and security
// labels, as far as the process may see them and the file system has them.
func readXattrs(src file) (map[string][]byte, error) {
	names, err := readXattr(func(buf []byte) (int, error) { return unix.Flistxattr(int(src.Fd()), buf) })
	if err != nil || len(names) == 0 {
		return nil, ignorable(err)
	}
	attrs := map[string][]byte{}
	for name := range strings.SplitSeq(strings.TrimSuffix(string(names), "\x00"), "\x00") {
		// The kernel drops capabilities when a file is written, and so do we.
		if name == "security.capability" || !utf8.ValidString(name) {
			continue
		}
		value, err := readXattr(func(buf []byte) (int, error) { return unix.Fgetxattr(int(src.Fd()), name, buf) })
		switch {
		case err == nil:
			attrs[name] = value
		case ignorable(err) != nil:
			return nil, err
		}
	}
	return attrs, nil
}

// writeXattrs sets extended attributes of dst, as far as the process may and the file system can.
func writeXattrs(dst file, attrs map[string][]byte) error {
	for name, value := range attrs {
		if err := ignorable(unix.Fsetxattr(int(dst.Fd()), name, value, 0)); err != nil {
			return err
		}
	}
	return nil
}

// readXattr returns what read, a system call for attributes, writes into its buffer. It calls read
// without a buffer, for the size, and then with one.
func readXattr(read func([]byte) (int, error)) ([]byte, error) {
	n, err := read(nil)
	if err != nil || n == 0 {
		return nil, err
	}
	buf := make([]byte, n)
	n, err = read(buf)
	if err != nil {
		return nil, err
	}
	return buf[:n], nil
}

// ignorable returns nil for an error that only says that the process may not, or the file system
// can't, read or set an attribute. Otherwise it returns err.
func ignorable(err error) error {
	if errors.Is(err, errors.ErrUnsupported) || errors.Is(err, fs.ErrPermission) ||
		errors.Is(err, unix.ENODATA) || errors.Is(err, unix.EINVAL) {
		return nil
	}
	return err
}
