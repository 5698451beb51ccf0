// Package api lists what parser, apply and its rooms export, a line each, and its test compares the
// list with api.txt: what programs use doesn't change or disappear unnoticed. fsm, strategy and
// indent are not part of that promise.
package api
