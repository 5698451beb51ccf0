#!/bin/sh
# Programs that apply diffs, as appliers for the evaluation: patch, git or wiggle.
# The block becomes a diff of SEARCH and REPLACE that names the true line.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
while IFS= read -r request; do
	for key in content search replace; do
		printf '%s\n' "$request" | jq -j ".$key" >$key
	done
	line=$(printf '%s\n' "$request" | jq .line)
	diff -U 100000 --label a/content --label b/content search replace |
		sed "s/^@@ -[0-9]*\(.*\) +[0-9]*\(.*\)/@@ -$line\1 +$line\2/" >edit.diff
	case $1 in
	patch) patch --quiet --force --no-backup-if-mismatch -r - content edit.diff ;;
	git) git apply --unidiff-zero edit.diff ;;
	wiggle) wiggle --replace content edit.diff ;;
	esac >log 2>&1
	if [ $? = 0 ]; then
		printf '%s\n' "$request" | jq -c --rawfile content content '{id, content: $content}'
	else
		printf '%s\n' "$request" | jq -c '{id}'
	fi
	rm -f content.porig content.orig
done
