package main

import (
	"cmp"
	"errors"
	"fmt"
	"iter"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/srpatch/srpatch/apply"
	"github.com/srpatch/srpatch/apply/workspace"
	"github.com/srpatch/srpatch/internal/charset"
	"github.com/srpatch/srpatch/internal/gitconfig"
	"github.com/srpatch/srpatch/internal/lesson"
)

// config is what the flags say.
type config struct {
	dryRun, reverse, partial, json, feedback bool
	quiet, verbose, help, version            bool
	appendEmpty, allowPlaceholders           bool
	noJournal, noCreate, noBreakage, force   bool
	untrusted, stream, drafts                bool
	list, stat, yes                          bool
	merge, keep, restore, last, interactive  bool
	wholeFiles, clipboard, each, confirm     bool
	forget                                   bool
	dir, file, only, stateDir, movedFrom     string
	filesFrom                                string
	null, noPager                            bool
	base, encoding                           string
	reportFile, annotate, stdinFile          string
	verify                                   string
	policy, splice, color, format, hardlinks string
	allow, deny, expect, trailers            []string
	commit                                   commitFlag
	want, names, bytes                       string
	strictKeys, noMS, stats                  bool
	strip, maxFiles, maxBlocks, maxLine      int
	maxFileSize, maxReply, maxAdded          int64
	budget, runBudget                        int64
	maxLines, maxRequest                     int
	timeout, verifyTimeout                   time.Duration
	threshold                                float64
	wait                                     time.Duration

	// given are the names of the flags on the command line.
	given map[string]bool
	// held are the settings that hold of what the command line does not say.
	held []held
	// unusable are the settings that cannot be used, where the verb goes on without them.
	unusable []*settingError
}

// defaults are what holds where neither the command line nor a setting says anything.
func defaults() config {
	return config{dir: ".", strip: -1, policy: string(apply.Safe), splice: string(apply.ThreeWay), color: "auto", hardlinks: string(workspace.HardlinksCopy), wait: time.Minute, verifyTimeout: 10 * time.Minute}
}

// flagDef is one flag. The list of them makes the parser, --help and the completions.
type flagDef struct {
	name string
	// short are the letters it has: one as a rule, a second where people are used to it from another program.
	short string
	// value is the placeholder in the help, in brackets if the flag goes without a value, too; "" for a switch.
	value string
	// choices are the values it takes; nil if they are not a fixed few. "file" and "dir" mean names of those.
	choices []string
	verbs   verbSet
	target  any
	doc     string
}

// needsValue reports whether a value follows the flag, be it in a word of its own.
func (f *flagDef) needsValue() bool { return f.value != "" && f.value[0] != '[' }

// flagGroup is a heading of the help and the flags below it.
type flagGroup struct {
	title string
	flags []flagDef
}

var (
	hardlinks = []string{string(workspace.HardlinksCopy), string(workspace.HardlinksFollow), string(workspace.HardlinksRefuse)}
	policies  = []string{string(apply.Strict), string(apply.Safe), string(apply.Loose)}
	splices   = []string{string(apply.ThreeWay), string(apply.Verbatim)}
	// annotations are the programs that refusals can be written for.
	annotations = []string{"lines", "github"}
	colors      = []string{"auto", "always", "never"}
)

