// Package api lists what the packages of the module export, a line each, and its test holds the list to api.txt: what a program may use
// does not disappear or change unnoticed.
package api
