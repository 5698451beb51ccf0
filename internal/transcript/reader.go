package transcript

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// MaxRecord bounds a record of a log, in bytes.
const MaxRecord = 64 << 20

// ErrTooLarge is a record of more than MaxRecord bytes.
var ErrTooLarge = errors.New("a record of more than 64 MiB")

// Answers reads the log to its end and hands over each answer, which is the caller's. No more than one record and one answer is
// kept in memory. An error of each ends it.
func (l *Log) Answers(r io.Reader, each func(*Answer) error) error {
	t := &turns{each: each}
	var err error
	if l.form.lines {
		err = l.form.readLines(bufio.NewReaderSize(r, HeadSize), t)
	} else {
		err = l.form.readValues(r, t)
	}
	if err == nil {
		t.ask()
		err = t.err
	}
	return err
}

// readLines reads JSON Lines. Lines that are no JSON are what a program printed in between, except for those that began as a
// record.
func (f *form) readLines(r *bufio.Reader, t *turns) error {
	var line []byte
	for t.err == nil {
		part, err := r.ReadSlice('\n')
		if line = append(line, part...); len(line) > MaxRecord {
			return fmt.Errorf("line %d: %w", t.line+1, ErrTooLarge)
		}
		if err == bufio.ErrBufferFull {
			continue
		}
		if err != nil && err != io.EOF {
			return err
		}
		t.line++
		switch record := bytes.TrimPrefix(bytes.TrimSpace(line), []byte("\ufeff")); {
		case len(record) == 0 || record[0] != '{':
		case json.Valid(record):
			f.read(t, bytes.Clone(record))
		case mayEdit(record), bytes.HasPrefix(record, []byte(`{"`)):
			t.lose(lossOf(record))
		}
		line = line[:0]
		if err == io.EOF {
			return nil
		}
	}
	return t.err
}

// lossOf says what is lost with a record that is no JSON.
func lossOf(record []byte) Loss {
	var whole json.RawMessage
	err := json.Unmarshal(record, &whole)
	cutOff := err != nil && strings.HasPrefix(err.Error(), "unexpected end")
	switch {
	case isHeard(record):
		return Question
	case cutOff && !isResult(record):
		return CutOff // what is missing may be an edit
	case mayEdit(record):
		return Broken
	}
	return Unread
}

// readValues reads records that are the elements of lists, or values one after the other.
func (f *form) readValues(r io.Reader, t *turns) error {
	v := values{lines: lineReader{r: r}, form: f, turns: t}
	v.d = json.NewDecoder(&v.lines)
	for t.err == nil {
		err := v.next()
		var syntax *json.SyntaxError
		switch {
		case err == nil:
		case err == io.EOF:
			return nil
		case errors.Is(err, io.ErrUnexpectedEOF), errors.As(err, &syntax):
			rest, _ := io.ReadAll(io.LimitReader(io.MultiReader(v.d.Buffered(), &v.lines), MaxRecord))
			t.line = v.lines.at(v.d.InputOffset())
			switch rest = bytes.Trim(rest, ", \t\r\n"); {
			case syntax == nil && len(rest) > 0:
				t.lose(lossOf(rest))
			case mayEdit(rest):
				t.lose(Broken)
			default:
				t.lose(Unread)
			}
			return nil
		default:
			return err
		}
	}
	return t.err
}

// values reads the values of a log.
type values struct {
	lines lineReader
	d     *json.Decoder
	form  *form
	turns *turns
}

