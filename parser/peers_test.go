package parser

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

// TestPeersAreComplete checks that no number is missing from the lists at the top of the tables
// about other appliers, that each number has an example or refers to existing ones, and that each
// verdict matches the names of its examples.
func TestPeersAreComplete(t *testing.T) {
	known := map[string]bool{} // "table/example"
	for _, dir := range []string{"parse", "engine"} {
		for table, arc := range archives(t, dir) {
			for _, sec := range arc.Files {
				name, _, _ := strings.Cut(sec.Name, "/")
				known[table+"/"+name] = true
			}
		}
	}
	entry := regexp.MustCompile(`(?m)^([pb]\d\d) (same|differs)?(.*)$`)
	mention := regexp.MustCompile(`[a-z0-9-]+/[a-z0-9-]+`)
	parse := archives(t, "parse")
	for _, c := range []struct {
		table, letter string
		count         int
	}{{"peers", "p", 32}, {"peer-bugs", "b", 35}} {
		own := map[string][]string{}
		for _, sec := range parse[c.table].Files {
			name, kind, _ := strings.Cut(sec.Name, "/")
			if number, _, _ := strings.Cut(name, "-"); strings.HasPrefix(kind, "reply") {
				own[number] = append(own[number], name)
			}
		}
		entries := entry.FindAllStringSubmatch(string(parse[c.table].Comment), -1)
		if len(entries) != c.count {
			t.Errorf("%s lists %d numbers, not %d", c.table, len(entries), c.count)
		}
		for i, e := range entries {
			number, verdict, text := e[1], e[2], e[3]
			if want := fmt.Sprintf("%s%02d", c.letter, i+1); number != want {
				t.Fatalf("%s lists %s where %s belongs", c.table, number, want)
			}
			mentioned := mention.FindAllString(text, -1)
			for _, m := range mentioned {
				if !known[m] {
					t.Errorf("%s names %s, which is no example", number, m)
				}
			}
			if len(own[number])+len(mentioned) == 0 {
				t.Errorf("%s has no example", number)
			}
			differing := strings.Contains(strings.Join(own[number], " ")+" ", "-differs ")
			if (verdict != "") != (c.letter == "p") || differing && verdict != "differs" ||
				verdict == "differs" && !differing && len(own[number]) > 0 {
				t.Errorf("%s says %q of %q", number, verdict, own[number])
			}
			delete(own, number)
		}
		if len(own) > 0 {
			t.Errorf("%s does not list %v", c.table, own)
		}
	}
}

// archives returns the tables in a directory of testdata, by name.
func archives(t *testing.T, dir string) map[string]*txtar.Archive {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("../testdata", dir, "*.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]*txtar.Archive{}
	for _, file := range files {
		arc, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		all[strings.TrimSuffix(filepath.Base(file), ".txtar")] = arc
	}
	return all
}
