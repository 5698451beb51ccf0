package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/srpatch/srpatch/apply"
	"github.com/srpatch/srpatch/internal/charset"
	"github.com/srpatch/srpatch/internal/failure"
	"github.com/srpatch/srpatch/internal/filter"
	"github.com/srpatch/srpatch/internal/lesson"
	"github.com/srpatch/srpatch/internal/suggest"
	prose "github.com/srpatch/srpatch/internal/text"
)

// verbSet is a set of verbs.
type verbSet uint32

const (
	vApply verbSet = 1 << iota
	vCheck
	vWhy
	vParse
	vFilter
	vUndo
	vRedo
	vLog
	vRecover
	vPrompt
	vCompletion
	vHelp
	vRetry

	vLooking = vCheck | vWhy              // verbs that look for places, and write nothing
	vPlacing = vApply | vLooking | vRetry // verbs that look for places in a tree
	vReading = vPlacing | vParse          // verbs that read replies
	vTurning = vUndo | vRedo
	vWriting = vApply | vRetry
	vTree    = vPlacing | vTurning | vLog | vRecover // verbs that are about a tree
	vAll     = vTree | vParse | vFilter | vPrompt | vCompletion | vHelp
)

// verb is one thing that the command does, such as srpatch undo.
type verb struct {
	set  verbSet
	name string // "" for applying, which needs no name
	args string
	doc  string
	// about is more help, for srpatch help VERB.
	about string
	run   func(*command, context.Context) error
}

// verbs returns all verbs. The first one is applying, which has no name.
func verbs() []verb {
	return []verb{
		{vApply, "", "[REPLY...]", "apply every block of a reply, or none", aboutApply, (*command).place},
		{vCheck, "check", "[REPLY...]", "show what would happen to each block and file",
			aboutCheck, (*command).place},
		{vWhy, "why", "N [REPLY...]", "explain how block N was placed, or why it was refused",
			aboutWhy, (*command).why},
		{vRetry, "retry", "[ANSWER...]", "print a message for the model, or apply its answer",
			aboutRetry, (*command).retry},
		{vParse, "parse", "[REPLY...]", "list the blocks of a reply without looking at any file",
			"", (*command).parse},
		{vPrompt, "prompt", "", "print instructions that teach a model how to write edits",
			aboutPrompt, (*command).prompt},
		{vFilter, "filter", "", "answer JSON requests, one per line, without touching the disk",
			aboutFilter, (*command).filter},
		{vUndo, "undo", "[RUN] [PATH...]", "undo a run", aboutUndo, (*command).turn},
		{vRedo, "redo", "[RUN] [PATH...]", "undo an undo", aboutRedo, (*command).turn},
		{vLog, "log", "", "list the runs that can be undone, newest first", "", (*command).log},
		{vRecover, "recover", "", "complete or roll back an interrupted run",
			aboutRecover, (*command).recover},
		{vHelp, "help", "[VERB]", "list the flags, or explain a verb", "", (*command).helpOn},
		{vCompletion, "completion", "bash|zsh|fish", "print a completion script",
			aboutCompletion, (*command).completion},
	}
}

// verbNamed returns the verb of a name. If there is none, it returns applying, and false.
func verbNamed(name string) (verb, bool) {
	all := verbs()
	if i := slices.IndexFunc(all, func(v verb) bool { return v.name == name }); i >= 0 {
		return all[i], true
	}
	return all[0], false
}

// Words that people type because other programs have them. They aren't in the help.
var (
	verbSynonyms = map[string][]string{
		"apply": nil, "plan": {"check"}, "diff": {"--dry-run"}, "version": {"--version", "--verbose"},
		"--list": {"parse"},
	}
	flagSynonyms = map[string]string{
		"root": "directory", "clip": "clipboard", "expect-hash": "expect", "confirm-fuzzy": "confirm",
		"verify-cmd": "verify",
		"exclude":    "deny", "include": "allow",
	}
)

// invocation is a parsed command line.
type invocation struct {
	config
	verb verb
	// args are the arguments after the verb.
	args []string
}

