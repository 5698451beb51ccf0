"""aider with srpatch: python3 aider_srpatch.py takes aider's arguments.

It replaces how aider reads and applies the edit formats diff, diff-fenced and editor-diff. Blocks
that match are written; aider sends the text of the ValueError about the others to the model.
"""

import pathlib

import srpatch
from aider.coders.editblock_coder import EditBlockCoder
from aider.main import main


class Adapter:
    def get_edits(self):
        reply, paths = self.partial_response_content, set(self.get_inchat_relative_files())
        paths |= {edit["path"] for edit in srpatch.apply(reply, {}).edits}
        files = {path: pathlib.Path(self.root, path) for path in paths}
        files = {path: file.read_bytes() for path, file in files.items() if file.is_file()}
        result = srpatch.apply(reply, files, partial=True)
        self.refused = "" if result.ok or result.error else result.feedback
        return list(result.files.items())

    def apply_edits_dry_run(self, edits):
        return edits

    def apply_edits(self, edits):
        for path, content in edits if not self.dry_run else []:
            pathlib.Path(self.root, path).write_bytes(content)
        if self.refused:
            raise ValueError(self.refused)
