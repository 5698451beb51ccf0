package verdict

import "testing"

// Sibling lines, such as the first lines of records, differ in one part: a name, a number, a path
// or a string.
func TestTemplateOf(t *testing.T) {
	tests := map[string]struct {
		search, file string
		want         bool
	}{
		"headings of sections":          {"[alpha]", "[beta]", true},
		"keys with a text":              {`"name": "Oslo",`, `"name": "Bergen harbour",`, true},
		"numbers":                       {"id: 12", "id: 7", true},
		"tags":                          {"<h2>Plan</h2>", "<h2>Your visit</h2>", true},
		"statements with another name":  {"CREATE TABLE users (", "CREATE TABLE orders (", true},
		"the same word goes on":         {"case alpha:", "case alphabet:", true},
		"another key":                   {"width: 3px", "color: red", false},
		"more words where one name was": {"import os", "import os as system", false},
		"nothing in common":             {"return x", "break", false},
		"only a bracket in common":      {"foo(a, b)", "x + y)", false},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if _, got := templateOf([]byte(tt.search), []byte("  "+tt.file)); got != tt.want {
				t.Errorf("templateOf(%q, %q) = %v, want %v", tt.search, tt.file, got, tt.want)
			}
		})
	}
}
