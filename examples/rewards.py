"""The rewards of SWE-RL for many replies, on all cores or on the workers of Dask.

    python3 rewards.py REQUESTS >REWARDS
    python3 rewards.py REQUESTS --dask [SCHEDULER] >REWARDS

A line of REQUESTS has "id", "files", "reply", and in "oracle" the files that the true patch
changes, as it leaves them. Both ways print the same rewards, in the order of the requests.
"""

import difflib
import json
import multiprocessing
import sys

import srpatch

RULES = {"policy": "strict", "splice": "verbatim", "names": "exact", "bytes": "exact"}
BATCH = 200


def patches(before, after):
    """The unified diff of each file that changes, without its header."""
    for path, text in after.items():
        old, new = (before.get(path) or "").splitlines(), (text or "").splitlines()
        diff = list(difflib.unified_diff(old, new, lineterm=""))
        if diff:
            yield path, "\n".join(diff[2:])


def reward(files, oracle, result):
    """-1 for a reply that can't be applied, otherwise how similar its patch is to the true one."""
    if result.outcome != "changed":
        return -1.0
    made, true = dict(patches(files, result.files)), dict(patches(files, oracle))
    ratios = [
        difflib.SequenceMatcher(None, made[path], true[path], autojunk=False).ratio()
        for path in made.keys() & true.keys()
    ]
    return sum(ratios) / max(len(made.keys() | true.keys()), 1)


def score(lines):
    """The rewards of some requests, one line of JSON each. It runs in a worker."""
    tasks = [json.loads(line) for line in lines]
    requests = (srpatch.request(t["reply"], t["files"], replace_all=True, **RULES) for t in tasks)
    with srpatch.Pool(1) as pool:
        results = list(pool.map(requests))
    rewards = [reward(t["files"], t["oracle"], r) for t, r in zip(tasks, results)]
    return [
        json.dumps({"id": t.get("id"), "outcome": r.outcome, "reward": value})
        for t, r, value in zip(tasks, results, rewards)
    ]


def on_cores(batches):
    with multiprocessing.Pool() as pool:
        yield from pool.imap(score, batches)


def on_dask(batches, scheduler=None):
    from distributed import Client

    here = {"threads_per_worker": 1, "dashboard_address": None}
    with Client(scheduler) if scheduler else Client(**here) as client:
        for future in client.map(score, batches, pure=False):
            yield future.result()


def progress(done, total):
    bar = "#" * (40 * done // total)
    print(f"\r[{bar:<40}] {done}/{total}", end="", file=sys.stderr, flush=True)


def main(name, way="--cores", *scheduler):
    with open(name, "rb") as requests:
        lines = requests.readlines()
    batches = [lines[i : i + BATCH] for i in range(0, len(lines), BATCH)]
    done = 0
    for rewards in on_dask(batches, *scheduler) if way == "--dask" else on_cores(batches):
        print(*rewards, sep="\n")
        done += len(rewards)
        progress(done, len(lines))
    print(file=sys.stderr)


if __name__ == "__main__":
    main(*sys.argv[1:])
