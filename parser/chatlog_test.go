package parser

import (
	"strings"
	"testing"

	"github.com/srpatch/srpatch/internal/diagnosis"
)

// answered formats the paths of an answer's blocks and the codes of its diagnostics.
func answered(r *Reply) string {
	var got []string
	for _, b := range r.Blocks {
		got = append(got, b.Path)
	}
	for _, d := range r.Diagnostics {
		got = append(got, d.Code)
	}
	return strings.Join(got, " ")
}

// TestLastAnswerOfUnusualLogs covers logs that don't begin like logs, and headings in answers. want
// lists the paths of the last answer's blocks and the codes of its diagnostics.
func TestLastAnswerOfUnusualLogs(t *testing.T) {
	block := func(name string) string {
		return name + "\n```\n<<<<<<< SEARCH\n1\n=======\n2\n>>>>>>> REPLACE\n```\n\n"
	}
	const head = "# aider chat started at 2024-08-05 19:33:02\n\n"
	const tokens = "> Tokens: 5,244 sent, 604 received. Cost: $0.02 request, $0.02 session.  \n"
	for _, c := range []struct{ name, log, want string }{
		{"labels below a title", "My chat\n\nUser:\n\n" + block("a.py") + "Assistant:\n\n" + block("b.py"), "b.py"},
		{"text after labels", "My chat\n\nUser: please\n\n" + block("a.py") + "Assistant: yes\n\n" +
			block("b.py") + "User: again\n\nAssistant: so\n\n" + block("c.py"), "c.py"},
		{"bold labels", "**User:** please\n\n" + block("a.py") + "**Assistant:** yes\n\n" + block("b.py"), "b.py"},
		{"bold labels with and without text", "**User:** please\n\n" + block("a.py") +
			"**Claude:** yes\n\n" + block("b.py") + "**User:**\nmore\n\n" + block("c.py") +
			"**Claude:**\n" + block("d.py"), "d.py"},
		{"bold labels of other names", "**You:** please\n\n" + block("a.py") +
			"**ChatGPT:** yes\n\n" + block("b.py") + "**You:**\nmore\n\n" + block("c.py") +
			"**ChatGPT:**\n" + block("d.py"), "d.py"},
		{"bold labels with the colon after them", "**You**: please\n\n" + block("a.py") +
			"**Gemini**: yes\n\n" + block("b.py"), "b.py"},
		{"bold words that are no labels", "**Note:** please\n\n" + block("a.py") +
			"**AI features:** yes\n\n" + block("b.py") + "**You can:** run it\n\n" + block("c.py"), "a.py b.py c.py"},
		{"labels of ChatGPT", "You said:\n\n" + block("a.py") + "ChatGPT said:\n\n" +
			block("b.py") + "You said:\nthanks\n\nChatGPT said:\nYou are welcome.\n", "b.py"},
		{"human", "Human: please\n\n" + block("a.py") + "Assistant: yes\n\n" + block("b.py"), "b.py"},
		{"the tail of an answer, then a turn", block("a.py") + "User:\nmore\n\nAssistant:\n" + block("b.py"), "b.py"},
		{"names that nobody knows", "**Alice**\n\nfix\n\n" + block("a.py") + "**Bob**\n\n" +
			block("b.py") + "**Alice**\n\nthanks\n", "a.py b.py chat-log"},
		{"names with text that nobody knows", "octocat: fix\n\n" + block("a.py") + "hubot: so\n\n" +
			block("b.py") + "octocat: more\n\n", "a.py b.py chat-log"},
		{"words alone", "User\n\n" + block("a.py") + "Assistant\n\n" + block("b.py"), "b.py"},
		{"one reply with captions of files", "File: a.py\n" + block("a.py") + "File: b.py\n" +
			block("b.py"), "a.py b.py"},
		{"one reply", block("a.py") + block("b.py"), "a.py b.py"},
		{"one reply with headings", "#### Step 1\n\n" + block("a.py") + "#### Step 2\n\n" + block("b.py"), "a.py b.py"},
		{"one reply that says who a line is for", "User: the one who logs in\n\n" + block("a.py"), "a.py chat-log"},
		{"one reply about labels", "The prompt:\n\n```\nUser: hi\nAssistant: hello\n```\n\n" + block("a.py"), "a.py"},
		{"aider's costs on a line of their own", head + "#### do it  \n\n" + block("a.py") +
			"> Tokens: 2k sent, 1k received.\nCost: $0.02 message, $0.32 session.  \n> Add b.py to the chat? (Y)es/(N)o [Yes]: y  \n\n" +
			"Now:\n\n" + block("b.py"), "b.py"},
		{"aider's tail", "> Tokens: 2k sent  \n\n#### do it  \n\n" + block("a.py") +
			"> Applied edit to a.py  \n\n#### now b  \n\n" + block("b.py"), "b.py"},
		{"aider's tail, stripped", block("a.py") + "> Applied edit to a.py\n\n#### now b\n\n" + block("b.py"), "b.py"},
		{"aider's answer with headings", head + "#### do it  \n\n#### Step 1\n\n" + block("a.py") +
			"#### Step 2\n\n" + block("b.py"), "a.py b.py"},
		{"aider's answer with headings, stripped", head + "#### do it\n\n#### Step 1\n\n" +
			block("a.py") + "#### Step 2\n\n" + block("b.py"), "b.py chat-log"},
		{"aider's lines of both kinds", head + "#### do it  \n#### well\n\n" + block("a.py") +
			"> Tokens: 1\n\n#### now b\n\n" + block("b.py"), "b.py"},
		{"aider's lines of both kinds, the blanks first", head + "#### do it  \n\n" +
			block("a.py") + "> Tokens: 1\n\n#### now b\n\n" + block("b.py") +
			"> Tokens: 1\n\n#### /undo\n> Undone.\n", "b.py"},
		{"aider asked again", head + "#### do it  \n\n" + block("a.py") +
			"> # 1 SEARCH/REPLACE block failed to match!\n\n## SearchReplaceNoExactMatch: This SEARCH block failed to exactly match lines in a.py\n" +
			"<<<<<<< SEARCH\n1\n=======\n2\n>>>>>>> REPLACE\n\nThe SEARCH section must exactly match an existing block of lines\n\nSorry.\n\n" + block("b.py") + "> Tokens: 1\n", "b.py"},
		{"aider asked again, and the answer begins with a fence", head + "#### do it  \n\n" +
			block("a.py") + "> # 1 SEARCH/REPLACE block failed to match!\n\n## SearchReplaceNoExactMatch: This SEARCH block failed to exactly match lines in a.py\n" +
			"<<<<<<< SEARCH\n1\n=======\n2\n>>>>>>> REPLACE\n\nDid you mean to match some of these actual lines from a.py?\n\n```\n1\n```\n\nThe SEARCH section must exactly match an existing block of lines\n" +
			"Just reply with fixed versions of the block above that failed to match.  \n\n```\nb.py\n<<<<<<< SEARCH\n1\n=======\n2\n>>>>>>> REPLACE\n```\n", "b.py"},
		{"aider asked again with blanks below its words", head + "#### do it  \n\n" +
			block("a.py") + "> # 1 SEARCH/REPLACE block failed to match!  \n\n## SearchReplaceNoExactMatch: This SEARCH block failed to exactly match lines in a.py\n" +
			"<<<<<<< SEARCH\n1\n=======\n2\n>>>>>>> REPLACE\n\nThe SEARCH section must exactly match an existing block of lines\n\n" + block("b.py"), "b.py"},
		{"answers of which no block was understood between them", head + "#### do it  \n\n" +
			block("a.py") + tokens +
			"> The LLM did not conform to the edit format.  \n> No filename provided before ``` in file listing  \n\n" + block("b.py") + tokens, "b.py"},
		{"an answer after a check that failed", head + "#### do it  \n\n" + block("a.py") + tokens +
			"> Applied edit to a.py  \n> # Fix any errors below, if possible.  \n> Attempt to fix lint errors? (Y)es/(N)o [Yes]: y  \n\n" + block("b.py"), "b.py"},
		{"an answer that broke off and was asked for again", head + "#### do it  \n\n" +
			block("a.py") + "c.py\n```\n<<<<<<< SEARCH\n1\n=======\n2\n\n" +
			"> litellm.APIConnectionError: peer closed connection  \n> Retrying in 0.2 seconds...  \n\nI change it:\n\n" + block("b.py") + tokens, "b.py"},
		{"a retry between blocks", head + "#### do it  \n\n" + block("a.py") +
			"> litellm.RateLimitError: wait  \n> Retrying in 0.5 seconds...  \n\n" + block("b.py") + tokens, "b.py"},
		{"an answer to a remark in a watched file", head + block("a.py") +
			"> Applied edit to a.py  \n> Commit 1234567 fix: a  \n\n> Processing your request...  \n\n" + block("b.py"), "b.py"},
		{"an editor after an architect", head + "#### do it  \n\n" + block("a.py") + tokens +
			"> Edit the files? (Y)es/(N)o [Yes]: y  \n\n" + block("b.py") + tokens +
			"> Applied edit to b.py  \n", "b.py"},
		{"an architect who says no more", head + "#### do it  \n\n" + block("a.py") + tokens +
			"> Edit the files? (Y)es/(N)o [Yes]: n  \n", "a.py"},
		{"an answer that was stopped", head + "#### do it  \n\n" + block("a.py") +
			">  \n>  \n> ^C KeyboardInterrupt  \n\n" + block("b.py"), "b.py"},
		{"an answer in the next session", head + "#### do it  \n\n" + block("a.py") + head +
			"> Aider v0.75.1  \n\n" + block("b.py"), "b.py"},
		{"what the tool says to a command", head + "#### do it  \n\n" + block("a.py") +
			"#### /add b.py  \n> Added b.py to the chat  \n\n" + block("b.py"), "b.py"},
		{"a quote in an answer", head + "#### do it  \n\n" + block("a.py") +
			"> Note: two files  \n\n" + block("b.py") + tokens, "a.py b.py"},
		{"what the tool says, quoted within a paragraph", head + "#### do it  \n\n" +
			block("a.py") + "It printed\n> Commit 1234567 fix: a  \nand so\n\n" + block("b.py") + tokens, "a.py b.py"},
		{"what the tool says, quoted without its blanks", head + "#### do it  \n\n" +
			block("a.py") + "\n> Commit 1234567 fix: a\n\n" + block("b.py") + tokens, "a.py b.py"},
		{"a block that the tool cut off", head +
			"#### do it  \n\na.py\n<<<<<<< SEARCH\n1\n=======\n2\n\n" + tokens +
			"> The LLM did not conform to the edit format.  \n\n" + block("b.py"), "b.py"},
		{"a last block that the tool cut off", head + "#### do it  \n\n" + block("a.py") + tokens +
			"\n#### more  \n\nb.py\n<<<<<<< SEARCH\n1\n=======\n2\n\n" + tokens, "truncated"},
		{"a block with a divider in place of its closer", head +
			"#### do it  \n\na.py\n```\n<<<<<<< SEARCH\nx = 1\n=======\nx = 2\n=======\n\n" + tokens, "a.py"},
		{"an answer cut off by the tool", head +
			"#### do it  \n\na.py\n<<<<<<< SEARCH\n1\n=======\n2\n\n> Aborted.\n\n#### again\n\n" +
			block("b.py"), "b.py"},
		{"aider's answer with a last heading, stripped", head + "#### do it\n\n" + block("a.py") +
			"#### Summary\n\nDone.\n", "a.py"},
		{"the tail of an answer with headings, stripped", block("a.py") + "#### Step 2\n\n" +
			block("b.py") + "> Tokens: 2k sent\n", "b.py chat-log"},
		{"a heading below an attempt, stripped", head +
			"#### do it\n\n#### Step 1\n\n>>>>>>> REPLACE\n\n#### Step 2\n\n" + block("b.py"), "b.py chat-log"},
	} {
		if got := answered(ParseLast([]byte(c.log))); got != c.want {
			t.Errorf("%s: %s, not %s\n%s", c.name, got, c.want, c.log)
		}
	}
}

