package retry_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"strings"
	"testing"

	"github.com/srpatch/srpatch/apply"
	"github.com/srpatch/srpatch/apply/retry"
	"github.com/srpatch/srpatch/parser"
)

func block(path, search, replace string) string {
	return path + "\n<<<<<<< SEARCH\n" + search + "=======\n" + replace + ">>>>>>> REPLACE\n\n"
}

// A block that was refused is asked for once more, and its correction is applied along with the
// others.
func Example() {
	tree := apply.Files{"shop.py": []byte("def total(items):\n    return sum(items)\n\ndef tax(items):\n    return total(items) * RATE\n")}
	engine := apply.New(tree, apply.Options{})
	reply := retry.New([]byte(block("shop.py", "    return sum(items)\n", "    return round(sum(items), 2)\n") +
		block("shop.py", "def duty(items):\n    return 0\n", "def duty(items):\n    return 1\n")))

	ctx := context.Background()
	plan, err := reply.Plan(ctx, engine)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(plan.Status)
	fmt.Print(reply.Feedback())

	answer := block("shop.py", "def tax(items):\n    return total(items) * RATE\n", "def duty(items):\n    return total(items) * RATE\n")
	if _, err := reply.Answer([]byte(answer)); err != nil {
		log.Fatal(err)
	}
	if plan, err = reply.Plan(ctx, engine); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("\n%s\n%s", plan.Status, plan.Files[0].After)
	// Output:
	// refused
	// 1 edit in your reply could not be applied. Nothing has been written yet. The other blocks are kept, and will be applied with your corrections: don't send them again.
	// Send corrected blocks for these edits only, each below its number (such as `Block 2`) and its file name. SEARCH must repeat lines of the file exactly as they are now, indentation included.
	// To drop an edit, write a line such as `skip block 2` instead of its block; only such a line leaves it out.
	//
	// ## Block 2, `shop.py`
	//
	// Refused: line 1 is nearest, but too little of SEARCH occurs there.
	// Its SEARCH begins with: `def duty(items):`
	// The nearest text in the file is at lines 1-4:
	//
	// ```
	// def total(items):
	//     return sum(items)
	//
	// def tax(items):
	// ```
	//
	// These lines of your SEARCH are missing there:
	//
	// ```
	// def duty(items):
	//     return 0
	// ```
	//
	// applied
	// def total(items):
	//     return round(sum(items), 2)
	//
	// def duty(items):
	//     return total(items) * RATE
}

// planned is the plan of a reply as it is now.
func planned(t *testing.T, r *retry.Reply, engine *apply.Engine) *apply.Plan {
	t.Helper()
	plan, err := r.Plan(t.Context(), engine)
	if err != nil {
		t.Fatal(err)
	}
	return plan
}

// answered gives the reply an answer.
func answered(t *testing.T, r *retry.Reply, text string) {
	t.Helper()
	if _, err := r.Answer([]byte(text)); err != nil {
		t.Fatal(err)
	}
}

// What was not understood is asked for, too, and the answer takes its place.
func TestAnAttemptIsAnswered(t *testing.T) {
	engine := apply.New(apply.Files{"a.txt": []byte("one\ntwo\nthree\n")}, apply.Options{})
	r := retry.New([]byte(block("a.txt", "one\n", "1\n") +
		"a.txt\n<<<<<<< SEARCH\ntwo\n2\n>>>>>>> REPLACE\n"))
	if plan := planned(t, r, engine); plan.Status != apply.Refused || len(plan.Diagnostics) != 1 {
		t.Fatalf("%+v", plan)
	}
	if says := r.Feedback(); !strings.Contains(says, "## Line 9 of your reply, for `a.txt`") || !strings.Contains(says, "The other blocks are kept") {
		t.Errorf("the message is %q", says)
	}
	answered(t, r, "a.txt\n<<<<<<< SEARCH\ntwo\n2\n>>>>>>> REPLACE\n") // the same slip again
	if plan := planned(t, r, engine); plan.Status != apply.Refused {
		t.Fatalf("%+v", plan)
	}
	answered(t, r, block("a.txt", "two\n", "2\n"))
	plan := planned(t, r, engine)
	if plan.Status != apply.Applied || string(plan.Files[0].After) != "1\n2\nthree\n" {
		t.Errorf("%+v", plan)
	}
	if says := r.Feedback(); says != "" {
		t.Errorf("all is applied, and the message is %q", says)
	}
}