func flagGroups(c *config) []flagGroup {
	return []flagGroup{
		{"What is read", []flagDef{
			{"list", "", "", nil, vApply, &c.list, "list the blocks of the reply, as parse does; nothing is looked for or written"},
			{"only", "", "LIST", nil, vReading &^ vRetry, &c.only, "use these blocks only, by number: 2,5 or 3-7"},
			{"clipboard", "", "", nil, vReading, &c.clipboard, "the reply is what was copied last; it is read by wl-paste, xclip, xsel, pbpaste or PowerShell"},
			{"files-from", "", "FILE", []string{"file"}, vReading, &c.filesFrom, "read replies from the files that FILE names, a line each; - is standard input"},
			{"each", "", "", nil, vPlacing &^ vRetry &^ vWhy, &c.each, "make a run of each reply, all or nothing each, and report a line for each; without it all of them are one run"},
			{"null", "0", "", nil, vReading, &c.null, "names in --files-from end in a NUL instead of a line end, as find -print0 writes them"},
			{"last", "", "", nil, vReading, &c.last, "of a chat log (aider's history, a page, a session or export in JSON), read the last answer that holds an edit; its blocks are numbered from 1"},
			{"whole-files", "", "", nil, vReading, &c.wholeFiles, "write files that the reply gives as a whole, in a fence below a name or in tags, where it has no other edit"},
			{"format", "", "NAME", lesson.Formats(), vReading | vPrompt, &c.format, "read one format only, instead of all (prompt: teach it): " + alternatives(lesson.Formats())},
			{"reverse", "R", "", nil, vPlacing &^ vRetry, &c.reverse, "swap SEARCH and REPLACE: take an applied reply back"},
			{"max-reply", "", "BYTES", nil, vReading, &c.maxReply, "refuse larger replies (default: 64 MiB in all; parse: no limit)"},
			{"max-blocks", "", "N", nil, vReading, &c.maxBlocks, "read no more than N blocks of a reply (default: 10000; parse: no limit)"},
			{"max-line", "", "BYTES", nil, vReading, &c.maxLine, "read no longer lines of a reply (default: 16 MiB)"},
			{"directory", "dC", "DIR", []string{"dir"}, vTree | vConfig, &c.dir, "the tree to change (default: the current directory)"},
			{"file", "", "PATH", []string{"file"}, vPlacing, &c.file, "apply every block to this file, whatever name the reply gives"},
			{"stdin-file", "", "PATH", []string{"file"}, vLooking, &c.stdinFile, "standard input is what an editor holds of PATH, and counts instead of the file; the reply is named"},
			{"encoding", "", "NAME", nil, vPlacing, &c.encoding, "the encoding of files that are not UTF-8, as latin1, windows-1252, gbk, shift_jis, utf-16le (default: what .gitattributes and .editorconfig say)"},
			{"strip", "p", "N", nil, vPlacing, &c.strip, "remove N leading directories from every name, as patch does (default: a/ and b/ where needed)"},
		}},
		{"How places are found", []flagDef{
			{"policy", "", "NAME", policies, vPlacing | vFilter, &c.policy, "how much difference is forgiven: strict (none), safe (what can be proved; the default) or loose"},
			{"threshold", "", "T", nil, vPlacing | vFilter, &c.threshold, "similarity that a block must reach, 0 to 1; under safe it can only be raised"},
			{"splice", "", "NAME", splices, vPlacing | vFilter, &c.splice, "three-way keeps the file's own bytes where SEARCH and REPLACE agree (the default); verbatim pastes REPLACE"},
			{"names", "", "NAME", nameRules, vFilter, &c.names, "exact: a block is for the file whose path it gives, and no name is guessed; near is the default"},
			{"bytes", "", "NAME", byteRules, vFilter, &c.bytes, "exact: SEARCH must occur byte for byte, its line ends included; policy, the default, leaves that to the policy"},
			{"strict-keys", "", "", nil, vFilter, &c.strictKeys, "a key of a request that there is not, or is there twice, is an error; without it such keys are ignored"},
			{"run-budget", "", "UNITS", nil, vPlacing | vFilter, &c.runBudget, fmt.Sprintf("the same for all blocks of a run or request together (default: %d)", int64(apply.DefaultRunBudget))},
			{"timeout", "", "DURATION", nil, vPlacing | vFilter, &c.timeout, "refuse a run or request as a whole when finding its places takes longer, as in 30s (default: no limit)"},
			{"budget", "", "UNITS", nil, vPlacing | vFilter, &c.budget, fmt.Sprintf("work that the search for one block's similar places may take (default: %d)", int64(apply.DefaultBudget))},
			{"append-empty", "", "", nil, vPlacing, &c.appendEmpty, "let an empty SEARCH append to a file that exists"},
			{"allow-placeholders", "", "", nil, vPlacing, &c.allowPlaceholders, `take "... rest of the code" in REPLACE literally`},
		}},
		{"What is written", []flagDef{
			{"dry-run", "n", "", nil, vApply | vRetry, &c.dryRun, "write nothing; print the unified diff of what would change"},
			{"interactive", "i", "", nil, vApply | vRetry, &c.interactive, "show each block and ask whether to apply it, as git add -p does; blocks without a place come first"},
			{"confirm", "", "", nil, vApply | vRetry, &c.confirm, "show each block that the file does not have exactly as SEARCH says, and ask whether to apply it; the others are not asked about"},
			{"yes", "y", "", nil, vApply | vRetry, &c.yes, "ask nothing, which is the default without --interactive"},
			{"partial", "", "", nil, vPlacing | vFilter, &c.partial, "apply the blocks that fit although others do not"},
			{"verify", "", "COMMAND", nil, vApply | vRetry, &c.verify, "run COMMAND by the shell, in the tree, once the edits are written, and take them back when it fails; srpatch retry then has what it wrote"},
			{"verify-timeout", "", "DURATION", nil, vApply | vRetry, &c.verifyTimeout, "how long COMMAND may take; 0 for any time (default: 10m)"},
			{"no-create", "", "", nil, vPlacing, &c.noCreate, "refuse new files"},
			{"no-breakage", "", "", nil, vPlacing | vFilter, &c.noBreakage, "refuse blocks that break their file: brackets, Go and JSON that were whole, markers and fences that come in, a line twice; without it a warning says so"},
			{"allow", "", "GLOBS", nil, vPlacing, &c.allow, "change files only that one of the GLOBS fits: src/**,*.md; may be repeated"},
			{"deny", "", "GLOBS", nil, vPlacing, &c.deny, "change no file that one of the GLOBS fits, in any case of its letters; @exec is what runs by itself, as hooks, CI workflows and .envrc; may be repeated"},
			{"untrusted", "", "", nil, vPlacing, &c.untrusted, "the reply may be hostile: --deny=@exec, and no deletions, moves or new dot files"},
			{"expect", "", "PATH=HASH", nil, vPlacing, &c.expect, "refuse when PATH does not have this hash (sha256:... or absent); may be repeated"},
			{"base", "", "REV", nil, vPlacing, &c.base, "refuse to change files that are not as in this revision of git"},
			{"force", "", "", nil, vPlacing | vTurning, &c.force, "change read-only files too; undo and redo: whatever a file holds now"},
			{"merge", "", "", nil, vTurning, &c.merge, "merge with what has been changed since the run"},
			{"commit", "", "[MSG]", nil, vApply | vRetry, &c.commit, "commit what the run has written to git, and nothing else, with MSG or a message that says what was done; its hooks are run"},
			{"trailer", "", "KEY=VALUE", nil, vApply | vRetry, &c.trailers, "add a trailer to the commit's message, as Assisted-by=NAME; may be repeated"},
			{"keep", "", "", nil, vRecover, &c.keep, "leave files as they are that were edited since"},
			{"restore", "", "", nil, vRecover, &c.restore, "put files back that were edited since; the edited content is kept next to the journal"},
			{"forget", "", "", nil, vRetry, &c.forget, "forget the refused run"},
			{"hardlinks", "", "NAME", hardlinks, vPlacing | vTurning, &c.hardlinks, "files with several names: copy changes one name and leaves the others (the default), follow writes where they all see it, refuse"},
			{"wait", "", "DURATION", nil, vApply | vRetry | vTurning | vRecover, &c.wait, "wait so long for another run on the tree to end: 10s, 5m, 0 (default: 1m)"},
			{"moved-from", "", "DIR", nil, vTurning | vLog | vRecover, &c.movedFrom, "take the journal of the path that the tree had before it was moved or copied"},
			{"no-journal", "", "", nil, vPlacing &^ vRetry, &c.noJournal, "keep no journal: no undo, and no recovery from a crash"},
			{"state-dir", "", "DIR", []string{"dir"}, vTree, &c.stateDir, "where journals are kept (default: $XDG_STATE_HOME/srpatch)"},
			{"max-file-size", "", "BYTES", nil, vPlacing | vTurning | vRecover | vFilter, &c.maxFileSize, "refuse larger files (default: 64 MiB; what a run has changed can be undone at any size)"},
			{"max-lines", "", "N", nil, vPlacing | vFilter, &c.maxLines, "refuse files with more lines (default: 4194304; filter: 1048576)"},
			{"max-added", "", "BYTES", nil, vPlacing | vFilter, &c.maxAdded, "refuse blocks beyond so many bytes that all of them add to files (default: 64 MiB; filter: 8 MiB)"},
			{"max-request", "", "BYTES", nil, vFilter, &c.maxRequest, "answer longer lines with an error (default: 32 MiB)"},
			{"max-files", "", "N", nil, vPlacing, &c.maxFiles, "refuse runs that change more files (default: 10000)"},
		}},
		{"What is printed", []flagDef{
			{"stat", "", "", nil, vPlacing &^ vRetry &^ vWhy, &c.stat, "list the changed files with how many lines come and go, as git diff --stat; instead of the diff where that would be printed"},
			{"json", "", "", nil, vApply | vCheck | vPlan | vWhy | vRetry | vParse | vTurning | vLog, &c.json, "print the result as JSON; the report of blocks goes to stderr"},
			{"report", "", "FILE", []string{"file"}, vPlacing &^ vWhy, &c.reportFile, "write what --json prints into FILE as well; with --each a line for each reply"},
			{"annotate", "", "NAME", annotations, vPlacing &^ (vDiff | vWhy), &c.annotate, "print what was refused, and what should be looked at, for another program, a line each: lines (file:line:col: message, as editors read) or github (notes on the lines of a pull request)"},
			{"want", "", "NAME", wants, vFilter, &c.want, "what answers tell of files: content (the default), diff, edits, hash or none"},
			{"no-ms", "", "", nil, vFilter, &c.noMS, "leave the time that each answer took out, so that the same requests have the same answers, byte for byte"},
			{"stats", "", "", nil, vFilter, &c.stats, "print a line of JSON on stderr at the end: requests, outcomes, bytes and seconds"},
			{"stream", "", "", nil, vParse, &c.stream, "with --json: print each item in a line of its own, as soon as it is certain"},
			{"drafts", "", "", nil, vParse, &c.drafts, "with --stream: print the block at hand as well, each time the input pauses"},
			{"feedback", "", "", nil, vApply | vCheck | vRetry, &c.feedback, "print a message for the model about the blocks that failed; the report goes to stderr"},
			{"quiet", "q", "", nil, vTree | vParse, &c.quiet, "report refusals only"},
			{"verbose", "v", "", nil, vTree | vParse, &c.verbose, "report every detail, and cut nothing off"},
			{"no-pager", "", "", nil, vPlacing | vParse | vLog, &c.noPager, "print what is longer than the terminal without $PAGER (less where that is not set); a run that writes never uses it"},
			{"color", "", "WHEN", colors, vAll, &c.color, "auto (the default), always or never; NO_COLOR and FORCE_COLOR are heeded, but a diff into a pipe has none"},
			{"help", "h", "", nil, vAll, &c.help, "print this help; after a verb, the verb's"},
			{"version", "", "", nil, vAll, &c.version, "print the version"},
		}},
	}
}

