"""Three rules by which edits are applied, as appliers for the evaluation: unique, first, difflib."""

import difflib
import json
import sys


def unique(content, search, replace):
    return content.replace(search, replace) if content.count(search) == 1 else None


def first(content, search, replace):
    return content.replace(search, replace, 1) if search in content else None


def most_similar(content, search, replace):
    lines, n = content.splitlines(keepends=True), len(search.splitlines())
    windows = ["".join(lines[i : i + n]) for i in range(len(lines) - n + 1)]
    matcher = difflib.SequenceMatcher(autojunk=False)
    matcher.set_seq2(search)

    def ratio(window, how):
        matcher.set_seq1(window)
        return how(matcher)

    bounds = [ratio(w, difflib.SequenceMatcher.quick_ratio) for w in windows]
    best, place = 0.8, None
    for i in sorted(range(len(windows)), key=lambda i: -bounds[i]):
        if bounds[i] <= best:
            break
        exact = ratio(windows[i], difflib.SequenceMatcher.ratio)
        if exact > best:
            best, place = exact, i
    if place is None:
        return None
    return "".join(lines[:place]) + replace + "".join(lines[place + n :])


rule = {"unique": unique, "first": first, "difflib": most_similar}[sys.argv[1]]
for line in sys.stdin:
    request = json.loads(line)
    answer = {"id": request["id"]}
    content = rule(request["content"], request["search"], request["replace"])
    if content is not None:
        answer["content"] = content
    print(json.dumps(answer), flush=True)
