//go:build unix

package workspace

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// replaced moves a tree away, and puts another one of these files at its path.
func replaced(t *testing.T, dir string, files map[string]string) (moved string) {
	t.Helper()
	moved = dir + "-moved"
	if err := os.Rename(dir, moved); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(moved) })
	clone := map[string]string{}
	for name, content := range files {
		if !strings.HasSuffix(name, "/") && !strings.HasPrefix(content, "-> ") {
			clone[name] = content
		}
	}
	writeFiles(t, dir, clone)
	return moved
}

// A clone at the path of a tree that was moved away half done: its recovery used to put nothing
// back, or what was in the clone, and to remove the journal, so that the moved tree stayed half
// done for ever.
func TestCloneKeepsTheJournalOfTheTreeThatWasAtItsPath(t *testing.T) {
	ctx := context.Background()
	_, _, before, after := fiveFiles(t)
	for name, files := range map[string]map[string]string{
		"as before": before, "as after": after,
		"between": {"a": after["a"], "sub/b": before["sub/b"]}, "empty": {"other": "other\n"},
	} {
		t.Run(name, func(t *testing.T) {
			dir, opt, before := interrupted(t, "unlink d")
			moved := replaced(t, dir, files)
			clone := readTree(t, dir)
			w := openTest(t, dir, opt)
			for range 2 {
				found, err := w.Begin(ctx)
				if err != nil || len(found) != 1 || reasonOf(found[0].Err) != OtherTree {
					t.Fatalf("Begin: %+v, %v", found, err)
				}
				w.unlock()
			}
			if _, err := w.Recover(ctx, RecoverAuto); reasonOf(err) != OtherTree {
				t.Errorf("Recover: %v", err)
			}
			compareTrees(t, readTree(t, dir), clone)
			if b, err := os.ReadFile(filepath.Join(w.state.dir, runsDir, "1.before-0-a")); string(b) != "a old\n" {
				t.Errorf("the pre-image: %q, %v", b, err)
			}
			if run, err := w.Commit(ctx, planOf(change("new", nil, []byte("new\n")))); err != nil || run != "2" {
				t.Errorf("a run on the clone: %q, %v", run, err)
			}

			if err := errors.Join(os.RemoveAll(dir), os.Rename(moved, dir)); err != nil {
				t.Fatal(err)
			}
			w = openTest(t, dir, opt)
			done, err := w.Recover(ctx, RecoverAuto)
			if err != nil || len(done) != 1 || len(done[0].Restored) != 5 {
				t.Errorf("Recover of the moved tree: %+v, %v", done, err)
			}
			compareTrees(t, readTree(t, dir), before)
			checkState(t, w)
		})
	}
}

// Who knows that the other tree is gone is asked no more, and its images are still there.
func TestRunOfATreeThatIsGoneCanBeClosed(t *testing.T) {
	ctx := context.Background()
	dir, opt, before := interrupted(t, "unlink d")
	replaced(t, dir, before)
	clone := readTree(t, dir)
	w := openTest(t, dir, opt)
	done, err := w.Recover(ctx, RecoverKeep)
	if err != nil || len(done) != 1 {
		t.Fatalf("Recover: %+v, %v", done, err)
	}
	if b, err := os.ReadFile(filepath.Join(w.state.dir, runsDir, "1.before-0-a")); string(b) != "a old\n" {
		t.Errorf("the pre-image: %q, %v", b, err)
	}
	compareTrees(t, readTree(t, dir), clone)
	checkState(t, w)
}

// A tree that was restored from a copy at the same path is another directory, too; its owner knows
// better.
func TestTreeRestoredFromACopyIsRecoveredByRestore(t *testing.T) {
	dir, opt, before := interrupted(t, "unlink d")
	replaced(t, dir, readTree(t, dir))
	delete(before, "s")
	before["e-too"] = readTree(t, dir)["e-too"] // no link any more
	w := openTest(t, dir, opt)
	if done, err := w.Recover(context.Background(), RecoverRestore); err != nil || len(done) != 1 ||
		done[0].Err != nil {
		t.Fatalf("Recover: %+v, %v", done, err)
	}
	compareTrees(t, readTree(t, dir), before)
}

// File systems give the number of a removed directory to the next one, and not all know when it was
// made. Where the clone then has nothing to be put back, what the other tree held before the run is
// kept.
func TestRecoveryThatPutsNothingBackKeepsThePreImages(t *testing.T) {
	ctx := context.Background()
	dir, opt, before := interrupted(t, "unlink d")
	editJournal(t, opt, resealed(func(s string) string {
		return regexp.MustCompile(`"tree":\{[^}]*\}`).ReplaceAllString(s, `"tree":{"inode":0,"host":""}`)
	}))
	replaced(t, dir, before)
	clone := readTree(t, dir)
	w := openTest(t, dir, opt)
	done, err := w.Begin(ctx)
	if err != nil || len(done) != 1 {
		t.Fatalf("Begin: %+v, %v", done, err)
	}
	if b, err := os.ReadFile(filepath.Join(w.state.dir,
		runFile(1, runKept))); !strings.Contains(string(b), "\na old\n") {
		t.Errorf("the pre-images: %q, %v", b, err)
	}
	compareTrees(t, readTree(t, dir), clone)
	checkState(t, w)
	if run, err := w.Commit(ctx, planOf(change("other", []byte("other\n"), []byte("x\n")))); err != nil || run != "2" {
		t.Errorf("the next run: %q, %v", run, err)
	}
}
