"""What would happen to the files of a directory: `srpatch check --json`."""

import json
import os
from typing import Any, Dict, List, Union

from ._binary import Error, bad_binary, find_binary, run

# Flags that would replace the report or the reply.
_TAKEN = {"annotate", "clipboard", "directory", "each", "feedback", "help", "json", "version"}


class Check:
    """What a run would do. `report` is the JSON of srpatch, decoded."""

    def __init__(self, report: Dict[str, Any], feedback: str) -> None:
        self.report = report
        self.feedback = feedback  # what to send back to the model, if not ok

    @property
    def ok(self) -> bool:
        """Whether every edit can be applied."""
        return self.status == "applied"

    @property
    def status(self) -> str:
        """applied, partial or refused."""
        status: str = self.report["status"]
        return status

    @property
    def edits(self) -> List[Dict[str, Any]]:
        """A report on each block of the reply."""
        return self.report.get("blocks") or []

    @property
    def files(self) -> List[Dict[str, Any]]:
        """The files that would change, with text_edits for an editor."""
        return self.report.get("files") or []

    def __repr__(self) -> str:
        return f"<srpatch.Check {self.status}>"


def check(reply: str, root: Union[str, "os.PathLike[str]"] = ".", **options: Any) -> Check:
    """Check what a reply would do to the files below root. Nothing is written.

    The options are flags: policy="strict", partial=True, allow=["src/**", "*.md"].
    """
    flags = ["--directory=" + os.fspath(root)]
    for name, value in options.items():
        if name in _TAKEN:
            raise Error("usage", f"check has no option {name!r}: run srpatch check for that")
        flag = "--" + name.replace("_", "-")
        for one in value if isinstance(value, (list, tuple)) else [value]:
            if one is True:
                flags.append(flag)
            elif one is not False and one is not None:
                flags.append(f"{flag}={one}")
    try:
        data = reply.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError as e:
        raise Error("lone-surrogate", f"the reply has half a surrogate pair at {e.start}") from None
    done = run(["check", "--json", *flags], data)
    stderr = done.stderr.decode(errors="replace")
    try:
        report = json.loads(done.stdout)
    except ValueError:
        if done.returncode == 2 and not done.stdout:
            raise Error("usage", stderr.strip()) from None
        raise bad_binary(find_binary(), stderr) from None
    error = report.get("error")
    if error:
        raise Error(error["code"], error["message"])
    feedback = b""
    if done.returncode == 1:
        feedback = run(["check", "--feedback", "--quiet", *flags], data).stdout
    return Check(report, feedback.decode(errors="replace"))
