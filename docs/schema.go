// Package docs has the documents that programs read.
package docs

import _ "embed"

//go:embed report.schema.json
var reportSchema string

// ReportSchema is report.schema.json: a JSON Schema of all that srpatch prints as JSON, with a definition for each form.
func ReportSchema() string { return reportSchema }
