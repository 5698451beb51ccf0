// Package price finds out what each rule and each room of the product earns: which answers change without it, and how many lines it
// has.
//
// A rule is what package ablate takes for one. It is replaced by the constant that changes fewer answers. A room is a part of the
// product with a switch of its own, a line in rooms.txt. The command builds itself with a switch in each of them ([ablate.Workshop]). That
// copy ([ablate.Probe]) asks all questions once, notes who was asked what in which question, and asks those again in which a switch can
// matter.
package price
