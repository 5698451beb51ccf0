package workspace

import (
	"time"

	"golang.org/x/sys/unix"
)

func swap(dir int, a, b string) error {
	return unix.Renameat2(dir, a, dir, b, unix.RENAME_EXCHANGE)
}

// identify tells a directory from every other one, also from a later one that gets its number.
func identify(dir file) (rootRecord, error) {
	var st unix.Statx_t
	if err := unix.Statx(int(dir.Fd()), "", unix.AT_EMPTY_PATH, unix.STATX_INO|unix.STATX_BTIME, &st); err != nil {
		return rootRecord{}, err
	}
	r := rootRecord{Inode: st.Ino}
	if st.Mask&unix.STATX_BTIME != 0 {
		r.Born = time.Unix(st.Btime.Sec, int64(st.Btime.Nsec)).UTC()
	}
	return r, nil
}
