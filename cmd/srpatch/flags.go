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
	quiet, verbose, help, brief, version     bool
	appendEmpty, allowPlaceholders           bool
	noJournal, noCreate, force               bool
	untrusted, stream                        bool
	yes                                      bool
	merge, keep, restore, last, interactive  bool
	wholeFiles, clipboard, each, confirm     bool
	forget                                   bool
	dir, file, stateDir, movedFrom           string
	encoding                                 string
	annotate                                 string
	verify                                   string
	policy, splice, color, format, hardlinks string
	only, allow, deny, expect                []string
	commit                                   commitFlag
	noMS                                     bool
	strip                                    int
	maxSize                                  int64
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

// rarely is the group that srpatch --help leaves out.
const rarely = "What few need"

func flagGroups(c *config) []flagGroup {
	return []flagGroup{
		{"What is read", []flagDef{
			{"only", "", "LIST", nil, vReading &^ vRetry, &c.only, "use these blocks only, by number: 2,5 or 3-7; may be repeated"},
			{"clipboard", "", "", nil, vReading, &c.clipboard, "read the reply from the clipboard, by wl-paste, xclip, xsel, pbpaste or PowerShell"},
			{"each", "", "", nil, vPlacing &^ vRetry &^ vWhy, &c.each, "make each reply a run of its own, and report a line for each; without it all of them are one run"},
			{"last", "", "", nil, vReading, &c.last, "of a chat log (aider's history, a page, an export in JSON), read the last answer with an edit; its blocks are numbered from 1"},
			{"whole-files", "", "", nil, vReading, &c.wholeFiles, "write files that the reply gives whole, in a fence below a name or in tags, if it has no other edit"},
			{"format", "", "NAME", lesson.Formats(), vReading | vPrompt, &c.format, "read one format only, instead of all (prompt: teach it): " + alternatives(lesson.Formats())},
			{"reverse", "R", "", nil, vPlacing &^ vRetry, &c.reverse, "swap SEARCH and REPLACE: take an applied reply back"},
			{"directory", "dC", "DIR", []string{"dir"}, vTree, &c.dir, "the tree to change (default: the current directory)"},
			{"file", "", "PATH", []string{"file"}, vPlacing, &c.file, "apply every block to this file, whatever name the reply gives"},
			{"encoding", "", "NAME", nil, vPlacing, &c.encoding, "the encoding of files that are not UTF-8, as latin1, windows-1252, gbk, shift_jis, utf-16le (default: what .gitattributes and .editorconfig say)"},
			{"strip", "p", "N", nil, vPlacing, &c.strip, "remove N leading directories from every name, as patch does (default: a/ and b/ where needed)"},
		}},
		{"How places are found", []flagDef{
			{"policy", "", "NAME", policies, vPlacing | vFilter, &c.policy, "how much difference is forgiven: strict (none), safe (what can be proved; the default) or loose"},
			{"timeout", "", "DURATION", nil, vPlacing | vFilter, &c.timeout, "fail if finding the places of a run or request takes longer, as in 30s (default: no limit)"},
		}},
		{"What is written", []flagDef{
			{"dry-run", "n", "", nil, vApply | vRetry, &c.dryRun, "write nothing; print the unified diff of what would change"},
			{"interactive", "i", "", nil, vApply | vRetry, &c.interactive, "show each block and ask whether to apply it, as git add -p does; blocks without a place come first"},
			{"confirm", "", "", nil, vApply | vRetry, &c.confirm, "ask only about blocks that the file does not have exactly as SEARCH says"},
			{"yes", "y", "", nil, vApply | vRetry, &c.yes, "ask nothing, which is the default without --interactive"},
			{"partial", "", "", nil, vPlacing | vFilter, &c.partial, "apply the blocks that fit even if others do not"},
			{"verify", "", "COMMAND", nil, vApply | vRetry, &c.verify, "run COMMAND in the shell once the edits are written, and take them back if it fails; srpatch retry then has its output"},
			{"no-create", "", "", nil, vPlacing, &c.noCreate, "refuse new files"},
			{"allow", "", "GLOBS", nil, vPlacing, &c.allow, "change only files that match one of GLOBS: src/**,*.md; may be repeated"},
			{"deny", "", "GLOBS", nil, vPlacing, &c.deny, "change no file that matches one of GLOBS, ignoring case; @exec is what programs run or obey, such as hooks, CI workflows and Makefiles; may be repeated"},
			{"untrusted", "", "", nil, vPlacing, &c.untrusted, "the reply may be hostile: --deny=@exec, and no deletions, moves or dot files"},
			{"force", "", "", nil, vPlacing | vTurning, &c.force, "change read-only files, too; undo and redo: replace whatever a file holds now"},
			{"merge", "", "", nil, vTurning, &c.merge, "merge with what has been changed since the run"},
			{"commit", "", "[MSG]", nil, vApply | vRetry, &c.commit, "commit the run to git, and nothing else, with MSG or a message that says what was done; hooks run"},
			{"keep", "", "", nil, vRecover, &c.keep, "leave files as they are that were edited since"},
			{"restore", "", "", nil, vRecover, &c.restore, "put files back that were edited since; the edited content is kept next to the journal"},
			{"forget", "", "", nil, vRetry, &c.forget, "forget the refused run"},
			{"moved-from", "", "DIR", nil, vRecover, &c.movedFrom, "the tree was at DIR when its runs were made: finish them, and bring its log, undo and retry here"},
		}},
		{"What is printed", []flagDef{
			{"json", "", "", nil, vApply | vCheck | vWhy | vRetry | vParse | vTurning | vLog, &c.json, "print the result as JSON; the report of blocks goes to stderr"},
			{"annotate", "", "NAME", annotations, vPlacing &^ vWhy, &c.annotate, "print refusals and warnings for another program, a line each: lines (file:line:col: message, for editors) or github (notes on a pull request)"},
			{"no-ms", "", "", nil, vFilter, &c.noMS, "leave the time that each answer took out, so that the same requests have the same answers, byte for byte"},
			{"stream", "", "", nil, vParse, &c.stream, "with --json: print each item in a line of its own, as soon as it is certain"},
			{"feedback", "", "", nil, vApply | vCheck | vRetry, &c.feedback, "print a message for the model about the blocks that failed; the report goes to stderr"},
			{"quiet", "q", "", nil, vTree | vParse, &c.quiet, "report refusals only"},
			{"verbose", "v", "", nil, vTree | vParse, &c.verbose, "report every detail, and cut nothing off"},
			{"color", "", "WHEN", colors, vAll, &c.color, "auto (the default), always or never; NO_COLOR and FORCE_COLOR are heeded, but a diff into a pipe has none"},
			{"help", "h", "", nil, vAll, &c.help, "print this help, -h its short form; after a verb, the verb's"},
			{"version", "", "", nil, vAll, &c.version, "print the version"},
		}},
		{rarely, []flagDef{
			{"threshold", "", "T", nil, vPlacing | vFilter, &c.threshold, "similarity that a block must reach, 0 to 1; under safe it can only be raised"},
			{"splice", "", "NAME", splices, vPlacing | vFilter, &c.splice, "three-way keeps the file's own bytes where SEARCH and REPLACE agree (the default); verbatim pastes REPLACE"},
			{"append-empty", "", "", nil, vPlacing, &c.appendEmpty, "let an empty SEARCH append to a file that exists"},
			{"allow-placeholders", "", "", nil, vPlacing, &c.allowPlaceholders, `take "... rest of the code" in REPLACE literally`},
			{"verify-timeout", "", "DURATION", nil, vApply | vRetry, &c.verifyTimeout, "how long COMMAND may take; 0 for any time (default: 10m)"},
			{"expect", "", "PATH=HASH", nil, vPlacing, &c.expect, "refuse when PATH does not have this hash (sha256:... or absent); may be repeated"},
			{"hardlinks", "", "NAME", hardlinks, vPlacing | vTurning, &c.hardlinks, "files with several names: copy changes one name and leaves the others (the default), follow writes where they all see it, refuse"},
			{"wait", "", "DURATION", nil, vApply | vRetry | vTurning | vRecover, &c.wait, "wait so long for another run on the tree to end: 10s, 5m, 0 (default: 1m)"},
			{"no-journal", "", "", nil, vPlacing &^ vRetry, &c.noJournal, "keep no journal: no undo, and no recovery from a crash"},
			{"state-dir", "", "DIR", []string{"dir"}, vTree, &c.stateDir, "where journals are kept (default: $XDG_STATE_HOME/srpatch)"},
			{"max-size", "", "BYTES", nil, vPlacing | vTurning | vRecover | vFilter, &c.maxSize, "refuse larger files (default: 64 MiB; what a run has changed can be undone at any size)"},
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
	args = asTyped(args)
	err = set.ParseAll(args, once(set))
	rest = set.Args()
	if len(rest) > 0 && set.ArgsLenAtDash() != 0 {
		if here, ok := habitOf(rest[0], taken); ok {
			others, quiet := rest[1:], c.quiet
			err = cmp.Or(err, set.Parse(strings.Fields(here)))
			c.quiet = quiet || c.quiet && !c.verbose // diff -v has the report
			rest = slices.Concat(set.Args(), others)
		}
	}
	c.brief = c.help && !slices.Contains(args, "--help")
	all := verbs()
	v = all[0]
	if len(rest) > 0 && set.ArgsLenAtDash() != 0 {
		if i := slices.IndexFunc(all, func(v verb) bool { return v.name == rest[0] }); i > 0 {
			v, rest = all[i], rest[1:]
		}
	}
	if err != nil {
		if len(rest) > 0 && v.name == "" && isForeignVerb(rest[0]) { // whose flags are as foreign
			return v, c, rest, usagef("there is no verb %q%s", rest[0], meantBy(rest[0]))
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
		if f.verbs&v.set == 0 && v.name == "" {
			return v, c, rest, usagef("--%s is for %s", f.name, strings.Join(verbsOf(f), " and "))
		}
		if f.verbs&v.set == 0 {
			return v, c, rest, usagef("--%s does not go with %s; it goes with %s", f.name, v.name, cmp.Or(strings.Join(verbsOf(f), ", "), "applying"))
		}
	}
	if set.Changed("strip") && c.strip < 0 {
		return v, c, rest, usagef("--strip: %d, expected the number of leading directories to remove", c.strip)
	}
	if err := c.validate(); err != nil || v.set&vConfigured == 0 {
		return v, c, rest, err
	}
	held, err := settings(c.dir)
	if err != nil && v.set != vParse { // which touches no tree, and needs no guard
		return v, c, rest, err
	}
	return v, c, rest, c.configure(set, table, v, held)
}

func (c *config) validate() error {
	if c.json && c.feedback {
		return usagef("--json and --feedback both write to stdout; choose one")
	}
	if c.annotate != "" && (c.json || c.feedback || c.dryRun) {
		return usagef("--annotate, --json, --feedback and -n write to stdout; choose one")
	}
	if c.stream && !c.json {
		return usagef("--stream needs --json; without it parse prints blocks as it reads them anyway")
	}
	if c.stream && c.last {
		return usagef("--stream and --last contradict each other: only the end of a log shows which answer is the last")
	}
	if c.yes && (c.interactive || c.confirm) {
		return usagef("--yes contradicts --interactive and --confirm")
	}
	if c.interactive && c.confirm {
		return usagef("--interactive and --confirm contradict each other: one asks about all blocks, the other about some")
	}
	if c.verify != "" && c.noJournal && !c.dryRun {
		return usagef("--verify: a run without a journal cannot be taken back; leave out --no-journal, or turn the command off with --verify=")
	}
	if c.quiet && c.verbose {
		return usagef("--quiet and --verbose contradict each other")
	}
	if c.each {
		for _, f := range []struct {
			given bool
			name  string
			why   string
		}{
			{c.feedback, "feedback", "each reply would need a message of its own"},
			{len(c.only) > 0, "only", "its numbers are those of the blocks of one reply"},
			{c.clipboard, "clipboard", "it holds one reply"},
		} {
			if f.given {
				return usagef("--each and --%s contradict each other: %s", f.name, f.why)
			}
		}
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
		{"color", oneOf(c.color, colors)},
		{"annotate", oneOf(c.annotate, annotations)},
		{"hardlinks", oneOf(c.hardlinks, hardlinks)},
		{"format", oneOf(c.format, lesson.Formats())},
		{"encoding", validEncoding(c.encoding)},
	} {
		if check.err != nil {
			return usagef("--%s: %v%s", check.flag, check.err, meantBy("--"+check.flag+"="+c.format))
		}
	}
	for _, limit := range []struct {
		flag string
		n    int64
	}{
		{"max-size", c.maxSize}, {"timeout", int64(c.timeout)}, {"verify-timeout", int64(c.verifyTimeout)},
	} {
		if limit.n < 0 {
			return usagef("--%s: %d, expected 0 or more", limit.flag, limit.n)
		}
	}
	if c.wait < 0 {
		return usagef("--wait: %v, expected a duration such as 10s, or 0", c.wait)
	}
	_, err := parseOnly(c.only)
	return err
}

// once sets the flags of a command line. Of those that are no lists, each may be given once: another value would replace the
// first one silently.
func once(set *pflag.FlagSet) func(f *pflag.Flag, value string) error {
	given := map[pflag.Value]bool{} // which the names of one flag share
	return func(f *pflag.Flag, value string) error {
		if _, list := f.Value.(*listValue); given[f.Value] && !list {
			return usagef("--%s is given twice", f.Name)
		}
		given[f.Value] = true
		return set.Set(f.Name, value)
	}
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
func parseOnly(lists []string) (map[int]bool, error) {
	if len(lists) == 0 {
		return nil, nil
	}
	ids := map[int]bool{}
	for part := range strings.SplitSeq(strings.Join(lists, ","), ",") {
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
	if usage, ok := errors.AsType[*usageError](err); ok {
		return usage
	}
	unknown, ok := errors.AsType[*pflag.NotExistError](err)
	if !ok {
		return &usageError{err.Error()}
	}
	if shorts := unknown.GetSpecifiedShortnames(); shorts != "" {
		return usagef("unknown flag -%s%s", unknown.GetSpecifiedName(), meantBy("-"+unknown.GetSpecifiedName()))
	}
	if meant := meantBy("--" + unknown.GetSpecifiedName()); meant != "" {
		return usagef("unknown flag --%s%s", unknown.GetSpecifiedName(), meant)
	}
	var names []string
	for f := range table {
		names = append(names, f.name)
	}
	return usagef("unknown flag --%s%s", unknown.GetSpecifiedName(), didYouMean(unknown.GetSpecifiedName(), names, "--"))
}
