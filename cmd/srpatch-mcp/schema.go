package main

import (
	"encoding/json"
	"fmt"

	"github.com/srpatch/srpatch/docs"
)

// schemaOf is the schema of a form of docs/report.schema.json.
func schemaOf(form string) (map[string]any, error) {
	var published struct {
		Defs map[string]map[string]any `json:"$defs"`
	}
	if err := json.Unmarshal([]byte(docs.ReportSchema()), &published); err != nil {
		return nil, err
	}
	schema := published.Defs[form]
	if schema == nil {
		return nil, fmt.Errorf("there is no form %q in the schema", form)
	}
	return schema, nil
}
