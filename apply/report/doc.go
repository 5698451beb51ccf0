// Package report shows what a run did: the report for a person, the message for the model that wrote the reply, and
// the JSON for a program.
//
// It reads reports of package apply and writes to an [io.Writer]; it opens no file and decides nothing. Everything that
// comes from a reply or a file is hostile until shown: control bytes never reach a [Printer] raw, and no text of a reply
// is ever in the first column, where the report's own lines begin.
package report