// config holds the values of the flags.
type config struct {
	dryRun, reverse, partial, json, feedback bool
	quiet, verbose, help, brief, version     bool
	appendEmpty, allowPlaceholders           bool
	noJournal, noCreate, force               bool
	untrusted, yes, noMS, forget, copy       bool
	merge, keep, restore, last, interactive  bool
	wholeFiles, clipboard, each, confirm     bool
	dir, file, stateDir                      string
	encoding, annotate, commit               string
	policy, color, format                    string
	only, allow, deny, expect, verify        []string
	strip                                    int
	maxSize                                  int64
	timeout, wait                            time.Duration

	// given are the names of the flags on the command line.
	given map[string]bool
}

func defaults() config {
	return config{
		dir: ".", strip: -1, policy: string(apply.Safe), color: "auto", wait: time.Minute,
		given: map[string]bool{},
	}
}

// flagDef is one flag. The parser, the help and the completions are made from a list of them.
type flagDef struct {
	name string
	// short are its letters.
	short string
	// value is its placeholder in the help, in brackets if the value is optional, or "" for a
	// switch.
	value string
	// choices are the values that it accepts, or nil if any are.
	choices []string
	verbs   verbSet
	target  any
	doc     string
}

// flagGroup is a heading of the help and the flags below it.
type flagGroup struct {
	title string
	flags []flagDef
}

var annotations = []string{"lines", "github"}

// rarely is the group that srpatch --help leaves out.
const rarely = "Rarely needed"

