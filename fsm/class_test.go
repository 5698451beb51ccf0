package fsm

import (
	"strings"
	"testing"
)

func TestClassify(t *testing.T) {
	for line, want := range map[string]Mark{
		"":                         {},
		"text":                     {},
		"  ":                       {},
		"<<<<<<< SEARCH":           {Kind: Opener, Dialect: Aider, Length: 7},
		"<<<<<<< SEARCH\r\n":       {Kind: Opener, Dialect: Aider, Length: 7},
		"<<<<< search>  ":          {Kind: Opener, Dialect: Aider, Length: 5},
		"<<<<<<<<< SEARCH":         {Kind: Opener, Dialect: Aider, Length: 9},
		"<<<<<<<SEARCH":            {Kind: Opener, Dialect: Aider, Length: 7},
		"<<<<<<< SEARCH line:42":   {Kind: Opener, Dialect: Aider, Length: 7, Start: 42},
		"<<<<<<< SEARCH line=42":   {Kind: Opener, Dialect: Aider, Length: 7, Start: 42},
		"<<<<<<< SEARCH (3)":       {Kind: Opener, Dialect: Aider, Length: 7, Start: 3},
		"<<<<<<< SEARCH (3-9)":     {Kind: Opener, Dialect: Aider, Length: 7, Start: 3, End: 9},
		"<<<<<<< SEARCH lines 3-9": {Kind: Opener, Dialect: Aider, Length: 7, Start: 3, End: 9},
		"<<<<<<< SEARCH:3":         {Kind: Opener, Dialect: Aider, Length: 7, Start: 3},
		"<<<<<<< SEARCH L3-L9":     {Kind: Opener, Dialect: Aider, Length: 7, Start: 3, End: 9},
		"<<<<<<< SEARCH @@ -3,2":   {Kind: Opener, Dialect: Aider, Length: 7, Start: 3},
		"<<<<<<< SEARCH @@ 3-9 @@": {Kind: Opener, Dialect: Aider, Length: 7, Start: 3, End: 9},
		"<<<<<<< SEARCH: a/b.go:3": {Kind: Opener, Dialect: Aider, Length: 7, Start: 3, Rest: []byte("a/b.go")},
		"<<<<<<< SEARCH a/b.go":    {Kind: Opener, Dialect: Aider, Length: 7, Rest: []byte("a/b.go")},
		"<<<<<<< SEARCH the code": {Kind: NearOpener, Dialect: Aider, Length: 7,
			Rest: []byte("<<<<<<< SEARCH the code")},
		"<<<<<<< SEARCHES": {Kind: ConflictOpen, Length: 7},
		"<<<< ORIGINAL": {Kind: NearOpener, Dialect: OriginalUpdated, Length: 4,
			Rest: []byte("<<<< ORIGINAL")},
		"<<<< HEAD":         {},
		"<<<< SEARCH":       {Kind: NearOpener, Dialect: Aider, Length: 4, Rest: []byte("<<<< SEARCH")},
		"<<<<<<<<<< SEARCH": {Kind: NearOpener, Dialect: Aider, Length: 10, Rest: []byte("<<<<<<<<<< SEARCH")},
		"<<-- SEARCH":       {Kind: NearOpener, Dialect: Aider, Length: 4, Rest: []byte("<<-- SEARCH")},
		"&lt;&lt;&lt; SEARCH": {Kind: NearOpener, Dialect: Aider, Length: 12,
			Rest: []byte("&lt;&lt;&lt; SEARCH")},
		"--- SEARCH":                 {Kind: Opener, Dialect: Cline, Length: 3},
		"------------- SEARCH>":      {Kind: Opener, Dialect: Cline, Length: 13},
		"---SEARCH":                  {Kind: NearOpener, Dialect: Aider, Length: 3, Rest: []byte("---SEARCH")},
		"-- search":                  {},
		"<<<<<<< ORIGINAL":           {Kind: Opener, Dialect: OriginalUpdated, Length: 7},
		"<<<<<<< HEAD":               {Kind: Opener, Dialect: HeadUpdated, Length: 7},
		"<<<<<<< HEAD:src/a.go":      {Kind: ConflictOpen, Length: 7},
		"<<<<<<< HEAD (ours)":        {Kind: ConflictOpen, Length: 7},
		"<<<<<<< ours":               {Kind: ConflictOpen, Length: 7},
		"<<<<<<<":                    {Kind: ConflictOpen, Length: 7},
		"<<<<<<<x":                   {},
		"|||||||":                    {Kind: ConflictBase, Length: 7},
		"||||||| base":               {Kind: ConflictBase, Length: 7},
		"=======":                    {Kind: Divider, Length: 7},
		"===":                        {Kind: Divider, Length: 3},
		"==":                         {},
		"======= x":                  {},
		">>>>>>> REPLACE":            {Kind: Closer, Dialect: Aider, Length: 7},
		">>>>>>> replace>":           {Kind: Closer, Dialect: Aider, Length: 7},
		">>>>>>> REPLACE<":           {Kind: Closer, Dialect: Aider, Length: 7},
		">>>>>>> UPDATED":            {Kind: Closer, Dialect: OriginalUpdated, Length: 7},
		">>>>>>> updated":            {Kind: Closer, Dialect: OriginalUpdated, Length: 7},
		">>>>>>> feature":            {Kind: ConflictClose, Length: 7},
		">>>>>>>":                    {Kind: ConflictClose, Length: 7},
		"+++ REPLACE":                {Kind: Closer, Dialect: Cline, Length: 3},
		"-------":                    {Kind: Separator, Length: 7},
		"------":                     {},
		":start_line:12":             {Kind: Hint, Start: 12},
		":start_line: [12]":          {Kind: Hint, Start: 12},
		":end_line:12":               {Kind: Hint, End: 12},
		":start_line:":               {Kind: Hint},
		":start_line:twelve":         {},
		":start_line:99999999999":    {Kind: Hint},
		`\=======`:                   {Kind: Escaped, Length: 7},
		`\\=======`:                  {Kind: Escaped, Length: 7},
		`\ :start_line:1`:            {Kind: Escaped},
		`\:end_line:`:                {Kind: Escaped},
		`\title`:                     {},
		"  =======":                  {Kind: Divider, Length: 7, Prefix: []byte("  ")},
		"> >>>>>>> REPLACE":          {Kind: Closer, Dialect: Aider, Length: 7, Prefix: []byte("> ")},
		"> > =======":                {Kind: Divider, Length: 7, Prefix: []byte("> > ")},
		">=======":                   {},
		">>>>>>>>>> REPLACE":         {Kind: Closer, Dialect: Aider, Length: 10},
		"<<<<<<<\u00a0SEARCH":        {Kind: Opener, Dialect: Aider, Length: 7},
		"\u200b<<<<<<< SEARCH":       {Kind: Opener, Dialect: Aider, Length: 7, Prefix: []byte("\u200b")},
		" \ufeff =======\u200b\r\n":  {Kind: Divider, Length: 7, Prefix: []byte(" \ufeff ")},
		">>>>>>>\u00a0\u00a0REPLACE": {Kind: Closer, Dialect: Aider, Length: 7},
		"\\\u00a0=======":            {Kind: Escaped, Length: 7},
		"\u00a0text":                 {},
		"\u00a0":                     {},
		"======= é":                  {},
	} {
		got := Classify([]byte(line))
		if got.Kind != want.Kind || got.Dialect != want.Dialect || got.Length != want.Length ||
			got.Start != want.Start ||
			got.End != want.End || string(got.Prefix) != string(want.Prefix) || string(got.Rest) != string(want.Rest) {
			t.Errorf("%q is %v %v of length %d, hints %d-%d, prefix %q, rest %q", line, got.Kind,
				got.Dialect, got.Length,
				got.Start, got.End, got.Prefix, got.Rest)
		}
	}
}

