package strategy

// lineTrimmed yields every run of lines that equals the pattern line by line, ignoring whitespace
// at the ends of each line. A pattern without text matches before each line of a verbatim document,
// and nowhere in a document of lines.
func lineTrimmed(doc *Document, pat *Pattern, yield func(Candidate) bool) {
	body := pat.body()
	if body.Len() > 0 {
		yieldLines(doc, trimmedWindows(doc, body), body.Len(), yield)
		return
	}
	for i := 0; doc.raw && i < doc.Len(); i++ {
		if !yield(Candidate{doc.Start(i), doc.Start(i)}) {
			return
		}
	}
}
