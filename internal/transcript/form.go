package transcript

// form is one kind of log.
type form struct {
	// name is how messages call the log.
	name string
	// lines says that the log is JSON Lines, which are read one by one, so that a line that was cut off costs no other.
	lines bool
	// list is the key of the records, where the log is an object that has them in a list; "" if it has no such list.
	list string
	// single says that such a text is one answer rather than a log, and may be a reply by itself.
	single bool
	// occurs recognises the form by the keys at the beginning of the log.
	occurs func(s shape) bool
	// read takes one record.
	read func(t *turns, record []byte)
}

// forms lists what is known. The first that occurs is taken, so what has more keys of its own comes first.
func forms() []form {
	return []form{
		claudeCode(), codexRollout(), codexEvents(), openCodeExport(), openCodeEvents(), clineMessages(),
		chatGPT(), claudeAI(), llmLogs(), geminiSession(), geminiContents(), messages(), geminiResponse(), export(), response(),
	}
}

// Log is what was recognised as a log.
type Log struct {
	// Name says whose log it is: "a session of Claude Code".
	Name string
	// Single says that it holds one answer of a model, as a server gives it.
	Single bool
	form   form
}

// HeadSize is how many bytes of a log are enough for Detect.
const HeadSize = 64 << 10

// Detect says what log begins with the given bytes, which are all of it or HeadSize; nil if it is none that is known.
func Detect(head []byte) *Log {
	s := shapeOf(head)
	if len(s) == 0 {
		return nil
	}
	for _, f := range forms() {
		if f.occurs(s) {
			return &Log{f.name, f.single, f}
		}
	}
	return nil
}