func TestDialectsWriteWhatTheyRead(t *testing.T) {
	for d := Aider; d <= HeadUpdated; d++ {
		for length := forms[d].minLength; length <= min(d.MaxLength(), 12); length++ {
			if k := Classify([]byte(d.Opener(length))); k.Kind != Opener || k.Dialect != d || k.Length != length {
				t.Errorf("%q is %+v", d.Opener(length), k)
			}
			if k := Classify([]byte(d.Closer(length))); k.Kind != Closer || !d.closes(k.Dialect) || k.Length != length {
				t.Errorf("%q is %+v", d.Closer(length), k)
			}
			if k := Classify([]byte(d.Divider(length))); k.Kind != Divider || !d.dividerLength(k.Length) {
				t.Errorf("%q is %+v", d.Divider(length), k)
			}
		}
		if got, ok := DialectNamed(d.String()); !ok || got != d {
			t.Errorf("the dialect named %q is %v", d, got)
		}
	}
	if d, ok := DialectNamed("roo"); !ok || d != Aider {
		t.Errorf("roo is %v", d)
	}
	if _, ok := DialectNamed("telex"); ok {
		t.Error("telex is a dialect")
	}
}

// follow feeds the lines of a text to a machine and returns the names of the events other than
// Content. If the block doesn't end, the last item names the final state.
func follow(m *Machine, text string) []string {
	var events []string
	offset := 0
	for line := range strings.Lines(text) {
		at := Pos{Line: strings.Count(text[:offset], "\n") + 1, Start: offset, End: offset + len(line)}
		offset += len(line)
		k := Classify([]byte(line))
		if m.State() == Outside {
			if k.Kind == Opener {
				m.Open(k, at)
			}
			continue
		}
		if k.Kind == Text || k.Kind == NearOpener {
			continue
		}
		switch m.Feed(k, at) {
		case Head:
			events = append(events, "head")
		case Closed:
			events = append(events, "closed")
			return events
		case Reopened:
			events = append(events, "reopened")
			return events
		case Dropped:
			events = append(events, "dropped")
			return events
		}
	}
	return append(events, "end in "+m.State().String())
}

