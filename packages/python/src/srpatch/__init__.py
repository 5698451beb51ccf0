"""Apply the edits in a language model's reply: SEARCH/REPLACE blocks, diffs, tool calls.

The srpatch program in the package does all of the work.
"""

from ._binary import Error, find_binary
from ._check import Check, check
from ._filter import Result, apply, request
from ._pool import Pool

__all__ = ["Check", "Error", "Pool", "Result", "apply", "check", "find_binary", "request"]
