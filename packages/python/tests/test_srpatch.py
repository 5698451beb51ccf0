"""python -m unittest discover packages/python/tests, with the package installed."""

import itertools
import json
import os
import pathlib
import pickle
import random
import re
import signal
import subprocess
import sys
import tempfile
import threading
import unittest
from unittest import mock

import srpatch

HERE = pathlib.Path(__file__).resolve().parent


def block(path, search, replace):
    return f"{path}\n<<<<<<< SEARCH\n{search}=======\n{replace}>>>>>>> REPLACE\n"


def edit(path, old, new):
    return block(path, f"{old}\n", f"{new}\n")


def cases(count, seed=1):
    """Synthetic replies: right ones, and ones with the mistakes of models."""
    draw = random.Random(seed)
    words = ["total", "größe", "名前", "x", "retry", "🙂", "limit", '"q"', "\\n", "a\u2028b"]
    for number in range(count):
        lines = [
            "    " * draw.randrange(3) + f"{draw.choice(words)} = {draw.randrange(40)}"
            for _ in range(draw.randrange(1, 40))
        ]
        if number % 10 == 4:
            lines *= 2  # each place twice
        end = draw.choice(["\n", "\n", "\n", "\r\n"])
        text = end.join(lines) + draw.choice([end, ""])
        at = draw.randrange(len(lines))
        search = "".join(line + "\n" for line in lines[at : at + 3])
        kind = number % 10
        if kind == 1:
            search = "".join(line.strip() + "\n" for line in search.splitlines())
        elif kind == 2:
            search = search.replace(" = ", "  =  ")
        elif kind == 3:
            search = "no such line\n"
        path = "missing.py" if kind == 5 else "src/größe.py"
        reply = block(path, search, draw.choice(["", "done = 1\n", search]))
        if kind == 6:
            reply = "I can't do that."
        elif kind == 7:
            reply = reply.replace(">>>>>>> REPLACE\n", "")
        content = text.encode("latin-1", "replace") if kind == 8 else text
        files = {"src/größe.py": content, "other.txt": "other\n"}
        if kind == 9:
            files["gone.py"] = None
            reply += block("gone.py", "", "made = 1\n")
        yield reply, files, draw.choice([{}, {"policy": "strict"}, {"partial": True}])


def binary(lines):
    run = subprocess.run(
        [srpatch.find_binary(), "filter", "--no-ms"],
        input=b"".join(lines),
        stdout=subprocess.PIPE,
        check=True,
    )
    return run.stdout.splitlines(keepends=True)


class SameAsTheBinary(unittest.TestCase):
    def test_pool_on_500_cases(self):
        requests = [srpatch.request(r, f, **o, id=i) for i, (r, f, o) in enumerate(cases(500))]
        lines = [json.dumps(request, ensure_ascii=False).encode() + b"\n" for request in requests]
        want = binary(lines)
        with srpatch.Pool(2) as pool:
            results = list(pool.map(requests))
            again = [result.line for result in pool.map(lines)]
        self.assertEqual([result.line for result in results], want)
        self.assertEqual(again, want)
        seen = {result.outcome for result in results}
        self.assertGreaterEqual(seen, {"changed", "not-found", "ambiguous", "path", "format"})

    def test_apply(self):
        for reply, files, options in cases(30, seed=2):
            result = srpatch.apply(reply, files, **options)
            request = srpatch.request(reply, files, **options)
            self.assertEqual([result.line], binary([json.dumps(request).encode() + b"\n"]))

    def test_check(self):
        with tempfile.TemporaryDirectory() as root:
            pathlib.Path(root, "a.py").write_bytes(b"x = 1\n")
            for search, status in ("x = 1", "applied"), ("y = 2", "refused"):
                reply = edit("a.py", search, "x = 3")
                run = subprocess.run(
                    [srpatch.find_binary(), "check", "--json", "-d", root],
                    input=reply.encode(),
                    stdout=subprocess.PIPE,
                    stderr=subprocess.DEVNULL,
                )
                check = srpatch.check(reply, root)
                self.assertEqual(check.report, json.loads(run.stdout))
                self.assertEqual(check.status, status)
                self.assertEqual(check.ok, status == "applied")
                self.assertEqual("Block 1" in check.feedback, status == "refused")
            self.assertEqual(pathlib.Path(root, "a.py").read_bytes(), b"x = 1\n")

    def test_command(self):
        want = subprocess.run([srpatch.find_binary(), "--version"], stdout=subprocess.PIPE)
        command = [sys.executable, "-m", "srpatch", "--version"]
        run = subprocess.run(command, stdout=subprocess.PIPE)
        self.assertEqual((run.returncode, run.stdout), (0, want.stdout))
        env = {**os.environ, "SRPATCH_BINARY": "/no/such/srpatch"}
        run = subprocess.run(command, stderr=subprocess.PIPE, env=env)
        self.assertEqual(run.returncode, 2)
        self.assertIn(b"/no/such/srpatch", run.stderr)

    def test_example(self):
        example = HERE.parent / "example.py"
        got = subprocess.run([sys.executable, example], stdout=subprocess.PIPE, check=True).stdout
        self.assertEqual(got.decode().splitlines(), (HERE / "example.txt").read_text().splitlines())


    def test_readme(self):
        page = (HERE.parent / "README.md").read_text(encoding="utf-8")
        first, second = re.findall(r"```python\n(.*?)```", page, re.S)
        for search, text, asked in ("x", "y\n", 0), ("z", "x\n", 1):
            reply = edit("greet.py", search, "y")
            names = {"reply": reply, "text": "x\n", "messages": []}
            exec(first, names)
            self.assertEqual((names["text"], len(names["messages"])), (text, asked))
            names["data"] = [(reply, {"greet.py": "x\n"})] * 3
            exec(second, names)
            self.assertEqual(names["rewards"], [-1.0 if asked else 1.0] * 3)


