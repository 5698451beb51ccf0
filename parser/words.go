package parser

import (
	"path"
	"strings"
)

// isLanguage reports whether a word is what fences are labelled with: such a word never names a file.
func isLanguage(word string) bool {
	switch strings.ToLower(word) {
	case "ada", "apache", "apex", "applescript", "arduino", "asm", "asp.net", "assembly", "astro", "awk", "bash", "basic", "bat",
		"batch", "bazel", "bicep", "c", "c#", "c++", "cc", "clj", "clojure", "cmake", "cmd", "cobol", "code", "coffeescript",
		"conf", "config", "console", "cpp", "cs", "csharp", "csh", "css", "csv", "cuda", "cxx", "cypher", "d", "dart", "diff", "django",
		"docker", "dockerfile", "dos", "dotenv", "edit", "elixir", "elm", "env", "erb", "erl", "erlang", "ex", "f#", "file", "fish",
		"fortran", "fs", "fsharp", "gdscript", "gherkin", "git", "gitignore", "glsl", "go", "go.mod", "golang", "gradle", "graphql",
		"groovy", "h", "haml", "handlebars", "haskell", "hcl", "hlsl", "hpp", "hs", "html", "http", "ini", "java", "javascript",
		"javascriptreact", "jinja", "jinja2", "jl", "js", "json", "json5", "jsonc", "jsonl", "jsx", "julia", "kotlin", "kql",
		"ksh", "kt", "latex", "less", "liquid", "lisp", "lua", "make", "makefile", "markdown", "matlab", "md", "mdx", "mermaid",
		"mojo", "mysql", "nginx", "nim", "nix", "node.js", "next.js", "objc", "objective-c", "objectivec", "ocaml", "octave", "pascal", "patch",
		"perl", "pgsql", "php", "pl", "plain", "plaintext", "plsql", "postgresql", "powershell", "prisma", "prolog", "properties",
		"proto", "protobuf", "ps1", "pug", "puppet", "pwsh", "py", "python", "python2", "python3", "qml", "r", "racket", "rb", "react.js",
		"reg", "regex", "requirements", "rest", "robot", "rs", "rst", "ruby", "rust", "sass", "scala", "scheme", "scss",
		"search-replace", "searchreplace", "sed", "sh", "shell", "shellsession", "smalltalk", "solidity", "sparql", "sql", "stylus",
		"svelte", "svg", "swift", "systemverilog", "tcl", "tcsh", "terraform", "tex", "text", "tf", "thrift", "toml", "ts", "tsx", "twig",
		"txt", "typescript", "typescriptreact", "v", "vala", "vb", "vb.net", "vba", "vbnet", "verilog", "vhdl", "vim", "viml", "vue", "vue.js",
		"wasm", "wgsl", "xml", "xhtml", "xsl", "yaml", "yml", "zig", "zsh":
		return true
	}
	return false
}

// isKnownName reports whether a base name is a file's although it has no extension.
func isKnownName(base string) bool {
	switch base {
	case "Makefile", "makefile", "GNUmakefile", "Dockerfile", "Containerfile", "Gemfile", "Rakefile", "Procfile", "Jenkinsfile",
		"Vagrantfile", "Brewfile", "Podfile", "Fastfile", "Guardfile", "Justfile", "justfile", "Caddyfile", "Tiltfile", "Earthfile",
		"Pipfile", "Snakefile", "SConstruct", "SConscript", "BUILD", "WORKSPACE", "OWNERS", "CODEOWNERS", "LICENSE", "LICENCE", "COPYING",
		"README", "CHANGELOG", "AUTHORS", "CONTRIBUTORS",
		"Kconfig", "Kbuild", "configure", "gradlew", "mvnw", "Cargo.lock", "go.mod", "go.sum", "go.work", "meson.build", "crontab",
		"Doxyfile", "Appraisals", "Berksfile", "Capfile", "Cartfile", "Dangerfile", "PKGBUILD":
		return true
	}
	return strings.HasPrefix(base, "Dockerfile.") || strings.HasPrefix(base, "Makefile.")
}

