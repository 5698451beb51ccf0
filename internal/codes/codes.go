// Package codes reads the stable codes and their comments from the source, so that tests can
// compare the documentation and the texts for models with them. Only tests import it.
package codes

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strconv"
	"strings"
)

// Code is a constant with a stable value.
type Code struct {
	Name, Value string
	// Says is the comment on one line, without the constant's name.
	Says string
}

// Of returns the constants of a type that the files matching pattern declare with a value, in the
// order of the source. typeName is written as in the source.
func Of(pattern, typeName string) (out []Code, err error) {
	names, err := filepath.Glob(pattern)
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		for _, d := range file.Decls {
			if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.CONST {
				out = append(out, ofGroup(g, typeName)...)
			}
		}
	}
	return out, nil
}

func ofGroup(g *ast.GenDecl, typeName string) (out []Code) {
	link := strings.NewReplacer("[", "`", "]", "`") // of a doc comment
	for _, spec := range g.Specs {
		v := spec.(*ast.ValueSpec)
		if len(v.Names) != 1 || len(v.Values) != 1 || typeOf(v.Type) != typeName {
			continue
		}
		literal, ok := v.Values[0].(*ast.BasicLit)
		if !ok {
			continue
		}
		value := literal.Value
		if s, err := strconv.Unquote(value); err == nil {
			value = s
		}
		says := strings.Join(strings.Fields(v.Doc.Text()), " ")
		says = link.Replace(says)
		says = strings.TrimPrefix(strings.TrimPrefix(strings.TrimSpace(says), v.Names[0].Name), ": ")
		out = append(out, Code{v.Names[0].Name, value, says})
	}
	return out
}

// typeOf returns a type as the source writes it, or "" if there is none.
func typeOf(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return typeOf(e.X) + "." + e.Sel.Name
	}
	return ""
}
