package main

import (
	"bytes"
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/srpatch/srpatch/apply"
	"github.com/srpatch/srpatch/apply/report"
	"github.com/srpatch/srpatch/internal/filter"
	"github.com/srpatch/srpatch/parser"
)

// TestWireFormsAreDocumented holds docs/wire.md to every key and every code that programs may meet.
func TestWireFormsAreDocumented(t *testing.T) {
	wire, err := os.ReadFile("../../docs/wire.md")
	if err != nil {
		t.Fatal(err)
	}
	document := func(what, word string) {
		if !bytes.Contains(wire, []byte("`"+word+"`")) && !bytes.Contains(wire, []byte(`"`+word+`"`)) {
			t.Errorf("docs/wire.md does not document the %s %s", what, word)
		}
	}
	for _, form := range []any{report.Run{}, report.Error{}, report.File{}, parser.Diagnostic{},
		report.Turn{}, report.Log{}, report.LoggedRun{}, report.LoggedFile{}, report.Commit{},
		apply.BlockReport{}, apply.Nearest{}, filter.Request{}, filter.Answer{}, filter.FileEdits{}, filter.TextEdit{}} {
		for field := range reflect.TypeOf(form).Fields() {
			if key, _, _ := strings.Cut(field.Tag.Get("json"), ","); key != "-" &&
				!field.Anonymous && field.IsExported() {
				document("key", key)
			}
		}
	}
	n := 0
	code := regexp.MustCompile(`(?:Reason += |Outcome += |Status += |Action += |Code = |Code: )"([a-z]+(?:-[a-z0-9]+)*)"`)
	for _, name := range []string{
		"../../apply/report.go", "../../apply/workspace/errors.go", "../../apply/report/run.go",
		"../../internal/failure/failure.go", "reverse.go", "../../internal/gitcommit/gitcommit.go", "../../apply/outcome.go", "../../internal/filter/answer.go",
	} {
		source, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range code.FindAllSubmatch(source, -1) {
			document("code", string(m[1]))
			n++
		}
	}
	if n < 40 {
		t.Errorf("only %d codes found", n)
	}
}
