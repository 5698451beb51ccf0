package apply

// steps counts the progress of a plan; a nil steps counts nothing. Each block takes three steps:
// finding its file, searching for exact and normalized places, and searching for similar ones.
type steps struct {
	done, total int
	tell        func(done, total int)
}

const stepsOfBlock = 3

func newSteps(blocks int, tell func(done, total int)) *steps {
	return &steps{total: stepsOfBlock * blocks, tell: tell}
}

// step counts one step.
func (s *steps) step() {
	if s != nil {
		s.reach(s.done + 1)
	}
}

// reach sets the number of steps done, for a file that needs less than one step per block.
func (s *steps) reach(done int) {
	s.done = max(s.done, min(done, s.total))
	if s.tell != nil {
		s.tell(s.done, s.total)
	}
}
