package main

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// formula writes a Homebrew formula that installs the archives of targets, and returns its name.
// The archives are in out, and will be available at the URL from.
func formula(out, from string, of origin, targets []target) (string, error) {
	const name = "srpatch.rb"
	var urls strings.Builder
	for _, t := range targets {
		on, ok := map[string]string{"darwin": "on_macos", "linux": "on_linux"}[t.os]
		if !ok {
			continue
		}
		top, ext := archiveName(of, t)
		data, err := os.ReadFile(filepath.Join(out, top+ext))
		if err != nil {
			return "", err
		}
		cpu := map[string]string{"amd64": "on_intel", "arm64": "on_arm"}[t.arch]
		fmt.Fprintf(&urls, "\n  %s do\n    %s do\n      url %q\n      sha256 \"%x\"\n    end\n  end\n",
			on, cpu, from+"/"+top+ext, sha256.Sum256(data))
	}
	text := fmt.Sprintf(`class Srpatch < Formula
  desc "Apply the SEARCH/REPLACE blocks of language models, like patch(1) for diffs"
  homepage "https://github.com/srpatch/srpatch"
  version "%s"
  license "MIT"
%s
  def install
    bin.install "srpatch", "srpatch-mcp"
    man1.install "srpatch.1", "srpatch-mcp.1"
    bash_completion.install "completions/srpatch.bash" => "srpatch"
    zsh_completion.install "completions/_srpatch"
    fish_completion.install "completions/srpatch.fish"
    doc.install Dir["*.md"], "docs", "examples"
  end

  test do
    (testpath/"a.txt").write "one\n"
    (testpath/"reply").write "a.txt\n<<<<<<< SEARCH\none\n=======\ntwo\n>>>>>>> REPLACE\n"
    system bin/"srpatch", "reply"
    assert_equal "two\n", (testpath/"a.txt").read
  end
end
`, of.number(), urls.String())
	return name, os.WriteFile(filepath.Join(out, name), []byte(text), 0o666)
}
