package envelope

import (
	"bytes"
	"strings"

	"github.com/srpatch/srpatch/internal/diagnosis"
	"github.com/srpatch/srpatch/parser/internal/jsontext"
	"github.com/srpatch/srpatch/parser/internal/mdline"
)

// tokens understands a call between the tokens by which a model's server should have known it: of
// Kimi and DeepSeek, "<|tool_call_begin|> functions.Edit:0<|tool_call_argument_begin|>{...}", or of
// Hermes and Qwen, "<tool_call>{...}</tool_call>" on one line. The tool's name and the value of
// JSON are read as the same call in JSON, and several on a line one by one.
type tokens struct {
	markers Markers
	blocks  []Block
	faults  []Fault
}

// startTokens recognises a line that begins with a token, and has a value of JSON behind it; or the
// call of a tool in tags with a token in each of them.
func startTokens(raw []byte, number int, only string, m Markers) Envelope {
	if bare := withoutDSML(raw); len(bare) < len(raw) {
		if e := startBare(bare, number, only, m); e != nil {
			return &dsml{e}
		}
		return nil
	}
	tool, rest := callHead(raw)
	_, known := kindOf(tool)
	switch {
	case len(rest) > 0 && rest[0] == '{' && len(rest) < len(bytes.TrimSpace(raw)):
		if only == "" || only == JSON {
			return &tokens{markers: m}
		}
	case known && bytes.HasPrefix(raw, []byte("<tool_call>")) && (len(rest) == 0 || bytes.HasPrefix(rest, []byte(glmKey))):
		if only == "" || only == ToolXML {
			return &glm{Envelope: &toolXML{markers: m}}
		}
	}
	return nil
}

// callHead removes tokens and the name of a tool from the beginning of a text.
func callHead(raw []byte) (tool string, rest []byte) {
	rest = bytes.TrimSpace(raw)
	for {
		after, ok := afterToken(rest)
		n := 0
		for !ok && n < len(after) && (mdline.IsLetter(after[n]) || strings.IndexByte("0123456789.:-", after[n]) >= 0) {
			n++
		}
		if n > 0 {
			tool = strings.TrimRight(strings.TrimRight(string(after[:n]), "0123456789"), ":")
			after = after[n:]
		}
		if rest = bytes.TrimLeft(after, " \t"); !ok && n == 0 {
			return tool, rest
		}
	}
}

// afterToken removes a token from the beginning of a text.
func afterToken(t []byte) (rest []byte, ok bool) {
	for _, tag := range [...]string{"<tool_call>", "</tool_call>", "<tool_calls>", "</tool_calls>"} {
		if rest, ok := bytes.CutPrefix(t, []byte(tag)); ok {
			return rest, true
		}
	}
	for _, sign := range [...]string{"|", "｜"} {
		if inner, ok := bytes.CutPrefix(t, []byte("<"+sign)); ok {
			if end := bytes.Index(inner[:min(len(inner), maxTag)], []byte(sign+">")); end > 0 {
				return inner[end+len(sign)+1:], true
			}
		}
	}
	return t, false
}

// Line takes a line: all of the calls on it, where their values end there.
func (e *tokens) Line(raw []byte, number int) bool {
	for rest := raw; ; {
		tool, value := callHead(rest)
		v, seen, err := jsontext.Parse(value)
		n := v.End
		if err != nil || v.Kind != '{' {
			if seen&(jsontext.Strong|jsontext.FileText) != 0 {
				e.faults = append(e.faults, Fault{Code: diagnosis.Malformed, Line: number, Found: mdline.Excerpt(raw), Expected: "all of the call on its line, as JSON",
					Remedy: "send the call again as JSON on lines of its own, or as a SEARCH/REPLACE block"})
			}
			return true
		}
		call := value[:n]
		if _, known := kindOf(tool); known {
			call = bytes.Join([][]byte{[]byte(`{"name": "`), []byte(tool), []byte(`", "arguments": `), call, []byte("}")}, nil)
		}
		if t, ok := readJSON(call, number, e.markers).(*taken); ok {
			e.blocks, e.faults = append(e.blocks, t.blocks...), append(e.faults, t.faults...)
		}
		rest = value[n:]
	}
}

func (e *tokens) Finish() ([]Block, []Fault) { return e.blocks, e.faults }

func (e *tokens) Unread() int { return 0 }

// dsml is a call in tags, as DeepSeek's models write them: "<｜DSML｜invoke name="Edit">".
type dsml struct{ Envelope }

func (e *dsml) Line(raw []byte, number int) bool { return e.Envelope.Line(withoutDSML(raw), number) }

// withoutDSML removes the token from the tags of a line.
func withoutDSML(raw []byte) []byte {
	const token = "｜DSML｜"
	if !bytes.Contains(raw, []byte(token)) {
		return raw
	}
	return []byte(strings.NewReplacer("<"+token, "<", "</"+token, "</").Replace(string(raw)))
}

// glm is a call of GLM's models:
//
//	<tool_call>Edit
//	<arg_key>file_path</arg_key>
//	<arg_value>a.py</arg_value>
//	</tool_call>
//
// It is handed on as "<function=Edit>" with parameters.
type glm struct {
	Envelope
	tool string
	key  []byte // the tag of an argument whose value has not begun
}

const glmKey = "<arg_key>"

func (e *glm) Line(raw []byte, number int) bool {
	text := raw
	if e.tool == "" {
		tool, rest := callHead(raw)
		text = append([]byte("<function="+tool+">"), rest...)
		e.tool = tool
		if len(rest) == 0 {
			text = append(text, '\n')
		}
	}
	s := strings.NewReplacer(glmKey, "<parameter=", "</arg_key>", ">", "<arg_value>", "", "</arg_value>", "</parameter>",
		"</tool_call>", "</function>").Replace(string(text))
	if line := bytes.TrimSpace(raw); bytes.HasPrefix(line, []byte(glmKey)) && bytes.HasSuffix(line, []byte("</arg_key>")) {
		e.key = []byte(strings.TrimSpace(s)) // its value is on the next line
		return false
	}
	s, e.key = string(e.key)+s, nil
	return e.Envelope.Line([]byte(s), number)
}

func (e *glm) Finish() ([]Block, []Fault) {
	blocks, faults := e.Envelope.Finish()
	own := strings.NewReplacer("<function="+e.tool+">", "<tool_call>"+e.tool, "</function>", "</tool_call>", "<parameter=", glmKey, "</parameter>", "</arg_value>")
	for i := range faults {
		faults[i].Found, faults[i].Expected = own.Replace(faults[i].Found), own.Replace(faults[i].Expected)
	}
	return blocks, faults
}
