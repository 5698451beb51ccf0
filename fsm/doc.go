// Package fsm is the marker grammar of SEARCH/REPLACE blocks as a state machine.
package fsm
