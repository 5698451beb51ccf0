package text

// Definition returns the name that line defines (def f, func (r) f, export class C, fn f, type T,
// ...), or nil if it defines none.
func Definition(line []byte) []byte {
	defines, receiver, passed := false, false, false // passed: there was a receiver
	for t := range EachToken(line) {
		switch {
		case receiver:
			receiver = string(t) != ")"
		case defines && !passed && string(t) == "(":
			receiver, passed = true, true
		case defines && BeginsWithWord(t):
			return t
		case defines || !isDefiner(string(t)) && !isModifier(string(t)):
			return nil
		default:
			defines = isDefiner(string(t))
		}
	}
	return nil
}
