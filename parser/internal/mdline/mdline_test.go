package mdline

import "testing"

func TestParseFence(t *testing.T) {
	for _, c := range []struct {
		line          string
		opens, closes bool
		length        int
		info          string
	}{
		{"```\n", true, true, 3, ""},
		{"```python\n", true, false, 3, "python"},
		{"````markdown title=\"a.md\"\n", true, false, 4, "markdown title=\"a.md\""},
		{"~~~ go\n", true, false, 3, "go"},
		{"~~~ a ` b\n", true, false, 3, "a ` b"},
		{"> ```js\n", true, false, 3, "js"},
		{"``\n", false, false, 0, ""},
		{"```a``` is code\n", false, false, 0, ""},
		{"\n", false, false, 0, ""},
		{"<source>\n", true, false, 0, ""},
		{"</source>\n", false, true, 0, ""},
		{"</code> and so on\n", false, false, 0, ""},
		{"<pre>x</pre>\n", false, false, 0, ""},
		{"<div>\n", false, false, 0, ""},
	} {
		f, ok := ParseFence([]byte(c.line))
		if ok != (c.opens || c.closes) || f.Opens != c.opens || f.Closes != c.closes ||
			f.Length != c.length || string(f.Info) != c.info {
			t.Errorf("ParseFence(%q) = %+v, %v", c.line, f, ok)
		}
	}
}

func TestClosedBy(t *testing.T) {
	for _, c := range []struct {
		opener, line string
		want         bool
	}{
		{"```go\n", "```\n", true},
		{"```go\n", "`````\n", true},
		{"````go\n", "```\n", false},
		{"```go\n", "~~~\n", false},
		{"```go\n", "```go\n", false},
		{"<code>\n", "</code>\n", true},
		{"<code>\n", "</pre>\n", false},
		{"<code>\n", "<code>\n", false},
	} {
		f, _ := ParseFence([]byte(c.opener))
		m, _ := ParseFence([]byte(c.line))
		if got := f.ClosedBy(m); got != c.want {
			t.Errorf("%q is closed by %q: %v", c.opener, c.line, got)
		}
	}
}

// Every line is passed to each function that returns only a bool.
func TestLineIs(t *testing.T) {
	asked := map[string]func([]byte) bool{"item": IsItem, "in brackets": InBrackets, "opener": OpensBlock}
	for _, c := range []struct{ line, is string }{
		{"- src/a.py\n", "item"},
		{"  12) src/a.py\n", "item"},
		{"| a | b |\n", "item"},
		{"-src/a.py\n", ""},
		{"2.5 seconds\n", ""},
		{"(unchanged)\n", "in brackets"},
		{"(a) and (b)\n", ""},
		{"()\n", ""},
		{"<<<<<<< SEARCH\n", "opener"},
		{"------- SEARCH\n", ""}, // a line of a diff
		{"<<<<<<< main\n", ""},   // git's
		{"", ""},
	} {
		for what, is := range asked {
			if got := is([]byte(c.line)); got != (what == c.is) {
				t.Errorf("%q: %s is %v", c.line, what, got)
			}
		}
	}
}

func TestElementAndTagName(t *testing.T) {
	for _, c := range []struct{ text, element, name string }{
		{"<b>src/a.py</b>", "src/a.py", ""},
		{"<summary>src/a.py</summary>", "src/a.py", ""},
		{"<details>src/a.py", "src/a.py", ""},
		{"<B class=\"x\">src/a.py</B>", "src/a.py", ""},
		{"<div>src/a.py</div>", "", ""},
		{"<path>src/a.py</path>", "", "src/a.py"},
		{"<file path=\"src/a.py\">", "", "src/a.py"},
		{"<file name='a b.py' />", "", "a b.py"},
		{"<edit file_path=\"src/a.py\" mode=\"x\">", "", "src/a.py"},
		{"<path></path>", "", ""},
		{"<file path=\"src/a.py>", "", ""},
		{"src/a.py", "", ""},
	} {
		element, ok := Element(c.text)
		if ok && element != c.element || !ok && c.element != "" {
			t.Errorf("Element(%q) = %q, %v", c.text, element, ok)
		}
		name, ok := TagName(c.text)
		if ok && name != c.name || !ok && c.name != "" {
			t.Errorf("TagName(%q) = %q, %v", c.text, name, ok)
		}
	}
}
