package eval

import (
	"path"
	"slices"
	"strings"
)

// language has templates for lines that look native. "$i" stands for a nearby identifier, "$w" for
// a new word, "$W" for a new capitalised word, "$n" for a number. A leading tab is one level.
type language struct {
	name string
	// exts are the extensions of its files.
	exts string
	// comment opens a line comment; commentEnd closes it if the language needs that.
	comment, commentEnd string
	statements          [][]string
	functions           [][]string
	// open and shut wrap lines one level deeper; shut is empty if indentation alone closes.
	open, shut string
	// offside languages read the dots of an ellipsis as code.
	offside bool
}

var languages = []language{
	{
		name: "go", exts: "go", comment: "// ", open: "if $wEnabled {", shut: "}",
		statements: [][]string{
			{`log.Printf("$w $w: %v", $i)`},
			{`$w$W := $n`},
			{`if $w$W > $n {`, "\treturn", `}`},
			{`if err := $w$W($i); err != nil {`, "\t" + `return fmt.Errorf("$w $w: %w", err)`, `}`},
			{`defer $w$W($n)`},
			{`// The $w must $w before the $w.`, `$w$W($i)`},
			{`for range $n {`, "\t$w$W($i)", "}"},
		},
		functions: [][]string{
			{"", "// $w$W returns the $w of n.", "func $w$W(n int) int {", "\tif n < $n {",
				"\t\treturn 0", "\t}", "\treturn n * $n", "}"},
			{"", "func $w$W() string {", "\treturn \"$w $w\"", "}"},
		},
	},
	{
		name: "script", exts: "ts tsx js mjs jsx java kt swift rs dart",
		comment: "// ", open: "if ($wEnabled) {", shut: "}",
		statements: [][]string{
			{`console.warn('$w $w', $i);`},
			{`const $w$W = $n;`},
			{`if ($w$W > $n) {`, "\treturn null;", `}`},
			{`await this.$w$W($i, { $w: $n });`},
			{`// Keep the $w in $w order.`, `$w$W.push($n);`},
		},
		functions: [][]string{
			{"", "export function $w$W(n: number): number {", "\tif (n < $n) {", "\t\treturn 0;",
				"\t}", "\treturn n * $n;", "}"},
		},
	},
	{
		name: "c", exts: "c h cc cpp hpp cs proto s S",
		comment: "// ", open: "if ($wEnabled) {", shut: "}",
		statements: [][]string{
			{`$w_$w = $n;`},
			{`if ($w_$w > $n) {`, "\treturn $n;", `}`},
			{`$w_$w($i, $n);`},
		},
		functions: [][]string{{"", "static int $w_$w(int n) {", "\treturn n * $n;", "}"}},
	},
	{
		name: "python", exts: "py pyi", comment: "# ", open: "if $w_enabled:", offside: true,
		statements: [][]string{
			{`logger.debug("$w $w: %s", $i)`},
			{`$w_$w = $n`},
			{`if $w_$w > $n:`, "\traise ValueError(\"$w $w\")"},
			{`# The $w has to $w first.`, `self.$w_$w($i)`},
			{`with $w_$w($n) as $w:`, "\t$w.$w($i)"},
		},
		functions: [][]string{{"", "", "def $w_$w(n):", "\tif n < $n:", "\t\treturn 0", "\treturn n * $n"}},
	},
	{
		name: "yaml", exts: "yaml yml toml", comment: "# ", open: "$w_section:", offside: true,
		statements: [][]string{{`$w_$w: $n`}, {`$w_$w: "$w $w"`}, {`# $w the $w`, `$w_$w: true`},
			{`$w_$w:`, "\t$w: $n", "\t$w_$w: false"}},
		functions: [][]string{{`$w_$w:`, "\t$w: $n", "\t$w_$w: false"}},
	},
	{
		name: "json", exts: "json", comment: "", open: `"$w": {`, shut: "},",
		statements: [][]string{{`"$w_$w": $n,`}, {`"$w": "$w $w",`},
			{`"$w_$w": {`, "\t\"$w\": $n", "},"}, {`"$w": ["$w", "$w", "$w"],`}},
		functions: [][]string{{`"$w_$w": {`, "\t\"$w\": $n,", "\t\"$w_$w\": false", "},"}},
	},
	{
		name: "html", exts: "html htm xml svg vue",
		comment: "<!-- ", commentEnd: " -->", open: `<div class="$w-wrap">`, shut: "</div>",
		statements: [][]string{
			{`<p class="$w-$w">$w $w $n</p>`},
			{`<div id="$w-$w">`, "\t<span>$w $w</span>", "</div>"}, {`<a href="/$w/$n">$w $w</a>`},
		},
		functions: [][]string{{`<section id="$w-$w">`, "\t<h2>$w $w</h2>", "\t<p>$w $w $w.</p>", "</section>"}},
	},
	{
		name: "css", exts: "css scss",
		comment: "/* ", commentEnd: " */", open: "@media (min-width: $npx) {", shut: "}",
		statements: [][]string{{"--$w-$w: $npx;"}, {"/* $w the $w */", "--$w-$w: $n;"}},
		functions:  [][]string{{"", ".$w-$w {", "\tpadding: $npx;", "}"}},
	},
	{
		name: "shell", exts: "sh bash rb pl pm t",
		comment: "# ", open: `if [ -n "$w_enabled" ]; then`, shut: "fi",
		statements: [][]string{{`$w_$w=$n`}, {`echo "$w $w $n"`}, {`# $w the $w`, `$w_$w "$n"`}},
		functions:  [][]string{{"", "$w_$w() {", "\techo $n", "}"}},
	},
	{
		name: "prose", exts: "md txt rst", comment: "", open: "- $w", offside: true,
		statements: [][]string{{"The $w of $w comes before $n other $w."}, {"- $w $w $n"}},
		functions:  [][]string{{"", "The $w and the $w agree on $n.", ""}},
	},
}

// languageOf returns the language for a file's name, or nil if it is unknown.
func languageOf(name string) *language {
	ext := strings.TrimPrefix(path.Ext(name), ".")
	for i, l := range languages {
		if slices.Contains(strings.Fields(l.exts), ext) {
			return &languages[i]
		}
	}
	return nil
}
