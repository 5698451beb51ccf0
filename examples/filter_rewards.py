"""The reward of SWE-RL for each request of a file: filter_rewards.py REQUESTS. A request has "files", "reply", and in "oracle" the files
that the true patch changes, as it leaves them."""
import difflib
import json
import sys

from filter_client import answers

FILTER = "srpatch filter --no-ms --policy strict".split()
RULES = {"splice": "verbatim", "names": "exact", "bytes": "exact", "replace_all": True}


def patches(before, after):
    """The unified diff of each file that changes, without its head."""
    for path, text in after.items():
        diff = list(difflib.unified_diff((before.get(path) or "").splitlines(), (text or "").splitlines(), lineterm=""))
        if diff:
            yield path, "\n".join(diff[2:])


def swe_rl(request, oracle, answer):
    """-1 for a reply that cannot be applied, else how like its patch is to the true one, 0 to 1: the mean over the files of both."""
    if answer["outcome"] != "changed":
        return -1.0
    made, true = dict(patches(request["files"], answer["files"])), dict(patches(request["files"], oracle))
    alike = [difflib.SequenceMatcher(None, made[path], true[path], autojunk=False).ratio() for path in made.keys() & true.keys()]
    return sum(alike) / max(len(made.keys() | true.keys()), 1)


if __name__ == "__main__":
    requests = [json.loads(line) for line in open(sys.argv[1], encoding="utf-8")]
    oracles = [request.pop("oracle") for request in requests]
    for (request, answer), oracle in zip(answers([{**r, **RULES} for r in requests], FILTER), oracles):
        print(json.dumps({"id": request.get("id"), "outcome": answer["outcome"], "reward": swe_rl(request, oracle, answer)}))
