package chatlog

import (
	"bytes"

	"github.com/srpatch/srpatch/internal/text"
	"github.com/srpatch/srpatch/parser/internal/mdline"
)

// report is where a log of aider is in a report of blocks that failed. aider quotes the first line of it only:
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
// The model's answer follows without another sign, so the report ends with the first line that is not one of its own. It is
// the prompt of that answer, as if the user had written it.
type report uint8

const (
	noReport report = iota
	reported        // between the parts
	reportedBlock
	reportedLines // of the file, in a fence
)

// reportLine follows a report. It reports whether the line belongs to one.
func (l *Log) reportLine(raw []byte) bool {
	line := text.Chomp(raw)
	if l.report != noReport && (isAiderTool(raw) || isAiderHead(raw)) {
		l.report = noReport
	}
	switch l.report {
	case noReport:
		if bytes.HasPrefix(line, []byte("> # ")) && bytes.Contains(line, []byte(" SEARCH/REPLACE block")) && bytes.HasSuffix(line, []byte(" failed to match!")) {
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
	case reported:
		switch {
		case bytes.Equal(line, []byte("<<<<<<< SEARCH")):
			l.report = reportedBlock
		case mdline.IsFence(raw):
			l.report = reportedLines
		case !isReportText(line):
			l.report = noReport
		}
	}
	return l.report != noReport
}

func isReportText(line []byte) bool {
	for _, begin := range [...]string{"## SearchReplaceNoExactMatch", "Did you mean to match some of these actual lines", "Are you sure you need this SEARCH/REPLACE block?",
		"The REPLACE lines are already in ", "The SEARCH section must exactly match", "# The other ", "Don't re-send them.", "Just reply with fixed versions of the "} {
		if bytes.HasPrefix(line, []byte(begin)) {
			return true
		}
	}
	return false
}
