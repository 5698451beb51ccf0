//go:build !linux && !darwin

package workspace

import "errors"

func mkfifo(string) error { return errors.ErrUnsupported }

func mark(string) error { return errors.ErrUnsupported }

func marked(string) bool { return false }
