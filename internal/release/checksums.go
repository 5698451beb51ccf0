package main

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
)

// sums is the file of checksums, in the format of sha256sum --check.
const sums = "SHA256SUMS"

// checksums writes the checksums of the named files in out.
func checksums(out string, names []string) error {
	var lines bytes.Buffer
	for _, name := range names {
		data, err := os.ReadFile(filepath.Join(out, name))
		if err != nil {
			return err
		}
		fmt.Fprintf(&lines, "%x  %s\n", sha256.Sum256(data), name)
	}
	return os.WriteFile(filepath.Join(out, sums), lines.Bytes(), 0o666)
}
