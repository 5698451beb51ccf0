# The one step of action.yml: REPLY, APPLY, TRUSTED, DIRECTORY and VERSION are its inputs.
set -eu

command -v srpatch >/dev/null || {
	go install "github.com/srpatch/srpatch/cmd/srpatch@$VERSION"
	PATH=$PATH:$(go env GOPATH)/bin
}

report=$RUNNER_TEMP/srpatch.json
echo "report=$report" >>"$GITHUB_OUTPUT"

verb=check
if [ "$APPLY" = true ]; then verb=apply; fi
set -- --annotate=github --report="$report" --directory="$DIRECTORY"
if [ "$TRUSTED" != true ]; then set -- "$@" --untrusted; fi
# Several replies are one after the other, and the notes say which one is meant.
if [ -d "$REPLY" ]; then set -- "$@" --each; fi
srpatch "$verb" "$@" -- "$REPLY"
