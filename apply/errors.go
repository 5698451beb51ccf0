package apply

import (
	"cmp"
	"errors"
	"fmt"

	"github.com/srpatch/srpatch/internal/charset"
)

// ReasonError is an error with the reason code that a report shows. [errors.Is] matches it by that
// code.
type ReasonError struct {
	Reason Reason
	Err    error
}

func (e *ReasonError) Error() string { return e.Err.Error() }

// Unwrap returns the cause.
func (e *ReasonError) Unwrap() error { return e.Err }

// Is reports whether target is the error's reason, as in errors.Is(err, apply.Stale).
func (e *ReasonError) Is(target error) bool { return target == error(e.Reason) }

func reasonOf(err error, otherwise Reason) Reason {
	if e, ok := errors.AsType[*ReasonError](err); ok {
		return e.Reason
	}
	return otherwise
}

// OptionError says that a field of [Options], or the Op of a block, has an invalid value.
type OptionError struct {
	// Option is the name of the field, or "Block.Op". Value is its value.
	Option, Value string
	// What completes a sentence that begins with the value, such as "is not between 0 and 1".
	What string
}

func (e *OptionError) Error() string {
	return fmt.Sprintf("the option %s: %q %s", e.Option, e.Value, e.What)
}

// check returns the encoding that the options name, or nil for none, and an error if an option is
// invalid.
func (o *Options) check() (*charset.Charset, error) {
	switch o.Policy {
	case Strict, Safe, Loose:
	default:
		return nil, &OptionError{"Policy", string(o.Policy), "is not strict, safe or loose"}
	}
	if o.Splice != ThreeWay && o.Splice != Verbatim {
		return nil, &OptionError{"Splice", string(o.Splice), "is not three-way or verbatim"}
	}
	if !(o.Threshold >= 0 && o.Threshold <= 1) {
		return nil, &OptionError{"Threshold", fmt.Sprint(o.Threshold), "is not between 0 and 1"}
	}
	if o.Encoding == "" {
		return nil, nil
	}
	set, err := charset.Named(o.Encoding)
	if err != nil {
		return nil, &OptionError{"Encoding", o.Encoding, err.Error()}
	}
	return set, nil
}

// Err returns nil if every block of the plan can be applied. Otherwise it joins a [ReasonError] for
// each refused block and for each diagnostic, whose code is the reason. [errors.As] and [errors.Is]
// also find the errors that the tree or the veto returned.
func (p *Plan) Err() error {
	var errs []error
	for i := range p.Blocks {
		if b := &p.Blocks[i]; b.Status == BlockFailed {
			errs = append(errs, &ReasonError{b.Reason, &refusal{b}})
		}
	}
	for _, d := range p.Diagnostics {
		err := fmt.Errorf("line %d of the reply: found %s, expected %s", d.Line, d.Found, d.Expected)
		errs = append(errs, &ReasonError{Reason(d.Code), err})
	}
	if len(errs) == 0 && p.Status != Applied {
		return ErrNoEdits
	}
	return errors.Join(errs...)
}

// ErrNoEdits is the error of a plan without blocks; see [Plan.Err].
var ErrNoEdits = errors.New("the reply has no edits")

// ErrNoBlock is the error of [Engine.Why] if the reply has no block with the given number.
var ErrNoBlock = errors.New("the reply has no such block")

// refusal is the error of a refused block.
type refusal struct{ block *BlockReport }

func (r *refusal) Error() string {
	return fmt.Sprintf("block %d, %s: %s", r.block.ID, cmp.Or(r.block.Path, "which names no file"), r.block.Message)
}

func (r *refusal) Unwrap() error { return r.block.cause }
