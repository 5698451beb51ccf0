// Package schema makes a JSON Schema of Go types as encoding/json writes them, so that a test can hold the schema that is published to
// the code. Only tests import it.
package schema

import (
	"encoding"
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
)

// Maker makes schemas.
type Maker struct {
	// Enums are the values of types of strings, by the name of the type.
	Enums map[string][]string
	// Names are those of types in the schema, by the name of the type; others keep their own.
	Names map[string]string
	// Read are the forms that are read, not printed: none of their keys need be there, and null is as good as no key.
	Read []string

	defs map[string]any
}

type object = map[string]any

// Of is the schema of a value that is one of some forms, each of which has a definition of its own, by its name.
func (m *Maker) Of(id, title string, forms map[string]any) ([]byte, error) {
	m.defs = object{}
	for name, form := range forms {
		m.defs[name] = m.object(reflect.TypeOf(form))
		if slices.Contains(m.Read, name) {
			m.defs[name] = optional(m.defs[name].(object))
		}
	}
	var all []object
	for _, name := range slices.Sorted(maps.Keys(forms)) {
		all = append(all, ref(name))
	}
	text, err := json.MarshalIndent(object{
		"$schema": "https://json-schema.org/draft/2020-12/schema", "$id": id, "title": title, "anyOf": all, "$defs": m.defs,
	}, "", "  ")
	return append(text, '\n'), err
}

func ref(name string) object { return object{"$ref": "#/$defs/" + name} }

var (
	bytesType = reflect.TypeFor[[]byte]()
	rawType   = reflect.TypeFor[json.RawMessage]()
	timeType  = reflect.TypeFor[time.Time]()
)

// of is the schema of a type.
func (m *Maker) of(t reflect.Type) object {
	switch t {
	case rawType:
		return object{}
	case bytesType:
		return object{"type": "string", "contentEncoding": "base64"}
	case timeType:
		return object{"type": "string", "format": "date-time"}
	}
	if reflect.PointerTo(t).Implements(reflect.TypeFor[encoding.TextUnmarshaler]()) {
		return object{"type": "string"}
	}
	switch t.Kind() {
	case reflect.String:
		if values := m.Enums[t.String()]; values != nil {
			return object{"type": "string", "enum": values}
		}
		return object{"type": "string"}
	case reflect.Bool:
		return object{"type": "boolean"}
	case reflect.Float64:
		return object{"type": "number"}
	case reflect.Int, reflect.Int64:
		return object{"type": "integer"}
	case reflect.Slice:
		return object{"type": "array", "items": m.of(t.Elem())}
	case reflect.Array:
		return object{"type": "array", "items": m.of(t.Elem()), "minItems": t.Len(), "maxItems": t.Len()}
	case reflect.Map:
		return object{"type": "object", "additionalProperties": m.of(t.Elem())}
	case reflect.Interface: // the content of a file, or none
		return object{"type": []string{"string", "null"}}
	case reflect.Pointer:
		return m.of(t.Elem())
	}
	name := t.Name()
	if other := m.Names[t.String()]; other != "" {
		name = other
	}
	if m.defs[name] == nil {
		m.defs[name] = object{} // it may refer to itself
		m.defs[name] = m.object(t)
	}
	return ref(name)
}

// object is the schema of a struct.
func (m *Maker) object(t reflect.Type) object {
	properties, required := object{}, []string{}
	m.fields(t, func(key string, optional bool, f reflect.StructField) {
		property := m.of(f.Type)
		switch {
		case key == "version":
			property = object{"const": 1}
		case !optional && f.Type.Kind() == reflect.Pointer:
			property = object{"type": []any{property["type"], "null"}}
		}
		properties[key] = property
		if !optional {
			required = append(required, key)
		}
	})
	return object{"type": "object", "properties": properties, "required": required}
}

// optional is the schema of an object whose keys may all be missing, or null.
func optional(o object) object {
	for _, property := range o["properties"].(object) {
		p := property.(object)
		if p["enum"] != nil {
			all := []any{nil}
			for _, value := range p["enum"].([]string) {
				all = append(all, value)
			}
			p["enum"] = all
		}
		if p["type"] != nil {
			p["type"] = []any{p["type"], "null"}
		}
		if of, ok := p["additionalProperties"].(object); ok {
			of["type"] = []any{of["type"], "null"}
		}
	}
	o["required"] = []string{}
	return o
}

// fields calls f with what a struct has in JSON.
func (m *Maker) fields(t reflect.Type, f func(key string, optional bool, field reflect.StructField)) {
	for field := range t.Fields() {
		key, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		switch {
		case field.Anonymous && key == "":
			m.fields(field.Type, f)
		case key != "-" && key != "":
			f(key, strings.Contains(options, "omit"), field)
		}
	}
}

// Form reads a form of the published schema by its name. A strict one allows nothing beyond what it names: what is published lets new keys come.
func Form(published []byte, name string, strict bool) (*jsonschema.Resolved, error) {
	var all jsonschema.Schema
	if err := json.Unmarshal(published, &all); err != nil {
		return nil, err
	}
	if strict {
		for _, def := range all.Defs {
			def.AdditionalProperties = &jsonschema.Schema{Not: &jsonschema.Schema{}}
		}
	}
	return (&jsonschema.Schema{Ref: "#/$defs/" + name, Defs: all.Defs}).Resolve(nil)
}
