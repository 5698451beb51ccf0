package endurance

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"regexp"
	"sync/atomic"
)

// numbered is the number of a line in the input, which differs where that is cut into parts.
var numbered = regexp.MustCompile(`,"line":\d+}\n$`)

// sums reads the answers to parts, and makes a sum for each.
func sums(in io.Reader, parts []Part, out []string, answered *atomic.Int64) error {
	r := bufio.NewReaderSize(in, 1<<20)
	var line []byte
	for i, p := range parts {
		hash := sha256.New()
		for n := range p.Requests {
			line = line[:0]
			for {
				piece, err := r.ReadSlice('\n')
				line = append(line, piece...)
				if err == nil {
					break
				}
				if !errors.Is(err, bufio.ErrBufferFull) {
					return fmt.Errorf("answer %d to %s: %w", n, p.Path, err)
				}
			}
			if bytes.Contains(line, []byte(`"status":"error"`)) {
				line = numbered.ReplaceAll(line, []byte("}\n"))
			}
			hash.Write(line)
			answered.Add(1)
		}
		out[i] = hex.EncodeToString(hash.Sum(nil))
	}
	if _, err := r.ReadByte(); !errors.Is(err, io.EOF) {
		return errors.New("more answers than requests")
	}
	return nil
}