// flags are the flags of all groups.
func flags(c *config) iter.Seq[flagDef] {
	groups := flagGroups(c)
	return func(yield func(flagDef) bool) {
		for _, g := range groups {
			for _, f := range g.flags {
				if !yield(f) {
					return
				}
			}
		}
	}
}

// listValue is the value of a flag that may be repeated. That of pflag prints each list as CSV when it is defined, with a buffer for each.
type listValue []string

// String implements [pflag.Value].
func (l *listValue) String() string { return strings.Join(*l, ", ") }

// Type implements [pflag.Value].
func (l *listValue) Type() string { return "list" }

// Set implements [pflag.Value].
func (l *listValue) Set(value string) error {
	*l = append(*l, value)
	return nil
}

// usageError is a command line that cannot be understood.
type usageError struct{ message string }

func (e *usageError) Error() string { return e.message }

func usagef(format string, args ...any) error { return &usageError{fmt.Sprintf(format, args...)} }

// parseFlags understands the command line: the verb, the flags, and what is left over.
//
// What it does not say is as the settings are that hold in the tree.
func parseFlags(args []string, settings func(dir string) ([]gitconfig.Setting, error)) (v verb, c config, rest []string, err error) {
	c = defaults()
	c.given = map[string]bool{}
	table := flags(&c)
	set := pflag.NewFlagSet("srpatch", pflag.ContinueOnError)
	set.Usage = func() {} // pflag would print on its own otherwise
	for f := range table {
		first, second := "", ""
		if f.short != "" {
			first, second = f.short[:1], f.short[1:]
		}
		switch target := f.target.(type) {
		case *bool:
			set.BoolVarP(target, f.name, first, *target, f.doc)
		case *string:
			set.StringVarP(target, f.name, first, *target, f.doc)
		case *int:
			set.IntVarP(target, f.name, first, *target, f.doc)
		case *int64:
			set.Int64VarP(target, f.name, first, *target, f.doc)
		case *[]string:
			set.VarP((*listValue)(target), f.name, first, f.doc)
		case *time.Duration:
			set.DurationVarP(target, f.name, first, *target, f.doc)
		case *float64:
			set.Float64VarP(target, f.name, first, *target, f.doc)
		case *commitFlag:
			set.VarPF(target, f.name, first, f.doc).NoOptDefVal = noMessage
		}
		if second != "" {
			set.VarP(set.Lookup(f.name).Value, second, second, f.doc)
		}
	}
	err = set.Parse(asTyped(args))
	rest = set.Args()
	all := verbs()
	v = all[0]
	if len(rest) > 0 && set.ArgsLenAtDash() != 0 {
		if i := slices.IndexFunc(all, func(v verb) bool { return v.name == rest[0] }); i > 0 {
			v, rest = all[i], rest[1:]
		}
	}
	if err != nil {
		if len(rest) > 0 && v.name == "" && isForeignVerb(rest[0]) { // whose flags are as foreign
			return v, c, rest, usagef("there is no verb %q%s", rest[0], meantBy(habits(), rest[0]))
		}
		return v, c, rest, flagError(err, table)
	}
	if c.help || c.version {
		return v, c, rest, nil
	}
	for f := range table {
		if !set.Changed(f.name) && (len(f.short) < 2 || !set.Changed(f.short[1:])) {
			continue
		}
		c.given[f.name] = true
		if f.verbs&v.set == 0 {
			return v, c, rest, usagef("--%s does not go with %s", f.name, cmp.Or(v.name, "applying"))
		}
	}
	if set.Changed("strip") && c.strip < 0 {
		return v, c, rest, usagef("--strip: %d, expected how many leading directories to remove", c.strip)
	}
	if err := c.validate(); err != nil || v.set&vConfigured == 0 {
		return v, c, rest, err
	}
	held, err := settings(c.dir)
	if err != nil {
		return v, c, rest, err
	}
	return v, c, rest, c.configure(set, table, v, held)
}

