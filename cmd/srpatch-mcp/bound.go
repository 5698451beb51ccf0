package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/srpatch/srpatch/apply"
	"github.com/srpatch/srpatch/apply/report"
	"github.com/srpatch/srpatch/internal/warning"
)

// shortened is a text of at most so many bytes, which ends in a remark about what is left out.
func shortened(text string, most int) string {
	if len(text) <= most {
		return text
	}
	const room = 60 // for the remark
	kept := text[:max(0, most-room)]
	if i := strings.LastIndexByte(kept, '\n'); i > len(kept)/2 {
		kept = kept[:i+1]
	}
	for !utf8.ValidString(kept) && len(kept) > 0 && !utf8.ValidString(kept[max(0, len(kept)-utf8.UTFMax):]) {
		kept = kept[:len(kept)-1]
	}
	return fmt.Sprintf("%s[%d more bytes are left out here]\n", kept, len(text)-len(kept))
}

// part is a list of a report that may be shortened.
type part struct {
	what string
	size func() int
	// halve leaves the first half of the list, and says how many there are then.
	halve func() int
	// had is how many there were.
	had int
}

func partOf[T any](what string, list *[]T) part {
	return part{
		what: what, had: len(*list),
		size: func() int {
			if len(*list) == 0 {
				return 0
			}
			return sizeOf(*list)
		},
		halve: func() int { *list = (*list)[:len(*list)/2]; return len(*list) },
	}
}

// sizeOf is how much of a report a value is.
func sizeOf(value any) int {
	text, err := json.Marshal(value)
	if err != nil {
		return 0
	}
	return len(text)
}

// halve shortens the longest list until the report fits, and says what is left out of which.
func halve(parts []part, fits func() bool, say func(string)) {
	left := map[string]int{}
	for !fits() {
		longest := slices.MaxFunc(parts, func(a, b part) int { return a.size() - b.size() })
		if longest.size() == 0 {
			break
		}
		left[longest.what] = longest.had - longest.halve()
	}
	for _, p := range parts {
		if left[p.what] > 0 {
			say(warning.LeftOut.Say("%d of %d %s", left[p.what], p.had, p.what))
		}
	}
}

// What a report that does not fit may have: a text a twentieth of it, the message for the model a third.
const (
	textShare     = 20
	feedbackShare = 3
	maxWarnings   = 4
)

// shortening leaves things out of a report that may have most bytes until it fits.
type shortening func(most int, fits func() bool)

// shortRun leaves things out of a report, what is missed least first, and says so in its warnings.
func shortRun(r *report.Run) shortening {
	return func(most int, fits func() bool) {
		text := most / textShare
		// What is said about it needs room itself.
		roomy := func() bool {
			r.Warnings = append(r.Warnings, strings.Repeat("x", 600))
			defer func() { r.Warnings = r.Warnings[:len(r.Warnings)-1] }()
			return fits()
		}
		say := func(s string) { r.Warnings = append(r.Warnings, s) }
		r.Warnings = shortTexts(r.Warnings, text)
		r.Feedback = shortened(r.Feedback, most/feedbackShare)
		if all := len(r.Blocks); all > 0 {
			r.Blocks = slices.DeleteFunc(slices.Clone(r.Blocks), func(b apply.BlockReport) bool { return b.Status != apply.BlockFailed && len(b.Warnings) == 0 })
			if n := all - len(r.Blocks); n > 0 {
				say(warning.LeftOut.Say("%d of %d reports of blocks, which were placed and need no look", n, all))
			}
		}
		if roomy() {
			return
		}
		for i := range r.Blocks {
			r.Blocks[i] = shortBlock(r.Blocks[i], text)
		}
		for i := range r.Diagnostics {
			d := &r.Diagnostics[i]
			d.Found, d.Expected, d.Remedy = shortened(d.Found, text), shortened(d.Expected, text), shortened(d.Remedy, text)
		}
		say(warning.LeftOut.Say("the ends of long texts, and of each block what surrounds the nearest text and all corrected blocks but the first"))
		halve([]part{
			partOf("reports of blocks", &r.Blocks), partOf("files", &r.Files), partOf("diagnostics", &r.Diagnostics), partOf("notes of what may have been meant as an edit", &r.Noticed),
		}, roomy, say)
	}
}

// shortTurn is the same for what undo did.
func shortTurn(t *report.Turn) shortening {
	return func(most int, fits func() bool) {
		text := most / textShare
		t.Warnings = shortTexts(t.Warnings, text)
		roomy := func() bool {
			t.Warnings = append(t.Warnings, strings.Repeat("x", 200))
			defer func() { t.Warnings = t.Warnings[:len(t.Warnings)-1] }()
			return fits()
		}
		halve([]part{partOf("files", &t.Files)}, roomy, func(s string) { t.Warnings = append(t.Warnings, s) })
	}
}

// shortWhy is the same for how a block was judged. What is left out is said in the block's report.
func shortWhy(w *apply.Why) shortening {
	return func(most int, fits func() bool) {
		text := most / textShare
		w.Report = shortBlock(w.Report, text)
		roomy := func() bool {
			w.Report.Warnings = append(w.Report.Warnings, strings.Repeat("x", 400))
			defer func() { w.Report.Warnings = w.Report.Warnings[:len(w.Report.Warnings)-1] }()
			return fits()
		}
		say := func(s string) { w.Report.Warnings = append(w.Report.Warnings, s) }
		parts := []part{partOf("places", &w.Places), partOf("readings", &w.Readings)}
		if len(w.Places) > 0 { // the best place, a part of it rather than none
			best := &w.Places[0]
			parts = append(parts, partOf("lines of the best place", &best.Alignment))
			parts[0].halve = func() int { w.Places = w.Places[:max(1, len(w.Places)/2)]; return len(w.Places) }
			parts[0].size = func() int { return sizeOf(w.Places[1:]) }
		}
		halve(parts, roomy, say)
	}
}

// shortBlock is a block's report without what is long in it. A block to paste is there as a whole or not at all.
func shortBlock(b apply.BlockReport, text int) apply.BlockReport {
	b.Message, b.Edits, b.Warnings = shortened(b.Message, text), nil, shortTexts(b.Warnings, text)
	b.Corrected = b.Corrected[:min(len(b.Corrected), 1)]
	if len(b.Corrected) > 0 && len(b.Corrected[0]) > 2*text {
		b.Corrected = nil
	}
	if b.Nearest != nil {
		n := *b.Nearest
		n.Text, n.Before, n.After = shortened(n.Text, text), "", ""
		b.Nearest = &n
	}
	return b
}

func shortTexts(texts []string, text int) []string {
	texts = slices.Clone(texts)
	for i := range texts {
		texts[i] = shortened(texts[i], text)
	}
	if more := len(texts) - maxWarnings; more > 0 {
		texts = append(texts[:maxWarnings], warning.LeftOut.Say("%d more warnings", more))
	}
	return texts
}
