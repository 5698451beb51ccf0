package omission

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/srpatch/srpatch/apply/internal/align"
	"github.com/srpatch/srpatch/apply/internal/reading"
)

// sixtyWordings are what models write for lines that they leave out.
func sixtyWordings() []string {
	return []string{
		"rest of the code remains the same", "existing code remains unchanged", "TODO: rest of implementation",
		"existing methods remain unchanged", "keep the rest as is", "your existing code here", "... rest of the code ...",
		"snip: rest omitted", "code omitted for brevity", "(rest of methods ...)", "... existing code ...", "the remaining methods stay the same",
		"other functions unchanged", "... (keep all other methods unchanged)", "... (existing test code remains unchanged)", "[...]", "same as before",
		"no changes below, rest as before", "the original implementation stays here unchanged", "... rest of the __init__ method ...",
		"remaining code is unchanged", "all other imports remain as they were, unchanged", "existing implementation omitted",
		// German
		"restlicher Code bleibt unverändert", "... bestehender Code ...", "der Rest bleibt wie bisher", "übrige Methoden bleiben gleich", "bestehender Code wie zuvor",
		// French
		"le reste du code reste inchangé", "... code existant ...", "le reste est identique", "méthodes existantes inchangées", "reste du code sans changement",
		// Spanish
		"el resto del código permanece igual", "resto del código sin cambios", "... código existente ...", "métodos existentes sin cambios", "mantener el resto como antes",
		// Portuguese
		"o resto do código permanece o mesmo", "... código existente ...", "restante do código inalterado", "métodos existentes sem alterações",
		// Italian
		"il resto del codice rimane invariato", "... codice esistente ...", "metodi esistenti invariati", "resto del codice come prima",
		// Russian
		"остальной код без изменений", "... существующий код ...", "остальные методы остаются без изменений", "остальное как было, без изменений",
		// Chinese
		"其余代码保持不变", "... 现有代码 ...", "其他方法保持不变", "省略其余代码", "剩余代码不变",
		// Japanese
		"残りのコードは変更なし", "... 既存のコード ...", "残りは省略",
		// Korean
		"나머지 코드는 그대로 유지", "... 기존 코드 ...",
	}
}

// body is what comes in for the body of a function, with a remark at the begin, in the middle or at the end. ahead says that code
// follows which is new, so that the remark may be on it.
type body struct {
	text  string
	ahead bool
}

func bodies() []body {
	return []body{
		{"    # %s\n    check(currency)\n", true},
		{"    check(currency)\n    # %s\n    return convert(currency)\n", true},
		{"    check(currency)\n    # %s\n", false},
		{"    check(currency)\n    # %s\n    return amount * rate\n", false},
		{"    # %s\n    rows.append(note)\n    return amount * rate\n", false},
		{"    amount = price_of(rows)\n    # %s\n    return amount * rate\n", false},
	}
}

// refusedWith is how many of the wordings are refused as a comment in body.
func refusedWith(known cues, in body) (refused int, passed []string) {
	const search = "def total(rows, rate):\n    amount = price_of(rows)\n    for extra in surcharges(rows):\n        amount += extra.value\n    log.debug(amount)\n    note = remark_of(rows)\n    rows.append(note)\n    return amount * rate\n"
	x := NewLexicon("f.py")
	x.know(known)
	for _, wording := range sixtyWordings() {
		v := reading.New([]byte(search), []byte("def total(rows, rate, currency):\n"+fmt.Sprintf(in.text, wording)), 0)
		if o := Find(x, v.Search.Document, v, align.Diagonal(v.Search.Document, v.Search, 0)); o != nil && !o.Doubt {
			refused++
		} else {
			passed = append(passed, wording)
		}
	}
	return refused, passed
}

func TestWordingsAreRefusedAtTheBeginInTheMiddleAndAtTheEnd(t *testing.T) {
	all := len(sixtyWordings())
	for _, body := range bodies() {
		if n, passed := refusedWith(cueTable(), body); n < all {
			t.Errorf("%d of %d are refused in %q; not %q", n, all, body.text, passed)
		}
	}
}

// Where new code follows, other words make a remark a comment on it, so there cues that nobody has listed are not made up for.
func TestWordingsAreRefusedWithoutAThirdOfTheCues(t *testing.T) {
	all, draws := len(sixtyWordings()), 40
	for _, body := range bodies() {
		sum, least := 0, all
		for seed := range uint64(draws) {
			rng := rand.New(rand.NewPCG(seed, 1))
			known := cueTable()
			for weight, entries := range known {
				known[weight] = slices.DeleteFunc(entries, func(string) bool { return rng.IntN(3) == 0 })
			}
			n, passed := refusedWith(known, body)
			sum, least = sum+n, min(least, n)
			if !body.ahead && n*5 < all*4 {
				t.Errorf("seed %d: %d of %d are refused; not %q", seed, n, all, passed)
			}
		}
		t.Logf("%q with two thirds of the cues: %.1f of %d are refused on average, %d at least", body.text, float64(sum)/float64(draws), all, least)
	}
}
