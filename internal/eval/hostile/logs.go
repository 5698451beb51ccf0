package hostile

import (
	"bytes"
	"fmt"
	"strings"
)

const (
	// The same block in a string of JSON.
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
		{Name: "captions of many", Text: counted("", "**Alice%d**\n\n", "")},
		{Name: "two names in turn", Text: repeat("**Alice**\n\nhi\n\n**Bob**\n\nok\n\n")},
		{Name: "headings of the user", Text: repeat("## User\n\n")},
		{Name: "labels with a colon", Text: repeat("User:\nhi\n")},
		{Name: "labels with text", Text: repeat("**User:** hi\n\n")},
		{Name: "labels with times", Text: repeat("[10:02] octocat:\n\n")},
		{Name: "labels with parentheses", Text: repeat("((((User))))\n\n")},
		{Name: "long labels", Text: repeat(strings.Repeat("a ", 49) + ":\n\n")},
		{Name: "captions with an opener", Text: repeat("**User**\n\n<<<<<<< SEARCH\na\n\n**Assistant**\n\n<<<<<<< SEARCH\n")},
		{Name: "captions in fences", Text: repeat("```\n**User**\n\n")},
		{Name: "signs of terminals", Text: repeat("❯ fix it\n\n⏺ Sure\n\n")},
		{Name: "signs of the user alone", Text: repeat("❯ fix it\n\n")},
		{Name: "pictures", Text: repeat("🧑 fix it\n\n🤖 Sure\n\n")},
		{Name: "chat turns", Text: within(aider, "#### hi\n\n<<<<<<< SEARCH\na\n\n", "")},
		{Name: "aider: the user alone", Text: within(aider, "#### hi  \n\n", "")},
		{Name: "aider: whole turns", Text: within(aider, "#### hi  \n\na.py\n"+block+"\n> Applied edit to a.py\n\n", "")},
		{Name: "aider: heads", Text: repeat(aider)},
		{Name: "aider: reports of what failed", Text: within(aider, "> # 1 SEARCH/REPLACE block failed to match!\n> a\n", "")},
		{Name: "aider: openers, interrupted", Text: within(aider, "#### hi  \n\nok\n\n<<<<<<< SEARCH\na\n=======\n\n#### stop  \n\n", "")},
		{Name: "messages", Text: within("[", `{"role":"user","content":"hi"},{"role":"assistant","content":"`+quoted+`"},`+"\n", `{}]`)},
		{Name: "messages of one answer", Text: within(`[{"role":"user","content":"hi"},`, `{"role":"assistant","content":"`+quoted+`"},`+"\n", `{}]`)},
		{Name: "messages, cut off", Text: within("[", `{"role":"user","content":"hi"},{"role":"assistant","content":"`+quoted+`"},`+"\n", `{"role":"assist`)},
		{Name: "messages on many lines", Text: within("[\n", "{\n\"role\":\n\"assistant\",\n\"content\":\n\"hi\"\n},\n", "{}]")},
		{Name: "messages, one long", Text: within(`[{"role":"user","content":"hi"},{"role":"assistant","content":"`, quoted, `"}]`)},
		{Name: "a response in responses", Text: nested(4000, `{"role":"user","content":"hi"}`+"\n", `{"input":[{"role":"user","content":"x"}],"response":`, " ", "{}", "}", "\n")},
		{Name: "calls that failed", Text: within("[", `{"role":"assistant","content":[{"type":"tool_use","id":"t","name":"Edit","input":{"file_path":"a.py","old_string":"a","new_string":"b"}}]},`+
			`{"role":"user","content":[{"type":"tool_result","tool_use_id":"u","is_error":true,"content":"no"}]},`+"\n", "{}]")},
		{Name: "calls, each its own file", Text: counted(`[{"role":"user","content":"hi"},`, `{"role":"assistant","content":[{"type":"tool_use","id":"t%[1]d","name":"Edit","input":{"file_path":"a%[1]d.py","old_string":"a","new_string":"b"}}]},`+"\n", "{}]")},
		{Name: "failed calls, each its own file", Text: counted(`[{"role":"user","content":"hi"},`, `{"role":"assistant","content":[{"type":"tool_use","id":"t%[1]d","name":"Edit","input":{"file_path":"a%[1]d.py","old_string":"a","new_string":"b"}}]},`+
			`{"role":"user","content":[{"type":"tool_result","tool_use_id":"t%[1]d","is_error":true,"content":"no"}]},`+"\n", "{}]")},
		{Name: "failed calls of two files among others", Text: counted(`[{"role":"user","content":"hi"},`, `{"role":"assistant","content":[{"type":"tool_use","id":"t%[1]d","name":"Edit","input":{"file_path":"a%[1]d.py","old_string":"a","new_string":"b"}},`+
			`{"type":"tool_use","id":"u%[1]d","name":"apply_patch","input":{"input":"*** Begin Patch\n*** Update File: x.py\n@@\n-1\n+2\n*** Update File: y%[1]d.py\n@@\n-1\n+2\n*** End Patch"}}]},`+
			`{"role":"user","content":[{"type":"tool_result","tool_use_id":"u%[1]d","is_error":true,"content":"no"}]},`+"\n", "{}]")},
		{Name: "failures of calls that nobody made", Text: counted(`[{"role":"user","content":"hi"},`, `{"role":"assistant","content":[{"type":"tool_use","id":"t%[1]d","name":"Edit","input":{"file_path":"a%[1]d.py","old_string":"a","new_string":"b"}}]},`+
			`{"role":"user","content":[{"type":"tool_result","tool_use_id":"u%[1]d","is_error":true,"content":"no"}]},`+"\n", "{}]")},
		{Name: "results without a call", Text: within(`[{"role":"user","content":"hi"},{"role":"assistant","content":[`+strings.Repeat(`{"type":"tool_use","id":"t","name":"Edit","input":{"old_string":"a"}},`, 2000)+`{}]},`,
			`{"role":"user","content":[{"type":"tool_result","tool_use_id":"z","is_error":true}]},`+"\n", "{}]")},
		{Name: "a session of Claude Code", Text: within(`{"type":"summary","summary":"x","leafUuid":"u"}`+"\n",
			`{"isSidechain":false,"sessionId":"5","uuid":"u","type":"user","message":{"role":"user","content":"hi"}}`+"\n"+
				`{"isSidechain":false,"sessionId":"5","uuid":"u","type":"assistant","message":{"role":"assistant","content":[{"type":"text","text":"`+quoted+`"}]}}`+"\n", "")},
		{Name: "a session of Claude Code, one answer", Text: within(`{"type":"summary","summary":"x","leafUuid":"u"}`+"\n",
			`{"isSidechain":false,"sessionId":"5","uuid":"u","type":"assistant","message":{"role":"assistant","content":[{"type":"text","text":"`+quoted+`"}]}}`+"\n", "")},
		{Name: "lines of a session, cut off", Text: within(`{"type":"summary","summary":"x","leafUuid":"u"}`+"\n",
			`{"isSidechain":false,"sessionId":"5","type":"assistant","message":{"role":"assistant","content":[{"type":"text","text":"<<<<<<<`+"\n", "")},
		{Name: "a rollout of Codex", Text: within(`{"type":"session_meta","payload":{"id":"0","cwd":"/w","originator":"codex_cli"}}`+"\n",
			`{"type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"hi"}]}}`+"\n"+
				`{"type":"response_item","payload":{"type":"custom_tool_call","call_id":"c","name":"apply_patch","input":"*** Begin Patch\n*** Update File: a.py\n@@\n-1\n+2\n*** End Patch"}}`+"\n", "")},
		{Name: "an export of OpenCode", Text: within(`{"info":{"id":"s","title":"x"},"messages":[`,
			`{"info":{"id":"m","sessionID":"s","role":"user"},"parts":[{"type":"text","text":"hi"}]},`+
				`{"info":{"id":"m","sessionID":"s","role":"assistant"},"parts":[{"type":"tool","callID":"c","tool":"edit","state":{"status":"completed","input":{"filePath":"a.py","oldString":"1","newString":"2"}}}]},`+"\n", `{}]}`)},
		{Name: "an export of ChatGPT", Text: chain(`[{"title":"x","update_time":1.0,"mapping":{"m0":{"id":"m0","message":null,"parent":null,"children":[]}`,
			`"m%[1]d":{"id":"m%[1]d","message":{"author":{"role":"%[3]s"},"content":{"content_type":"text","parts":["%[4]s"]}},"parent":"m%[2]d","children":[]}`,
			`},"current_node":"m%d"}]`)},
		{Name: "chats of an export", Text: within("[", `{"updated_at":"2026","messages":[{"role":"user","content":"hi"},{"role":"assistant","content":"`+quoted+`"}]},`+"\n", "{}]")},
		{Name: "a tree by names", Text: chain(`{"chat":{"history":{"messages":{"m0":{"id":"m0","parentId":null,"role":"user","content":"hi"}`,
			`"m%[1]d":{"id":"m%[1]d","parentId":"m%[2]d","role":"%[3]s","content":"%[4]s"}`, `},"currentId":"m%d"}}}`)},
		{Name: "a message below a message", Text: nested(3000, `{"messages":[`, `{"sender":"User","isCreatedByUser":false,"text":"hi","children":[`, `{"text":"x"},`, `{}`, `]}`, `]}`)},
		{Name: "objects around messages", Text: nested(4000, `{"title":"x","chats":[{"messages":[{"role":"user","text":"hi","body":1}]}],"rest":`, `{"a":`, ` `, "1", "}", "}")},
		{Name: "a text in a text", Text: nested(4000, `{"chunks":[{"role":"user","text":"hi"},{"role":"model","text":`, `{"content":`, ` `, `"x"`, "}", "}]}")},
		{Name: "questions with answers", Text: within(`{"requests":[`, `{"message":"hi","response":["`+quoted+`"]},`+"\n", "{}]}")},
		{Name: "deep JSON as a log", Text: repeat("[")},
		{Name: "deep objects as a log", Text: within(`[{"role":"user","content":"hi"},`, `{"a":`, "")},
		{Name: "many keys", Text: counted(`{"messages":[{"role":"user","content":"hi"}],`, `"k%d":1,`, `"z":1}`)},
		{Name: "a text of JSON lines that are none", Text: within(`{"role":"user","content":"hi"}`+"\n", "{\"role\n", "")},
		{Name: "numbers of JSON", Text: within(`[{"role":"user","content":"hi"},`, "1,", "1]")},
	}
}

// chain is a tree of messages, each below the one before, whose author alternates.
func chain(begin, format, end string) func(int) []byte {
	return func(n int) []byte {
		b := bytes.NewBufferString(begin)
		i := 0
		for b.Len() < n {
			i++
			fmt.Fprintf(b, ",\n"+format, i, i-1, [...]string{"user", "assistant"}[i%2], quoted)
		}
		fmt.Fprintf(b, end, i)
		return b.Bytes()
	}
}
