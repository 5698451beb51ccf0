package apply

// steps counts how far a plan is; a nil one counts nothing. Each block is a step three times: when
// its file is found, and when its place is looked for, at first what is certain and then the rest.
type steps struct {
	done, total int
	tell        func(done, total int)
}

const stepsOfBlock = 3

func newSteps(blocks int, tell func(done, total int)) *steps {
	return &steps{total: stepsOfBlock * blocks, tell: tell}
}

// step counts one.
func (s *steps) step() {
	if s != nil {
		s.reach(s.done + 1)
	}
}

// reach says that so many are done. A file that needs less than a step a block is further then.
func (s *steps) reach(done int) {
	s.done = max(s.done, min(done, s.total))
	if s.tell != nil {
		s.tell(s.done, s.total)
	}
}
