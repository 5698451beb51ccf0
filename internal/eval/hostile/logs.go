package hostile

import "strings"

const (
	// The same block in a JSON string.
	quoted = `a.py\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n`
	aider  = "# aider chat started at 2026-01-02 03:04:05\n\n"
)

func logs() []Pattern {
	return []Pattern{
		{Name: "captions of the user", Text: repeat("**User**\n\n")},
		{Name: "captions of a model", Text: repeat("**Assistant**\n\n")},
		{Name: "captions in turn", Text: repeat("**User**\n\nhi\n\n**Assistant**\n\nok\n\n")},
		{Name: "captions, each another", Text: counted("", "**User %d**\n\n", "")},
		{Name: "captions of the user in two settings", Text: repeat("**User**\n\n## User\n\n_Assistant_\n\n")},
		{Name: "captions of nobody", Text: repeat("**Alice**\n\n")},
		{Name: "headings of the user", Text: repeat("## User\n\n")},
		{Name: "labels with a colon", Text: repeat("User:\nhi\n")},
		{Name: "labels with text", Text: repeat("**User:** hi\n\n")},
		{Name: "labels with parentheses", Text: repeat("((((User))))\n\n")},
		{Name: "long labels", Text: repeat(strings.Repeat("a ", 49) + ":\n\n")},
		{Name: "captions with an opener",
			Text: repeat("**User**\n\n<<<<<<< SEARCH\na\n\n**Assistant**\n\n<<<<<<< SEARCH\n")},
		{Name: "captions in fences", Text: repeat("```\n**User**\n\n")},
		{Name: "signs of terminals", Text: repeat("❯ fix it\n\n⏺ Sure\n\n")},
		{Name: "chat turns", Text: within(aider, "#### hi\n\n<<<<<<< SEARCH\na\n\n", "")},
		{Name: "aider: the user alone", Text: within(aider, "#### hi  \n\n", "")},
		{Name: "aider: whole turns",
			Text: within(aider, "#### hi  \n\na.py\n"+block+"\n> Applied edit to a.py\n\n", "")},
		{Name: "aider: heads", Text: repeat(aider)},
		{Name: "aider: reports of what failed",
			Text: within(aider, "> # 1 SEARCH/REPLACE block failed to match!\n> a\n", "")},
		{Name: "aider: reports without an end",
			Text: within(aider,
				"> # 1 SEARCH/REPLACE block failed to match!\n\n## SearchReplaceNoExactMatch: a\n", "")},
		{Name: "aider: openers, interrupted",
			Text: within(aider, "#### hi  \n\nok\n\n<<<<<<< SEARCH\na\n=======\n\n#### stop  \n\n", "")},
		{Name: "messages", Text: within("[",
			`{"role":"user","content":"hi"},{"role":"assistant","content":"`+quoted+`"},`+"\n", `{}]`)},
		{Name: "messages on many lines",
			Text: within("[\n", "{\n\"role\":\n\"assistant\",\n\"content\":\n\"hi\"\n},\n", "{}]")},
		{Name: "deep JSON as a log", Text: repeat("[")},
		{Name: "a text of JSON lines that are none",
			Text: within(`{"role":"user","content":"hi"}`+"\n", "{\"role\n", "")},
	}
}
