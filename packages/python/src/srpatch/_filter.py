"""One request to `srpatch filter`, and what its answer says."""

import base64
import json
from typing import Any, Dict, List, Mapping, Optional, Union

from ._binary import Error, bad_binary, find_binary, run

Content = Union[str, bytes]

# Non-ASCII characters are escaped, so half a surrogate pair gets an answer with an error.
_encode = json.JSONEncoder(separators=(",", ":")).encode


class Result:
    """The answer to a request. `line` is the JSON of srpatch, and `answer` the decoded JSON."""

    __slots__ = ("line", "_answer", "_as_bytes")

    def __init__(self, line: bytes, as_bytes: bool = False) -> None:
        self.line = line
        self._answer: Optional[Dict[str, Any]] = None
        self._as_bytes = as_bytes

    @property
    def answer(self) -> Dict[str, Any]:
        if self._answer is None:
            self._answer = json.loads(self.line)
        return self._answer

    @property
    def ok(self) -> bool:
        """Whether all of the reply was understood and placed."""
        return self.outcome in ("changed", "already", "no-op")

    @property
    def outcome(self) -> str:
        """changed, already, no-op, or the worst fault: not-found, ambiguous, path, format, ..."""
        outcome: str = self.answer["outcome"]
        return outcome

    @property
    def changed(self) -> bool:
        """Whether a file is different afterwards."""
        changed: bool = self.answer["changed"]
        return changed

    @property
    def files(self) -> Dict[str, Optional[Content]]:
        """The changed files, None for a deleted one. They are bytes if the request has bytes."""
        files: Dict[str, Optional[Content]] = dict(self.answer.get("files") or {})
        for path, data in (self.answer.get("files_b64") or {}).items():
            files[path] = base64.b64decode(data)
        if self._as_bytes:
            files.update((p, f.encode()) for p, f in files.items() if isinstance(f, str))
        return files

    @property
    def feedback(self) -> str:
        """What to send back to the model; empty if there is nothing to ask."""
        return self.answer.get("feedback") or ""

    @property
    def edits(self) -> List[Dict[str, Any]]:
        """A report on each block of the reply."""
        return self.answer.get("blocks") or []

    @property
    def error(self) -> Optional[Error]:
        error = self.answer.get("error")
        return Error(error["code"], error["message"]) if error else None

    def __repr__(self) -> str:
        return f"<srpatch.Result {self.outcome}>"


def request(reply: str, files: Mapping[str, Optional[Content]], **options: Any) -> Dict[str, Any]:
    """A request for Pool.map. The options are keys of a request, such as policy="strict"."""
    if not isinstance(reply, str):
        raise TypeError(f"reply must be a str, not {type(reply).__name__}")
    if not isinstance(files, Mapping):
        raise TypeError(f"files must map paths to contents, not be a {type(files).__name__}")
    made: Dict[str, Any] = {"reply": reply, "want": ["content", "feedback"], "strict_keys": True}
    made.update(options)
    made["files"] = {p: f for p, f in files.items() if not isinstance(f, bytes)}
    encoded = {p: base64.b64encode(f).decode() for p, f in files.items() if isinstance(f, bytes)}
    if encoded:
        made["files_b64"] = encoded
    return made


def apply(reply: str, files: Mapping[str, Optional[Content]], **options: Any) -> Result:
    """Apply a reply to files in memory. The disk is not touched.

    A refused reply and one without an edit are results: their feedback is for the model.
    An invalid request raises Error.
    """
    made = request(reply, files, **options)
    done = run(["filter", "--no-ms"], line_of(made))
    result = Result(done.stdout, "files_b64" in made)
    try:
        error = result.error
    except ValueError:
        raise bad_binary(find_binary(), done.stderr.decode(errors="replace")) from None
    if error is not None and error.code != "no-edits":
        raise error
    return result


def line_of(made: Union[Mapping[str, Any], bytes]) -> bytes:
    """The line of a request, which may be JSON already."""
    if not isinstance(made, bytes):
        return _encode(made).encode() + b"\n"
    made = made[:-1] if made.endswith(b"\n") else made
    if b"\n" in made:
        raise Error("invalid-request", "a request has more than one line: send each by itself")
    return made + b"\n"
