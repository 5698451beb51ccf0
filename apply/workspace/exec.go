package workspace

import (
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"

	"github.com/srpatch/srpatch/apply"
	"github.com/srpatch/srpatch/internal/git"
)

// execList is the name of the list of [execFiles] in [Options.Allow] and [Options.Deny].
const execList = "@exec"

// execGroup is a part of the list @exec: globs of files, and of directories with all below them.
type execGroup struct {
	what  string // what they are, and why they are on the list
	globs string
	// files are names of files that directories often have, too: a directory may have them.
	files string
}

// execFiles are the files that a program runs or obeys because of their names, so that one changed
// line of them is a command: hooks, builds, tests, linters, editors, agents. The code, its tests and
// scripts are not here: a reply is there to change them.
func execFiles() []execGroup {
	return []execGroup{{
		what: "version control: hooks, filters, and configuration that git may include",
		globs: `.gitattributes .gitconfig .gitmodules .lfsconfig .githooks .git-hooks .hg .hgrc .hgsub .jj .sl .svn
			.husky .huskyrc* .pre-commit-config.yaml .pre-commit-config.yml .pre-commit-hooks.yaml prek.toml
			lefthook*.* .lefthook* .overcommit.yml .lintstagedrc* .simple-git-hooks.* simple-git-hooks.*
			captainhook.json grumphp.y*ml* cog.toml hk.pkl .commitlintrc* .czrc`,
	}, {
		what: "continuous integration, releases and bots: a push runs them, with secrets",
		globs: `**/.github/workflows **/.github/actions **/.github/dependabot.y*ml **/.forgejo/workflows **/.gitea/workflows
			action.yml action.yaml .gitlab-ci* **/.gitlab/ci .circleci .travis.yml azure-pipelines*.y*ml azure-pipelines .azure-pipelines
			.pipelines .vsts* Jenkinsfile* bitbucket-pipelines.yml .drone.* .woodpecker* .buildkite appveyor.yml .appveyor.yml
			.cirrus.* .build.yml .builds .semaphore .teamcity .tekton cloudbuild*.y*ml cloudbuild*.json buildspec*.y*ml appspec.y*ml
			amplify.yml codemagic.yaml bitrise.yml wercker.yml codeship-*.yml .readthedocs.y*ml readthedocs.y*ml .taskcluster.yml
			.zuul* zuul.yaml zuul.d .onedev-buildspec.yml .prow.yaml .evergreen.yml .packit.y*ml .copr .harness .mergify.yml
			renovate.json* .renovaterc* .goreleaser* goreleaser.y*ml .releaserc* Dangerfile* dangerfile.* Earthfile dagger.json
			CODEOWNERS ci_scripts **/bin/post_compile jitpack.yml buildkite.yml buddy.yml codefresh.y*ml screwdriver.y*ml`,
	}, {
		what: "shells, debuggers and interpreters: they load these when they start, or when a directory is entered",
		globs: `.env* .autoenv* .direnv .shadowenv.d mise*.toml .mise* mise-tasks **/mise/config.toml **/.config/mise .tool-versions .asdfrc .rtx.toml .sdkmanrc
			devbox.json devenv.* .bash* .zsh* .profile .login .cshrc .tcshrc .kshrc .inputrc .screenrc .tmux.conf **/.config/fish
			**/.config/srpatch *profile.ps1 .gdbinit .lldbinit .irbrc .pryrc .pdbrc .ghci .iex.exs .Rprofile .Renviron .sqliterc .psqlrc .hermit .flox startup.m`,
	}, {
		what: "editors: opening the directory runs or configures them",
		globs: `.vscode *.code-workspace .idea *.iml *.ipr .run .vs .zed .fleet .helix .nova .theia .vim .vimrc .gvimrc .lvimrc
			.local.vimrc _vimrc .exrc .nvim .nvimrc .nvim.lua .emacs* .dir-locals* .projectile .devcontainer* devcontainer.json devfile.y*ml
			.gitpod* .replit replit.nix .idx *.sublime-project .settings .project .classpath .externalToolBuilders *.launch
			.ycm_extra_conf.py .clangd compile_commands.json compile_flags.txt`,
	}, {
		what: "coding agents: their instructions, hooks, servers and commands",
		globs: `AGENT.md AGENT.local.md AGENTS*.md .agent .agents CLAUDE*.md .claude* GEMINI*.md .gemini gemini-extension.json CODEX.md .codex
			copilot-instructions.md **/.github/instructions **/.github/prompts **/.github/chatmodes **/.github/agents **/.github/skills
			**/.github/hooks *.instructions.md *.prompt.md *.chatmode.md *.agent.md SKILL.md .cursor* .windsurf* .clinerules* .cline*
			.roo* .kilocode* .continue* .kiro .opencode opencode.json* OpenCode.md .aider* .augment* .amazonq .junie .goose* .crush* crush.json
			CRUSH.md CRUSH.local.md .qwen QWEN.md .factory .trae .openhands* .sweep.yaml .amp .warp WARP.md JULES.md .jules GROK.md .grok .devin
			.codebuddy CODEBUDDY.md codebuddy.json codebuff.json .iflow IFLOW.md .rovodev .serena .firebender .tabnine .codeium .plandex .ruler .rules replit.md
			gptme.toml .mcp* mcp.json mcp_config.json .coderabbit.yaml .greptile .pr_agent.toml .qodo`,
	}, {
		what: "JavaScript: scripts of packages, where packages come from, and configurations that are programs",
		globs: `package.json package.json5 package.yaml package-lock.json npm-shrinkwrap.json .npmrc yarn.lock .yarnrc* .yarn
			pnpm-workspace.yaml pnpm-lock.yaml .pnpmfile.* .pnp.* bun.lock* bunfig.toml deno.json* deno.lock binding.gyp *.gyp *.gypi
			*.config.* *.conf.js *.conf.cjs *.conf.mjs *.conf.ts .babelrc* .swcrc .postcssrc* .eslintrc* .prettierrc* .stylelintrc*
			.mocharc* .nycrc* .c8rc* mocha.opts biome.json* .oxlintrc* dprint.json* .dprint.json* tsconfig*.json tslint.json angular.json
			nx.json project.json workspace.json turbo.json* lerna.json rush.json gulpfile.* Gruntfile.* Jakefile* nodemon.json
			gatsby-*.js gatsby-*.ts vitest.workspace.* webpack*.js webpack*.ts app.json eas.json codegen.y*ml
			truffle-config.js ember-cli-build.js testem.js cypress.json knexfile.* wallaby.js Brocfile.js Cakefile stryker.conf.json electron-builder.y*ml
			config.xml bower.json moon.yml`,
	}, {
		what: "Python: builds, installations, tests and linters that load plugins",
		globs: `setup.py setup.cfg pyproject.toml Pipfile* *requirements*.txt *requirements*.in **/requirements/*.txt **/requirements/*.in constraints*.txt poetry.lock poetry.toml uv.lock
			uv.toml pdm.lock pdm.toml pylock*.toml pip.conf pip.ini .pypirc environment*.y*ml conda-lock.yml meta.yaml pixi.toml pixi.lock
			hatch.toml hatch_build.py buildout.cfg tox.ini tox.toml noxfile.py conftest.py pytest.ini .pytest.ini pytest.toml .pytest.toml .coveragerc mypy.ini .mypy.ini
			pylintrc .pylintrc .flake8 sitecustomize.py usercustomize.py *.pth tasks.py fabfile.py dodo.py pavement.py Snakefile dvc.yaml MLproject
			conf.py mkdocs.y*ml gunicorn.conf.py jupyter_*config.* ipython_*config.* .ipython .jupyter`,
	}, {
		what: "Ruby, PHP, Perl and Lua: the same",
		globs: `Gemfile* gems.rb gems.locked *.gemspec .bundle Rakefile* *.rake Guardfile Capfile Thorfile Berksfile* Puppetfile Steepfile
			fastlane Fastfile Appfile config.ru .rspec .rubocop* .simplecov composer.json composer.lock phpunit.* phpstan* psalm.xml*
			.php-cs-fixer* .php_cs* rector.php ecs.php phpcs.xml* .phpcs.xml* RoboFile.php castor.php deploy.php box.json behat.y*ml
			codeception.y*ml php.ini .user.ini .htaccess web.config cpanfile* Makefile.PL Build.PL dist.ini .perltidyrc .perlcriticrc
			*.rockspec .luacheckrc .luacov .busted .latexmkrc latexmkrc`,
	}, {
		what: "Rust and Go: dependencies, toolchains and builds",
		globs: `Cargo.toml Cargo.lock .cargo build.rs rust-toolchain* Cross.toml Trunk.toml tauri*.conf.json* Tauri.toml nextest.toml bacon.toml foundry.toml Scarb.toml dfx.json Anchor.toml
			go.mod go.sum go.work* .golangci.* golangci.* magefile.go magefiles .air.toml air.toml buf.*yaml .ko.yaml wails.json`,
	}, {
		what: "Java, Kotlin, Scala and Clojure: builds are programs, wrappers are run as they are",
		globs: `*.gradle *.gradle.kts gradle.properties gradlew* **/gradle/wrapper **/gradle/libs.versions.toml **/gradle/verification-metadata.xml local.properties buildSrc build-logic
			gradle.lockfile pom.xml pom.rb .mvn mvnw* build.xml ivy.xml ivysettings.xml *.sbt **/project/*.scala **/project/build.properties .sbtopts .jvmopts
			.scalafmt.conf .scalafix.conf build.sc build.mill package.mill .mill-* millw project.clj profiles.clj user.clj deps.edn bb.edn shadow-cljs.edn build.boot`,
		files: `mill`,
	}, {
		what: ".NET: projects, what they import, and where packages come from",
		globs: `*.*proj *.sln *.slnx *.props *.targets *.rsp *.cake *.fsx *.nuspec *.pubxml *.runsettings nuget.config packages.config
			packages.lock.json global.json dotnet-tools.json launchSettings.json paket.*`,
	}, {
		what: "Elixir, Erlang, Haskell, OCaml, Lean, Julia and R: builds and what they load",
		globs: `mix.exs mix.lock .formatter.exs .credo.exs **/config/*.exs rebar.config* rebar.lock *.app.src* erlang.mk relx.config gleam.toml
			*.cabal cabal.project* stack.yaml* Setup.hs Setup.lhs hie.yaml dune-project dune-workspace *.opam* esy.json elm.json spago.*
			bsconfig.json rescript.json lakefile.* lean-toolchain lake-manifest.json Project.toml Manifest.toml renv.lock _targets.R`,
		files: `dune opam`,
	}, {
		what: "Swift, Dart and phones: packages and builds",
		globs: `Package.swift Package@swift*.swift Package.resolved Podfile* *.podspec *.podspec.json Cartfile* *.xcodeproj *.xcworkspace *.xcconfig *.xcscheme Project.swift Tuist
			project.yml .swiftlint.yml .sourcery.yml Mintfile pubspec.* pubspec_overrides.yaml analysis_options.yaml build.yaml melos.yaml dart_test.yaml`,
	}, {
		what: "make and its like: each line is a command of the next build",
		globs: `Makefile* GNUmakefile BSDmakefile *.mk *.mak Kbuild CMakeLists.txt *.cmake *.cmake.in CMake*Presets.json configure.ac configure.in
			*.m4 autogen.sh meson.build meson.options meson_options.txt SConstruct SConscript wscript conanfile.* conan*.lock vcpkg*.json
			xmake.lua premake*.lua *.pro *.pri *.qbs *.ninja Tupfile* Tuprules* Justfile .justfile *.just Taskfile*.y*ml build.zig build.zig.zon
			*.nimble *.nims nim.cfg dub.json dub.sdl dub.selections.json shard.yml Jamfile* Jamroot* Doxyfile* treefmt.toml .treefmt.toml sgconfig.y*ml .trunk
			book.toml _config.yml _quarto.yml PKGBUILD APKBUILD *.ebuild *.spec **/debian/rules snapcraft.yaml Brewfile*`,
		files: `configure`,
	}, {
		what: "Bazel, Buck, Pants and Nix: the same",
		globs: `BUILD.* WORKSPACE.* MODULE.bazel* *.bzl *.star .bazel* .buckconfig* pants*.toml .plzconfig*
			*.nix flake.lock guix.scm manifest.scm channels.scm`,
		files: `BUILD WORKSPACE BUCK TARGETS`,
	}, {
		what: "containers, machines and services: what is started, and how",
		globs: `Dockerfile* *.dockerfile Containerfile* docker-compose*.y*ml compose*.y*ml docker-bake.* Vagrantfile *.tf *.tf.json *.tfvars
			*.tofu *.hcl .terraformrc Pulumi*.y*ml cdk.json samconfig.* serverless.* Chart.yaml helmfile.* kustomization.y*ml skaffold.y*ml
			Tiltfile garden.y*ml okteto.y*ml devspace.yaml ansible.cfg *.nomad *.service *.timer *.socket crontab *.cron supervisord.conf
			.ebextensions .platform* .upsun Procfile* process-compose*.y*ml mprocs.y*ml heroku.yml app.yaml fly.toml render.yaml railway.* nixpacks.toml netlify.toml vercel.json
			now.json wrangler.* firebase.json azure.yaml autorun.inf desktop.ini *.desktop`,
	}}
}

