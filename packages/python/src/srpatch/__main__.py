"""python -m srpatch runs the srpatch program."""

import os
import subprocess
import sys
from typing import List

from ._binary import Error, bad_binary, find_binary


def main() -> None:
    try:
        sys.exit(_run([find_binary(), *sys.argv[1:]]))
    except Error as e:
        print(f"srpatch: {e}", file=sys.stderr)
        sys.exit(2)
    except KeyboardInterrupt:
        sys.exit(2)


def _run(command: List[str]) -> int:
    try:
        if sys.platform != "win32":
            os.execv(command[0], command)
        return subprocess.run(command).returncode  # Windows cannot replace a process
    except OSError as e:
        raise bad_binary(command[0], str(e)) from e


if __name__ == "__main__":
    main()