// flagGroups returns all flags, by the heading of the help. Their values go to c.
func flagGroups(c *config) []flagGroup {
	return []flagGroup{
		{"Reading", []flagDef{
			{"only", "", "LIST", nil, vReading &^ vRetry, &c.only,
				"use only the blocks in LIST, such as 2,5 or 3-7; may be repeated"},
			{"clipboard", "", "", nil, vReading, &c.clipboard, "read the reply from the clipboard"},
			{"each", "", "", nil, vApply | vCheck, &c.each,
				"treat each reply as a separate run, and print one line for it"},
			{"last", "", "", nil, vReading, &c.last, "in a chat log, use only the last answer with an edit"},
			{"whole-files", "", "", nil, vReading, &c.wholeFiles,
				"write files that the reply gives in full, if it has no other edits"},
			{"format", "", "NAME", lesson.Formats(), vReading | vPrompt, &c.format,
				"the only format to read (or, with prompt, to teach): " + suggest.Or(lesson.Formats())},
			{"reverse", "R", "", nil, vApply | vLooking, &c.reverse,
				"swap SEARCH and REPLACE, to undo an applied reply"},
			{"directory", "dC", "DIR", nil, vTree, &c.dir,
				"work on the files in DIR (default: the current directory)"},
			{"file", "", "PATH", nil, vPlacing, &c.file,
				"apply every block to PATH, whatever the reply says"},
			{"encoding", "", "NAME", nil, vPlacing, &c.encoding,
				"the encoding, such as latin1 or gbk, of files that are not UTF-8"},
			{"strip", "p", "N", nil, vPlacing, &c.strip,
				"remove N leading directories from file names (default: remove only a/ or b/, if needed)"},
		}},
		{"Finding places", []flagDef{
			{"policy", "", "NAME", filter.Policies, vPlacing | vFilter, &c.policy,
				"which matches to accept: strict (only exact ones), safe (the default: also " +
					"near ones that leave the edit's meaning clear) or loose (also less certain ones)"},
			{"timeout", "", "DURATION", nil, vPlacing | vFilter, &c.timeout,
				"fail if finding the places takes longer than DURATION, such as 30s"},
		}},
		{"Writing", []flagDef{
			{"dry-run", "n", "", nil, vWriting, &c.dryRun, "print the diff, but write nothing"},
			{"interactive", "i", "", nil, vWriting, &c.interactive,
				"show each block and ask whether to apply it"},
			{"confirm", "", "", nil, vWriting, &c.confirm, "ask only about blocks that do not match exactly"},
			{"yes", "y", "", nil, vWriting, &c.yes, "ask no questions (the default without -i or --confirm)"},
			{"partial", "", "", nil, vPlacing | vFilter, &c.partial,
				"apply the blocks that fit, even if others do not"},
			{"verify", "", "COMMAND", nil, vWriting, &c.verify,
				"run COMMAND in the shell after writing, and undo the edits if it fails; may be repeated"},
			{"commit", "", "[MSG]", nil, vWriting, &c.commit,
				"commit the run's changes, and nothing else, to git"},
			{"no-create", "", "", nil, vPlacing, &c.noCreate, "refuse to create files"},
			{"allow", "", "GLOBS", nil, vPlacing, &c.allow,
				"change only files that match one of GLOBS, such as src/**,*.md; may be repeated"},
			{"deny", "", "GLOBS", nil, vPlacing, &c.deny,
				"change no file that matches one of GLOBS; @exec stands for files that programs run " +
					"or obey because of their names, such as hooks and CI files; may be repeated"},
			{"untrusted", "", "", nil, vPlacing, &c.untrusted,
				"for a reply you do not trust: use --deny=@exec, and refuse to delete " +
					"or move files or to change dot files"},
			{"force", "", "", nil, vPlacing | vTurning, &c.force,
				"change even read-only files; with undo and redo, also overwrite later changes"},
			{"merge", "", "", nil, vTurning, &c.merge, "keep the changes that were made after the run"},
			{"keep", "", "", nil, vRecover, &c.keep, "keep the edited files as they are, and recover the others"},
			{"restore", "", "", nil, vRecover, &c.restore,
				"restore all files, and save the edited text next to the journal"},
			{"forget", "", "", nil, vRetry, &c.forget, "forget the refused run"},
			{"copy", "", "", nil, vRetry, &c.copy, "put the message on the clipboard instead of printing it"},
		}},
		{"Printing", []flagDef{
			{"json", "", "", nil, vApply | vCheck | vWhy | vRetry | vParse | vTurning | vLog, &c.json,
				"print the result as JSON, and send the report to stderr"},
			{"annotate", "", "NAME", annotations, vPlacing &^ vWhy, &c.annotate,
				"print refusals and warnings in the form NAME: lines (file:line:col, for " +
					"editors) or github (workflow commands)"},
			{"feedback", "", "", nil, vWriting | vCheck, &c.feedback,
				"print the message for the model, and send the report to stderr"},
			{"no-ms", "", "", nil, vFilter, &c.noMS, "do not print how long each answer took"},
			{"quiet", "q", "", nil, vTree | vParse, &c.quiet, "report only refusals"},
			{"verbose", "v", "", nil, vTree | vParse, &c.verbose, "report every detail, and do not shorten anything"},
			{"color", "", "WHEN", []string{"auto", "always", "never"}, vAll, &c.color,
				"use colors: auto (the default), always or never"},
			{"help", "h", "", nil, vAll, &c.help, "print help; without a verb, -h prints a summary"},
			{"version", "", "", nil, vAll, &c.version, "print the version"},
		}},
		{rarely, []flagDef{
			{"append-empty", "", "", nil, vPlacing, &c.appendEmpty,
				"if SEARCH is empty, append REPLACE to the existing file"},
			{"allow-placeholders", "", "", nil, vPlacing, &c.allowPlaceholders,
				`keep remarks such as "... rest of the code" in REPLACE as literal text`},
			{"expect", "", "PATH=HASH", nil, vPlacing, &c.expect,
				"refuse unless PATH has this HASH (sha256:..., or absent if there must be no such " +
					"file); may be repeated"},
			{"wait", "", "DURATION", nil, vWriting | vTurning | vRecover, &c.wait,
				"how long to wait for another run to end (default: 1m)"},
			{"no-journal", "", "", nil, vApply | vLooking, &c.noJournal,
				"keep no journal; the run cannot be undone, retried, or recovered after a crash"},
			{"state-dir", "", "DIR", nil, vTree, &c.stateDir,
				"keep journals in DIR (default: $XDG_STATE_HOME/srpatch)"},
			{"max-size", "", "BYTES", nil, vPlacing | vTurning | vRecover | vFilter, &c.maxSize,
				"refuse files larger than BYTES (default: 64 MiB)"},
		}},
	}
}

// flags returns the flags of all groups.
func flags(c *config) (all []flagDef) {
	for _, g := range flagGroups(c) {
		all = append(all, g.flags...)
	}
	return all
}

// define adds the flag to a set, so that the flag's value goes to f.target. pflag knows one letter
// for a flag, so a second letter, such as C in "dC", becomes the name and the letter of a flag of
// its own, with the same value.
func (f *flagDef) define(set *pflag.FlagSet) {
	letter, other := "", ""
	if f.short != "" {
		letter, other = f.short[:1], f.short[1:]
	}
	switch target := f.target.(type) {
	case *bool:
		set.BoolVarP(target, f.name, letter, *target, "")
	case *string:
		set.StringVarP(target, f.name, letter, *target, "")
	case *int:
		set.IntVarP(target, f.name, letter, *target, "")
	case *int64:
		set.Int64VarP(target, f.name, letter, *target, "")
	case *time.Duration:
		set.DurationVarP(target, f.name, letter, *target, "")
	case *[]string:
		set.StringArrayVarP(target, f.name, letter, nil, "")
	}
	if strings.HasPrefix(f.value, "[") {
		set.Lookup(f.name).NoOptDefVal = noMessage
	}
	if other != "" {
		set.VarP(set.Lookup(f.name).Value, other, other, "")
	}
}

