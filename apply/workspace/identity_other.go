//go:build !unix && !windows

package workspace

// identify knows nothing where directories have no number: a tree is told by its path.
func identify(file) (rootRecord, error) { return rootRecord{}, nil }
