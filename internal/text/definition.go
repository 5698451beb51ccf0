package text

// Definition is the name that line defines (def f, func (r) f, export class C, fn f, type T, ...); nil if it defines none.
func Definition(line []byte) []byte {
	ts := Tokens(line)
	for len(ts) > 0 && IsModifier(string(ts[0])) {
		ts = ts[1:]
	}
	if len(ts) < 2 || !IsDefiner(string(ts[0])) {
		return nil
	}
	ts = ts[1:]
	if string(ts[0]) == "(" { // a receiver
		for len(ts) > 0 && string(ts[0]) != ")" {
			ts = ts[1:]
		}
		ts = ts[min(1, len(ts)):]
	}
	if len(ts) == 0 || !BeginsWithWord(ts[0]) {
		return nil
	}
	return ts[0]
}
