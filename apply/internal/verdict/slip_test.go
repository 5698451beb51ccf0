package verdict

import (
	"testing"

	"github.com/srpatch/srpatch/internal/text"
	"github.com/srpatch/srpatch/strategy"
)

// Classifies how a SEARCH line differs from the file line, in a file that also has the words in the
// third column.
func TestCompare(t *testing.T) {
	tests := map[string]struct {
		search, file, knows string
		kept                bool
		want                difference
	}{
		"a letter swapped": {"total = ammuont(x)", "total = ammount(x)", "", false, slip},
		"a letter missing": {"from wokflow import run",
			"from workflow import run", "", false, slip},
		"a letter too many inside":       {"return connnection", "return connection", "", false, slip},
		"an underscore forgotten":        {"load_userdata()", "load_user_data()", "", false, slip},
		"another name that the file has": {"retry(1)", "retrx(1)", "retry", false, substitution},
		"another number":                 {"limit = 10", "limit = 20", "", false, substitution},
		"a digit more in a name":         {"item1 = 0", "item2 = 0", "", false, substitution},
		"a plural":                       {"load(user)", "load(users)", "", false, substitution},
		"a short word":                   {"get(x)", "set(x)", "", false, substitution},
		"two words at once": {"alpha_beat + gamma_detla",
			"alpha_beta + gamma_delta", "", false, substitution},
		"two words at once in a line that stays": {"alpha_beat + gamma_detla",
			"alpha_beta + gamma_delta", "", true, slip},
		"another operator":                         {"if a < b:", "if a > b:", "", false, substitution},
		"a sign more":                              {"x = -y", "x = y", "", false, drift},
		"a closing bracket forgotten":              {"call(a, b", "call(a, b)", "", false, slip},
		"a comma forgotten":                        {`"a": 1`, `"a": 1,`, "", false, slip},
		"a call, or none":                          {"x = f", "x = f()", "", false, drift},
		"an argument more":                         {"call(a)", "call(a, b)", "", false, drift},
		"the letter before a string forgotten":     {`say("a")`, `say(f"a")`, "", false, drift},
		"the letter before a string in what stays": {`say("a")`, `say(f"a")`, "", true, slip},
		"an empty string more":                     {`say()`, `say("")`, "", false, drift},
		"a string in quotes that expand":           {"say('$a')", `say("$a")`, "", false, drift},
		"other text in a string":                   {`say("hello")`, `say("hello all")`, "", false, substitution},
		"quotes of the other style in what stays":  {"x = 'a'", `x = "a"`, "", true, slip},
		"another case in what stays":               {"SELECT id", "select id", "", true, slip},
		"a little word less in a comment":          {"# keep order", "# keep the order", "", true, slip},
		"a negation in a comment":                  {"# is safe", "# is not safe", "", true, drift},
		"another number in a comment":              {"# after 3 tries", "# after 5 tries", "", true, drift},
		"another comment": {"# reads the configuration",
			"# writes the journal again", "", true, drift},
		"a little word less in a comment of Lisp":     {"; keep order", "; keep the order", "", true, slip},
		"a word less in a directive":                  {"#define FAST", "#define FAST MATH", "", true, drift},
		"a long word of a comment that a block means": {"# the formatter", "# the tokenizer", "", false, substitution},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			v := &vocabulary{doc: strategy.NewDocument([]byte(tt.file + "\n" + tt.knows + "\n"))}
			if got := v.compare([]byte(tt.search), []byte(tt.file), tt.kept); got != tt.want {
				t.Errorf("compare(%q, %q) = %d, want %d", tt.search, tt.file, got, tt.want)
			}
		})
	}
}

// Finds the name that a line defines. A block is refused if the file has another name there.
func TestDefinition(t *testing.T) {
	for line, want := range map[string]string{
		"def total(self):":                        "total",
		"    async def fetch(url):":               "fetch",
		"func (c *Cart) Total() int {":            "Total",
		"export default class Cart extends Box {": "Cart",
		"pub fn new() -> Self {":                  "new",
		"type T struct {":                         "T",
		"private static final class Node {":       "Node",
		"defer f()":                               "",
		"class":                                   "",
		"return def(x)":                           "",
		"func() { run() }":                        "",
	} {
		if got := string(text.Definition([]byte(line))); got != want {
			t.Errorf("definition(%q) = %q, want %q", line, got, want)
		}
	}
}
