package text

// IsKeyword reports whether word is a keyword of any common language.
func IsKeyword(word string) bool {
	switch word {
	case "in", "of", "is", "as", "not", "and", "or", "self", "this", "let", "var", "val", "import",
		"from", "new", "await", "void", "int", "end", "then", "pass", "break", "continue", "true",
		"false", "null", "nil", "None", "True", "False":
		return true
	}
	return IsControl(word) || isDefiner(word) || isModifier(word)
}

// IsControl reports whether word is a keyword for control flow.
func IsControl(word string) bool {
	switch word {
	case "if", "else", "elif", "for", "while", "switch", "case", "with", "try", "catch", "except",
		"when", "match", "return", "do", "finally", "loop", "select", "default":
		return true
	}
	return false
}

// Routine reports whether line is one that may occur in any function, such as "pass", "return x" or
// "else:".
func Routine(line []byte) bool {
	var first, last []byte
	words, names := 0, 0
	for token := range EachToken(line) {
		switch {
		case BeginsWithWord(token):
			if first == nil {
				first = token
			}
			words++
			if !IsKeyword(string(token)) {
				names++
			}
		case token[0] == '(' && BeginsWithWord(last) && !IsKeyword(string(last)):
			return false // a call
		}
		last = token
	}
	return names == 0 || words == 2 && names == 1 && IsControl(string(first))
}

// isDefiner reports whether word, possibly after modifiers, begins a definition whose name follows.
func isDefiner(word string) bool {
	switch word {
	case "def", "func", "function", "fn", "fun", "class", "struct", "interface", "enum", "trait",
		"impl", "module", "type", "sub", "proc", "TEXT", "TABLE", "VIEW", "FUNCTION", "PROCEDURE",
		"TRIGGER", "INDEX":
		return true
	}
	return false
}

// isModifier reports whether word may precede the word that begins a definition.
func isModifier(word string) bool {
	switch word {
	case "export", "default", "async", "public", "private", "protected", "internal", "static",
		"abstract", "final", "pub", "const", "unsafe", "override", "virtual", "inline", "extern",
		"CREATE", "OR", "REPLACE", "TEMPORARY", "MATERIALIZED", "UNIQUE":
		return true
	}
	return false
}
