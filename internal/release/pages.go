package main

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// pages returns README.md and all files that its links lead to. They keep their places, so the
// links still work.
func pages(root string) ([]file, error) {
	sources := os.DirFS(root)
	names := []string{"README.md"}
	for i := 0; i < len(names); i++ {
		if path.Ext(names[i]) != ".md" {
			continue
		}
		text, err := fs.ReadFile(sources, names[i])
		if err != nil {
			return nil, err
		}
		for _, link := range links(text) {
			below, err := filesBelow(sources, path.Join(path.Dir(names[i]), link))
			if err != nil {
				return nil, err
			}
			for _, name := range below {
				if !slices.Contains(names, name) {
					names = append(names, name)
				}
			}
		}
	}
	slices.Sort(names)
	var files []file
	for _, name := range names {
		data, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			return nil, err
		}
		files = append(files, file{name, "/usr/share/doc/srpatch/" + name, 0o644, data})
		if name == "CHANGELOG.md" { // also where Debian's programs look for it
			files = append(files, file{"", "/usr/share/doc/srpatch/changelog.gz", 0o644, data})
		}
	}
	return files, nil
}

// links returns the targets of a page's links to files, relative to the page.
func links(page []byte) []string {
	var found []string
	for _, m := range regexp.MustCompile(`\]\(([^)#]+)`).FindAllSubmatch(page, -1) {
		if to := string(m[1]); !strings.Contains(to, ":") {
			found = append(found, to)
		}
	}
	return found
}

// filesBelow returns the files of a directory, or the one file of that name. It skips dot files,
// such as .gitignore.
func filesBelow(sources fs.FS, name string) ([]string, error) {
	var files []string
	err := fs.WalkDir(sources, name, func(name string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() && !strings.HasPrefix(e.Name(), ".") {
			files = append(files, name)
		}
		return err
	})
	return files, err
}
