package workspace

import (
	"errors"
	"os"
	"path"

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
	fd := int(dir.Fd())
	switch err := unix.Renameat2(fd, path.Base(a), fd, path.Base(b), unix.RENAME_EXCHANGE); err {
	case nil:
		return nil
	case unix.EINVAL, unix.ENOSYS, unix.EOPNOTSUPP:
		return errors.ErrUnsupported
	default:
		return &os.LinkError{Op: "exchange", Old: a, New: b, Err: err}
	}
}