// After a plan of which a part was written the rest is asked for, and what is written is not
// written again.
func TestWrittenIsNotPlannedAgain(t *testing.T) {
	tree := apply.Files{"a.txt": []byte("one\ntwo\nthree\n")}
	engine := apply.New(tree, apply.Options{Partial: true})
	r := retry.New([]byte(block("a.txt", "one\n", "") + block("a.txt", "twenty\n", "20\n")))
	plan := planned(t, r, engine)
	if plan.Status != apply.Partial {
		t.Fatalf("%+v", plan)
	}
	tree["a.txt"] = plan.Files[0].After
	r.Written()
	if says := r.Feedback(); !strings.Contains(says, "The blocks already written stay") {
		t.Errorf("the message is %q", says)
	}
	answered(t, r, block("a.txt", "one\n", "")+block("a.txt", "two\n", "20\n")) // repeats what is written
	plan = planned(t, r, engine)
	if plan.Status != apply.Applied || string(plan.Files[0].After) != "20\nthree\n" {
		t.Errorf("%+v", plan)
	}
}

// A block is explained as the answers have it by now.
func TestWhy(t *testing.T) {
	engine := apply.New(apply.Files{"a.txt": []byte("one\ntwo\n")}, apply.Options{})
	r := retry.New([]byte(block("a.txt", "one\n", "1\n") + block("a.txt", "twenty\n", "2\n")))
	planned(t, r, engine)
	answered(t, r, block("a.txt", "two\n", "2\n"))
	if why, err := engine.Why(t.Context(), r.Parsed(), 2); err != nil || why.Report.Status != apply.BlockApplied || len(why.Places) != 1 {
		t.Errorf("%+v, %v", why, err)
	}
	if _, err := engine.Why(t.Context(), r.Parsed(), 3); !errors.Is(err, apply.ErrNoBlock) {
		t.Errorf("of a block that is not there: %v", err)
	}
}

// A model that wrote no edit is told how one is written, and its answer is taken.
func TestReplyWithoutEdits(t *testing.T) {
	engine := apply.New(apply.Files{"a.txt": []byte("one\n")}, apply.Options{})
	r := retry.New([]byte("I would change a.txt.\n"))
	planned(t, r, engine)
	if says := r.Feedback(); !strings.Contains(says, "no edit") || len(parser.Parse([]byte(says)).Blocks) != 1 {
		t.Errorf("the message is %q", says)
	}
	answered(t, r, block("a.txt", "one\n", "1\n"))
	if plan := planned(t, r, engine); plan.Status != apply.Applied || r.Feedback() != "" {
		t.Errorf("%+v", plan)
	}
}

func TestAnswerWithoutEdits(t *testing.T) {
	engine := apply.New(apply.Files{"a.txt": []byte("one\n")}, apply.Options{})
	r := retry.New([]byte(block("a.txt", "two\n", "2\n")))
	if says := r.Feedback(); says != "" {
		t.Errorf("nothing was planned, and the message is %q", says)
	}
	planned(t, r, engine)
	said := r.Feedback()
	if _, err := r.Answer([]byte("I am sorry.\n")); !errors.Is(err, apply.ErrNoEdits) || r.Feedback() != said {
		t.Errorf("got %v", err)
	}
	answered(t, r, block("a.txt", "one\n", "2\n"))
	if plan := planned(t, r, engine); plan.Status != apply.Applied {
		t.Errorf("%+v", plan)
	}
}

func TestNameBesideTheNumberWins(t *testing.T) {
	r := retry.New([]byte("a.txt\n<<<<<<< SEARCH\nnone\n=======\ntwo\n>>>>>>> REPLACE\n"))
	tree := apply.Files{"a.txt": []byte("one\n"), "b.txt": []byte("one\n")}
	engine := apply.New(tree, apply.Options{})
	if _, err := r.Plan(t.Context(), engine); err != nil {
		t.Fatal(err)
	}
	answer := "## Block 1, `b.txt`\n\n```\n<<<<<<< SEARCH\none\n=======\ntwo\n>>>>>>> REPLACE\n```\n"
	if _, err := r.Answer([]byte(answer)); err != nil {
		t.Fatal(err)
	}
	plan, err := r.Plan(t.Context(), engine)
	if err != nil || len(plan.Files) != 1 || plan.Files[0].Path != "b.txt" {
		t.Errorf("%v, %+v", err, plan.Files)
	}
}
