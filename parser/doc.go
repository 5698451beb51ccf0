// Package parser turns a model's reply into blocks.
package parser
