package ablate

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/srpatch/srpatch/internal/ablate/toggle"
)

// Rule is a function of the product that decides something.
type Rule struct {
	// ID numbers the rules of a run from 0.
	ID int
	// File is slash-separated and relative to the module's folder.
	File string
	// Name is that of the function, after the type and a dot where it is a method.
	Name string
	// Lines are those of the function, with its comment.
	Lines int
	// ask is the function of package toggle that answers for it, value what [Shut] has it return.
	ask, value string
	// Offsets into the file: the result list, and the braces of the body.
	results, resultsEnd, open, end int
}

// Key names the rule in declared.txt.
func (r *Rule) Key() string { return r.File + " " + r.Name }

// top is the first folder of the file's name.
func (r *Rule) top() string {
	first, _, _ := strings.Cut(r.File, "/")
	return first
}

// Settings are the ways to switch the rule. What a rule finds or objects to cannot be made up.
func (r *Rule) Settings() []toggle.Setting {
	if r.ask == "Ask" {
		return []toggle.Setting{toggle.Off, toggle.On}
	}
	return []toggle.Setting{toggle.Off}
}

// Packages are those whose rules need a case.
func Packages() []string {
	return []string{
		"apply", "apply/internal/align", "apply/internal/omission", "apply/internal/reading", "apply/internal/splice", "apply/internal/verdict",
		"parser", "parser/internal/attempt", "parser/internal/chatlog", "parser/internal/envelope", "parser/internal/filename",
		"parser/internal/jsontext", "parser/internal/mdline",
		"strategy",
	}
}

// Rules lists the rules of the packages, which are folders of the module at root, in the order of their files.
func Rules(root string, packages []string) ([]*Rule, error) {
	var rules []*Rule
	for _, pkg := range packages {
		files, err := filepath.Glob(filepath.Join(root, pkg, "*.go"))
		if err != nil {
			return nil, err
		}
		if len(files) == 0 {
			return nil, fmt.Errorf("no Go files in %s: run inside the module", pkg)
		}
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			text, err := os.ReadFile(file)
			if err != nil {
				return nil, err
			}
			found, err := rulesIn(path.Join(pkg, filepath.Base(file)), text)
			if err != nil {
				return nil, err
			}
			rules = append(rules, found...)
		}
	}
	for i, r := range rules {
		r.ID = i
	}
	return rules, nil
}

func rulesIn(name string, text []byte) ([]*Rule, error) {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, name, text, parser.SkipObjectResolution|parser.ParseComments)
	if err != nil {
		return nil, err
	}
	at := func(p token.Pos) int { return set.Position(p).Offset }
	var rules []*Rule
	for _, d := range file.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok || f.Body == nil || isTrivial(f) {
			continue
		}
		if ask := askFor(f); ask != "" {
			r := ruleOf(set, name, f)
			r.ask, r.results, r.resultsEnd = ask, at(f.Type.Results.Pos()), at(f.Type.Results.End())
			rules = append(rules, r)
		}
	}
	return rules, nil
}

func ruleOf(set *token.FileSet, name string, f *ast.FuncDecl) *Rule {
	first := f.Pos()
	if f.Doc != nil {
		first = f.Doc.Pos()
	}
	return &Rule{
		File: name, Name: nameOf(f), Lines: set.Position(f.End()).Line - set.Position(first).Line + 1,
		open: set.Position(f.Body.Lbrace).Offset, end: set.Position(f.Body.Rbrace).Offset,
	}
}

// Shut makes a rule of any function of the module: switched off it does nothing, and returns value, an expression or nothing.
func Shut(root, file, name, value string) (*Rule, error) {
	set := token.NewFileSet()
	parsed, err := parser.ParseFile(set, filepath.Join(root, filepath.FromSlash(file)), nil, parser.SkipObjectResolution|parser.ParseComments)
	if err != nil {
		return nil, err
	}
	for _, d := range parsed.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Body != nil && nameOf(f) == name {
			r := ruleOf(set, file, f)
			r.ask, r.value = "Shut", value
			return r, nil
		}
	}
	return nil, fmt.Errorf("%s has no function %s", file, name)
}