// addExec adds what execFiles names.
func (g *globs) addExec() {
	g.exec = true
	for _, group := range execFiles() {
		for glob := range strings.FieldsSeq(group.globs) {
			g.add(glob, execList+" ("+glob+")")
		}
		for name := range strings.FieldsSeq(group.files) {
			g.files[g.key(name)] = execList + " (" + name + ")"
		}
	}
}

// denyGitsOwn denies what only git can name: the hooks, and the files of the tree that its
// configuration in a directory names. It runs or obeys them.
func (w *Workspace) denyGitsOwn(deny *globs, dir string) error {
	top := git.Top(existing(dir))
	if top == "" {
		return nil // no repository
	}
	ask := func(what string, args ...string) (string, error) {
		cmd := w.git(args...)
		cmd.Dir = dir
		out, err := cmd.Output()
		if err != nil {
			why, remedy := git.Refusal(err)
			return "", refuse(Unguarded, "", execList+" needs git to name "+what+": "+why, remedy)
		}
		return string(out), nil
	}
	hooks, err := ask("the repository's hooks", "rev-parse", "--path-format=absolute", "--git-path", "hooks")
	if err != nil {
		return err
	}
	w.denyReal(deny, strings.TrimSuffix(hooks, "\n"), "core.hooksPath")
	settings, err := ask("the files that its configuration names", "config", "--null", "--show-origin", "--list")
	if err != nil {
		return err
	}
	fields := strings.Split(settings, "\x00")
	for ; len(fields) >= 2; fields = fields[2:] {
		key, value, _ := strings.Cut(fields[1], "\n")
		if !strings.HasPrefix(key, "include") || !strings.HasSuffix(key, ".path") {
			w.denyNamed(deny, top, key, value)
			continue
		}
		path := value
		if home, err := os.UserHomeDir(); err == nil && strings.HasPrefix(path, "~/") {
			path = filepath.Join(home, path[2:])
		}
		if origin := strings.TrimPrefix(fields[0], "file:"); !filepath.IsAbs(path) {
			path = filepath.Join(filepath.Dir(origin), path)
		}
		if !filepath.IsAbs(path) {
			path = filepath.Join(top, path)
		}
		w.denyReal(deny, path, key)
	}
	return nil
}

