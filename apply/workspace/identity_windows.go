package workspace

import "golang.org/x/sys/windows"

// identify tells a directory from the others on its volume.
func identify(dir file) (rootRecord, error) {
	var info windows.ByHandleFileInformation
	if err := windows.GetFileInformationByHandle(windows.Handle(dir.Fd()), &info); err != nil {
		return rootRecord{}, err
	}
	return rootRecord{Inode: uint64(info.FileIndexHigh)<<32 | uint64(info.FileIndexLow)}, nil
}
