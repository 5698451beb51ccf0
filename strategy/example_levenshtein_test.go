package strategy_test

import (
	"fmt"

	"github.com/srpatch/srpatch/strategy"
)

func ExampleLevenshtein_Windows() {
	doc := strategy.NewDocument([]byte("a := 1\nfor i := range items {\n\tprint(“x”)\n}\n"))
	pat := strategy.NewPattern([]byte("for i := range itemz {\n\tprint(\"x\")\n}\n"), 0)
	for _, w := range (strategy.Levenshtein{}).Windows(doc, pat) {
		s := w.Similarity
		fmt.Printf("lines %d to %d, %d edits in %d runes\n", w.First+1, w.End, s.Distance, s.Length)
	}
	// Output: lines 2 to 4, 1 edits in 36 runes
}

func ExampleLevenshtein_Nearest() {
	doc := strategy.NewDocument([]byte("alpha = 1\nbeta = 2\ngamma = 3\n"))
	pat := strategy.NewPattern([]byte("betta = 22\n"), 0)
	near, ok := strategy.Levenshtein{}.Nearest(doc, pat)
	fmt.Printf("line %d, %.2f, %v, %v\n", near.First+1, near.Similarity.Float(), near.Approximate, ok)
	// Output: line 2, 0.80, false, true
}

func ExampleRatio() {
	// Nine of ten runes are equal: that is nine tenths, in any arithmetic that can say so.
	s := strategy.Similarity{Distance: 1, Length: 10}
	fmt.Println(s.Reaches(strategy.RatioOf(0.9)), s.Reaches(strategy.RatioOf(0.900001)))
	// Output: true false
}
