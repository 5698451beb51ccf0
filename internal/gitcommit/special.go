package gitcommit

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/srpatch/srpatch/internal/regular"
)

// checkSpecial looks for a FIFO or a device among the files that git reads for a commit: it would wait for them without end, or for long.
func (r *Repository) checkSpecial(files []File, code Code) error {
	dirs := []string{r.dir}
	if text, err := regular.ReadFile(filepath.Join(r.dir, "commondir")); err == nil {
		common := filepath.FromSlash(strings.TrimSpace(string(text)))
		if !filepath.IsAbs(common) {
			common = filepath.Join(r.dir, common)
		}
		dirs = append(dirs, common)
	}
	var names []string
	for _, dir := range dirs {
		for _, below := range []string{"", "info", "logs", "objects/info"} {
			in := filepath.Join(dir, below)
			entries, _ := os.ReadDir(in) // what isn't there cannot hold git up
			for _, e := range entries {
				if !e.Type().IsRegular() && !e.IsDir() {
					names = append(names, filepath.Join(in, e.Name()))
				}
			}
		}
		if head, err := regular.ReadFile(filepath.Join(r.dir, "HEAD")); err == nil {
			if ref, ok := strings.CutPrefix(strings.TrimSpace(string(head)), "ref: "); ok && filepath.IsLocal(ref) {
				names = append(names, filepath.Join(dir, ref), filepath.Join(dir, "logs", ref))
			}
		}
	}
	seen := map[string]bool{}
	for _, f := range files {
		for dir := path.Dir(r.locate(f.Name)); !seen[dir]; dir = path.Dir(dir) {
			seen[dir] = true
			for _, name := range []string{".gitattributes", ".gitignore", ".gitmodules"} {
				names = append(names, filepath.Join(r.top, filepath.FromSlash(dir), name))
			}
		}
	}
	for _, name := range names {
		if info, err := os.Stat(name); err == nil && info.Mode()&(fs.ModeNamedPipe|fs.ModeDevice) != 0 && !isNull(info) {
			return &Error{Code: code, What: "git would wait for " + name + ", which is no regular file", Remedy: "remove it"}
		}
	}
	return nil
}

func isNull(info fs.FileInfo) bool {
	null, err := os.Stat(os.DevNull)
	return err == nil && os.SameFile(info, null)
}