// parseFlags parses the command line into the verb, the flags, and the remaining arguments, after
// it has replaced synonyms. Flags that aren't given are read from the file of flags, unless help or
// the version is asked for. env returns the value of an environment variable. The verb is set even
// if there is an error.
func parseFlags(args []string, env func(string) string) (c invocation, err error) {
	c.config = defaults()
	set := pflag.NewFlagSet("srpatch", pflag.ContinueOnError)
	set.Usage = func() {} // pflag would print on its own otherwise
	set.SetNormalizeFunc(func(_ *pflag.FlagSet, name string) pflag.NormalizedName {
		return pflag.NormalizedName(cmp.Or(flagSynonyms[name], name))
	})
	table := map[string]flagDef{} // by name, and by second letter: see define
	for _, f := range flags(&c.config) {
		f.define(set)
		table[f.name] = f
		for _, other := range f.short[min(1, len(f.short)):] {
			table[string(other)] = f
		}
	}
	// --list is a synonym of a verb, wherever it is before --.
	if i := slices.Index(args, "--list"); i >= 0 && !slices.Contains(args[:i], "--") {
		args = slices.Concat(verbSynonyms["--list"], args[:i], args[i+1:])
	}
	err = set.ParseAll(args, func(f *pflag.Flag, value string) error {
		name := table[f.Name].name
		if _, isList := f.Value.(pflag.SliceValue); c.given[name] && !isList {
			return usagef("--%s is given twice", name) // one of the values would be lost
		}
		c.given[name] = true
		return set.Set(f.Name, value)
	})
	c.brief = c.help && !slices.Contains(args, "--help") // -h
	c.args = set.Args()
	c.verb, _ = verbNamed("")
	if len(c.args) > 0 && set.ArgsLenAtDash() != 0 { // after --, "check" is a file
		if words, ok := verbSynonyms[c.args[0]]; ok { // "diff" is --dry-run
			err = cmp.Or(err, set.Parse(words))
			c.args = append(set.Args(), c.args[1:]...)
		}
		if len(c.args) > 0 {
			if named, ok := verbNamed(c.args[0]); ok {
				c.verb, c.args = named, c.args[1:]
			}
		}
	}
	if err != nil {
		return c, flagError(err)
	}
	if c.help || c.version {
		return c, nil
	}
	for _, f := range flags(&c.config) {
		if c.given[f.name] && f.verbs&c.verb.set == 0 {
			return c, usagef("--%s is not valid for %s", f.name, cmp.Or(c.verb.name, "applying"))
		}
	}
	if err := c.addFile(set, table, c.verb, env); err != nil {
		return c, err
	}
	return c, c.validate()
}

// addFile reads ~/.config/srpatch/flags, which has one flag per line, and sets these flags for verb
// v. The command line wins, except that --deny adds up. Flags for other verbs are ignored. A line
// that can't be parsed may have been meant to forbid something, so it's an error. set parses the
// flags. table has their definitions by the names that set uses.
func (c *config) addFile(
	set *pflag.FlagSet, table map[string]flagDef, v verb, env func(string) string,
) error {
	if v.set&(vTree|vParse) == 0 { // the answers of filter depend on its requests alone
		return nil
	}
	dir := env("XDG_CONFIG_HOME")
	if home := cmp.Or(env("HOME"), env("USERPROFILE")); !filepath.IsAbs(dir) && home != "" {
		dir = filepath.Join(home, ".config")
	}
	if !filepath.IsAbs(dir) { // no home directory is known
		return nil
	}
	name := filepath.Join(dir, "srpatch", "flags")
	text, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	for i, line := range strings.Split(string(text), "\n") {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		err := set.ParseAll([]string{line}, func(f *pflag.Flag, value string) error {
			def := table[f.Name]
			isOverridden := c.given[def.name] && def.name != "deny"
			if isOverridden || def.verbs&v.set == 0 {
				return nil
			}
			return set.Set(f.Name, value)
		})
		if err == nil && set.NArg() > 0 { // "dry-run", without dashes
			err = usagef("%q is not a flag", line)
		}
		if err == nil {
			err = c.validate()
		}
		if err != nil {
			return usagef("%s:%d: %v", name, i+1, flagError(err))
		}
	}
	return nil
}