func (c *config) validate() error {
	if c.json && c.feedback {
		return usagef("--json and --feedback both want stdout; take one")
	}
	if c.stat && (c.json || c.feedback) {
		return usagef("--stat is for people, and stdout is taken by --json or --feedback")
	}
	if c.annotate != "" && (c.json || c.feedback || c.stat || c.dryRun) {
		return usagef("--annotate wants stdout for itself; --report FILE keeps the JSON as well")
	}
	if c.stream && !c.json {
		return usagef("--stream goes with --json; what parse prints without it comes as it is read anyway")
	}
	if c.stream && c.last {
		return usagef("--stream and --last contradict each other: which answer is the last is known at the end")
	}
	if c.drafts && !c.stream {
		return usagef("--drafts goes with --stream")
	}
	if c.yes && (c.interactive || c.confirm) {
		return usagef("--yes contradicts --interactive and --confirm")
	}
	if c.interactive && c.confirm {
		return usagef("--interactive and --confirm contradict each other: one asks about all blocks, the other about some")
	}
	if c.list && (c.dryRun || c.interactive || c.confirm || c.feedback || c.stat || c.commit.On) {
		return usagef("--list looks for no places; it goes with --json, --only, --last and what else parse takes")
	}
	if c.verify != "" && c.noJournal && !c.dryRun {
		return usagef("--verify: a run without a journal cannot be taken back; leave out --no-journal, or the command by --verify=")
	}
	if len(c.trailers) > 0 && !c.commit.On {
		return usagef("--trailer goes with --commit")
	}
	for _, t := range c.trailers {
		if err := validTrailer(t); err != nil {
			return usagef("--trailer: %v", err)
		}
	}
	if c.quiet && c.verbose {
		return usagef("--quiet and --verbose contradict each other")
	}
	if c.null && c.filesFrom == "" {
		return usagef("--null is about the names in --files-from, and there is none")
	}
	if c.clipboard && c.filesFrom != "" {
		return usagef("--clipboard and --files-from contradict each other: each says where the reply is")
	}
	if c.each {
		for _, f := range []struct {
			given bool
			name  string
			why   string
		}{
			{c.feedback, "feedback", "each reply would need a message of its own"},
			{c.only != "", "only", "its numbers are those of the blocks of one reply"},
			{c.clipboard, "clipboard", "it holds one reply"},
			{c.list, "list", "it makes no run"},
		} {
			if f.given {
				return usagef("--each and --%s contradict each other: %s", f.name, f.why)
			}
		}
	}
	if c.stdinFile != "" && c.each {
		return usagef("--stdin-file and --each contradict each other: replies that each start from the same text have no common end")
	}
	if c.merge && c.force {
		return usagef("--merge and --force contradict each other: one keeps what was changed since, the other does not")
	}
	for _, check := range []struct {
		flag string
		err  error
	}{
		{"policy", oneOf(c.policy, policies)},
		{"splice", oneOf(c.splice, splices)},
		{"threshold", validThreshold(c.threshold)},
		{"want", oneOf(c.want, wants)},
		{"names", oneOf(c.names, nameRules)},
		{"bytes", oneOf(c.bytes, byteRules)},
		{"color", oneOf(c.color, colors)},
		{"annotate", oneOf(c.annotate, annotations)},
		{"hardlinks", oneOf(c.hardlinks, hardlinks)},
		{"format", oneOf(c.format, lesson.Formats())},
		{"encoding", validEncoding(c.encoding)},
	} {
		if check.err != nil {
			return usagef("--%s: %v", check.flag, check.err)
		}
	}
	for _, limit := range []struct {
		flag string
		n    int64
	}{
		{"max-file-size", c.maxFileSize}, {"max-reply", c.maxReply}, {"budget", c.budget}, {"run-budget", c.runBudget},
		{"max-added", c.maxAdded}, {"max-lines", int64(c.maxLines)}, {"max-request", int64(c.maxRequest)}, {"timeout", int64(c.timeout)}, {"verify-timeout", int64(c.verifyTimeout)},
		{"max-files", int64(c.maxFiles)}, {"max-blocks", int64(c.maxBlocks)}, {"max-line", int64(c.maxLine)},
	} {
		if limit.n < 0 {
			return usagef("--%s: %d; a limit is less than 0", limit.flag, limit.n)
		}
	}
	if c.wait < 0 {
		return usagef("--wait: %v, expected a duration such as 10s, or 0", c.wait)
	}
	_, err := parseOnly(c.only)
	return err
}

