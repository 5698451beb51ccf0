module github.com/srpatch/srpatch/internal/eval

go 1.26.0

require (
	github.com/rogpeppe/go-internal v1.16.0
	github.com/sergi/go-diff v1.4.0
	github.com/spf13/pflag v1.0.10
	github.com/srpatch/srpatch v0.0.0
)

require (
	github.com/hbollon/go-edlib v1.7.0 // indirect
	golang.org/x/text v0.43.0 // indirect
	golang.org/x/tools v0.51.0 // indirect
)

replace github.com/srpatch/srpatch => ../..
