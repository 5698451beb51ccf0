package ablate

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/srpatch/srpatch/internal/ablate/toggle"
)

const (
	// patience is how long a case may take before it counts as one that does not end. Loops that ask are ended by their
	// questions; this is for the others.
	patience = 30 * time.Second
	// A run may ask so many times as often as the product does, and so much more, before it counts as one that does not end.
	askedTimes, askedMore = 50, 1_000_000
	// outOfPatience is the exit status of a process whose case took longer.
	outOfPatience = 3
	// enough cases show that a rule does nothing but answer.
	enough = 200
)

// probe is a process in which rules are switched.
type probe struct {
	cases []Case
	own   []Answer
	saw   []toggle.Record // by case
	out   io.Writer
}

// Probe asks all cases, and then, for each job on in ("17 off 0"), those that the rule could change. It writes a line a job:
// rule, setting, difference, how many cases were asked, how it shows, and the case; or its tallies as JSON, for a job that asks for them.
// Only a binary built with the [Overlay] has rules to switch.
func Probe(cases []Case, rules int, in io.Reader, out io.Writer) error {
	p := &probe{cases: cases, out: out}
	for _, c := range cases {
		saw := toggle.Record{Yes: make([]bool, rules), No: make([]bool, rules)}
		toggle.Watch(&saw)
		p.own = append(p.own, c.Ask())
		p.saw = append(p.saw, saw)
	}
	jobs := bufio.NewScanner(in)
	for jobs.Scan() {
		var rule, most int
		var setting toggle.Setting
		if _, err := fmt.Sscan(jobs.Text(), &rule, &setting, &most); err != nil || rule < 0 || rule >= rules {
			return fmt.Errorf("%q is no job", jobs.Text())
		}
		var err error
		if most > 0 {
			err = json.NewEncoder(out).Encode(p.tallies(rule, setting, most))
		} else {
			err = p.job(rule, setting)
		}
		if err != nil {
			return err
		}
	}
	return jobs.Err()
}

// job looks for the case that differs most, and is content with the first that fails.
func (p *probe) job(rule int, setting toggle.Setting) error {
	var most Difference
	asked, name, how := 0, "", ""
	otherwise := p.where(rule, setting == toggle.On)
	asked = len(otherwise)
	if asked == 0 {
		// It always says the same, and may also do something.
		same := p.where(rule, setting == toggle.Off)
		otherwise = same[:min(len(same), enough)]
	}
	for _, i := range otherwise {
		answer, failure := p.switched(rule, setting, i, func() { p.report(rule, setting, Fails, 1, toggle.Endless, p.cases[i].Name) })
		differs := Fails
		if failure == "" {
			differs = answer.against(p.own[i])
		}
		if differs > most {
			most, name, how = differs, p.cases[i].Name, failure
		}
		if most == Fails {
			break
		}
	}
	return p.report(rule, setting, most, asked, how, name)
}

// where lists the cases in which the rule says no, or yes.
func (p *probe) where(rule int, no bool) (cases []int) {
	for i, saw := range p.saw {
		if no && saw.No[rule] || !no && saw.Yes[rule] {
			cases = append(cases, i)
		}
	}
	return cases
}

func (p *probe) report(rule int, setting toggle.Setting, d Difference, asked int, how, name string) error {
	_, err := fmt.Fprintf(p.out, "%d\t%s\t%d\t%d\t%s\t%s\n", rule, setting, d, asked, how, name)
	return err
}

// Tally is what a switch changes in a scale of cases.
type Tally struct {
	// Of so many cases the switch can change the answer; so many of them were asked, spread evenly.
	Of, Asked int
	// Moves count the other answers by what the answer was worth and is, with a blank between.
	Moves map[string]int
}

// Endless is what an answer is worth that does not come.
const Endless = "endless"

func (p *probe) tallies(rule int, setting toggle.Setting, most int) []Tally {
	var scales [][]int
	for _, i := range p.where(rule, setting == toggle.On) {
		for len(scales) <= p.cases[i].Scale {
			scales = append(scales, nil)
		}
		scales[p.cases[i].Scale] = append(scales[p.cases[i].Scale], i)
	}
	all := make([]Tally, len(scales))
	for s, which := range scales {
		t := Tally{len(which), min(len(which), most), map[string]int{}}
		for k := range t.Asked {
			i := which[k*len(which)/t.Asked]
			answer, failure := p.switched(rule, setting, i, func() {
				t.Moves[Endless]++
				all[s] = t
				_ = json.NewEncoder(p.out).Encode(all)
			})
			switch {
			case failure != "":
				t.Moves[p.own[i].Worth+" "+Endless]++
			case answer.Substance != p.own[i].Substance:
				t.Moves[p.own[i].Worth+" "+answer.Worth]++
			}
		}
		all[s] = t
	}
	return all
}

// switched asks a case with the rule switched. failure says how it went wrong, if it did not answer; if it never does, the process
// ends, after lastly.
func (p *probe) switched(rule int, setting toggle.Setting, i int, lastly func()) (answer Answer, failure string) {
	watchdog := time.AfterFunc(patience, func() {
		lastly()
		os.Exit(outOfPatience)
	})
	defer watchdog.Stop()
	none := make([]bool, len(p.saw[i].Yes))
	toggle.Watch(&toggle.Record{Yes: none, No: none, Limit: askedTimes*p.saw[i].Asked + askedMore})
	toggle.Switch(rule, setting)
	defer func() {
		toggle.Switch(-1, "")
		if r := recover(); r != nil {
			failure, _, _ = strings.Cut(fmt.Sprint(r), "\n")
			if failure != toggle.Endless {
				failure = "panic: " + strings.ReplaceAll(failure, "\t", " ")
			}
		}
	}()
	return p.cases[i].Ask(), ""
}
