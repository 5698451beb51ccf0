package ablate

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
)

// Overlay writes instrumented copies of all files that hold rules to dir, and returns the name of the file for go's -overlay.
func Overlay(root, dir string, rules []*Rule) (string, error) {
	byFile := map[string][]*Rule{}
	for _, r := range rules {
		byFile[r.File] = append(byFile[r.File], r)
	}
	replace := map[string]string{}
	for name, rules := range byFile {
		original := filepath.Join(root, filepath.FromSlash(name))
		text, err := os.ReadFile(original)
		if err != nil {
			return "", err
		}
		if text, err = Instrument(text, rules); err != nil {
			return "", err
		}
		copied := filepath.Join(dir, fmt.Sprintf("%d.go", len(replace)))
		if err := os.WriteFile(copied, text, 0o644); err != nil {
			return "", err
		}
		replace[original] = copied
	}
	text, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	overlay := filepath.Join(dir, "overlay.json")
	return overlay, os.WriteFile(overlay, text, 0o644)
}
