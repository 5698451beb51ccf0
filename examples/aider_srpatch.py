"""aider with srpatch: python3 aider_srpatch.py takes the arguments of aider.

It replaces how aider reads and applies the formats diff, diff-fenced and editor-diff. Blocks that
match are written. aider sends the text of the ValueError about the others to the model.
"""

import pathlib
import sys

import srpatch
from aider.coders.editblock_coder import EditBlockCoder
from aider.main import main


def get_edits(self):
    reply, paths = self.partial_response_content, set(self.get_inchat_relative_files())
    named = srpatch.apply(reply, {}).edits
    paths |= {edit["path"] for edit in named if edit.get("reason") != "outside-root"}
    found = {path: pathlib.Path(self.root, path) for path in paths}
    files = {path: file.read_bytes() for path, file in found.items() if file.is_file()}
    result = srpatch.apply(reply, files, partial=True)
    self.refused = "" if result.ok or result.error else result.feedback
    return list(result.files.items())


def apply_edits(self, edits):
    for path, content in edits if not self.dry_run else []:
        content = content.encode() if isinstance(content, str) else content
        file = pathlib.Path(self.root, path)
        file.unlink() if content is None else file.write_bytes(content)
    if self.refused:
        raise ValueError(self.refused)


EditBlockCoder.get_edits, EditBlockCoder.apply_edits = get_edits, apply_edits
EditBlockCoder.apply_edits_dry_run = lambda self, edits: edits
if __name__ == "__main__":
    sys.exit(main())
