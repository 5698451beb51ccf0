package main

import (
	"regexp"
	"strings"
	"testing"
)

// sweRL is what SWE-RL's rules make of a reply on a file: "format" for a fault, which it scores with -1, else "changed". The rules are
// those that docs/rewards.md tells.
func sweRL(path, content, reply string) string {
	block := regexp.MustCompile(`(?s)### ([^\n]*)\n<<<<<<< SEARCH\n(.*?)\n=======\n(.*?)\n>>>>>>> REPLACE`)
	found := block.FindAllStringSubmatch(reply, -1)
	text := "\n" + content
	for _, m := range found {
		search, replace := "\n"+m[2], "\n"+m[3]
		if m[1] != path || search == replace || !strings.Contains(text, search) {
			return "format"
		}
		text = strings.ReplaceAll(text, search, replace)
	}
	if len(found) == 0 {
		return "format"
	}
	return "changed"
}

// agentless is what Agentless's rules make of it: blocks in fences of python, duplicates left out, and what does not fit passed over.
func agentless(path, content, reply string) string {
	fence := regexp.MustCompile("(?s)```python\\n(.*?)\n```")
	block := regexp.MustCompile(`(?s)^### ([^\n]*)\n<<<<<<< SEARCH\n(.*?)\n=======\n(.*?)\n>>>>>>> REPLACE`)
	text, seen := "\n"+content, map[string]bool{}
	for _, f := range fence.FindAllStringSubmatch(reply, -1) {
		if m := block.FindStringSubmatch(f[1]); m != nil && m[1] == path && !seen[f[1]] {
			seen[f[1]] = true
			text = strings.Replace(text, "\n"+m[2], "\n"+m[3], 1)
		}
	}
	if text == "\n"+content {
		return "no-op"
	}
	return "changed"
}

// The rewards of others by the outcomes of filter, with the differences that docs/rewards.md names.
func TestRewardsOfOthers(t *testing.T) {
	const path, content = "a.py", "def f():\n    x = 1\n    y = 2\n    return x\n"
	block := func(path, search, replace string) string {
		return "```python\n### " + path + "\n<<<<<<< SEARCH\n" + search + "\n=======\n" + replace + "\n>>>>>>> REPLACE\n```\n"
	}
	for name, c := range map[string]struct {
		content, reply                string
		filter, partial               string
		sweRLDiffers, agentlessDiffer bool
	}{
		"one change":           {content, block(path, "    x = 1", "    x = 3"), "changed", "changed", false, false},
		"two changes":          {content, block(path, "    x = 1", "    x = 3") + block(path, "    y = 2", "    y = 4"), "changed", "changed", false, false},
		"prose alone":          {content, "I would change x.\n", "format", "format", false, false},
		"not there":            {content, block(path, "    z = 1", "    z = 3"), "not-found", "not-found", false, false},
		"one of two not there": {content, block(path, "    x = 1", "    x = 3") + block(path, "    z = 1", "    z = 3"), "not-found", "not-found", false, false},
		"no such file":         {content, block("b.py", "    x = 1", "    x = 3"), "path", "path", false, false},
		"same sides":           {content, block(path, "    x = 1", "    x = 1"), "no-op", "no-op", false, false},
		"other indentation":    {content, block(path, "x = 1", "x = 3"), "not-found", "not-found", false, false},
		"two places":           {content + content, block(path, "    x = 1", "    x = 3"), "changed", "changed", false, false},
		"twice the same block": {content, strings.Repeat(block(path, "    x = 1", "    x = 3"), 2), "changed", "changed", true, false},
		"empty REPLACE":        {content, "```python\n### a.py\n<<<<<<< SEARCH\n    y = 2\n=======\n>>>>>>> REPLACE\n```\n", "changed", "changed", true, true},
		"no fence":             {content, strings.ReplaceAll(strings.ReplaceAll(block(path, "    x = 1", "    x = 3"), "```python\n", ""), "```\n", ""), "changed", "changed", false, true},
		"begin of a line":      {content, block(path, "    x =", "    z ="), "not-found", "not-found", true, true},
		"CRLF in the file":     {strings.ReplaceAll(content, "\n", "\r\n"), block(path, "    x = 1\n    y = 2", "    x = 3\n    y = 2"), "not-found", "not-found", false, false},
	} {
		s := newScorer(t)
		t.Run(name, func(t *testing.T) {
			request := map[string]any{
				"files": map[string]any{path: c.content}, "reply": c.reply,
				"policy": "strict", "splice": "verbatim", "names": "exact", "bytes": "exact", "replace_all": true,
			}
			got := s.score(t, request)
			if got.Outcome != c.filter {
				t.Errorf("outcome %s, want %s", got.Outcome, c.filter)
			}
			if differs := (got.Outcome == "changed") != (sweRL(path, c.content, c.reply) == "changed"); differs != c.sweRLDiffers {
				t.Errorf("differs from SWE-RL: %v", differs)
			}
			request["partial"] = true
			got = s.score(t, request)
			if got.Outcome != c.partial {
				t.Errorf("in part: outcome %s, want %s", got.Outcome, c.partial)
			}
			if differs := got.Changed != (agentless(path, c.content, c.reply) == "changed"); differs != c.agentlessDiffer {
				t.Errorf("differs from Agentless: %v", differs)
			}
		})
	}
}
