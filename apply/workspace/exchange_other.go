//go:build !linux

package workspace

import (
	"errors"
	"os"
)

// exchange is for systems that can swap two names.
func exchange(*os.Root, string, string) error { return errors.ErrUnsupported }
