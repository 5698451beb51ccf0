package omission

import (
	"bytes"
	"slices"
	"strings"
	"unicode"

	"github.com/srpatch/srpatch/internal/text"
)

// cues are the words, or two that follow each other, by which a remark says that something is as it was. `*` at the end of a
// word stands for any ending; what is Chinese or Japanese counts wherever it occurs. The index is how much a cue says.
type cues [byItself + 1][]string

// How much a cue says: a remark needs a total of [enough].
const (
	inCompany = 1 // keep, same, other: said of code as often as of what runs
	ofCode    = 2 // rest, existing: nothing much else is called that without saying what
	byItself  = 3 // unchanged, omitted
	enough    = 2
	dotsWeigh = 4
)

// cueTable are the cues in the languages that models answer in. No entry is needed for another one to work: remarks mostly
// have several, and dots say as much.
func cueTable() cues {
	return cues{
		byItself: {
			"unchang*", "unmodif*", "untouch*", "unalter*", "omitted", "snip", "snipped", "elided", "truncated", "brevity",
			"unverändert*", "unveraendert*", "ausgelassen*", "weggelassen*", "gekürzt", "unberührt*", "keine änderung*", "ohne änderung*",
			"inchangé*", "omis", "omise*", "tronqué*", "sans changement*", "sans modification*",
			"inalterad*", "omitid*", "sin cambios", "sin modific*",
			"sem alteraç*", "sem mudanç*",
			"ongewijzigd*", "onveranderd*", "weggelaten",
			"bez zmian*", "beze změn*", "без змін*", "oförändra*", "uændre*", "uendre*",
			"değişme*", "tidak berubah", "không đổi", "không thay",
			"अपरिवर्तित",
			"invariat*", "inalterat*", "immutat*", "omess*", "senza modific*",
			"без изменен*", "неизмен*", "опущен*", "пропущен*",
			"不变", "不變", "未改动", "未修改", "未变", "省略", "中略", "以下略",
			"変更なし", "変更無し", "変わらず", "変更せず",
			"생략*", "변경 없*", "변경없*",
			"else chang*", "as before", "as was", "like before", "wie bisher", "wie zuvor", "wie gehabt", "wie vorher", "comme avant", "como antes",
			"zoals voorheen", "come prima", "как было", "как раньше",
		},
		ofCode: {
			"rest", "remaining", "remainder", "existing", "intact", "identical", "as is", "no change*", "not change*", "not modif*", "not shown", "left out", "abbreviated", "abridged", "shortened", "ditto", "elsewhere",
			"restlich*", "übrig*", "uebrig*", "verbleibend*", "bestehend*", "vorhanden*", "bisherig*",
			"reste", "restant*", "existant*", "identique*", "tel quel", "telle quelle",
			"resto", "restant*", "existente", "existentes", "idéntic*", "tal cual", "como está*",
			"idêntic*", "tal como",
			"overige", "bestaande*", "resterende",
			"reszta", "pozostał*", "istniejąc*", "zbytek", "stávající*", "решта", "існуюч*", "resten", "befintlig*", "eksisterende", "övriga",
			"geri kalan*", "mevcut*", "aynı", "sisanya", "yang ada", "tetap sama", "phần còn", "giữ nguyên", "hiện có",
			"بدون تغيير", "باقي", "शेष", "मौजूदा",
			"rimanent*", "esistente", "esistenti", "identico", "identica", "identici", "identiche", "così com",
			"остальн*", "остаток", "существующ*", "как есть", "не меня*", "не изменен*",
			"其余", "其餘", "剩余", "剩餘", "现有", "現有", "原有", "已有", "照旧", "同上",
			"残り", "既存", "そのまま", "従来",
			"나머지*", "기존*", "그대로*", "동일*",
		},
		inCompany: {
			"keep", "keeps", "keeping", "same", "stay", "stays", "remain", "remains", "continue", "continues", "again", "repeat", "repeated", "further", "everything", "previous", "prior", "original", "current", "other", "others", "your version", "before", "above", "below", "as above", "as they", "as it", "leave", "leaves", "left", "retain", "retains", "retained", "preserve", "preserves", "preserved", "more", "still", "already", "insert", "paste",
			"bleib*", "gleich", "gleiche", "gleichen", "gleicher", "behalten", "beibehalten", "vorherig*", "andere", "anderen", "anderer", "anderes", "weitere", "weiteren", "weiterer", "weiterhin",
			"garde", "garder", "gardez", "gardé", "gardée", "gardés", "gardées", "conserve", "conserver", "conservez", "conservé", "conservée", "conservés", "conservées", "même*", "autre", "autres", "précédent*", "laisse", "laisser", "laissez", "la suite", "suite du", "suite de",
			"igual", "iguales", "mantener", "mantén", "mantenga", "mantenido", "mantien*", "mismo", "misma", "mismos", "mismas", "anterior", "anteriores", "otro", "otra", "otros", "otras", "conservar", "conserva", "sigue*", "permanec*", "queda*",
			"mantém", "manter", "mantid*", "mesmo", "mesma", "mesmos", "mesmas", "continua", "continuam", "iguais", "outro*", "outra*",
			"blijf*", "zelfde", "zonder", "bleven",
			"rimane", "rimang*", "stesso", "stessa", "stessi", "stesse", "altro", "altra", "altri", "altre", "precedente", "precedenti", "uguale", "uguali", "resta", "restano",
			"прежн*", "остается", "остаётся", "остаются", "сохран*", "друг*", "предыдущ*", "оставить",
			"保持", "保留", "其他", "其它", "相同", "一样", "之前", "以上", "同样",
			"同じ", "同様", "元の", "他の", "その他", "維持", "以前", "以降",
			"유지*", "같*", "다른*", "이전*",
		},
	}
}