// oneOf accepts "" too: the default.
func oneOf(s string, choices []string) error {
	if s == "" || slices.Contains(choices, s) {
		return nil
	}
	return fmt.Errorf("%q, expected %s", s, alternatives(choices))
}

// validEncoding accepts "" too: none is named.
func validEncoding(name string) error {
	if name == "" {
		return nil
	}
	if _, err := charset.Named(name); err != nil {
		return fmt.Errorf("%q: %w", name, err)
	}
	return nil
}

func alternatives(choices []string) string {
	last := len(choices) - 1
	return strings.Join(choices[:last], ", ") + " or " + choices[last]
}

func validThreshold(t float64) error {
	if t < 0 || t > 1 || math.IsNaN(t) {
		return fmt.Errorf("%v, expected a similarity from 0 to 1", t)
	}
	return nil
}

// parseOnly reads a list of block numbers, "2,5" or "3-7,9". A nil result means every block.
func parseOnly(list string) (map[int]bool, error) {
	if list == "" {
		return nil, nil
	}
	ids := map[int]bool{}
	for part := range strings.SplitSeq(list, ",") {
		from, to, isRange := strings.Cut(strings.TrimSpace(part), "-")
		if !isRange {
			to = from
		}
		a, errA := strconv.Atoi(from)
		b, errB := strconv.Atoi(to)
		if errA != nil || errB != nil || a < 1 || b < a || b-a > 1_000_000 {
			return nil, usagef("--only: %q, expected block numbers such as 2,5 or 3-7", part)
		}
		for id := a; id <= b; id++ {
			ids[id] = true
		}
	}
	return ids, nil
}

// flagError says what is wrong with a flag, and which one may have been meant.
func flagError(err error, table iter.Seq[flagDef]) error {
	if invalid, ok := errors.AsType[*pflag.InvalidValueError](err); ok {
		return usagef("--%s: %q, expected %s", invalid.GetFlag().Name, invalid.GetValue(), expectedOf(invalid.GetFlag().Value))
	}
	unknown, ok := errors.AsType[*pflag.NotExistError](err)
	if !ok {
		return &usageError{err.Error()}
	}
	if shorts := unknown.GetSpecifiedShortnames(); shorts != "" {
		return usagef("unknown flag -%s%s", unknown.GetSpecifiedName(), meantBy(habits(), "-"+unknown.GetSpecifiedName()))
	}
	if meant := meantBy(habits(), "--"+unknown.GetSpecifiedName()); meant != "" {
		return usagef("unknown flag --%s%s", unknown.GetSpecifiedName(), meant)
	}
	var names []string
	for f := range table {
		names = append(names, f.name)
	}
	return usagef("unknown flag --%s%s", unknown.GetSpecifiedName(), didYouMean(unknown.GetSpecifiedName(), names, "--"))
}
