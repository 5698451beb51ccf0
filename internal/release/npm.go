package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// npmSources is the folder of the npm package.
const npmSources = "packages/npm"

// npm writes the package srpatch with the WebAssembly, a package with the command for each target,
// and the page to try srpatch. The first lists the others as optional, so npm installs the one that
// fits. It returns the files' names.
func (b *builder) npm(ctx context.Context, out string, built map[target]file) ([]string, error) {
	about, err := b.npmManifest()
	if err != nil {
		return nil, err
	}
	optional := map[string]string{}
	for _, t := range targets() {
		optional["@srpatch/"+npmPlatform(t)] = b.origin.number()
	}
	about["optionalDependencies"] = optional
	files, err := b.npmFiles(ctx)
	if err != nil {
		return nil, err
	}
	page, err := b.tryPage(out, files)
	if err != nil {
		return nil, err
	}
	name, err := b.tarball(out, "srpatch", about, files)
	made := []string{page, name}
	for _, t := range targets() {
		program, ok := built[t]
		if err != nil || !ok {
			continue
		}
		platform, cpu, _ := strings.Cut(npmPlatform(t), "-")
		name, err = b.tarball(out, "srpatch-"+npmPlatform(t), map[string]any{
			"name": "@srpatch/" + npmPlatform(t), "version": b.origin.number(),
			"description": "The command srpatch for " + t.String(), "license": about["license"],
			"repository": about["repository"], "os": []string{platform}, "cpu": []string{cpu},
		}, []file{program})
		made = append(made, name)
	}
	return made, err
}

// tryPage writes an archive of the page to try srpatch, with the files of the npm package that it
// loads. It returns the archive's name.
func (b *builder) tryPage(out string, npm []file) (string, error) {
	files, err := b.read("docs/try", "index.html", "try.css", "try.js", "compare.js", "examples.js", "link.js")
	if err != nil {
		return "", err
	}
	for _, f := range npm {
		if slices.Contains([]string{"index.js", "wasm_exec.js", "srpatch.wasm"}, f.archive) {
			files = append(files, file{archive: "srpatch/" + f.archive, mode: 0o644, data: f.data})
		}
	}
	top := "srpatch-try-" + b.origin.number()
	return packed(out, top+".tar.gz", top+"/", files, b.origin.date)
}

// read returns files of a directory of the sources.
func (b *builder) read(dir string, names ...string) ([]file, error) {
	var files []file
	for _, name := range names {
		data, err := os.ReadFile(filepath.Join(b.root, dir, name))
		if err != nil {
			return nil, err
		}
		files = append(files, file{archive: name, mode: 0o644, data: data})
	}
	return files, nil
}

// npmManifest returns package.json with the version.
func (b *builder) npmManifest() (map[string]any, error) {
	data, err := os.ReadFile(filepath.Join(b.root, npmSources, "package.json"))
	if err != nil {
		return nil, err
	}
	raw := map[string]json.RawMessage{} // node reads "exports" in its order
	if err := json.Unmarshal(data, &raw); err != nil {
		return nil, fmt.Errorf("%s/package.json: %w", npmSources, err)
	}
	about := map[string]any{}
	for key, value := range raw {
		about[key] = value
	}
	about["version"] = b.origin.number()
	return about, nil
}

// npmFiles returns the JavaScript, the WebAssembly and Go's loader for it.
func (b *builder) npmFiles(ctx context.Context) ([]file, error) {
	files, err := b.read(npmSources, "index.js", "index.cjs", "index.d.ts", "bin.js", "README.md")
	if err != nil {
		return nil, err
	}
	for i, f := range files {
		if f.archive == "bin.js" {
			files[i].mode = 0o755
		}
	}
	goroot, err := b.call(ctx, ".", nil, "go", "env", "GOROOT")
	if err != nil {
		return nil, err
	}
	loader, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(goroot)), "lib/wasm/wasm_exec.js"))
	if err != nil {
		return nil, err
	}
	wasm, err := b.build(ctx, npmSources+"/wasm", target{"js", "wasm"})
	return append(files, file{archive: "wasm_exec.js", mode: 0o644, data: loader},
		file{archive: "srpatch.wasm", mode: 0o644, data: wasm}), err
}

// npmPlatform returns a target in Node's names.
func npmPlatform(t target) string {
	return strings.NewReplacer("windows", "win32", "amd64", "x64").Replace(t.os + "-" + t.arch)
}

// tarball writes an npm package, named as npm pack would, and returns its name.
func (b *builder) tarball(out, name string, about map[string]any, files []file) (string, error) {
	manifest, err := json.MarshalIndent(about, "", "  ")
	if err != nil {
		return "", err
	}
	license, err := b.read("", "LICENSE")
	if err != nil {
		return "", err
	}
	first := file{archive: "package.json", mode: 0o644, data: append(manifest, '\n')}
	all := slices.Concat([]file{first}, license, files)
	return packed(out, name+"-"+b.origin.number()+".tgz", "package/", all, b.origin.date)
}