class Results(unittest.TestCase):
    def test_text_gives_text_and_bytes_give_bytes(self):
        reply = edit("a", "x", "y")
        for content, want in ("x\r\n", "y\r\n"), (b"x\r\n", b"y\r\n"), (b"x\n\xff", b"y\n\xff"):
            self.assertEqual(srpatch.apply(reply, {"a": content}).files, {"a": want})
            with srpatch.Pool(1) as pool:
                (result,) = pool.map([srpatch.request(reply, {"a": content})])
            self.assertEqual(result.files, {"a": want})

    def test_refused_reply_has_feedback(self):
        result = srpatch.apply(edit("a", "z", "y"), {"a": "x\n"})
        self.assertEqual((result.ok, result.outcome, result.files), (False, "not-found", {}))
        self.assertIn("Block 1", result.feedback)
        self.assertEqual(result.edits[0]["reason"], "not-found")

    def test_reply_without_an_edit_has_feedback(self):
        result = srpatch.apply("Hello!", {"a": "x\n"})
        self.assertEqual((result.ok, result.error.code), (False, "no-edits"))
        self.assertIn("SEARCH", result.feedback)


class Errors(unittest.TestCase):
    def code(self, call, *args, **options):
        with self.assertRaises(srpatch.Error) as caught:
            call(*args, **options)
        self.assertTrue(str(caught.exception))
        again = pickle.loads(pickle.dumps(caught.exception))
        self.assertEqual(again.code, caught.exception.code)
        return caught.exception.code

    def test_codes(self):
        reply = edit("a", "x", "y")
        with tempfile.TemporaryDirectory() as root:
            for want, call, args, options in (
                ("invalid-request", srpatch.apply, (reply, {"a": "x\n"}), {"policy": "lax"}),
                ("lone-surrogate", srpatch.apply, (reply, {"a": "\ud800\n"}), {}),
                ("no-edits", srpatch.check, ("Hello!", root), {}),
                ("usage", srpatch.check, (reply, root), {"no_such_flag": True}),
                ("usage", srpatch.check, (reply, root), {"each": True}),
                ("usage", srpatch.check, (reply, root), {"annotate": "lines"}),
                ("usage", srpatch.check, (reply, root), {"version": True}),
                ("usage", srpatch.Pool, (0,), {}),
            ):
                self.assertEqual(self.code(call, *args, **options), want)

    def test_bad_binary(self):
        reply = edit("a", "x", "y")
        with tempfile.TemporaryDirectory() as root:
            for name, want in ("missing", "bad-binary"), ("empty", "bad-binary"):
                path = pathlib.Path(root, name)
                if name == "empty":
                    path.write_bytes(b"")
                    path.chmod(0o755)
                with mock.patch.dict(os.environ, SRPATCH_BINARY=str(path)):
                    self.assertEqual(self.code(srpatch.apply, reply, {"a": "x\n"}), want)
                    self.assertEqual(self.code(srpatch.check, reply, root), want)
                    self.assertEqual(self.code(srpatch.Pool, 1), want)
        with mock.patch.dict(os.environ, SRPATCH_BINARY=sys.executable):
            self.assertEqual(self.code(srpatch.apply, reply, {"a": "x\n"}), "bad-binary")

    def test_no_binary(self):
        with mock.patch.dict(os.environ, PATH="", SRPATCH_BINARY=""):
            with mock.patch("os.path.isfile", return_value=False):
                self.assertEqual(self.code(srpatch.apply, "", {}), "no-binary")


