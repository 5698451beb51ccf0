package workspace

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// runState says how far a run has come. It is the end of the name of the run's file, so the state
// changes by a rename and a sync of the directory. The package comment has a table of the states.
type runState string

const (
	runNew     runState = ".new"
	runBegun   runState = ".begun"
	runWriting runState = ".writing"
	runKept    runState = ".kept"
	runDone    runState = ""
)

// runFile returns the name of a run's file, for example "runs/7.begun". The file is a line with the
// record, and then the images of the run's files, one after the other.
func runFile(n int, s runState) string { return path.Join(runsDir, strconv.Itoa(n)+string(s)) }

// foundRun is what the name of a run's file says.
type foundRun struct {
	number int
	state  runState
}

// file returns the name of the run's file.
func (r foundRun) file() string { return runFile(r.number, r.state) }

// runs returns the runs in one of the states, oldest first.
func (s *state) runs(states ...runState) (runs []foundRun, err error) {
	names, err := s.Names(runsDir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	for _, name := range names {
		digits, end, dotted := strings.Cut(name, ".")
		if dotted {
			end = "." + end
		}
		if n, err := strconv.Atoi(digits); err == nil && n > 0 && slices.Contains(states, runState(end)) {
			runs = append(runs, foundRun{n, runState(end)})
		}
	}
	slices.SortFunc(runs, func(a, b foundRun) int { return a.number - b.number })
	return runs, nil
}

// next returns the number for a new run. It is greater than that of any existing file, including
// copies that a recovery saved, such as "7.before-0-a.go".
func (s *state) next() (int, error) {
	names, err := s.Names(runsDir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return 0, err
	}
	next := 1
	for _, name := range names {
		number, _, _ := strings.Cut(name, ".")
		if n, err := strconv.Atoi(number); err == nil {
			next = max(next, n+1)
		}
	}
	return next, nil
}

// begin gives a run its number n, completes rec, and makes the record and the images of edits
// durable in the file runs/N.begun. The file is written as N.new, synced and renamed, so that
// N.begun is always complete. Then runs, its directory, is synced, so that the new name survives a
// power cut. If begin fails, it tries to leave nothing behind.
func (s *state) begin(rec *record, edits []edit) (n int, err error) {
	if n, err = s.next(); err != nil {
		return 0, err
	}
	rec.Format, rec.Version, rec.Run = journalFormat, journalVersion, strconv.Itoa(n)
	var images blob
	for _, e := range edits {
		rec.Files = append(rec.Files, fileRecord{
			Path: e.path, Real: e.real, From: e.from, Action: e.action, Temp: e.temp,
			Before: e.before.record(&images), After: e.after.record(&images),
		})
	}
	line, err := rec.sealed()
	if err != nil {
		return 0, err
	}
	name := runFile(n, runNew)
	parts := append([][]byte{line}, images.images...)
	if err = s.writeFile(name, true /* sync */, parts...); err == nil {
		if err = s.Rename(name, runFile(n, runBegun)); err == nil {
			name = runFile(n, runBegun)
			err = s.SyncDir(runsDir)
		}
	}
	if err != nil {
		_ = s.Remove(name) // if it stays, the next run removes it
		return 0, err
	}
	return n, nil
}

// load reads the record of a run, without the images.
func (s *state) load(run foundRun) (*record, error) {
	f, _, err := openRegular(s.disk, run.file())
	if err != nil {
		return nil, err
	}
	defer f.Close()
	line, err := bufio.NewReader(f).ReadBytes('\n')
	if err != nil && err != io.EOF {
		return nil, err
	}
	return s.parse(run, line)
}

// parse returns the record in the line of a run. It fails if the line is damaged, or if a newer
// version has written it.
func (s *state) parse(run foundRun, line []byte) (*record, error) {
	rec := new(record)
	if err := json.Unmarshal(line, rec); err != nil {
		return nil, s.broken(run, err)
	}
	switch {
	case rec.Format != journalFormat || rec.Version < 1:
		return nil, s.broken(run, fmt.Errorf("format %q version %d", rec.Format, rec.Version))
	case rec.Version > journalVersion:
		what := fmt.Sprintf("the journal %s has version %d; this srpatch knows version %d",
			filepath.Join(s.dir, run.file()), rec.Version, journalVersion)
		return nil, refuse(JournalVersion, "", what,
			"use the srpatch that wrote it; to undo an older run, name it by number")
	case !bytes.HasSuffix(line, []byte("\n")) || !unbroken(line):
		return nil, s.broken(run, errors.New("its checksum does not match"))
	}
	return rec, nil
}

// broken returns the error for a damaged run's file.
func (s *state) broken(run foundRun, err error) error {
	return refuseErr(JournalDamaged, "", "the journal is damaged, in "+filepath.Join(s.dir, run.file()),
		"restore what you need from that file, then remove it; to undo an older run, name it by number", err)
}

// open reads a run with its images from its file, as a transaction of the given tree. If it fails,
// the transaction only has the run's number and state. A name that no run writes, such as "../a",
// counts as damage: a recovery would change that file. So does content that doesn't match its hash.
func (s *state) open(tree disk, run foundRun) (*transaction, error) {
	none := &transaction{log: s, foundRun: run}
	raw, err := readFile(s.disk, run.file())
	if err != nil {
		return none, err
	}
	end := bytes.IndexByte(raw, '\n') + 1
	images := raw[end:]
	rec, err := s.parse(run, raw[:end])
	if err != nil {
		return none, err
	}
	t := &transaction{tree: tree, log: s, foundRun: run, rec: rec}
	names := slices.Concat(rec.Dirs, rec.Emptied)
	for _, r := range rec.Files {
		names = append(names, r.Real, r.Temp)
		dir, base := path.Split(r.Temp)
		if path.Clean(dir) != path.Dir(r.Real) || !strings.HasPrefix(base, tempPrefix) {
			return none, s.broken(run, errors.New(strconv.Quote(r.Temp)+" is not the name of a temporary file"))
		}
		e := edit{path: r.Path, real: r.Real, from: r.From, action: r.Action, temp: r.Temp}
		e.before, e.after = r.Before.image(images), r.After.image(images)
		if e.before.exists && e.before.data == nil || e.after.exists && e.after.data == nil {
			return none, s.broken(run, errors.New("the content of "+r.Path+" does not match its hash"))
		}
		t.edits = append(t.edits, e)
	}
	for _, name := range names {
		if clean, err := cleanName(name); err != nil || clean != name {
			return none, s.broken(run, errors.New("it names the file "+strconv.Quote(name)))
		}
	}
	return t, nil
}
