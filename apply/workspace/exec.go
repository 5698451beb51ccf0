package workspace

import (
	"path/filepath"
	"slices"
	"strings"
)

// execList is the name of the list of [execFiles] in [Options.Allow] and [Options.Deny].
const execList = "@exec"

// execFiles are the globs of what runs by itself: files that name commands, and that some program acts on when nobody has
// asked it to build, to test or to start anything. That is so when a directory is entered or opened, at a commit, a push or
// a merge, and when dependencies are installed. Makefiles, Dockerfiles, build.rs, conftest.py and the code are not here: they
// run when somebody says so, and whoever builds a changed tree runs the change in any case.
func execFiles() []string {
	return slices.Concat(
		[]string{ // hooks of version control, its other metadata
			".githooks", ".git-hooks", ".husky", ".pre-commit-config.yaml", ".pre-commit-config.yml", ".pre-commit-hooks.yaml",
			"lefthook*.*", ".lefthook*.*", ".overcommit.yml", ".lintstagedrc*", "lint-staged.config.*",
			".simple-git-hooks.*", "simple-git-hooks.*", ".hg", ".jj",
		},
		[]string{ // continuous integration
			"**/.github/workflows", "**/.github/actions", "**/.forgejo/workflows", "**/.gitea/workflows", ".gitlab-ci.yml", "**/.gitlab/ci",
			".circleci", ".travis.yml", "azure-pipelines*.yml", ".azure-pipelines", "Jenkinsfile*", "bitbucket-pipelines.yml",
			".drone.yml", ".woodpecker*", ".buildkite", "appveyor.yml", ".appveyor.yml", ".cirrus.yml", ".cirrus.star", ".build.yml", ".builds",
			".semaphore", ".teamcity", "cloudbuild.yaml", "buildspec.yml",
		},
		[]string{ // shells, and what they load on entering a directory
			".envrc", ".autoenv*", "mise*.toml", ".mise*", "**/.config/mise", ".bash*", ".zsh*", ".profile",
		},
		[]string{ // editors
			".vscode", "*.code-workspace", ".idea", ".vs", ".zed", ".fleet", ".helix", ".vim", ".vimrc", ".exrc", ".nvimrc", ".nvim.lua",
			".dir-locals*.el", ".devcontainer*", ".gitpod.yml",
		},
		[]string{ // coding agents: their hooks, servers and commands
			".claude", ".cursor", ".codex", ".gemini", ".continue", ".windsurf", ".roo", ".kiro", ".opencode", "opencode.json*",
			".mcp.json", ".aider.conf.yml",
		},
		[]string{ // package managers: scripts that run when dependencies are installed
			"package.json", ".npmrc", ".yarnrc*", ".yarn", ".pnpmfile.*", "bunfig.toml", ".pnp.*", "binding.gyp",
			"composer.json", "setup.py", "pyproject.toml", "Gemfile", "*.gemspec", "Podfile", "mix.exs", ".cargo",
		},
	)
}

// denyHooks denies the directory that git takes its hooks from, if it is in the tree.
func (w *Workspace) denyHooks() {
	out, err := w.git("rev-parse", "--path-format=absolute", "--git-path", "hooks").Output()
	if err != nil {
		return // no repository, or no git that would run a hook
	}
	hooks := existing(strings.TrimSuffix(string(out), "\n"))
	const from = execList + " (core.hooksPath)"
	if rel, err := filepath.Rel(hooks, w.realDir); err == nil && filepath.IsLocal(rel) {
		w.deny.add("**", from) // the tree is a part of it
	} else if rel, err := filepath.Rel(w.realDir, hooks); err == nil && filepath.IsLocal(rel) {
		w.deny.add("/"+literally(filepath.ToSlash(rel)), from)
	}
}
