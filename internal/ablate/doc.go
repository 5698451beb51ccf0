// Package ablate finds out which rules of the product carry: it switches each of them off and on, and looks for a case whose
// answer is another one then.
//
// A rule ([Rule]) is a function that decides something: it returns a bool, something with a bool, or an objection.
// The files that hold rules are copied with every rule wrapped ([Instrument]), and the copies are built in the place of the
// files with go's -overlay, so nothing of this is in the product. The command builds itself that way; that copy ([Probe]) asks
// all cases ([Cases]) once, notes which rules said yes or no in which case, and then asks again, for each rule and setting, those
// cases in which the rule would have said something else, until an answer differs.
//
// What no case can show is declared, with a reason, in declared.txt ([Declared]).
package ablate
