package fsm_test

import (
	"fmt"
	"strings"

	"github.com/srpatch/srpatch/fsm"
)

func ExampleClassify() {
	for _, line := range []string{"<<<<<<< SEARCH line:12", "=======", "  >>>>>>> REPLACE", `\=======`, "text"} {
		k := fsm.Classify([]byte(line))
		fmt.Printf("%q is %v, length %d, hint %d\n", line, k.Kind, k.Length, k.Start)
	}
	// Output:
	// "<<<<<<< SEARCH line:12" is opener, length 7, hint 12
	// "=======" is divider, length 7, hint 0
	// "  >>>>>>> REPLACE" is closer, length 7, hint 0
	// "\\=======" is escaped, length 7, hint 0
	// "text" is text, length 0, hint 0
}

func ExampleMachine() {
	block := "<<<<<<< SEARCH\nold\n=======\nnew\n>>>>>>> REPLACE\n"
	var m fsm.Machine
	at := fsm.Pos{}
	for line := range strings.Lines(block) {
		at = fsm.Pos{Line: at.Line + 1, Start: at.End, End: at.End + len(line)}
		switch k := fsm.Classify([]byte(line)); {
		case k.Kind == fsm.Opener && m.State() == fsm.Outside:
			m.Open(k, at)
		case k.Kind != fsm.Text && m.Feed(k, at) == fsm.Closed:
			split := m.Splits(at.Start)[0]
			fmt.Printf("%q becomes %q\n", block[m.Body():split.Start], block[split.End:at.Start])
		}
	}
	// Output: "old\n" becomes "new\n"
}