// validate returns an error for invalid values, and for flags that conflict. It also drops the
// commands of --verify before an empty one, because --verify= turns them off.
func (c *config) validate() error {
	if off := slices.Index(c.verify, ""); off >= 0 {
		c.verify = slices.Clone(c.verify[off+1:])
		return c.validate()
	}
	for _, mistake := range []struct {
		made bool
		says string
	}{
		{c.json && c.feedback || c.annotate != "" && (c.json || c.feedback || c.dryRun),
			"--annotate, --json, --feedback and -n write to stdout; choose one"},
		{c.yes && (c.interactive || c.confirm), "--yes conflicts with --interactive and --confirm"},
		{c.interactive && c.confirm, "--interactive and --confirm conflict"},
		{c.quiet && c.verbose, "--quiet and --verbose conflict"},
		{c.keep && c.restore, "--keep and --restore conflict"},
		{c.merge && c.force, "--merge and --force conflict"},
		{c.each && (c.feedback || len(c.only) > 0 || c.clipboard),
			"--each conflicts with --feedback, --only and --clipboard, which are about one reply"},
		{strings.TrimSpace(c.commit) == "" && (c.commit != "" || c.given["commit"]),
			"--commit: expected a message"},
		{min(int64(c.strip)+1, c.maxSize, int64(c.timeout), int64(c.wait)) < 0, // --strip is -1 by default
			"--strip, --max-size, --timeout and --wait: expected 0 or more"},
	} {
		if mistake.made {
			return usagef("%s", mistake.says)
		}
	}
	for _, f := range flags(c) {
		if value, ok := f.target.(*string); ok && f.choices != nil {
			if err := suggest.OneOf(*value, f.choices); err != nil {
				return usagef("--%s: %v", f.name, err)
			}
		}
	}
	if err := charset.Check(c.encoding); err != nil {
		return usagef("--encoding: %v", err)
	}
	_, err := parseOnly(c.only)
	return err
}

// parseOnly parses lists of block numbers, such as "2,5" or "3-7,9". A nil result means every
// block.
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
		first, err := strconv.Atoi(from)
		last, err2 := strconv.Atoi(to)
		if err != nil || err2 != nil || first < 1 || last < first || last-first > 1_000_000 {
			return nil, usagef("--only: expected block numbers such as 2,5 or 3-7, got %q", part)
		}
		for id := first; id <= last; id++ {
			ids[id] = true
		}
	}
	return ids, nil
}

// flagError returns a usage error for any error of parsing flags: pflag's errors in other words, an
// unknown flag with the nearest known one, and a usage error as it is.
func flagError(err error) error {
	if code(err) == failure.Usage {
		return err
	}
	if invalid, ok := errors.AsType[*pflag.InvalidValueError](err); ok {
		expected := map[string]string{"bool": "true or false", "duration": "a duration such as 30s"}
		kind := cmp.Or(expected[invalid.GetFlag().Value.Type()], "a number")
		return usagef("--%s: expected %s, got %q", invalid.GetFlag().Name, kind, invalid.GetValue())
	}
	if unknown, ok := errors.AsType[*pflag.NotExistError](err); ok {
		dashes := "--"
		if unknown.GetSpecifiedShortnames() != "" {
			dashes = "-"
		}
		name, meant := unknown.GetSpecifiedName(), ""
		var names []string
		for _, f := range flags(&config{}) {
			names = append(names, f.name)
		}
		for _, near := range suggest.Nearest(name, slices.Values(names), 1) {
			meant = "; did you mean --" + near + "?"
		}
		return usagef("unknown flag %s%s%s", dashes, name, meant)
	}
	return usagef("%w", err)
}

// command returns a command with the verb and the given arguments.
func (v *verb) command(args string) string {
	return strings.Join(strings.Fields("srpatch "+v.name+" "+args), " ")
}

