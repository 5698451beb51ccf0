"""Ask srpatch filter from Python: requests go in by one thread, answers come out by another, and a worker that dies is replaced."""
import json
import subprocess
import threading


def answers(requests, command=("srpatch", "filter", "--no-ms"), tries=3):
    """Yield (request, answer) for each request, in order. A worker that dies is started again on what is not answered.
    With "want": "none" in a request its answer leaves the files' contents out."""
    waiting = [(request, json.dumps(request).encode() + b"\n") for request in requests]  # what is no JSON fails before anything runs
    while waiting:
        worker = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

        def write(lines=tuple(waiting), pipe=worker.stdin):  # in a thread: the pipe is full while nobody reads answers
            try:
                pipe.writelines(line for _, line in lines)
                pipe.close()
            except OSError:
                pass  # the worker is gone; what it has not answered is asked again

        threading.Thread(target=write, daemon=True).start()
        answered = 0
        try:
            for line in worker.stdout:
                if not line.endswith(b"\n"):
                    break  # cut off
                yield waiting[answered][0], json.loads(line)
                answered += 1
        finally:  # also where the caller wants no more answers
            worker.kill()
            worker.wait()
        tries = tries if answered else tries - 1
        if tries == 0:
            raise RuntimeError(f"{command[0]} dies before it answers {waiting[0][0]}")
        del waiting[:answered]