class Pools(unittest.TestCase):
    def requests(self, count, size=0):
        for number in range(count):
            text = f"x = {number}\n" + "# filler\n" * (size // 9)
            yield srpatch.request(edit("a", f"x = {number}", "done"), {"a": text}, id=number)

    def test_requests_are_read_no_further_than_needed(self):
        read = 0

        def source():
            nonlocal read
            for request in self.requests(4000, 20_000):
                read += 1
                yield request

        with srpatch.Pool(1) as pool:
            results = pool.map(source())
            self.assertEqual(next(results).answer["id"], 0)
            self.assertLess(read, 200)
            results.close()
            self.assertEqual(len(list(pool.map(self.requests(10)))), 10)

    def test_lines_larger_than_every_pipe(self):
        with srpatch.Pool(2) as pool:
            results = list(pool.map(self.requests(12, 3 << 20)))
        self.assertEqual([result.answer["id"] for result in results], list(range(12)))

    def test_wrong_requests_get_their_errors(self):
        mixed = [*self.requests(1), {"files": 7}, b"", b"no json", *self.requests(1)]
        with srpatch.Pool(1) as pool:
            codes = [r.error.code if r.error else "" for r in pool.map(mixed)]
        self.assertEqual(codes, ["", "invalid-request", "invalid-json", "invalid-json", ""])

    def test_unknown_option_is_an_error(self):
        reply, files = edit("a", "x", "y"), {"a": "x\n"}
        with self.assertRaises(srpatch.Error) as caught:
            srpatch.apply(reply, files, polcy="strict")
        self.assertIn("polcy", str(caught.exception))
        self.assertRaises(TypeError, srpatch.request, b"bytes", files)
        self.assertRaises(TypeError, srpatch.request, reply, None)

    def test_slow_source_does_not_hold_back_results(self):
        read = 0

        def source():
            nonlocal read
            for request in self.requests(300):
                read += 1
                yield request

        with mock.patch("srpatch._pool.time.monotonic", side_effect=itertools.count()):
            with srpatch.Pool(1) as pool:
                next(pool.map(source()))
        self.assertLess(read, 20)

    def test_failing_source_comes_after_its_results(self):
        def source():
            yield from self.requests(700)
            raise ValueError("no more")

        got = []
        with srpatch.Pool(1) as pool:
            with self.assertRaisesRegex(ValueError, "no more"):
                for result in pool.map(source()):
                    got.append(result.answer["id"])
        self.assertEqual(got, list(range(700)))

    @unittest.skipUnless(hasattr(os, "fork"), "needs fork")
    def test_forked_pool(self):
        with srpatch.Pool(1) as pool:
            child = os.fork()
            if child == 0:
                try:
                    list(pool.map(self.requests(1)))
                except srpatch.Error as e:
                    pool.close()
                    os._exit(7 if e.code == "forked" else 1)
                os._exit(2)
            self.assertEqual(os.waitpid(child, 0)[1] >> 8, 7)
            self.assertEqual(len(list(pool.map(self.requests(3)))), 3)

    def test_threads_share_a_pool(self):
        got = {}
        with srpatch.Pool(2) as pool:

            def ask(name):
                got[name] = [r.answer["id"] for r in pool.map(self.requests(300, 2000))]

            threads = [threading.Thread(target=ask, args=(n,)) for n in range(4)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
        self.assertEqual(list(got.values()), [list(range(300))] * 4)

    def test_closed_pool(self):
        pool = srpatch.Pool(1)
        results = pool.map(self.requests(4000, 2000))
        next(results)
        pool.close()
        pool.close()
        with self.assertRaises(srpatch.Error) as caught:
            list(results)
        self.assertEqual(caught.exception.code, "closed")


@unittest.skipIf(sys.platform == "win32", "workers are killed by signals")
class KilledWorkers(unittest.TestCase):
    requests = Pools.requests

    def test_no_answer_is_lost_or_doubled(self):
        with srpatch.Pool(2) as pool:
            ids = []
            for result in pool.map(self.requests(3000, 3000)):
                if len(ids) % 400 == 100:
                    os.kill(pool._workers[len(ids) // 400 % 2]._process.pid, signal.SIGKILL)
                ids.append(result.answer["id"])
                self.assertTrue(result.changed)
        self.assertEqual(ids, list(range(3000)))

    def test_idle_worker(self):
        with srpatch.Pool(1) as pool:
            for _ in range(2):
                os.kill(pool._workers[0]._process.pid, signal.SIGKILL)
                self.assertEqual([r.changed for r in pool.map(self.requests(3))], [True] * 3)

    def test_request_that_kills_its_worker(self):
        """Such a request gets an error in its place, and the others get their answers."""
        fatal = 40
        with tempfile.TemporaryDirectory() as root:
            deaths = pathlib.Path(root, "deaths")
            script = pathlib.Path(root, "srpatch")
            # It answers what it has read, and dies on the fatal request.
            script.write_text(
                f"#!{sys.executable}\n"
                "import json, os, sys\n"
                "for line in sys.stdin:\n"
                f"    if json.loads(line)['id'] == {fatal}:\n"
                f"        open({str(deaths)!r}, 'a').write('x')\n"
                "        os.kill(os.getpid(), 9)\n"
                "    print(line, end='')\n"
            )
            script.chmod(0o755)
            with mock.patch.dict(os.environ, SRPATCH_BINARY=str(script)):
                with srpatch.Pool(1) as pool:
                    ids = []
                    with self.assertRaises(srpatch.Error) as caught:
                        for result in pool.map(self.requests(100)):
                            ids.append(result.answer["id"])
                    self.assertEqual(ids, list(range(fatal)))
                    self.assertEqual(caught.exception.code, "worker-died")
                    self.assertIn(f"x = {fatal}", str(caught.exception))
                    # Once among others, then twice alone.
                    self.assertEqual(deaths.read_text(), "xxx")
                    self.assertEqual(len(list(pool.map(self.requests(fatal)))), fatal)


if __name__ == "__main__":
    unittest.main()
