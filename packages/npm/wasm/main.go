//go:build js && wasm

// Command wasm is srpatch for JavaScript. It passes its two functions to the global function named
// by its first argument, and then waits for calls. See ../index.js.
package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"runtime/debug"
	"syscall/js"

	"github.com/srpatch/srpatch/apply/report"
	"github.com/srpatch/srpatch/internal/filter"
	"github.com/srpatch/srpatch/parser"
)

func main() {
	// Requests are short and the heap is small: collecting less often makes them a third faster.
	debug.SetGCPercent(400)
	js.Global().Call(os.Args[1], js.FuncOf(answer), js.FuncOf(parse))
	select {}
}

// answer answers a JSON request as srpatch filter --no-ms does.
func answer(_ js.Value, args []js.Value) any {
	s := filter.Stream{Workers: 1, NoMS: true, Faults: os.Stderr}
	line := s.Answer(context.Background(), []byte(args[0].String()))
	return string(bytes.TrimSuffix(line, []byte("\n")))
}

// parse returns what srpatch parse --json prints.
func parse(_ js.Value, args []js.Value) (out any) {
	defer func() {
		if p := recover(); p != nil { // it would end the whole program
			out = js.Global().Get("Error").New(fmt.Sprintf("srpatch failed: %v; please report it", p))
		}
	}()
	var b bytes.Buffer
	if err := report.JSON(&b, report.ParsedOf(parser.Parse([]byte(args[0].String())))); err != nil {
		panic(err)
	}
	return b.String()
}
