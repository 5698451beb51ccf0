package main

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/goreleaser/nfpm/v2"
	"github.com/goreleaser/nfpm/v2/deb"
	"github.com/goreleaser/nfpm/v2/files"
)

// maintainer has an address that takes no mail. The home page says where to report problems.
const maintainer = "The srpatch authors <srpatch@users.noreply.github.com>"

const description = `patch(1) for SEARCH/REPLACE blocks
Language models write edits as blocks: find this text, replace it with that.
srpatch finds the place that each block means, changes nothing else, and says
what it did or why it refused. It can undo any run, and needs neither a model
nor a network.

srpatch-mcp offers the same to agents, over the Model Context Protocol.`

// overrides lists the complaints of lintian that are accepted, and why.
const overrides = `# Go programs need no system libraries.
srpatch: statically-linked-binary
# The package isn't part of Debian.
srpatch: initial-upload-closes-no-bugs
`

// debian writes a Debian package with the files, and returns its name.
func debian(out, work string, of origin, t target, shipped []file) (string, error) {
	info := nfpm.WithDefaults(&nfpm.Info{
		Name: "srpatch", Version: of.number(), Release: "1", Platform: t.os, Arch: t.arch, Section: "utils", Priority: "optional",
		Maintainer: maintainer, Homepage: "https://github.com/srpatch/srpatch", Description: description, MTime: of.date,
	})
	name := deb.Default.ConventionalFileName(info)
	version := strings.Split(name, "_")[1]
	changelog := fmt.Sprintf("srpatch (%s) unstable; urgency=medium\n\n  * %s; see changelog.gz.\n\n -- %s  %s\n",
		version, of.version, maintainer, of.date.Format(time.RFC1123Z))
	for _, f := range append([]file{
		{"", "/usr/share/doc/srpatch/changelog.Debian.gz", 0o644, []byte(changelog)},
		{"", "/usr/share/lintian/overrides/srpatch", 0o644, []byte(overrides)},
	}, shipped...) {
		if f.debian == "" {
			continue
		}
		if filepath.Ext(f.debian) == ".gz" {
			var err error
			if f.data, err = gzipped(f.data); err != nil {
				return "", err
			}
		}
		source := filepath.Join(work, "debian", t.arch, filepath.FromSlash(f.debian))
		if err := os.MkdirAll(filepath.Dir(source), 0o777); err != nil {
			return "", err
		}
		if err := os.WriteFile(source, f.data, 0o666); err != nil {
			return "", err
		}
		info.Contents = append(info.Contents, &files.Content{
			Source: source, Destination: f.debian, FileInfo: &files.ContentFileInfo{Mode: f.mode, MTime: of.date},
		})
	}
	var b bytes.Buffer
	if err := deb.Default.Package(info, &b); err != nil {
		return "", err
	}
	return name, os.WriteFile(filepath.Join(out, name), b.Bytes(), 0o666)
}

// gzipped compresses data without a name or time, as gzip -n does.
func gzipped(data []byte) ([]byte, error) {
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(data); err != nil {
		return nil, err
	}
	err = w.Close()
	return b.Bytes(), err
}