func TestMachine(t *testing.T) {
	for name, c := range map[string]struct {
		text, events string
		splits       []int // lines of the dividers, best first
	}{
		"plain": {"<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n",
			"closed", []int{3}},
		"hints":              {"<<<<<<< SEARCH\n:start_line:3\n-------\na\n=======\nb\n>>>>>>> REPLACE\n", "head head closed", []int{5}},
		"cut off in search":  {"<<<<<<< SEARCH\na\n", "end in search", nil},
		"cut off in replace": {"<<<<<<< SEARCH\na\n=======\n", "end in replace", []int{3}},
		"no divider":         {"<<<<<<< SEARCH\na\n>>>>>>> REPLACE\n", "closed", nil},
		"opener again": {"<<<<<<< SEARCH\na\n=======\nb\n<<<<<<< SEARCH\n",
			"reopened", []int{3}},
		"indented opener is content":           {"<<<<<<< SEARCH\n  <<<<<<< SEARCH\n=======\nb\n>>>>>>> REPLACE\n", "closed", []int{3}},
		"own length wins":                      {"<<<<<<<< SEARCH\n=======\n========\n>>>>>>> REPLACE\n>>>>>>>> REPLACE\n", "closed", []int{3}},
		"nested conflict ranks last":           {"<<<<<<< SEARCH\n<<<<<<< x\na\n=======\nb\n>>>>>>> y\n=======\n>>>>>>> REPLACE\n", "closed", []int{7, 4}},
		"merge conflict":                       {"<<<<<<< HEAD\na\n=======\nb\n>>>>>>> main\n", "dropped", []int{3}},
		"head and updated":                     {"<<<<<<< HEAD\na\n=======\nb\n>>>>>>> updated\n", "closed", []int{3}},
		"another length before another opener": {"------- SEARCH\na\n=======\nb\n+++ REPLACE\n--- SEARCH\n", "reopened", []int{3}},
		"unusual length kept to late":          {"<<<<<<<< SEARCH\n=======\n>>>>>>> REPLACE\n<<<<<<< SEARCH\n========\n>>>>>>>> REPLACE\n", "closed", []int{5}},
		"length never kept to":                 {"--------- SEARCH\na\n=======\nb\n+++ REPLACE\nx\n+++++++++ REPLACE\n", "reopened", []int{3}},
	} {
		var m Machine
		events := strings.Join(follow(&m, c.text), " ")
		if events != c.events {
			t.Errorf("%s: %s, want %s", name, events, c.events)
		}
		list := m.Splits(len(c.text))
		Rank(list)
		if len(list) != len(c.splits) {
			t.Errorf("%s: dividers %+v, want lines %v", name, list, c.splits)
			continue
		}
		for i, d := range list {
			if d.Line != c.splits[i] {
				t.Errorf("%s: dividers %+v, want lines %v", name, list, c.splits)
			}
		}
	}
}

func TestHintsAndOffsets(t *testing.T) {
	var m Machine
	text := "<<<<<<< SEARCH\n:start_line:3\n:end_line:9\n-------\na\n=======\n:start_line:3\nb\n>>>>>>> REPLACE\n"
	follow(&m, text)
	if start, end := m.Hints(); start != 3 || end != 9 || !m.Hinted() {
		t.Errorf("hints %d-%d", start, end)
	}
	if sep, ok := m.Separator(); !ok || text[sep.Start:sep.End] != "-------\n" || m.Body() != sep.Start {
		t.Errorf("separator %+v, body at %d", sep, m.Body())
	}
	if s := m.Splits(len(text)); len(s) != 1 || !s[0].HintAfter || !s[0].Own {
		t.Errorf("splits %+v", s)
	}
}

func TestBoundedMemory(t *testing.T) {
	var m Machine
	follow(&m, "<<<<<<< SEARCH\n"+strings.Repeat("<<<<<<< x\n=======\n", 10*maxTracked))
	if len(m.nest) > maxTracked || len(m.splits) > maxTracked {
		t.Errorf("%d conflicts and %d dividers are kept", len(m.nest), len(m.splits))
	}
	if last := m.splits[len(m.splits)-1]; last.Line != 20*maxTracked+1 {
		t.Errorf("the last divider is lost: %+v", last)
	}
}
