# The step of action.yml. Its inputs are REPLY, APPLY, TRUSTED, DIRECTORY and VERSION.
set -eu

command -v srpatch >/dev/null || {
	go install "github.com/srpatch/srpatch/cmd/srpatch@$VERSION"
	PATH=$PATH:$(go env GOPATH)/bin
}

report=$RUNNER_TEMP/srpatch.json
echo "report=$report" >>"$GITHUB_OUTPUT"

verb=check
if [ "$APPLY" = true ]; then verb=apply; fi
set -- --directory="$DIRECTORY"
if [ "$TRUSTED" != true ]; then set -- "$@" --untrusted; fi
# Each reply of a folder is a separate run, and the annotations name it.
if [ -d "$REPLY" ]; then set -- --each "$@" -- "$REPLY"/*; else set -- "$@" -- "$REPLY"; fi

status=0
# The report quotes the reply, which could contain workflow commands, so don't log it.
srpatch "$verb" --json "$@" >"$report" 2>/dev/null || status=$?
# Annotate what was refused, but not what has been applied.
srpatch check --annotate=github "$@" || true
exit $status