func nameOf(f *ast.FuncDecl) string {
	if f.Recv == nil {
		return f.Name.Name
	}
	t := f.Recv.List[0].Type
	if star, ok := t.(*ast.StarExpr); ok {
		t = star.X
	}
	switch generic := t.(type) {
	case *ast.IndexExpr:
		t = generic.X
	case *ast.IndexListExpr:
		t = generic.X
	}
	return t.(*ast.Ident).Name + "." + f.Name.Name
}

// askFor names the function of package toggle that answers for f; "" when f is no rule.
func askFor(f *ast.FuncDecl) string {
	if f.Type.Results == nil {
		return ""
	}
	var types []ast.Expr
	for _, field := range f.Type.Results.List {
		for range max(len(field.Names), 1) {
			types = append(types, field.Type)
		}
	}
	isBool := isIdent(types[len(types)-1], "bool")
	switch {
	case len(types) == 1 && isBool:
		return "Ask"
	case len(types) == 2 && isBool && !isIdent(types[0], "bool"):
		return "Find"
	case len(types) == 3 && isBool:
		return "FindTwo"
	case len(types) == 1 && isIdent(types[0], "string") && returns(f.Body, isEmptyString):
		return "Object"
	case len(types) == 1 && isPointer(types[0]) && returns(f.Body, func(e ast.Expr) bool { return isIdent(e, "nil") }):
		return "Object"
	}
	return ""
}

// isTrivial reports whether the function decides nothing: it always returns true, always false, or a field.
func isTrivial(f *ast.FuncDecl) bool {
	if always := func(name string) bool {
		return !returns(f.Body, func(e ast.Expr) bool { return !isIdent(e, name) })
	}; always("true") || always("false") {
		return true
	}
	ret, ok := f.Body.List[0].(*ast.ReturnStmt)
	if !ok || len(ret.Results) != 1 {
		return false
	}
	_, field := ret.Results[0].(*ast.SelectorExpr)
	return field
}

// returns reports whether a return statement of the body itself, not of a function literal in it, returns such a value.
func returns(body *ast.BlockStmt, such func(ast.Expr) bool) bool {
	found := false
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt:
			found = found || (len(n.Results) == 0 || such(n.Results[len(n.Results)-1]))
		}
		return true
	})
	return found
}

func isIdent(e ast.Expr, name string) bool {
	id, ok := e.(*ast.Ident)
	return ok && id.Name == name
}

func isPointer(e ast.Expr) bool {
	_, ok := e.(*ast.StarExpr)
	return ok
}

func isEmptyString(e ast.Expr) bool {
	lit, ok := e.(*ast.BasicLit)
	return ok && lit.Value == `""`
}

// alias is the name under which instrumented files import package toggle.
const alias = "ablation_"

// Instrument returns the text of a file with its rules wrapped. Every line keeps its number.
func Instrument(text []byte, rules []*Rule) ([]byte, error) {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, "", text, parser.ImportsOnly)
	if err != nil {
		return nil, err
	}
	type insertion struct {
		at   int
		text string
	}
	ins := []insertion{{set.Position(file.Name.End()).Offset, "; import " + alias + ` "github.com/srpatch/srpatch/internal/ablate/toggle"`}}
	for _, r := range rules {
		if r.ask == "Shut" {
			ins = append(ins, insertion{r.open + 1, fmt.Sprintf(" if %s.Shut(%d) { return %s };", alias, r.ID, r.value)})
			continue
		}
		ins = append(ins,
			insertion{r.open + 1, fmt.Sprintf(" return %s.%s(%d, func() %s {", alias, r.ask, r.ID, text[r.results:r.resultsEnd])},
			insertion{r.end, "})"})
	}
	slices.SortStableFunc(ins, func(a, b insertion) int { return a.at - b.at })
	var out bytes.Buffer
	copied := 0
	for _, i := range ins {
		out.Write(text[copied:i.at])
		out.WriteString(i.text)
		copied = i.at
	}
	out.Write(text[copied:])
	return out.Bytes(), nil
}