// fillerTable are the words that a remark about code left out also has, and that say nothing about what the code does.
func fillerTable() []string {
	return []string{
		"the", "a", "an", "of", "in", "on", "for", "to", "and", "or", "is", "are", "was", "were", "be", "it", "its", "this", "that", "these", "those", "here", "there", "all", "any", "as", "at", "by", "with", "from", "your", "our", "my", "no", "not", "do", "don", "does", "s", "t", "so", "now", "just", "go", "goes", "will", "stays", "down", "after", "up", "clarity", "simplicity", "readability", "space", "length", "short", "please", "else", "nothing", "old", "handling", "reasons", "you", "we", "i", "they", "them", "have", "has", "been", "should", "must", "can", "which", "who", "what", "where", "point", "place", "etc", "exactly",
		"body", "part", "definition", "definitions", "declarations", "statements", "html", "css", "markup", "functionality", "changed", "todo", "fixme", "note", "see",
		"aus", "gründen", "platzgründen", "der", "die", "das", "des", "dem", "den", "vom", "von", "im", "ist", "sind", "wird", "werden", "und", "hier", "wie", "dies*", "funktion", "funktionen", "methode*", "klasse*", "datei", "inhalt*", "zeile*", "teil*", "nichts", "alle*",
		"le", "la", "les", "l", "du", "de", "d", "des", "est", "sont", "et", "ici", "dans", "ce", "cette", "fonction*", "méthode*", "classe*", "fichier", "contenu", "ligne*", "partie", "tout*",
		"el", "los", "las", "del", "es", "son", "se", "y", "aquí", "en", "este", "esta", "está*", "función", "funciones", "método*", "clase*", "archivo", "fichero", "contenido", "líneas", "parte", "todo*",
		"o", "os", "as", "do", "da", "dos", "das", "é", "são", "e", "aqui", "no", "na", "função", "funções", "classe*", "arquivo", "ficheiro", "conteúdo", "linhas",
		"il", "lo", "gli", "i", "dei", "del", "della", "delle", "è", "sono", "qui", "funzion*", "metod*", "classi", "contenuto", "righe", "tutt*",
		"и", "в", "на", "здесь", "это*", "функци*", "метод*", "класс*", "файл*", "строк*", "част*", "содержим*", "логик*", "реализаци*", "все", "всё", "весь",
		"代码", "代碼", "方法", "函数", "函數", "类", "文件", "内容", "內容", "逻辑", "部分", "实现", "行", "的", "了", "此处", "这里", "与", "和", "为",
		"コード", "メソッド", "関数", "クラス", "ファイル", "処理", "部分", "実装", "ロジック", "内容", "の", "は", "が", "を", "に", "と", "も", "です", "以下", "ここ", "この", "ます", "する", "とする", "こと",
		"메서드*", "메소드*", "함수*", "클래스*", "파일*", "부분*", "내용*", "로직*", "구현*", "여기*", "모든", "은", "는", "합니다", "됩니다", "하게",
	}
}

