//go:build unix && !linux

package workspace

import "syscall"

// identify tells a directory from the others on its file system.
func identify(dir file) (rootRecord, error) {
	info, err := dir.Stat()
	if err != nil {
		return rootRecord{}, err
	}
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return rootRecord{}, nil
	}
	return rootRecord{Inode: uint64(st.Ino)}, nil
}