// denyNamed denies each file of the tree that a value of git's configuration names: a program, an
// argument of one, or a file that git reads. The value may be a command for the shell.
func (w *Workspace) denyNamed(deny *globs, top, key, value string) {
	const ends = " \t\r\n'\"`;|&<>(){}$!"
	split := func(ends string) []string {
		return strings.FieldsFunc(value, func(r rune) bool { return strings.ContainsRune(ends, r) })
	}
	words := split(ends)
	command := len(words) > 1
	for _, word := range append(append(words, split(ends+"=:,")...), value) {
		paths := []string{filepath.Join(top, word)} // also for $(git rev-parse --show-toplevel)/word
		if filepath.IsAbs(word) {
			paths = append(paths, word)
		} else if home, err := os.UserHomeDir(); err == nil && strings.HasPrefix(word, "~/") {
			paths = append(paths, filepath.Join(home, word[2:]))
		}
		for _, path := range paths {
			path = existing(path)
			rel, err := filepath.Rel(w.realDir, path)
			if err != nil || !filepath.IsLocal(rel) || rel == "." {
				continue
			}
			deny.files["/"+deny.key(filepath.ToSlash(rel))] = execList + " (" + key + ")"
			if info, err := os.Stat(path); err == nil && info.IsDir() && command && strings.Contains(word, "/") {
				w.denyReal(deny, path, key) // as in go run ./tools/filter
			}
		}
	}
}

