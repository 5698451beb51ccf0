package eval

import (
	"slices"
	"strings"
)

// foreign texts are put into files that have only ASCII.
var foreign = []string{"处理用户输入", "配置文件の読み込み", "사용자 목록을 갱신", "完了しました 🎉", "🚀 launch", "naïve façade",
	"número máximo", "проверка границ",
	"👩‍👩‍👧 family", "最大件数を超えた場合", "取消订单", "𝛼 ≤ 𝛽", "e\u0301tude", "日本語テスト"}

// unicodeText files hold CJK, emoji and combining characters in and around the block.
func unicodeText(g *gen, d *draft) *Case {
	n := 0
	for i := range d.rows {
		r := &d.rows[i]
		if blank(r.text) || !g.chance(0.4) {
			continue
		}
		t := g.foreignText(d.src, r.text)
		n++
		*r = rowOf(r.op, t)
	}
	if n == 0 {
		return nil
	}
	some := func(l string) string {
		if !blank(l) && g.chance(0.08) {
			return g.foreignText(d.src, l)
		}
		return l
	}
	d.above, d.below = mapped(d.above, some), mapped(d.below, some)
	if d.comesBack() {
		return nil
	}
	switch g.variant(0, 7) {
	case 0:
		d.note("exact")
		return d.finish()
	case 2:
		// The file has accents as separate characters, and the block has composed ones.
		split := strings.NewReplacer("é", "e\u0301", "ç", "c\u0327", "ï", "i\u0308", "ú", "u\u0301", "á", "a\u0301")
		n = 0
		for i := range d.rows {
			r := &d.rows[i]
			if l := split.Replace(r.text); l != r.text && r.op.search {
				if strings.Contains(r.text, "\u0301") {
					return nil
				}
				r.text = l
				n++
			}
		}
		if n == 0 {
			return nil
		}
		d.note("decomposed")
	case 1:
		at := d.where(func(r row) bool {
			return r.op == kept && strings.Contains(r.text, "を") || strings.Contains(r.text, "户")
		})
		if len(at) == 0 {
			return nil
		}
		r := &d.rows[pick(g.rng, at)]
		if r.op != kept {
			return nil
		}
		r.search = strings.NewReplacer("を", "は", "户", "戶").Replace(r.search)
		r.replace = r.search
		d.note("cjk_typo")
	default:
		d = g.anyOf(dedentAll, indentShift, tabsSpaces, trailingAdded, innerWidened, keptTypo,
			deletedTypo, blankDropped, missingLine, extraLine, lineNumbers).on(g, d)
	}
	return g.finishHinted(d)
}

// foreignText puts foreign words into a line's string, or into a comment at its end.
func (g *gen) foreignText(s *source, l string) string {
	f := pick(g.rng, foreign)
	if t := g.replaceOne(l, quoted,
		func(q string) string { return q[:1] + f + q[len(q)-1:] }); t != l && g.chance(0.6) {
		return t
	}
	if s.lang.comment == "" || s.lang.name == "html" {
		return l + " " + f
	}
	return l + " " + s.lang.comment + f + s.lang.commentEnd
}

// fileBytes files have CRLF or mixed line ends, a BOM, no final line end, or several of these.
// Their blocks have none of that, and half of them have a slip.
func fileBytes(g *gen, d *draft) *Case {
	v := choose(g, 0, []string{"crlf", "crlf", "mixed", "mixed", "bom", "bom_crlf", "no_final",
		"crlf_no_final", "crlf_block"})
	if strings.HasPrefix(v, "bom") && g.chance(0.7) {
		// The block that matters is the one at the top.
		k := len(d.above)
		d.below = slices.Concat(d.below, d.above)
		d.above = d.above[:0:0]
		if k == 0 {
			v += "_top"
		}
	}
	if strings.Contains(v, "no_final") {
		d.below = nil
		last := d.rows[len(d.rows)-1]
		// If the block writes the last line, its line end is open.
		d.acceptFinalNL = last.op != kept
		if blank(last.text) {
			return nil
		}
	}
	d.note(v)
	d.bytes = style{bom: strings.Contains(v, "bom"), noFinal: strings.Contains(v, "no_final")}
	switch {
	case strings.Contains(v, "crlf_block"):
		d.bytes.blockCRLF = true
	case strings.Contains(v, "crlf"):
		d.bytes.main = "\r\n"
	case v == "mixed":
		d.bytes.main = pick(g.rng, []string{"\n", "\r\n"})
		salt := g.rng.Uint32()
		every := pick(g.rng, []uint32{4, 10, 25})
		d.bytes.other = func(line int) bool { return (uint32(line/3)*2654435761^salt)>>8%every == 0 }
	}
	if g.variant(1, 2) == 0 {
		return g.finishHinted(g.anyOf(dedentAll, indentShift, tabsSpaces, trailingAdded, innerWidened,
			keptTypo, deletedTypo, blankDropped, missingLine, extraLine, smartQuotes).on(g, d))
	}
	return d.finish()
}
