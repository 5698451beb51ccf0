package main

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

// component is a part of a bill of materials in CycloneDX 1.6
// (https://cyclonedx.org/docs/1.6/json/).
type component struct {
	Type    string `json:"type"`
	Name    string `json:"name"`
	Version string `json:"version"`
	PURL    string `json:"purl"`
}

// sbom writes the bill of materials: Go's standard library, and the modules that the programs are
// built from. It returns the file's name.
func (b *builder) sbom(ctx context.Context, out string) (string, error) {
	modules, err := b.modules(ctx)
	if err != nil {
		return "", err
	}
	part := func(kind, name, version string) component {
		return component{kind, name, version, "pkg:golang/" + name + "@" + version}
	}
	parts := []component{part("library", "stdlib", strings.TrimPrefix(runtime.Version(), "go"))}
	for _, m := range modules {
		parts = append(parts, part("library", m.path, m.version))
	}
	text, err := json.MarshalIndent(map[string]any{
		"bomFormat":   "CycloneDX",
		"specVersion": "1.6",
		"version":     1,
		"metadata": map[string]any{
			"timestamp": b.origin.date.Format(time.RFC3339),
			"component": part("application", "github.com/srpatch/srpatch", b.origin.version),
		},
		"components": parts,
	}, "", "  ")
	if err != nil {
		return "", err
	}
	name := "srpatch-" + b.origin.number() + ".cdx.json"
	return name, os.WriteFile(filepath.Join(out, name), append(text, '\n'), 0o666)
}
