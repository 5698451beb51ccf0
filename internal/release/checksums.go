package main

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
)

// sums is the file with the checksums, in the form that sha256sum --check reads.
const sums = "SHA256SUMS"

// checksums writes those of the named files in out.
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