// thingTable are names of what code deals with as often as of code. They are filler only where no code follows that deals with them.
func thingTable() []string {
	return []string{
		"case", "cases", "data", "items", "elements", "version", "copy", "section", "sections", "file", "files", "line", "lines", "test", "tests", "content",
		"contents", "class", "classes", "fields", "properties", "members", "parts", "rules", "change", "changes", "block", "blocks", "config", "configuration",
		"styles", "module", "component", "script", "template", "method", "methods",
	}
}

// codeTable are names of code.
func codeTable() []string {
	return []string{"code", "codes", "function", "functions", "implementation", "implementations", "logic", "import", "imports", "código", "codice", "implementierung", "logik", "implémentation", "logique", "lógica", "implementación", "implementação", "logica", "implementazione", "код*", "코드*", "代码", "代碼", "コード"}
}

// effectTable are words for what code does: a remark with one of them is on the code that does it.
func effectTable() []string {
	return []string{"behaviour", "behavior", "result", "results", "semantics", "output", "verhalten", "ergebnis", "comportement", "comportamiento", "comportamento"}
}

// placeTable are words for the place in which a remark is.
func placeTable() []string {
	return []string{"here", "hier", "ici", "aquí", "aqui", "qui", "здесь", "тут", "tutaj", "zde", "här", "burada", "여기", "여기에"}
}

// wording is what a remark's words say about code left out.
type wording struct {
	sentence
	// weight is that of its cues and dots.
	weight int
	// heaviest is the weight of its heaviest cue.
	heaviest int
	// cues is how many there are, words how many words.
	cues, words int
	// things is how many of them may be those that code deals with, unknown how many are neither that, nor cue nor filler.
	things, unknown int
	// ofCode: one of them names code.
	ofCode bool
}

// Lexicon is what the remarks of one file are read by.
type Lexicon struct {
	name  string // of the file
	signs []text.CommentSign
	// runs: the file is of a language that computers read.
	runs bool
	*tables
}

// tables are the words that remarks are read by.
type tables struct {
	cues                                  cues
	filler, things, code, places, effects []string
}

// NewLexicon is for a file of this name.
func NewLexicon(name string) *Lexicon {
	return &Lexicon{name: name, signs: text.CommentSigns(name), runs: text.IsCode(name)}
}

// know takes the tables with these cues; few blocks have a remark for which they must be made.
func (x *Lexicon) know(cues cues) {
	x.tables = &tables{cues, fillerTable(), thingTable(), codeTable(), placeTable(), effectTable()}
}

