package strategy

// lineTrimmed yields every run of lines that equals the pattern line by line except for the
// whitespace around each line. A pattern without text names the place before each line of a
// verbatim document, and none in a document of lines.
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
