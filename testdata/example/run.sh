#!/bin/sh
# Applies the example reply to a copy of the example tree, and shows the report and what it changed.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp -r "$here/tree" "$work/tree"

srpatch() { (cd "$here/../.." && go run ./cmd/srpatch "$@"); }
XDG_STATE_HOME=$work/state
export XDG_STATE_HOME

srpatch --dry-run --quiet -d "$work/tree" "$here/reply.md" >"$work/diff"
srpatch -d "$work/tree" "$here/reply.md"
echo
cat "$work/diff"
