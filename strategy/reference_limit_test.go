package strategy

import (
	"errors"
	"testing"
)

func TestReplaceEveryStaysBelowTheLimit(t *testing.T) {
	content, text, new := []byte("a.a.a"), []byte("a"), []byte("$`$'")
	result, err := replaceEvery(content, text, new, 100)
	if string(result) != ".a.a.a..a.a.a." || err != nil {
		t.Errorf("got %q, %v", result, err)
	}
	result, err = replaceEvery(content, text, new, 5)
	if !errors.Is(err, ErrTooLong) || result != nil {
		t.Errorf("got %q, %v, want too-long", result, err)
	}
	if result, err = replaceEvery([]byte("aXbbbb"), []byte("X"), []byte("Y"), 5); !errors.Is(err, ErrTooLong) {
		t.Errorf("the text after the last place exceeds the limit: got %q, %v", result, err)
	}
}

func TestReplaceErrorsSayWhatToDo(t *testing.T) {
	seen := map[string]bool{}
	for _, err := range []ReplaceError{ErrIdentical, ErrNotFound, ErrAmbiguous, ErrTooLong} {
		if text := err.Error(); text == string(err) || seen[text] {
			t.Errorf("%s reads %q", string(err), text)
		} else {
			seen[text] = true
		}
	}
}
