package main

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// replies are the names of the replies of a run, in their order: what --files-from lists, then the arguments; "-" for standard
// input, which is the one reply where none is named. A folder stands for the files below it, and the clipboard for itself.
func (c *command) replies() iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		yield = c.exceptReport(yield)
		if c.clipboard && len(c.args) > 0 {
			yield("", usagef("--clipboard and %s are two replies; name one", c.args[0]))
			return
		}
		if c.clipboard {
			yield(clipboardName, nil)
			return
		}
		listed, err := c.listed()
		if err != nil {
			yield("", err)
			return
		}
		names := slices.Concat(listed, expanded(c.args))
		if len(names) == 0 && c.filesFrom == "" {
			names = []string{"-"}
		}
		for _, name := range names {
			if info, err := os.Stat(name); name != "-" && err == nil && info.IsDir() {
				if c.isAboveTree(name) {
					yield("", usagef("%s is a directory that contains the tree to change, so its files are not taken for replies", name))
					return
				}
				if !filesBelow(name, yield) {
					return
				}
				continue
			}
			if !yield(name, nil) {
				return
			}
		}
	}
}

// exceptReport makes an error of a reply, or a list of them, whose place the report would take.
func (c *command) exceptReport(yield func(string, error) bool) func(string, error) bool {
	if c.reports == nil {
		return yield
	}
	return func(name string, err error) bool {
		for _, read := range []string{name, c.filesFrom} {
			if err == nil && read != "" && read != "-" && c.reports.is(read) {
				c.reports.withheld = true
				err = usagef("--report: %s is read by the run; name another file", read)
			}
		}
		return yield(name, err)
	}
}

// expanded has the files that a name with stars in it stands for in its place, where no file has that name: shells leave this to programs
// on Windows, and everywhere where the name is quoted. One that fits none stays, to be missed by its name.
func expanded(names []string) (all []string) {
	for _, name := range names {
		if _, err := os.Lstat(name); err != nil && strings.ContainsAny(name, "*?[") {
			options := []doublestar.GlobOption{doublestar.WithNoHidden()}
			if strings.Contains(name, "**") { // fits what is below a folder as well
				options = append(options, doublestar.WithFilesOnly())
			}
			if fits, err := doublestar.FilepathGlob(name, options...); err == nil && len(fits) > 0 {
				all = append(all, slices.Sorted(slices.Values(fits))...)
				continue
			}
		}
		all = append(all, name)
	}
	return all
}

// isAboveTree reports whether the folder is the tree or one that the tree is in. A tree has documents with samples of edits.
func (c *command) isAboveTree(folder string) bool {
	tree, err := filepath.Abs(c.dir)
	if err != nil {
		return false
	}
	for {
		if sameFile(folder, tree) {
			return true
		}
		above := filepath.Dir(tree)
		if above == tree {
			return false
		}
		tree = above
	}
}

func sameFile(a, b string) bool {
	x, errX := os.Stat(a)
	y, errY := os.Stat(b)
	return errX == nil && errY == nil && os.SameFile(x, y)
}

// filesBelow yields the regular files in a folder and below it, in the order of their paths, except for what is hidden. It is false
// when yield is.
func filesBelow(dir string, yield func(string, error) bool) bool {
	goOn := true
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case strings.HasPrefix(d.Name(), ".") && name != dir && d.IsDir():
			return fs.SkipDir
		case strings.HasPrefix(d.Name(), ".") && name != dir:
		case d.Type().IsRegular():
			if goOn = yield(name, nil); !goOn {
				return fs.SkipAll
			}
		}
		return nil
	})
	if err != nil {
		goOn = goOn && yield("", err)
	}
	return goOn
}

// listed are the names that --files-from lists.
func (c *command) listed() ([]string, error) {
	if c.filesFrom == "" {
		return nil, nil
	}
	var text []byte
	var err error
	if c.filesFrom == "-" {
		if slices.Contains(c.args, "-") {
			return nil, usagef("standard input is the list of replies, so it cannot be a reply")
		}
		text, err = io.ReadAll(c.stdin)
	} else {
		text, err = os.ReadFile(c.filesFrom)
	}
	if err != nil {
		return nil, fmt.Errorf("--files-from: %w", err)
	}
	end := "\n"
	if c.null {
		end = "\x00"
	}
	var names []string
	for name := range bytes.SplitSeq(text, []byte(end)) {
		if !c.null {
			name = bytes.TrimSuffix(name, []byte("\r"))
		}
		if len(name) > 0 {
			names = append(names, string(name))
		}
	}
	return names, nil
}