// knownExt reports whether a name ends in an extension that is more likely a file's than a member's, as in "os.path".
func knownExt(name string) bool {
	switch strings.TrimPrefix(strings.ToLower(path.Ext(name)), ".") {
	case "asm", "astro", "bash", "bat", "bazel", "c", "cc", "cfg", "cjs", "clj", "cmake", "cmd", "conf", "cpp", "cs", "csproj", "css", "csv",
		"cts", "cu", "cxx", "dart", "dockerfile", "el", "elm", "env", "erb", "erl", "ex", "exs", "fish", "fs", "fsx", "gemspec", "go",
		"gql", "gradle", "graphql", "groovy", "h", "haml", "hbs", "hcl", "hh", "hpp", "hrl", "hs", "htm", "html", "hxx", "ini", "ino", "ipynb",
		"j2", "jade", "java", "jinja", "jl", "js", "json", "json5", "jsonc", "jsonl", "jsx", "kt", "kts", "less", "lock", "lua", "m", "md",
		"mdx", "mjs", "mk", "ml", "mli", "mm", "mod", "mts", "nim", "nix", "php", "pl", "plist", "pm", "pom", "prisma", "properties", "proto",
		"ps1", "psm1", "pug", "py", "pyi", "pyx", "qml", "r", "rake", "rb", "rkt", "rs", "rst", "rules", "sass", "sbt", "scala", "scm", "scss",
		"sh", "sln", "sol", "sql", "sum", "sv", "svelte", "svg", "swift", "tcl", "tex", "tf", "tfvars", "thrift", "toml", "ts", "tsx", "twig",
		"txt", "v", "vb", "vhd", "vhdl", "vim", "vue", "wgsl", "xml", "xsl", "yaml", "yml", "zig", "zsh":
		return true
	}
	return false
}

// rareExt reports whether an extension is one of files, although fewer have it than those of knownExt.
func rareExt(ext string) bool {
	switch strings.ToLower(ext) {
	case "adoc", "aspx", "avsc", "bak", "bib", "blade", "cer", "cls", "cnf", "cshtml", "dat", "data", "db", "def", "desktop", "dist",
		"ejs", "example", "f90", "frag", "fxml", "geojson", "hbs", "hjson", "http", "icl", "iml", "in", "inc", "ipp", "jinja2", "jks", "jsp",
		"key", "ld", "list", "local", "log", "mako", "map", "mustache", "njk", "pas", "patch", "pem", "pom", "pri", "props", "pth",
		"razor", "rdf", "resx", "sample", "service", "snap", "socket", "star", "storyboard", "sty", "tab", "targets", "template",
		"timer", "tmpl", "tpl", "tsv", "vbproj", "vcxproj", "vert", "webmanifest", "wxs", "xaml", "xcconfig", "xib", "xsd":
		return true
	}
	return false
}

// languageOf is the language of a fence's first word or a file's extension, of those that nobody takes for each other; "" for any
// other.
func languageOf(word string) string {
	switch strings.ToLower(word) {
	case "py", "pyi", "python", "python3":
		return "python"
	case "js", "mjs", "cjs", "jsx", "javascript", "ts", "mts", "cts", "tsx", "typescript":
		return "javascript"
	case "md", "mdx", "markdown":
		return "markdown"
	case "yml", "yaml":
		return "yaml"
	case "go", "golang":
		return "go"
	case "rs", "rust":
		return "rust"
	case "rb", "ruby":
		return "ruby"
	case "cs", "csharp", "c#":
		return "csharp"
	case "html", "htm":
		return "html"
	case "css":
		return "css"
	case "java":
		return "java"
	case "php":
		return "php"
	case "sql":
		return "sql"
	case "toml":
		return "toml"
	case "json":
		return "json"
	}
	return ""
}
