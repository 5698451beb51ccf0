package chatlog

import "strings"

// speaker says who is meant by a name, if it is one that logs have for the user or for a model.
func (c caption) speaker() (Speaker, bool) {
	switch c.name {
	case "user", "you", "human", "me", "prompt", "user input", "user prompt", "user query", "your prompt", "my prompt", "question",
		"benutzer", "utilisateur", "usuario", "utente", "usuário", "пользователь", "用户", "你", "ユーザー", "사용자":
		return User, true
	}
	named := false
	for word := range strings.FieldsFuncSeq(c.name, func(r rune) bool { return strings.ContainsRune(" -_/:@,", r) }) {
		switch {
		case isModel(word):
			named = true
		case !qualifies(word):
			return Model, false
		}
	}
	return Model, named
}

// isModel reports whether a word is how logs call a model or the program that speaks for it.
func isModel(word string) bool {
	switch strings.TrimRight(word, "0123456789.") {
	case "assistant", "ai", "model", "bot", "agent", "llm", "response", "answer", "reply", "assistent", "asistente", "ассистент", "助手",
		"chatgpt", "gpt", "claude", "gemini", "copilot", "deepseek", "cursor", "cline", "roo", "codex", "opencode", "windsurf", "cascade",
		"zed", "aider", "cody", "codeium", "continue", "grok", "llama", "mistral", "codestral", "devstral", "magistral", "qwen", "qwq",
		"perplexity", "phind", "kimi", "glm", "gemma", "phi", "bard", "bing", "jules", "kiro", "junie", "augment", "goose", "ollama",
		"sonnet", "opus", "haiku":
		return true
	}
	return false
}

// qualifies reports whether a word says which model of those with the same name is meant.
func qualifies(word string) bool {
	switch word {
	case "the", "le", "github", "microsoft", "google", "openai", "anthropic", "meta", "amazon", "chat", "code", "coder", "pro", "mini", "nano",
		"max", "flash", "turbo", "large", "small", "instruct", "preview", "latest", "thinking", "planner":
		return true
	}
	return strings.ContainsAny(word, "0123456789")
}

// labels reports whether a caption of a known name is one where the text does not show in what
// labels are set: names with text after them are only in bold or where nothing else is meant by
// them.
func (c caption) labels() bool {
	switch {
	case c.plain():
		return false
	case !c.inline || c.bold():
		return true
	}
	switch c.name {
	case "user", "human", "assistant", "chatgpt", "claude":
		return true
	}
	return false
}

// begins reports whether a caption on the first line of an input makes it a log, which is not known
// of it: headings of answers have other names, too, and what is cited may begin with "You wrote:".
func (c caption) begins() bool {
	if c.verb != "" && c.verb != "said" {
		return false
	}
	switch c.name {
	case "user", "human":
		return c.labels()
	case "you", "me", "prompt", "assistant", "chatgpt", "claude", "gemini", "copilot", "ai", "model", "gpt", "deepseek", "response", "bot":
		return c.labels() && (!c.inline || c.bold())
	}
	return false
}

// bold reports whether a name is set in bold.
func (c caption) bold() bool { return strings.HasPrefix(c.set, "**") }
