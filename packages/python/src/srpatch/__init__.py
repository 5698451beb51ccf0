"""Apply the edits in a language model's reply: SEARCH/REPLACE blocks, diffs, tool calls.

All of the work is done by the srpatch program, which comes with the package.
"""

from ._binary import Error, find_binary
from ._check import Check, check
from ._filter import Result, apply, request
from ._pool import Pool

__all__ = ["Check", "Error", "Pool", "Result", "apply", "check", "find_binary", "request"]
