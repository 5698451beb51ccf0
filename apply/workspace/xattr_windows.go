package workspace

import (
	"encoding/binary"
	"errors"
	"io/fs"
	"unsafe"

	"golang.org/x/sys/windows"
)

// What belongs to a file here and is not its content, under names of our own: the attributes that programs set, and the time of
// its creation.
const (
	attributesKey = "windows.attributes"
	createdKey    = "windows.created"

	keptAttributes = windows.FILE_ATTRIBUTE_HIDDEN | windows.FILE_ATTRIBUTE_SYSTEM | windows.FILE_ATTRIBUTE_ARCHIVE | windows.FILE_ATTRIBUTE_NOT_CONTENT_INDEXED
)

// basicInfo is FILE_BASIC_INFO. A time of 0 stays as it is.
type basicInfo struct {
	created, accessed, written, changed int64
	attributes                          uint32
	_                                   uint32
}

func readXattrs(src file) (map[string][]byte, error) {
	var info windows.ByHandleFileInformation
	if err := windows.GetFileInformationByHandle(windows.Handle(src.Fd()), &info); err != nil {
		return nil, err
	}
	created := uint64(info.CreationTime.HighDateTime)<<32 | uint64(info.CreationTime.LowDateTime)
	return map[string][]byte{
		attributesKey: binary.LittleEndian.AppendUint32(nil, info.FileAttributes&keptAttributes),
		createdKey:    binary.LittleEndian.AppendUint64(nil, created),
	}, nil
}

func writeXattrs(dst file, attrs map[string][]byte) error {
	kept, created := attrs[attributesKey], attrs[createdKey]
	if len(kept) != 4 || len(created) != 8 {
		return nil
	}
	handle := windows.Handle(dst.Fd())
	var info windows.ByHandleFileInformation
	if err := windows.GetFileInformationByHandle(handle, &info); err != nil {
		return err
	}
	basic := basicInfo{
		created:    int64(binary.LittleEndian.Uint64(created)),
		attributes: info.FileAttributes&^keptAttributes | binary.LittleEndian.Uint32(kept)&keptAttributes,
	}
	err := windows.SetFileInformationByHandle(handle, windows.FileBasicInfo, (*byte)(unsafe.Pointer(&basic)), uint32(unsafe.Sizeof(basic)))
	if errors.Is(err, fs.ErrPermission) {
		return nil
	}
	return err
}
