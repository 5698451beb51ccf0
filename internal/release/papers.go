package main

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// papers returns the files that are the same for every target: documentation and shell completions.
// here is srpatch, built for this machine.
func (b *builder) papers(ctx context.Context, here string) ([]file, error) {
	files, err := b.read("", "LICENSE", "cmd/srpatch-mcp/srpatch-mcp.1")
	if err != nil {
		return nil, err
	}
	files[0].debian = "/usr/share/doc/srpatch/copyright"
	files[1].archive, files[1].debian = "srpatch-mcp.1", "/usr/share/man/man1/srpatch-mcp.1.gz"
	for _, p := range []struct {
		archive, debian string
		args            []string
	}{
		{"completions/srpatch.bash", "/usr/share/bash-completion/completions/srpatch", []string{"completion", "bash"}},
		{"completions/_srpatch", "/usr/share/zsh/vendor-completions/_srpatch", []string{"completion", "zsh"}},
		{"completions/srpatch.fish", "/usr/share/fish/vendor_completions.d/srpatch.fish", []string{"completion", "fish"}},
	} {
		data, err := b.call(ctx, ".", nil, here, p.args...)
		if err != nil {
			return nil, err
		}
		files = append(files, file{p.archive, p.debian, 0o644, data})
	}
	page, err := b.manual(ctx, here)
	if err != nil {
		return nil, err
	}
	files = append(files, file{"srpatch.1", "/usr/share/man/man1/srpatch.1.gz", 0o644, page})
	pages, err := pages(b.root)
	if err != nil {
		return nil, err
	}
	files = append(files, pages...)
	notices, err := b.notices(ctx)
	return append(files, file{"THIRD-PARTY", "/usr/share/doc/srpatch/THIRD-PARTY", 0o644, notices}), err
}

// manual returns the manual page of srpatch: its help, and the help of each verb.
func (b *builder) manual(ctx context.Context, here string) ([]byte, error) {
	var page bytes.Buffer
	page.WriteString(".TH SRPATCH 1 \"\" srpatch \"User Commands\"\n" +
		".SH NAME\nsrpatch \\- patch(1) for SEARCH/REPLACE blocks\n")
	escapes := strings.NewReplacer(`\`, `\e`, "-", `\-`, "'", `\(aq`, "`", `\(ga`, "^", `\(ha`, "~", `\(ti`)
	section := func(title string, args ...string) error {
		text, err := b.call(ctx, ".", nil, here, args...)
		if err != nil {
			return err
		}
		fmt.Fprintf(&page, ".SH %s\n.nf\n", strings.ToUpper(title))
		for line := range strings.Lines(string(text)) {
			if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
				page.WriteString(`\&`)
			}
			page.WriteString(escapes.Replace(line))
		}
		page.WriteString(".fi\n")
		return nil
	}
	verbs, err := b.call(ctx, ".", nil, here, "__complete", "srpatch", "")
	err = cmp.Or(err, section("description", "-h"), section("applying", "help", "apply"))
	for line := range strings.Lines(string(verbs)) {
		name, _, _ := strings.Cut(line, "\t")
		err = cmp.Or(err, section(name, "help", name))
	}
	return page.Bytes(), err
}

// module is a module that the programs are built from.
type module struct{ path, version, dir string }

// modules returns the modules in any of the programs, on any target, except srpatch's own.
func (b *builder) modules(ctx context.Context) ([]module, error) {
	const form = "{{with .Module}}{{if not .Main}}{{if not .Replace}}{{.Path}}\t{{.Version}}\t{{.Dir}}{{end}}{{end}}{{end}}"
	var all []module
	for _, p := range programs() {
		for _, t := range targets() {
			lines, err := b.call(ctx, p.dir, []string{"GOOS=" + t.os, "GOARCH=" + t.arch, "CGO_ENABLED=0"}, "go", "list", "-deps", "-f", form, ".")
			if err != nil {
				return nil, err
			}
			for line := range strings.Lines(string(lines)) {
				fields := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
				if m := (module{fields[0], fields[1], fields[2]}); !slices.Contains(all, m) {
					all = append(all, m)
				}
			}
		}
	}
	slices.SortFunc(all, func(a, b module) int { return cmp.Or(cmp.Compare(a.path, b.path), cmp.Compare(a.version, b.version)) })
	return all, nil
}

// notices returns the licences of srpatch and of all code in its programs. Those licences require
// shipping them.
func (b *builder) notices(ctx context.Context) ([]byte, error) {
	modules, err := b.modules(ctx)
	if err != nil {
		return nil, err
	}
	root, err := b.call(ctx, ".", nil, "go", "env", "GOROOT")
	if err != nil {
		return nil, err
	}
	all := append([]module{{path: "srpatch", dir: b.root}, {path: "Go, its runtime and standard library", dir: strings.TrimSpace(string(root))}}, modules...)
	var text bytes.Buffer
	text.WriteString("srpatch and srpatch-mcp contain code under these licences.\n")
	for _, m := range all {
		found, err := licences(m.dir)
		if err != nil {
			return nil, err
		}
		if len(found) == 0 {
			return nil, fmt.Errorf("%s cannot be shipped: no licence in %s", m.path, m.dir)
		}
		fmt.Fprintf(&text, "\n%s\n%s\n", strings.Repeat("=", 78), m.path)
		for _, licence := range found {
			fmt.Fprintf(&text, "\n%s\n", bytes.TrimSpace(licence))
		}
	}
	return text.Bytes(), nil
}

// licences returns the texts of a module's licence and notices, in the order of their names.
func licences(dir string) ([][]byte, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	name := regexp.MustCompile(`(?i)^(licen[cs]e|copying|notice|patents)(\.\w+)?$`)
	var texts [][]byte
	for _, e := range entries {
		if e.Type().IsRegular() && name.MatchString(e.Name()) {
			text, err := os.ReadFile(filepath.Join(dir, e.Name()))
			if err != nil {
				return nil, err
			}
			texts = append(texts, bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n")))
		}
	}
	return texts, nil
}