// next reads the next value: of a list, element by element; of an object with a list of records those, and then the rest of it.
func (v *values) next() error {
	token, err := v.d.Token()
	if err != nil {
		return err
	}
	switch token {
	case json.Delim('['):
		return v.list()
	case json.Delim('{'):
	default:
		return nil
	}
	line := v.lines.at(v.d.InputOffset())
	rest := []byte{'{'}
	for v.d.More() {
		key, err := v.d.Token()
		if err != nil {
			return err
		}
		if key == v.form.list {
			if opened, err := v.opened(); err != nil {
				return err
			} else if opened {
				if err := v.list(); err != nil {
					return err
				}
			}
			continue
		}
		var value json.RawMessage
		if err := v.d.Decode(&value); err != nil {
			return cut(err)
		}
		if len(rest) > 1 {
			rest = append(rest, ',')
		}
		name, _ := json.Marshal(key)
		rest = append(append(append(rest, name...), ':'), value...)
		if len(rest) > MaxRecord {
			return fmt.Errorf("line %d: %w", line, ErrTooLarge)
		}
	}
	v.turns.line = line
	v.form.read(v.turns, append(rest, '}'))
	_, err = v.d.Token()
	return cut(err)
}

// opened reports whether the value that comes is a list, whose bracket it reads. A scalar in its place is read, too.
func (v *values) opened() (bool, error) {
	token, err := v.d.Token()
	if err != nil {
		return false, cut(err)
	}
	if token == json.Delim('{') {
		return false, &json.SyntaxError{Offset: v.d.InputOffset()}
	}
	return token == json.Delim('['), nil
}

func (v *values) list() error {
	for v.d.More() && v.turns.err == nil {
		var record json.RawMessage
		if err := v.d.Decode(&record); err != nil {
			return cut(err)
		}
		if len(record) > MaxRecord {
			return fmt.Errorf("line %d: %w", v.lines.at(v.d.InputOffset()), ErrTooLarge)
		}
		v.turns.line = v.lines.at(v.d.InputOffset() - int64(len(record)))
		v.form.read(v.turns, record)
	}
	if v.turns.err != nil {
		return nil
	}
	_, err := v.d.Token()
	return cut(err)
}

// cut says of an end inside of a value that it is none.
func cut(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

// lineReader knows in which line an offset is, for offsets that are asked for in rising order.
type lineReader struct {
	r     io.Reader
	read  int64
	ends  []int64 // of the lines that were read and not passed
	lines int     // that were passed
}

func (l *lineReader) Read(p []byte) (int, error) {
	n, err := l.r.Read(p)
	for i, c := range p[:n] {
		if c == '\n' {
			l.ends = append(l.ends, l.read+int64(i))
		}
	}
	l.read += int64(n)
	return n, err
}

func (l *lineReader) at(offset int64) int {
	passed, _ := slices.BinarySearch(l.ends, offset)
	l.lines += passed
	l.ends = slices.Delete(l.ends, 0, passed)
	return l.lines + 1
}

// isHeard reports whether what is left of a record is a question of the user's, and isResult whether it is the result of a call.
func isHeard(record []byte) bool {
	return !isModels(record) && !isResult(record) && contains(record, `"role":"user"`, `"role": "user"`, `"type":"user"`, `"type": "user"`, `"type":"user_message"`)
}

func isResult(record []byte) bool {
	return !isModels(record) && contains(record, `"tool_result"`, `_call_output"`, `"functionResponse"`, `"role":"tool"`, `"role": "tool"`, `"toolUseResult"`)
}

func contains(text []byte, words ...string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return bytes.Contains(text, []byte(w)) })
}

// isModels reports whether a text has a mark of what models say.
func isModels(text []byte) bool {
	return contains(text, `"assistant"`, `"model"`, `"gemini"`, `_call"`, `"tool_use"`, `"output_text"`, `"tool"`, `"agent_message"`, `"response"`)
}

// mayEdit reports whether text that is no JSON, or the beginning of some, looks like an edit of the model's.
func mayEdit(text []byte) bool {
	return isModels(text) && contains(text, "<<<<<<<", "------- SEARCH", "*** Begin Patch", "old_str", "oldStr", "new_str", "newStr", `"Write"`,
		`write_to_file`, "apply_diff", "replace_in_file", `"Edit"`)
}
