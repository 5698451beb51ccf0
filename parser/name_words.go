package parser

import (
	"path"
	"strings"
	"unicode"
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

// isMember reports whether the part after a name's dot is a usual name of a member, a package or a domain rather than an
// extension: there are more extensions than anybody lists.
func isMember(ext string) bool {
	switch ext {
	case "add", "append", "apply", "args", "attr", "bind", "body", "call", "catch", "children", "class", "clear", "close", "code", "com",
		"connect", "contains", "content", "copy", "count", "create", "current", "date", "debug", "delete", "dev", "each", "emit", "end", "entries",
		"equals", "error", "errors", "event", "events", "exec", "exit", "export", "exports", "extend", "fetch", "field", "fields", "filter",
		"find", "first", "flush", "format", "func", "get", "handle", "handler", "has", "head", "headers", "height", "host", "id", "index", "info",
		"init", "insert", "io", "item", "items", "iter", "join", "keys", "kwargs", "label", "last", "lazy", "len", "length", "level", "line",
		"lines", "listen", "load", "main", "match", "max", "memo", "merge", "message", "method", "min", "mode", "model", "models", "name", "names",
		"net", "next", "node", "nodes", "now", "num", "object", "objects", "offset", "on", "open", "options", "org", "output", "panic", "parent",
		"parse", "path", "paths", "pop", "port", "position", "post", "prev", "print", "printf", "println", "prototype", "push", "put", "query",
		"raise", "range", "read", "ref", "remove", "render", "replace", "request", "reset", "resolve", "response", "result", "results", "root",
		"run", "save", "schema", "score", "search", "select", "self", "send", "session", "set", "setter", "shape", "size", "slice", "sort",
		"source", "spec", "split", "start", "state", "status", "step", "stop", "string", "strip", "submit", "super", "target", "text",
		"then", "this", "throw", "time", "title", "token", "trim", "type", "types", "update", "uri", "url", "urls", "use", "user", "username",
		"users", "utils", "valid", "validate", "value", "values", "version", "view", "views", "wait", "width", "words", "wrap", "write":
		return true
	}
	return strings.Contains(ext, "_") || strings.ContainsFunc(ext, unicode.IsUpper) && strings.ContainsFunc(ext, unicode.IsLower)
}

// languageOf is the language of a fence's first word or a file's extension, of those that nobody confuses; "" for any
// other.
func languageOf(word string) string {
	switch word = strings.ToLower(word); word {
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
	case "css", "java", "php", "sql", "toml", "json":
		return word
	}
	return ""
}
