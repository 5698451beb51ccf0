package gitcommit

import (
	"context"
	"maps"
	"slices"
	"strings"
)

// Note is kept from before a run is written until its commit is made. If srpatch is killed meanwhile and git makes it nevertheless, the index still has
// the files as they were before, and the user's next commit would take the edits back. [Repository.Finish] brings it up to date by the note.
type Note struct {
	// Before is the commit at HEAD, or the empty tree. The entries of the files in it are those that the index has.
	Before string `json:"before"`
	// Files are those to be committed, as git names them.
	Files []string `json:"files"`
	// Subject is the first line of the message.
	Subject string `json:"subject"`
	// Scratch is the directory of ours that git commits from; "" if git isn't at work: it wasn't asked yet, or has refused.
	Scratch string `json:"scratch,omitempty"`
}

func newNote(before string, files []string, message, scratch string) Note {
	subject, _, _ := strings.Cut(message, "\n")
	return Note{before, files, subject, scratch}
}

// Note is the note of a commit that was checked, before git is asked for it.
func (r *Repository) Note(files []File, message string) Note {
	names := make([]string, len(files))
	for i, f := range files {
		names[i] = r.locate(f.Name)
	}
	return newNote(r.checked, names, message, "")
}

// Finished is what became of the commit of a note.
type Finished struct {
	// Commit is git's name of it; "" if there is none.
	Commit string
	// Gone are files in which HEAD no longer has the edits: the user's next commit came first, and took them back.
	Gone []string
	// Open: there is no commit yet, and HEAD has the files as they were before it. Git may still be at work.
	Open bool
}

// Finish brings the index up to date if git has made the commit of a note. Entries that are not as they were before it stay.
func (r *Repository) Finish(ctx context.Context, n Note) (f Finished, err error) {
	head, err := r.head(ctx)
	if err != nil {
		return f, err
	}
	r.clear(n.Scratch, head != n.Before)
	if head == n.Before {
		return Finished{Open: true}, nil
	}
	commit := ""
	if n.Scratch != "" {
		if commit, err = r.madeFrom(ctx, n, head); err != nil {
			return f, err
		}
	}
	now, err := r.between(ctx, n.Before, head)
	if err != nil {
		if commit == "" {
			err = ctx.Err() // the commit noted is gone
		}
		return f, err
	}
	changed := func(entries map[string]entry, name string) bool { _, ok := entries[name]; return ok }
	untouched := !slices.ContainsFunc(n.Files, func(name string) bool { return changed(now, name) })
	if commit == "" {
		return Finished{Open: untouched}, nil
	}
	committed, err := r.between(ctx, n.Before, commit)
	if err != nil {
		return f, err
	}
	for _, name := range n.Files {
		if !changed(committed, name) {
			return Finished{Open: untouched}, nil
		}
		if !changed(now, name) {
			f.Gone = append(f.Gone, name)
		}
	}
	maps.DeleteFunc(now, func(name string, _ entry) bool { return !changed(committed, name) })
	f.Commit = commit
	return f, r.update(ctx, n.Before, now)
}

// madeFrom is the commit on the way to HEAD that was made on top of the noted one with the noted subject; "" if there is none.
func (r *Repository) madeFrom(ctx context.Context, n Note, head string) (string, error) {
	empty, err := r.empty(ctx, "tree")
	if err != nil {
		return "", err
	}
	args := []string{"rev-list", "--first-parent", "--parents", head}
	if n.Before != empty {
		args = append(args, "^"+n.Before)
	}
	out, _, err := r.ask(ctx, nil, args...)
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	oldest := strings.Fields(lines[len(lines)-1])
	if err != nil || len(oldest) == 0 || n.Before != empty && !slices.Contains(oldest[1:], n.Before) {
		return "", ctx.Err() // the commit noted is gone, or is not on the way
	}
	message, said, err := r.ask(ctx, nil, "log", "-1", "--no-show-signature", "--no-color", "--encoding=UTF-8", "--format=%B", oldest[0])
	if err != nil {
		return "", failed("git does not show a commit", said, err)
	}
	if !strings.Contains(string(message), n.Subject) {
		return "", nil
	}
	return oldest[0], nil
}
