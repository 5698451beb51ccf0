package main

import (
	"context"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/srpatch/srpatch/internal/lesson"
)

type promptArguments struct {
	Format string `json:"format,omitempty" jsonschema:"the format to teach; without it SEARCH/REPLACE blocks"`
}

func (s *server) addPrompt() error {
	schema, err := jsonschema.For[promptArguments](nil)
	if err != nil {
		return err
	}
	for _, format := range lesson.Formats() {
		schema.Properties["format"].Enum = append(schema.Properties["format"].Enum, format)
	}
	mcp.AddTool(s.mcp, &mcp.Tool{
		Name: "prompt", Title: "How to write edits",
		Description: "Instructions for a model on how to write its edits for check and apply.",
		Annotations: looks("How to write edits"), InputSchema: schema,
	}, func(_ context.Context, _ *mcp.CallToolRequest, in promptArguments) (*mcp.CallToolResult, any, error) {
		text, err := lesson.In(in.Format)
		if err != nil {
			return nil, nil, err
		}
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}}, nil, nil
	})
	return nil
}
