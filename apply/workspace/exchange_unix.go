//go:build linux || darwin

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
	switch err := swap(int(dir.Fd()), path.Base(a), path.Base(b)); {
	case err == nil:
		return nil
	case err == unix.EINVAL, errors.Is(err, errors.ErrUnsupported):
		return errors.ErrUnsupported
	default:
		return &os.LinkError{Op: "exchange", Old: a, New: b, Err: err}
	}
}
