#!/bin/sh
# Puts what the page loads into docs/try/srpatch. Then serve this folder, with python3 -m http.server
# for example.
set -eu
cd "$(dirname "$0")/../.."
mkdir -p docs/try/srpatch
cp packages/npm/index.js "$(go env GOROOT)/lib/wasm/wasm_exec.js" docs/try/srpatch
GOOS=js GOARCH=wasm go build -trimpath -ldflags='-s -w' -o docs/try/srpatch/srpatch.wasm \
	./packages/npm/wasm
