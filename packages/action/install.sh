#!/bin/sh
# Downloads the release VERSION for this machine, verifies its checksum, and copies the programs to
# DIR:
#
#   install.sh VERSION DIR
#
# SRPATCH_DOWNLOADS is the URL of the files if they are not on GitHub, such as file:///srv/srpatch.
set -eu
[ $# = 2 ] || { echo 'usage: install.sh VERSION DIR' >&2; exit 2; }
version=${1#v} dir=$2

case $(uname -s) in
Linux) os=linux ;;
Darwin) os=darwin ;;
MINGW* | MSYS*) os=windows ;;
*) echo "srpatch: there is no release for $(uname -s)" >&2 && exit 2 ;;
esac
case $(uname -m) in
x86_64 | amd64) arch=amd64 ;;
aarch64 | arm64) arch=arm64 ;;
*) echo "srpatch: there is no release for $(uname -m)" >&2 && exit 2 ;;
esac
top=srpatch-$version-$os-$arch exe='' archive=srpatch-$version-$os-$arch.tar.gz
[ $os != windows ] || { exe=.exe archive=$top.zip; }

from=${SRPATCH_DOWNLOADS:-https://github.com/srpatch/srpatch/releases/download/v$version}
mkdir -p "$dir"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
curl -fsSL --fail-early --retry 3 -o "$work/$archive" "$from/$archive" -o "$work/SHA256SUMS" "$from/SHA256SUMS"
(
	cd "$work"
	grep "  $archive\$" SHA256SUMS >sum || {
		echo "srpatch: SHA256SUMS has no $archive" >&2
		exit 1
	}
	sum=$(command -v sha256sum || echo 'shasum -a 256')
	$sum -c sum >&2
	case $archive in
	*.zip) unzip -q "$archive" ;;
	*) tar -xzf "$archive" ;;
	esac
)
for program in srpatch srpatch-mcp; do
	cp "$work/$top/$program$exe" "$dir/$program$exe"
done
