package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// wheel writes the Python package for a target, with srpatch among its scripts, and returns its
// name.
func wheel(out, root string, of origin, t target, shipped []file) (string, error) {
	version, err := pep440(of.number())
	if err != nil {
		return "", err
	}
	const python = "packages/python"
	files, err := sourcesOf(root, python+"/src")
	if err != nil {
		return "", err
	}
	readme, err := os.ReadFile(filepath.Join(root, python, "README.md"))
	if err != nil {
		return "", err
	}
	top := "srpatch-" + version
	info := top + ".dist-info/"
	for _, f := range shipped {
		switch f.archive {
		case "srpatch", "srpatch.exe":
			// Installers put it next to Python's scripts, so it runs without Python.
			f.archive = top + ".data/scripts/" + f.archive
		case "LICENSE", "THIRD-PARTY":
			f.archive = info + f.archive
		default:
			continue
		}
		files = append(files, f)
	}
	tags := wheelTags(t)
	wheel := "Wheel-Version: 1.0\nGenerator: srpatch-release\nRoot-Is-Purelib: false\n"
	for _, tag := range tags {
		wheel += "Tag: py3-none-" + tag + "\n"
	}
	files = append(files,
		file{info + "METADATA", "", 0o644, metadata(version, readme)},
		file{info + "WHEEL", "", 0o644, []byte(wheel)})
	slices.SortFunc(files, func(a, b file) int { return strings.Compare(a.archive, b.archive) })
	files = append(files, record(info+"RECORD", files))
	return packed(out, top+"-py3-none-"+strings.Join(tags, ".")+".whl", "", files, of.date)
}

// sourcesOf returns the Python modules below a directory of the sources, by their paths there.
func sourcesOf(root, dir string) ([]file, error) {
	sources := os.DirFS(filepath.Join(root, filepath.FromSlash(dir)))
	var files []file
	err := fs.WalkDir(sources, ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || path.Ext(name) != ".py" && path.Base(name) != "py.typed" {
			return err
		}
		data, err := fs.ReadFile(sources, name)
		files = append(files, file{name, "", 0o644, data})
		return err
	})
	return files, err
}

// wheelTags returns the platforms that a target's programs run on, in Python's names. Programs for
// Linux are static, so these name only the oldest C libraries that installers know.
func wheelTags(t target) []string {
	cpu := map[string]string{"amd64": "x86_64", "arm64": "aarch64"}[t.arch]
	switch t.os {
	case "linux":
		return []string{"manylinux_2_17_" + cpu, "manylinux2014_" + cpu, "musllinux_1_1_" + cpu}
	case "darwin": // Go needs macOS 12
		return []string{"macosx_12_0_" + map[string]string{"amd64": "x86_64", "arm64": "arm64"}[t.arch]}
	default:
		return []string{"win_" + t.arch}
	}
}

// pep440 returns a Go version as Python writes it: 0.1.0-rc.1 becomes 0.1.0rc1, and a commit
// without a tag becomes a development version.
func pep440(number string) (string, error) {
	m := regexp.MustCompile(`^(\d+\.\d+\.\d+)` +
		`(?:-(?:(alpha|beta|rc)\.(\d+)|(?:[\w.]*\.)?(\d{14})-([0-9a-f]{12})))?(?:\+(\w+))?$`).
		FindStringSubmatch(number)
	if m == nil {
		return "", fmt.Errorf("no Python version corresponds to %s: use one such as 0.1.0 or 0.1.0-rc.1", number)
	}
	version := m[1] + map[string]string{"alpha": "a", "beta": "b", "rc": "rc"}[m[2]] + m[3]
	if m[4] != "" {
		version += ".dev" + m[4]
	}
	local := slices.DeleteFunc([]string{m[5], m[6]}, func(s string) bool { return s == "" })
	if len(local) > 0 {
		version += "+" + strings.Join(local, ".")
	}
	return version, nil
}

func metadata(version string, readme []byte) []byte {
	return fmt.Appendf(nil, `Metadata-Version: 2.1
Name: srpatch
Version: %s
Summary: Apply the edits in a language model's reply: SEARCH/REPLACE blocks, diffs, tool calls
Author: The srpatch authors
License: MIT
Keywords: llm,agents,patch,search-replace
Project-URL: Source, https://github.com/srpatch/srpatch
Project-URL: Changelog, https://github.com/srpatch/srpatch/blob/main/CHANGELOG.md
Classifier: Development Status :: 4 - Beta
Classifier: Environment :: Console
Classifier: Intended Audience :: Developers
Classifier: License :: OSI Approved :: MIT License
Classifier: Programming Language :: Python :: 3
Classifier: Topic :: Software Development
Classifier: Typing :: Typed
Requires-Python: >=3.9
Description-Content-Type: text/markdown

%s`, version, readme)
}

// record returns the list of a wheel's files with their checksums, and itself without one.
func record(name string, files []file) file {
	var lines bytes.Buffer
	for _, f := range files {
		sum := sha256.Sum256(f.data)
		encoded := base64.RawURLEncoding.EncodeToString(sum[:])
		fmt.Fprintf(&lines, "%s,sha256=%s,%d\n", f.archive, encoded, len(f.data))
	}
	fmt.Fprintf(&lines, "%s,,\n", name)
	return file{name, "", 0o644, lines.Bytes()}
}
