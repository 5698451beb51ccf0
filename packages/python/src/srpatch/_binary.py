"""Find and run the srpatch program."""

import os
import shutil
import subprocess
import sys
import sysconfig
from typing import Iterator, List


class Error(Exception):
    """A call that failed. `code` is for programs; the text says what to do."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(code, message)
        self.code = code
        self.message = message

    def __str__(self) -> str:
        return self.message


def find_binary() -> str:
    """The program's path: $SRPATCH_BINARY, else the package's own, else the one on the PATH."""
    given = os.environ.get("SRPATCH_BINARY")
    if given:
        return given
    name = "srpatch.exe" if sys.platform == "win32" else "srpatch"
    for directory in _directories():
        path = os.path.join(directory, name)
        if os.path.isfile(path):
            return path
    found = shutil.which("srpatch")
    if found is None:
        raise Error(
            "no-binary",
            "the srpatch program is missing: reinstall the package with "
            "pip install --force-reinstall srpatch, or set SRPATCH_BINARY to its path",
        )
    return found


def _directories() -> Iterator[str]:
    """Where installers put the scripts of a wheel."""
    yield sysconfig.get_path("scripts")
    if sys.version_info >= (3, 10):
        user = sysconfig.get_preferred_scheme("user")
    else:
        user = "nt_user" if os.name == "nt" else "posix_user"
    yield sysconfig.get_path("scripts", scheme=user)
    # pip install --target
    yield os.path.join(os.path.dirname(os.path.dirname(__file__)), "bin")


def start(arguments: List[str], **options: object) -> "subprocess.Popen[bytes]":
    """Start the program, with pipes for its input and output."""
    command = [find_binary(), *arguments]
    options = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, **options}
    try:
        return subprocess.Popen(command, **options)  # type: ignore[call-overload, no-any-return]
    except OSError as e:
        raise bad_binary(command[0], str(e)) from e


def run(arguments: List[str], data: bytes) -> "subprocess.CompletedProcess[bytes]":
    """Run the program on an input to its end."""
    process = start(arguments, stderr=subprocess.PIPE)
    out, err = process.communicate(data)
    return subprocess.CompletedProcess(process.args, process.returncode, out, err)


def bad_binary(path: str, what: str) -> Error:
    return Error(
        "bad-binary",
        f"{path} does not work as srpatch: {what.strip()}. Reinstall the package with "
        "pip install --force-reinstall srpatch, or set SRPATCH_BINARY to the program's path",
    )
