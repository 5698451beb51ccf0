package workspace

import (
	"errors"
	"io/fs"
	"os"
)

// writeTemp writes and syncs a new file named temp with the content and attributes of an image. If
// img.umask is set, the system chooses the attributes. If times is set, the new file gets the
// image's modification time. It fails if there is a file named temp.
func writeTemp(tree disk, temp string, img image, times bool) (err error) {
	perm := fs.FileMode(0o600) // until the owner is right, nobody else may read it
	if img.umask {
		perm = 0o666
	}
	f, err := tree.Open(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if _, err := f.Write(img.data); err != nil {
		return err
	}
	if !img.umask {
		if err := setAttributes(f, img); err != nil {
			return err
		}
	}
	if times {
		if err := tree.Chtimes(temp, img.mtime); err != nil {
			return err
		}
	}
	return f.Sync()
}

// setAttributes gives f the owner, mode and extended attributes of an image, as far as the process
// may.
func setAttributes(f file, img image) error {
	hasOwner, err := chown(f, img.uid, img.gid)
	if err != nil {
		return err
	}
	mode := img.mode
	if !hasOwner {
		mode &^= fs.ModeSetuid | fs.ModeSetgid // they would grant somebody else's rights
	}
	if err := f.Chmod(mode); err != nil {
		return err
	}
	return writeXattrs(f, img.xattrs)
}
