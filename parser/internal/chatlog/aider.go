package chatlog

import (
	"bytes"
	"regexp"
	"sync"

	"github.com/srpatch/srpatch/internal/text"
)

// aider finds the answers in aider's history. Answers contain quotes and headings, too, so aider's
// lines are recognised by their words, and end an answer only below a blank line. Aider ends the
// user's lines with two blanks. If the first user lines have these blanks, lines without them are
// headings. If the blanks were stripped, such a line below the text of an answer is doubtful.
func (t *turns) aider() {
	spaced := true // the user's first lines end in two blanks
	asked := false // the user wrote a line
	blank := true  // the line above is blank
	tool := false  // the last lines are aider's, and no answer goes on after them
	doubt := 0     // see Answer.Doubt, for the next answer
	// mayAsk reports whether a line may be aider's or the user's, judging by the blanks at its end.
	mayAsk := func(raw []byte) bool { return isSpaced(raw) || asked && !spaced }
	for i := 0; i < len(t.lines); {
		raw, next := t.lines[i], i+1
		switch {
		case text.Blank(raw):
			blank, i = true, next
			continue
		case isHead(raw):
			t.end(i)
			doubt = 0
		case isToolLine(raw):
			next = t.run(i, isToolLine)
			if t.open && blank && t.endsAnswer(i, next, mayAsk) {
				t.end(i)
			}
			tool = !t.open || blank
			if !t.open {
				doubt, next = 0, t.pastReport(next)
			}
		case isUserLine(raw) && (!t.open || tool || blank && (mayAsk(raw) || !asked)):
			// The user's lines. In an open answer, any other such line is a heading.
			next = t.run(i, isUserLine)
			if doubt = 0; t.open && !tool && !isSpaced(raw) {
				doubt = i + 1 // perhaps a heading in the open answer
			}
			for _, line := range t.lines[i:next] {
				spaced = spaced && (asked || isSpaced(line))
			}
			asked, tool = true, false
			t.end(i)
		default:
			t.begin(i, doubt)
			tool, next = false, t.pastBlock(i)
		}
		blank, i = false, next
	}
}

// run returns the index of the first line from i on for which is(line) is false.
func (t *turns) run(i int, is func([]byte) bool) int {
	for i < len(t.lines) && is(t.lines[i]) {
		i++
	}
	return i
}

// ended matches lines that aider prints when an answer is complete, was stopped, is requested
// again, or was applied. The next answer may come without a question from the user: aider asks
// again if blocks or a check failed, an editor model carries out an architect's plan, and in watch
// mode comments in files are the questions.
var ended = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^> (?:Tokens: |Applied edit to |Commit |The LLM did not conform to the edit format` +
		`|\^C KeyboardInterrupt|Only 3 reflections allowed|Retrying in )`)
})

// goesOn matches such lines if they continue on the next line.
var goesOn = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^> (?:Tokens: .* received\.\s*|# \d+ SEARCH/REPLACE blocks? failed to match!\s*)$`)
})

// endsAnswer reports whether one of the lines i to j, excluding j, ends an answer. Such lines end
// in two blanks like the user's, except for the line about tokens if the costs are on a separate
// line, and the first line of a report. If an answer quotes such a line, the blanks are missing.
// mayAsk says whether a line's end is like that of the user's lines.
func (t *turns) endsAnswer(i, j int, mayAsk func([]byte) bool) bool {
	for _, raw := range t.lines[i:j] {
		if goesOn().Match(raw) || ended().Match(raw) && mayAsk(raw) {
			return true
		}
	}
	return false
}

// pastReport returns the line after a report of failed blocks, or j if there is none. Aider quotes
// only the report's first line, which is the one above j. The report is the prompt for the next
// answer and contains blocks and lines of files:
//
//	> # 1 SEARCH/REPLACE block failed to match!
//
//	## SearchReplaceNoExactMatch: This SEARCH block failed to exactly match lines in src/a.py
//	<<<<<<< SEARCH
//	…
//	The SEARCH section must exactly match an existing block of lines including …
//
//	# The other 2 SEARCH/REPLACE blocks were applied successfully.
//	Don't re-send them.
//	Just reply with fixed versions of the block above that failed to match.
func (t *turns) pastReport(j int) int {
	begins := func(i int, head string) bool { return i < len(t.lines) && bytes.HasPrefix(t.lines[i], []byte(head)) }
	k := t.run(j, text.Blank)
	if !begins(j-1, "> # ") || !begins(k, "## SearchReplaceNoExactMatch") {
		return j
	}
	for ; k < len(t.lines) && !begins(k, "> # "); k++ {
		if !begins(k, "The SEARCH section must exactly match") {
			continue
		}
		if others := t.run(k+1, text.Blank); begins(others, "# The other ") {
			for k = others; begins(k+1, "Don't re-send") || begins(k+1, "Just reply with fixed versions"); k++ {
			}
		}
		return k + 1
	}
	return j
}

// isAider reports whether aider wrote a log. The beginning of the log may be missing.
func isAider(lines [][]byte) bool {
	tools, users := false, false
	for _, raw := range lines {
		raw = bytes.TrimPrefix(raw, []byte("\ufeff"))
		if isHead(raw) || isUserLine(raw) && isSpaced(raw) {
			return true
		}
		users = users || isUserLine(raw)
		tools = tools || ended().Match(raw) || begun().Match(raw)
	}
	return tools && users
}

// begun matches lines that aider prints before an answer.
var begun = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^> (?:Aider v|Added |Model: |Main model: )`)
})

// isHead reports whether a line is the first one of a session in aider's history.
func isHead(raw []byte) bool {
	return bytes.HasPrefix(bytes.TrimPrefix(raw, []byte("\ufeff")), []byte("# aider chat started at"))
}

// isToolLine reports whether a line has the form in which aider writes its messages.
func isToolLine(raw []byte) bool {
	return bytes.HasPrefix(raw, []byte("> ")) || string(text.Chomp(raw)) == ">"
}

// isUserLine reports whether a line has the form in which aider writes the user's lines.
func isUserLine(raw []byte) bool {
	return bytes.HasPrefix(raw, []byte("#### ")) || string(text.Chomp(raw)) == "####"
}

// isSpaced reports whether a line ends in two blanks.
func isSpaced(raw []byte) bool { return bytes.HasSuffix(text.Chomp(raw), []byte("  ")) }
