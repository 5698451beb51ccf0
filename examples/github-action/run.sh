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
set -- --directory="$DIRECTORY"
if [ "$TRUSTED" != true ]; then set -- "$@" --untrusted; fi
# Each reply of a folder is a run of its own, and the notes say which one is meant.
if [ -d "$REPLY" ]; then set -- --each "$@" -- "$REPLY"/*; else set -- "$@" -- "$REPLY"; fi

status=0
# What the report quotes of a reply could be a command of the workflow, so it does not go to the log.
srpatch "$verb" --json "$@" >"$report" 2>/dev/null || status=$?
# What was applied gets no note any more, what was refused does.
srpatch check --annotate=github "$@" || true
exit $status
