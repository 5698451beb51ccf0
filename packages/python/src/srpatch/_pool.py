"""Processes of `srpatch filter` that share many requests."""

import contextlib
import os
import queue
import subprocess
import sys
import threading
import time
from collections import deque
from types import TracebackType
from typing import Any, Deque, Iterable, Iterator, List, Mapping, Optional, Type, Union

from ._binary import Error, bad_binary, find_binary, start
from ._filter import Result, line_of

_BATCH_BYTES = 1 << 18  # a batch ends with the request that reaches one of these
_BATCH_REQUESTS = 256
_BATCH_SECONDS = 0.05
_SENT = 3  # batches that a worker has at a time
_TRIES = 2


class Pool:
    """Keeps workers for batches of requests. Use it in a with statement.

    It has a worker for each core, or `workers` of them. Threads can share a pool.
    """

    def __init__(self, workers: Optional[int] = None) -> None:
        self._made_in = os.getpid()
        count = _cores() if workers is None else workers
        if count < 1:
            raise Error("usage", "a pool needs at least one worker")
        self._batches: "queue.SimpleQueue[Optional[_Batch]]" = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._workers: List[_Worker] = []
        try:
            for _ in range(count):
                self._workers.append(_Worker(self._batches))
        except BaseException:
            self.close()
            raise

    def map(self, requests: Iterable[Union[Mapping[str, Any], bytes]]) -> Iterator[Result]:
        """Yield the results of requests, in their order.

        A request is a dict from request(), or a line of JSON in bytes. The iterable is read only
        a few batches per worker ahead. If it raises an exception, the results of earlier requests
        come first. A result may have an error. A request that ends its worker twice raises Error.
        """
        source = iter(requests)
        ahead: Deque[_Batch] = deque()
        more = True
        while True:
            while more and len(ahead) <= len(self._workers) * (_SENT + 1):
                if ahead and ahead[0].done.is_set():
                    break
                batch = _Batch(source)
                more = batch.lines != [] and batch.failed is None
                ahead.append(batch)
                self._put(batch)
            if not ahead:
                return
            batch = ahead.popleft()
            batch.done.wait()
            for answer, as_bytes in zip(batch.answers, batch.as_bytes):
                if isinstance(answer, Error):
                    raise answer
                yield Result(answer, as_bytes)
            if batch.failed is not None:
                raise batch.failed

    def _put(self, batch: "_Batch") -> None:
        if os.getpid() != self._made_in:
            raise Error("forked", "the pool belongs to the parent process: make another here")
        if not batch.lines:
            batch.done.set()
            return
        with self._lock:
            if not self._workers:
                raise _closed()
            self._batches.put(batch)

    def close(self) -> None:
        """End the workers, and drop what they have not answered."""
        if os.getpid() != self._made_in:
            return  # a fork has none of the threads, and the workers aren't its own
        with self._lock:
            workers, self._workers = self._workers, []
        for worker in workers:
            worker.close()
        with contextlib.suppress(queue.Empty):
            while True:
                batch = self._batches.get_nowait()
                if batch is not None:
                    batch.fail(_closed())
        for _ in workers:
            self._batches.put(None)
        for worker in workers:
            worker.join()

    def __enter__(self) -> "Pool":
        return self

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        self.close()


class _Batch:
    """Some requests that go to one worker together, and their answers."""

    def __init__(self, source: Iterator[Union[Mapping[str, Any], bytes]]) -> None:
        self.lines: List[bytes] = []
        self.as_bytes: List[bool] = []
        self.answers: List[Union[bytes, Error]] = []
        self.done = threading.Event()
        self.failed: Optional[Exception] = None  # what the source raised after these requests
        try:
            self._fill(source)
        except Exception as e:
            self.failed = e

    def _fill(self, source: Iterator[Union[Mapping[str, Any], bytes]]) -> None:
        size, end = 0, time.monotonic() + _BATCH_SECONDS
        for request in source:
            line = line_of(request)
            self.lines.append(line)
            self.as_bytes.append(not isinstance(request, bytes) and "files_b64" in request)
            size += len(line)
            if size >= _BATCH_BYTES or len(self.lines) == _BATCH_REQUESTS or time.monotonic() > end:
                break

    def fail(self, error: Error) -> None:
        self.answers += [error] * (len(self.lines) - len(self.answers))
        self.done.set()


