"""srpatch compared with aider: the adapter in the examples, and the cases of aider's own tests.

aider.json has the cases of aider's tests/basic/test_editblock.py (commit 1956104), rewritten: a
reply, files, and aider's result (editblock_coder.py of commit cc59098), or null if it refuses.
Where srpatch differs, "srpatch" is its outcome, and "why" is the reason.
"""

import importlib.util
import json
import pathlib
import sys
import tempfile
import types
import unittest
from unittest import mock

import srpatch

HERE = pathlib.Path(__file__).resolve().parent
ADAPTER = HERE.parents[2] / "examples" / "aider_srpatch.py"


def block(path, search, replace):
    return f"{path}\n<<<<<<< SEARCH\n{search}=======\n{replace}>>>>>>> REPLACE\n"


class Coder:
    """The part of aider's Coder that the adapter uses, with calls in the same order."""

    def __init__(self, root, chat=(), refuse=(), dry_run=False):
        self.root = str(root)
        self.chat, self.refuse = list(chat), refuse
        self.dry_run = dry_run
        self.reflected_message = None

    def get_inchat_relative_files(self):
        return self.chat

    def prepare_to_edit(self, edits):
        for path in {edit[0] for edit in edits} - set(self.refuse):
            file = pathlib.Path(self.root, path)
            if not file.exists() and not self.dry_run:
                file.parent.mkdir(parents=True, exist_ok=True)
                file.touch()
        return [edit for edit in edits if edit[0] not in self.refuse]

    def apply_updates(self, reply):
        self.partial_response_content = reply
        try:
            edits = self.apply_edits_dry_run(self.get_edits())
            edits = self.prepare_to_edit(edits)
            self.apply_edits(edits)
        except ValueError as error:
            self.reflected_message = str(error)


class Aider(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        modules = {name: types.ModuleType(name) for name in ("aider", "aider.coders")}
        modules["aider.coders.editblock_coder"] = types.SimpleNamespace(EditBlockCoder=Coder)
        modules["aider.main"] = types.SimpleNamespace(main=lambda: None)
        with mock.patch.dict(sys.modules, modules):
            spec = importlib.util.spec_from_file_location("aider_srpatch", ADAPTER)
            spec.loader.exec_module(importlib.util.module_from_spec(spec))

    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.root = pathlib.Path(directory.name, "root")
        self.root.mkdir()

    def write(self, files):
        for path, text in files.items():
            file = self.root / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(text.encode())

    def read(self):
        files = (file for file in self.root.rglob("*") if file.is_file())
        return {f.relative_to(self.root).as_posix(): f.read_bytes().decode() for f in files}

    def test_cases(self):
        for case in json.loads((HERE / "aider.json").read_text(encoding="utf-8")):
            with self.subTest(case["name"]):
                result = srpatch.apply(case["reply"], case["files"])
                got = {**case["files"], **result.files} if result.ok else None
                if "srpatch" in case:
                    self.assertNotEqual(got, case["aider"])
                    self.assertEqual(result.outcome, case["srpatch"])
                    self.assertTrue(case["why"])
                else:
                    self.assertEqual(got, case["aider"])

    def test_blocks_that_match_are_written_and_the_others_reported(self):
        self.write({"a.py": "x = 1\r\n", "sub/b.py": "y = 1\n"})
        coder = Coder(self.root, ["a.py"])
        right = block("a.py", "x = 1\n", "x = 2\n") + block("sub/b.py", "y = 1\n", "y = 2\n")
        coder.apply_updates(right + block("a.py", "z = 1\n", "z = 2\n"))
        self.assertEqual(self.read(), {"a.py": "x = 2\r\n", "sub/b.py": "y = 2\n"})
        self.assertIn("## Block 3, `a.py`", coder.reflected_message)
        self.assertIn("already written", coder.reflected_message)

    def test_new_and_deleted_files(self):
        self.write({"old.py": "x = 1\n"})
        coder = Coder(self.root)
        coder.apply_updates(block("sub/new.py", "", "x = 1\n"))
        coder.apply_updates("```diff\n--- a/old.py\n+++ /dev/null\n@@ -1 +0,0 @@\n-x = 1\n```\n")
        self.assertEqual((self.read(), coder.reflected_message), ({"sub/new.py": "x = 1\n"}, None))

    def test_a_file_outside_of_the_chat_is_not_created_anew(self):
        self.write({"a.py": "x = 1\n"})
        coder = Coder(self.root)
        coder.apply_updates(block("a.py", "", "y = 1\n"))
        self.assertEqual(self.read(), {"a.py": "x = 1\n"})
        self.assertIn("exists", coder.reflected_message)

    def test_a_path_out_of_the_tree(self):
        self.root.with_name("secret.py").write_text("x = 1\n")
        coder = Coder(self.root)
        coder.apply_updates(block("../secret.py", "x = 1\n", "x = 2\n"))
        self.assertEqual(self.root.with_name("secret.py").read_text(), "x = 1\n")
        self.assertIn("leads out of the tree", coder.reflected_message)

    def test_files_that_the_user_refuses_and_a_dry_run(self):
        self.write({"a.py": "x = 1\n"})
        reply = block("a.py", "x = 1\n", "x = 2\n")
        for coder in Coder(self.root, refuse=["a.py"]), Coder(self.root, dry_run=True):
            coder.apply_updates(reply)
            self.assertEqual((self.read(), coder.reflected_message), ({"a.py": "x = 1\n"}, None))

    def test_an_answer_without_an_edit(self):
        coder = Coder(self.root)
        coder.apply_updates("It prints a greeting.")
        self.assertIsNone(coder.reflected_message)


if __name__ == "__main__":
    unittest.main()
