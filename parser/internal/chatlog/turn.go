package chatlog

// turnOf says who speaks from the line on, if it is a label; [Tool] is somebody of whom it is not
// known. A log calls the user by one name throughout, so another label is part of the model's text.
func (l *Log) turnOf(raw []byte) (Speaker, bool) {
	c, ok := captionOf(raw)
	if !ok {
		return Model, false
	}
	switch key := c.key(); {
	case l.cast.unsure:
		return Tool, key == l.cast.user || key == l.cast.model
	case key == l.cast.user:
		return User, true
	case key == l.cast.model:
		return Model, true
	}
	who, known := c.speaker()
	switch {
	case !known:
		return Model, false
	case l.cast.set != "":
		return Model, who == Model && c.set == l.cast.set
	case !c.labels():
		return Model, false
	case who == User && l.cast.user == "":
		l.cast.user = c.key()
		return User, true
	}
	return Model, who == Model
}