class _Worker:
    """A process, with a thread that writes requests and one that reads answers.

    There are two because a process stops reading while nobody reads its answers.
    """

    def __init__(self, batches: "queue.SimpleQueue[Optional[_Batch]]") -> None:
        self._batches = batches
        self._sent: "queue.SimpleQueue[Optional[_Batch]]" = queue.SimpleQueue()
        self._room = threading.Semaphore(_SENT)
        self._writing = threading.Lock()
        self._closing = False
        self._process = _start()
        self._threads = [threading.Thread(target=t, daemon=True) for t in (self._write, self._read)]
        for thread in self._threads:
            thread.start()

    def _write(self) -> None:
        while True:
            self._room.acquire()
            batch = self._batches.get()
            with self._writing:
                self._sent.put(batch)
                if batch is None:
                    return
                self._send(b"".join(batch.lines))

    def _send(self, data: bytes) -> None:
        assert self._process.stdin is not None
        # If the process is gone, _read finds no answer, and asks again.
        with contextlib.suppress(OSError):
            self._process.stdin.write(data)
            self._process.stdin.flush()

    def _answer(self) -> Optional[bytes]:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        return line if line.endswith(b"\n") else None  # a cut-off line is no answer

    def _read(self) -> None:
        while True:
            batch = self._sent.get()
            if batch is None:
                return
            while len(batch.answers) < len(batch.lines):
                line = self._answer()
                if line is None:
                    self._recover(batch)
                else:
                    batch.answers.append(line)
            batch.done.set()
            self._room.release()

    def _recover(self, batch: _Batch) -> None:
        """Repeat the requests that a dead process has not answered, one at a time.

        That shows which request kills the process.
        """
        self._kill()  # before the lock, so that a stuck writer releases it
        with self._writing:
            lost: List[Optional[_Batch]] = []
            with contextlib.suppress(queue.Empty):
                while True:
                    lost.append(self._sent.get_nowait())
            for each in [batch, *lost]:
                if each is not None:
                    for line in each.lines[len(each.answers) :]:
                        each.answers.append(self._ask_alone(line))
            for each in lost:
                self._sent.put(each)  # all answered: _read only counts them as done

    def _ask_alone(self, line: bytes) -> Union[bytes, Error]:
        for _ in range(_TRIES):
            if self._closing:
                return _closed()
            if self._process.poll() is not None:
                try:
                    self._replace()
                except Error as e:
                    return e
            self._send(line)
            answer = self._answer()
            if answer is not None:
                return answer
            self._kill()
        if self._process.returncode == 0:
            return bad_binary(find_binary(), "it ended without an answer")
        return Error(
            "worker-died",
            f"srpatch filter ended twice (status {self._process.returncode}) on one request, "
            f"alone: leave it out, or give srpatch more memory. It begins with {line[:200]!r}",
        )

    def _replace(self) -> None:
        old, self._process = self._process, _start()
        _close_pipes(old)

    def _kill(self) -> None:
        self._process.kill()
        self._process.wait()

    def close(self) -> None:
        self._closing = True
        self._process.kill()

    def join(self) -> None:
        for thread in self._threads:
            thread.join()
        self._kill()
        _close_pipes(self._process)


def _start() -> "subprocess.Popen[bytes]":
    command, env = ["filter", "--no-ms"], {**os.environ, "GOMAXPROCS": "1"}
    if sys.platform == "win32":
        return start(command, env=env)
    # The worker's ends don't block. Otherwise a full pipe would stop the whole worker, not only its
    # writer, because Go notices late that its one core is free.
    stdin, to_stdin = os.pipe()
    from_stdout, stdout = os.pipe()
    os.set_blocking(stdin, False)
    os.set_blocking(stdout, False)
    ours = open(to_stdin, "wb"), open(from_stdout, "rb")
    try:
        process = start(command, stdin=stdin, stdout=stdout, env=env)
    except BaseException:
        for pipe in ours:
            pipe.close()
        raise
    finally:
        os.close(stdin)
        os.close(stdout)
    process.stdin, process.stdout = ours
    return process


def _close_pipes(process: "subprocess.Popen[bytes]") -> None:
    for pipe in (process.stdin, process.stdout):
        assert pipe is not None
        with contextlib.suppress(OSError):
            pipe.close()


def _cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _closed() -> Error:
    return Error("closed", "the pool is closed: make another")