// denyReal denies a file or a directory that a key of git's configuration names, if it is in the tree.
func (w *Workspace) denyReal(deny *globs, path, key string) {
	path = existing(path)
	from := execList + " (" + key + ")"
	if rel, err := filepath.Rel(path, w.realDir); err == nil && filepath.IsLocal(rel) {
		deny.add("**", from) // the tree is a part of it
	} else if rel, err := filepath.Rel(w.realDir, path); err == nil && filepath.IsLocal(rel) {
		deny.add("/"+literally(filepath.ToSlash(rel)), from)
	}
}

// checkNested denies what the configurations of repositories below the root name that a file lies in:
// submodules, worktrees and others.
func (w *Workspace) checkNested(name, real string) error {
	if !w.deny.exec {
		return nil
	}
	for dir := path.Dir(real); dir != "."; dir = path.Dir(dir) {
		asked, _ := w.nested.LoadOrStore(dir, sync.OnceValues(func() (globs, error) {
			deny := globs{names: map[string]string{}, files: map[string]string{}, key: anyCase}
			at := filepath.Join(w.realDir, filepath.FromSlash(dir))
			if git.Top(at) != at {
				return deny, nil
			}
			return deny, w.denyGitsOwn(&deny, at)
		}))
		deny, err := asked.(func() (globs, error))()
		if err != nil {
			return err
		}
		for _, p := range []string{name, real} {
			if g, ok := deny.match(p); ok {
				return refuse(apply.Denied, name, "denied by "+g, "")
			}
		}
	}
	return nil
}
