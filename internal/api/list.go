package api

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strings"
)

// List returns the declarations that the package in dir exports, sorted, each after the package's
// path. It reads the files for all systems.
func List(dir, pkg string) ([]string, error) {
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return nil, err
	}
	l := list{pkg: pkg}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		for _, d := range file.Decls {
			l.declaration(d)
		}
	}
	slices.Sort(l.lines)
	return slices.Compact(l.lines), nil
}

type list struct {
	pkg   string
	lines []string
}

func (l *list) add(format string, args ...any) {
	l.lines = append(l.lines, l.pkg+": "+fmt.Sprintf(format, args...))
}

func (l *list) declaration(d ast.Decl) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		switch {
		case !d.Name.IsExported():
		case d.Recv == nil:
			l.add("func %s%s", d.Name, signature(d.Type))
		case ast.IsExported(strings.TrimLeft(types.ExprString(d.Recv.List[0].Type), "*")):
			l.add("method (%s) %s%s", types.ExprString(d.Recv.List[0].Type), d.Name, signature(d.Type))
		}
	case *ast.GenDecl:
		var last ast.Expr // of a group of constants: the type goes on where none is given
		for _, s := range d.Specs {
			switch s := s.(type) {
			case *ast.TypeSpec:
				l.typ(s)
			case *ast.ValueSpec:
				if s.Type != nil || len(s.Values) > 0 {
					last = s.Type
				}
				l.values(d.Tok, s, last)
			}
		}
	}
}

// values lists constants, with their values if they have their own, and variables.
func (l *list) values(kind token.Token, s *ast.ValueSpec, typ ast.Expr) {
	for i, name := range s.Names {
		if !name.IsExported() {
			continue
		}
		line := kind.String() + " " + name.Name
		if typ != nil {
			line += " " + types.ExprString(typ)
		}
		if kind == token.CONST && i < len(s.Values) {
			line += " = " + types.ExprString(s.Values[i])
		}
		l.add("%s", line)
	}
}

func (l *list) typ(s *ast.TypeSpec) {
	if !s.Name.IsExported() {
		return
	}
	switch t := s.Type.(type) {
	case *ast.StructType:
		l.add("type %s struct", s.Name)
		l.fields(s.Name.Name+" struct", t.Fields, true)
	case *ast.InterfaceType:
		l.add("type %s interface", s.Name)
		l.fields(s.Name.Name+" interface", t.Methods, false)
	default:
		assign := ""
		if s.Assign.IsValid() {
			assign = "= "
		}
		l.add("type %s %s%s", s.Name, assign, expr(s.Type))
	}
}

func (l *list) fields(of string, fields *ast.FieldList, tags bool) {
	for _, f := range fields.List {
		tag := ""
		if tags && f.Tag != nil {
			tag = " " + f.Tag.Value
		}
		if len(f.Names) == 0 {
			l.add("type %s, embedded %s%s", of, expr(f.Type), tag)
		}
		for _, name := range f.Names {
			if !name.IsExported() {
				continue
			}
			if fn, ok := f.Type.(*ast.FuncType); ok && !tags {
				l.add("type %s, %s%s", of, name, signature(fn))
				continue
			}
			l.add("type %s, %s %s%s", of, name, expr(f.Type), tag)
		}
	}
}

// signature returns a function's type without the names of its parameters, which callers don't see.
func signature(t *ast.FuncType) string {
	out := "(" + strings.Join(typesOf(t.Params), ", ") + ")"
	switch results := typesOf(t.Results); len(results) {
	case 0:
	case 1:
		out += " " + results[0]
	default:
		out += " (" + strings.Join(results, ", ") + ")"
	}
	return out
}

func typesOf(fields *ast.FieldList) (out []string) {
	if fields == nil {
		return nil
	}
	for _, f := range fields.List {
		for range max(1, len(f.Names)) {
			out = append(out, expr(f.Type))
		}
	}
	return out
}

// expr returns a type on one line.
func expr(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.FuncType:
		return "func" + signature(e)
	case *ast.StructType:
		var fields []string
		for _, f := range e.Fields.List {
			for _, name := range f.Names {
				tag := ""
				if f.Tag != nil {
					tag = " " + f.Tag.Value
				}
				fields = append(fields, name.Name+" "+expr(f.Type)+tag)
			}
		}
		return "struct{ " + strings.Join(fields, "; ") + " }"
	}
	return types.ExprString(e)
}