// helpOn runs the verb help: it explains the verb that the argument names, which may be a synonym.
func (c *command) helpOn(context.Context) error {
	if len(c.args) == 0 {
		return fullHelp(c.stdout)
	}
	name := c.args[0]
	if words, ok := verbSynonyms[name]; ok {
		name = strings.Join(words, " ")
	}
	v, ok := verbNamed(name)
	if !ok || len(c.args) > 1 {
		return usagef("help: there is no verb %q", strings.Join(c.args, " "))
	}
	return help(c.stdout, v)
}

// fullHelp prints srpatch --help: the same as -h, and the flags for applying, without those that
// are rarely needed.
func fullHelp(w io.Writer) error {
	b := strings.Builder{}
	b.WriteString(screen + "\n")
	for _, g := range flagGroups(&config{}) {
		if g.title != rarely {
			writeFlags(&b, g, vApply)
		}
	}
	b.WriteString(flagsHelp)
	_, err := io.WriteString(w, b.String())
	return err
}

// help writes the whole help of a verb.
func help(w io.Writer, v verb) error {
	var b strings.Builder
	fmt.Fprintf(&b, "Usage: %s\n\n", v.command("[FLAGS] "+v.args))
	fmt.Fprintf(&b, "%s%s.\n\n", strings.ToUpper(v.doc[:1]), v.doc[1:])
	if v.about != "" {
		b.WriteString(v.about + "\n\n")
	}
	for _, g := range flagGroups(&config{}) {
		writeFlags(&b, g, v.set)
	}
	if v.set&(vPlacing|vParse) != 0 {
		b.WriteString(exitHelp)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// writeFlags lists the flags of a group that one of the verbs in set accepts, each with its text in
// a second column, as in "  -n, --dry-run              print the diff, but write nothing". It
// writes nothing if there are none.
func writeFlags(b *strings.Builder, g flagGroup, set verbSet) {
	const column, width = 27, 80
	g.flags = slices.DeleteFunc(g.flags, func(f flagDef) bool { return f.verbs&set == 0 })
	if len(g.flags) == 0 {
		return
	}
	fmt.Fprintf(b, "%s:\n", g.title)
	for _, f := range g.flags {
		head := "  "
		for _, letter := range f.short {
			head += "-" + string(letter) + ", "
		}
		if f.short == "" {
			head = "      "
		}
		head += "--" + f.name
		if f.value != "" {
			head += strings.Replace("="+f.value, "=[", "[=", 1) // --commit[=MSG]
		}
		fmt.Fprintf(b, "%-*s ", column-1, head)
		prose.Fill(b, strings.Fields(f.doc), column, column, width)
		b.WriteByte('\n')
	}
	b.WriteByte('\n')
}

// completion prints the script that makes a shell complete command lines with srpatch __complete.
func (c *command) completion(context.Context) error {
	if len(c.args) != 1 || completionScripts[c.args[0]] == "" {
		return usagef("completion takes the name of a shell: expected bash, zsh or fish")
	}
	_, err := io.WriteString(c.stdout, completionScripts[c.args[0]])
	return err
}

// complete prints what the last of words may become, one per line. words is the command line up to
// the cursor, with the program first.
func complete(out io.Writer, words []string) error {
	if len(words) < 2 {
		return nil
	}
	word, before := words[len(words)-1], words[len(words)-2]
	v, _ := verbNamed("")
	for _, w := range words[1 : len(words)-1] {
		if named, ok := verbNamed(w); ok && v.name == "" {
			v = named
		}
	}
	for _, line := range candidates(v, before, strings.HasPrefix(word, "-")) {
		if strings.HasPrefix(line, word) {
			fmt.Fprintln(out, line)
		}
	}
	return nil
}

// candidates returns the words that may follow the word before in a command line of verb v: the
// values of a flag or, each with a remark after a tab, flags if wantsFlag is set, and verbs. It
// returns none where a file is expected.
func candidates(v verb, before string, wantsFlag bool) (lines []string) {
	for _, f := range flags(&config{}) {
		isLetter := len(before) == 2 && before[0] == '-' && strings.Contains(f.short, before[1:])
		if (isLetter || before == "--"+f.name) && f.value != "" && f.value[0] != '[' {
			return f.choices
		}
		if wantsFlag && f.verbs&v.set != 0 {
			lines = append(lines, "--"+f.name+"\t"+f.doc)
		}
	}
	if v.name == "" || v.name == "help" {
		for _, v := range verbs()[1:] {
			lines = append(lines, v.name+"\t"+v.doc)
		}
	}
	return lines
}
