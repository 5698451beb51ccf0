#!/bin/sh
# Applies the example reply to a copy of the example tree, and shows the report and what it changed. It is done by the srpatch of these sources, or
# by the one that SRPATCH names.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp -r "$here/tree" "$work/tree"

run() { if [ -n "${SRPATCH-}" ]; then "$SRPATCH" "$@"; else (cd "$here/../.." && go run ./cmd/srpatch "$@"); fi; }
XDG_STATE_HOME=$work/state
export XDG_STATE_HOME

run --dry-run --quiet -d "$work/tree" "$here/reply.md" >"$work/diff"
run -d "$work/tree" "$here/reply.md"
echo
cat "$work/diff"
