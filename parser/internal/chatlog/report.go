package chatlog

import (
	"bytes"
	"slices"

	"github.com/srpatch/srpatch/internal/text"
	"github.com/srpatch/srpatch/parser/internal/mdline"
)

// report is where a log of aider is in a report of blocks that failed. aider quotes the first line
// of it only:
//
//	> # 1 SEARCH/REPLACE block failed to match!
//
//	## SearchReplaceNoExactMatch: This SEARCH block failed to exactly match lines in src/a.py
//	<<<<<<< SEARCH
//	…
//	Did you mean to match some of these actual lines from src/a.py?
//
//	```
//	…
//	Just reply with fixed versions of the block that failed to match.
//
// The model's answer follows without another sign, so the report ends with the first line that is
// not one of its own. It is the prompt of that answer, as if the user had written it.
type report uint8

const (
	noReport     report = iota
	reported            // between the parts
	reportedHead        // a block follows
	reportedBlock
	reportedAdvice // lines of the file follow, in a fence
	reportedLines
)

// reportLine follows a report. It reports whether the line belongs to one.
func (l *Log) reportLine(raw []byte) bool {
	line := text.Chomp(raw)
	if l.report != noReport && (isAiderTool(raw) || isAiderHead(raw)) {
		l.report = noReport
	}
	switch l.report {
	case noReport:
		if bytes.HasPrefix(line, []byte("> # ")) && bytes.Contains(line, []byte(" SEARCH/REPLACE block")) && bytes.HasSuffix(bytes.TrimRight(line, " "), []byte(" failed to match!")) {
			l.report = reported
			return true
		}
		return false
	case reportedBlock:
		if bytes.Equal(line, []byte(">>>>>>> REPLACE")) {
			l.report = reported
		}
	case reportedLines:
		if mdline.IsFence(raw) {
			l.report = reported
		}
	case reportedHead, reportedAdvice, reported:
		l.report = l.report.next(raw)
	}
	return l.report != noReport
}

// next is where the report goes on with a line outside of its blocks and fences. An answer may
// begin with either, so they belong to the report below its own words only.
func (r report) next(raw []byte) report {
	line := text.Chomp(raw)
	begins := func(words ...string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return bytes.HasPrefix(line, []byte(w)) })
	}
	switch {
	case r == reportedHead && bytes.Equal(line, []byte("<<<<<<< SEARCH")):
		return reportedBlock
	case r == reportedAdvice && mdline.IsFence(raw):
		return reportedLines
	case begins("## SearchReplaceNoExactMatch"):
		return reportedHead
	case begins("Did you mean to match some of these actual lines"):
		return reportedAdvice
	case begins("Are you sure you need this SEARCH/REPLACE block?", "The REPLACE lines are already in ", "The SEARCH section must exactly match",
		"# The other ", "Don't re-send them.", "Just reply with fixed versions of the "):
		return reported
	}
	return noReport
}
