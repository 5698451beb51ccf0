"""Score the requests of a file on the workers of Dask: filter_dask.py REQUESTS [SCHEDULER]. Without a scheduler two workers are started
here. Each thread of a worker runs one filter, on one core. Answers are printed in the order of the requests."""
import os
import subprocess
import sys

from distributed import Client


def score(lines):
    command = ["srpatch", "filter", "--no-ms"]
    env = {**os.environ, "GOMAXPROCS": "1"}
    return subprocess.run(command, input=b"".join(lines), stdout=subprocess.PIPE, env=env, check=True).stdout


if __name__ == "__main__":
    lines = open(sys.argv[1], "rb").readlines()
    where = {"address": sys.argv[2]} if len(sys.argv) > 2 else {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": None}
    with Client(**where) as client:
        parts = client.map(score, [lines[i : i + 100] for i in range(0, len(lines), 100)], pure=False)
        for part in client.gather(parts):
            sys.stdout.buffer.write(part)
