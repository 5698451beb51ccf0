// Package api lists what parser and apply export, one declaration a line. Its test compares the
// list with api.txt, so that nothing that programs use changes or disappears unnoticed. That
// promise doesn't include fsm, strategy and indent.
package api