// TestLastAttemptOfALog checks that ParseLast picks the answer with the last attempt at an edit,
// even if none of it was understood.
func TestLastAttemptOfALog(t *testing.T) {
	const log = "User:\none\n\nAssistant:\na.py\n<<<<<<< SEARCH\n1\n=======\n2\n>>>>>>> REPLACE\n\nUser:\ntwo\n\nAssistant:\n{'path': 'a.py', 'old_str': '1', 'new_str': '2'}\n"
	if last := ParseLast([]byte(log)); len(last.Blocks) != 0 || len(last.Diagnostics) != 1 ||
		last.Diagnostics[0].Line != 16 {
		t.Errorf("%+v", last)
	}
}

// A chat log in JSON is refused. A model's answer in JSON, as returned by an API, is a reply.
func TestLogsInJSONAreRefused(t *testing.T) {
	const edit = `{\"name\":\"Edit\",\"input\":{\"file_path\":\"a.py\",\"old_string\":\"1\",\"new_string\":\"2\"}}`
	for name, log := range map[string]string{
		"a session of Claude Code": `{"type":"summary","summary":"x"}` + "\n" +
			`{"type":"user","message":{"role":"user","content":"go"}}` + "\n",
		"a list of messages": "[\n  {\n    \"role\": \"user\",\n    \"content\": \"" + edit + "\"\n  }\n]\n",
		"llm logs":           `[{"id":"1","prompt":"go","system":null,"response":"` + edit + `"}]`,
		"a rollout of Codex": `{"type":"session_meta","payload":{}}` + "\n" +
			`{"type":"event_msg","payload":{"type":"user_message"}}`,
		"a task of Cline": `[{"ts":1,"type":"say","say":"text","text":"` + edit + `"}]`,
		"an export of ChatGPT": "\ufeff" +
			`[{"mapping":{"a":{"message":{"author":{"role":"user"},"content":{"parts":["go"]}}}}}]`,
		"questions and answers": `{"turns":[{"question":"go","answer":"` + edit + `"}]}`,
	} {
		for _, r := range []*Reply{Parse([]byte(log)), ParseLast([]byte(log))} {
			if answered(r) != diagnosis.ChatLog || r.Diagnostics[0].Line != 1 {
				t.Errorf("%s is understood as\n%s", name, render(r))
			}
		}
	}
	for name, reply := range map[string]string{
		"a call":            `{"name":"Edit","input":{"file_path":"a.py","old_string":"\"role\": \"user\"","new_string":"2"}}`,
		"a server's answer": `{"choices":[{"message":{"role":"assistant","tool_calls":[{"function":{"name":"Edit","arguments":{"file_path":"a.py","old_string":"1","new_string":"2"}}}]}}]}`,
	} {
		if r := Parse([]byte(reply)); answered(r) != "a.py" {
			t.Errorf("%s is understood as\n%s", name, render(r))
		}
	}
}
