// Package indent measures, compares and maps indentation.
package indent
