#!/bin/sh
# Builds the npm package, installs it from its tarballs alone, and compares it with the command.
# usage: sh packages/npm/test.sh
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$here/../.."
target=$(go env GOHOSTOS)/$(go env GOHOSTARCH)
SOURCE_DATE_EPOCH=0 go -C internal/release run . --version v0.0.0 --commit test \
	--out "$work/dist" "$target" >/dev/null
go -C internal/eval run ./cmd/eval --json --n 500 --seed 5 >"$work/cases.jsonl"

cp "$here/example.mjs" "$here/test.mjs" "$here/page.mjs" "$work"
cd "$work"
echo '{"private": true}' >package.json
npm install --offline --ignore-scripts --no-audit --no-fund ./dist/*.tgz >/dev/null
node example.mjs
npx --no srpatch filter --no-ms <cases.jsonl >answers.jsonl
SRPATCH_CASES=cases.jsonl SRPATCH_ANSWERS=answers.jsonl node --test test.mjs
if npm install --ignore-scripts --no-audit --no-fund --no-save typescript@5 >npm.log 2>&1; then
	node page.mjs "$here/../../docs/agents.md"
else
	tail -n 5 npm.log
	echo 'skipped: the examples of docs/agents.md, which need typescript'
fi