// read weighs the words of what a remark says.
func (x *Lexicon) read(s sentence) wording {
	if x.tables == nil {
		x.know(cueTable())
	}
	w := wording{sentence: s}
	if s.dots() {
		w.weight = dotsWeigh
	}
	words := strings.FieldsFunc(string(s.text), func(r rune) bool { return !text.IsWordRune(r) })
	w.words = len(words)
	shouted := strings.ToUpper(string(s.text)) == string(s.text)
	for i, word := range words {
		if words[i] = strings.ToLower(word); acronym(word) && !shouted && !x.fills(words[i]) {
			words[i] = word // REST is no rest
		}
	}
	counted := slices.ContainsFunc(words, func(word string) bool { return !isNumber(word) }) // numbers alone are a list
	number := false
	for i := 0; i < len(words); i++ {
		number = number || isNumber(words[i])
		if strings.ContainsFunc(words[i], isIdeograph) {
			weight, heaviest, plain := x.readUnspaced(words[i])
			w.weight, w.heaviest = w.weight+weight, max(w.heaviest, heaviest)
			w.words++ // such a run is more than one
			if !plain {
				w.unknown++
			}
			w.ofCode = w.ofCode || slices.ContainsFunc(x.code, func(entry string) bool { return strings.Contains(words[i], entry) })
			continue
		}
		weight, n := x.at(words[i:])
		w.weight, w.heaviest = w.weight+weight, max(w.heaviest, weight)
		switch {
		case n > 0:
			w.cues++
			i += n - 1
		case slices.Contains(x.things, words[i]):
			w.things++
		case slices.ContainsFunc(x.code, func(entry string) bool { return matches(entry, words[i]) }):
			w.ofCode = true
		case slices.Contains(x.effects, words[i]):
			if toReader := s.bracketed || slices.Contains([]string{"keep", "retain", "preserve", "leave"}, words[0]); !toReader {
				w.unknown += 2
			}
		case !x.fills(words[i]) && !(counted && isNumber(words[i])):
			w.unknown++
		}
	}
	if number && w.heaviest == inCompany {
		w.unknown++ // below 100
	}
	if w.unknown == 1 && w.cues > 1 && (words[0] == "todo" || words[0] == "fixme") {
		w.unknown = 0 // what is to be kept has a name
	}
	if w.heaviest > 0 && w.unknown == 0 {
		if w.ofCode {
			w.weight++
		}
		if slices.ContainsFunc(words, func(word string) bool { return slices.Contains(x.places, word) }) {
			w.weight++
		}
	}
	return w
}

// at is the weight of the cue that words begin with, the heaviest of several, and how many words it has.
func (x *Lexicon) at(words []string) (weight, n int) {
	for weight = byItself; weight > 0; weight-- {
		for _, entry := range x.cues[weight] {
			if entry[0] != words[0][0] {
				continue
			}
			first, second, two := strings.Cut(entry, " ")
			switch {
			case !matches(first, words[0]):
			case !two:
				return weight, 1
			case len(words) > 1 && matches(second, words[1]):
				return weight, 2
			}
		}
	}
	return 0, 0
}

// fills reports whether word is filler.
func (x *Lexicon) fills(word string) bool {
	for _, f := range x.filler {
		if f[0] == word[0] && matches(f, word) {
			return true
		}
	}
	return false
}

// readUnspaced reads text whose words are not separated.
func (x *Lexicon) readUnspaced(text string) (weight, heaviest int, plain bool) {
	rest := text
	for says, entries := range x.cues {
		for _, entry := range entries {
			if strings.Contains(text, entry) {
				weight, heaviest = weight+says, max(heaviest, says)
				rest = strings.ReplaceAll(rest, entry, " ")
			}
		}
	}
	for _, f := range x.filler {
		rest = strings.ReplaceAll(rest, f, " ")
	}
	return weight, heaviest, strings.TrimSpace(rest) == ""
}

// matches reports whether word is what the entry of a table stands for.
func matches(entry, word string) bool {
	if stem, ok := strings.CutSuffix(entry, "*"); ok {
		return strings.HasPrefix(word, stem)
	}
	return entry == word
}

func isNumber(word string) bool { return strings.Trim(word, "0123456789") == "" }

func isIdeograph(r rune) bool { return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana) }

// acronym reports whether word is a short one in capitals.
func acronym(word string) bool {
	return len(word) > 1 && len(word) <= 4 && strings.ToUpper(word) == word && strings.ToLower(word) != word
}

// HasDots reports whether text may hold an elision at all.
func HasDots(text []byte) bool {
	return bytes.Contains(text, []byte("...")) || bytes.ContainsAny(text, "…⋯")
}
