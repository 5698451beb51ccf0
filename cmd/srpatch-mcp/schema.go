package main

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/srpatch/srpatch/docs"
)

// schemaOf is the schema of a form of docs/report.schema.json, with the definitions that it needs and no others.
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
	defs := map[string]any{}
	need(schema, published.Defs, defs)
	schema["$defs"] = defs
	return schema, nil
}

// need collects the definitions that a part of a schema refers to.
func need(part any, all map[string]map[string]any, defs map[string]any) {
	switch part := part.(type) {
	case map[string]any:
		if ref, ok := part["$ref"].(string); ok {
			name := strings.TrimPrefix(ref, "#/$defs/")
			if defs[name] == nil {
				defs[name] = all[name]
				need(all[name], all, defs)
			}
		}
		for _, below := range part {
			need(below, all, defs)
		}
	case []any:
		for _, below := range part {
			need(below, all, defs)
		}
	}
}
