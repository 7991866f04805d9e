"""A process that runs command lines by the shell, each in a copy of itself, outside of any jail:
quick, and as real as the shell is.

Started by conftest.py. Takes one JSON object a line, gives one back.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import tempfile
from collections.abc import Mapping

from fumehood.worker.shell import table
from fumehood.worker.shell.places import Places
from fumehood.worker.shell.run import Shell

SECONDS = 20


class PlainPython:
    """Python without any rules: those have tests of their own, where there is a sandbox."""

    runs_modules = False

    def run(
        self,
        source: str,
        name: str,
        arguments: list[str],
        environment: Mapping[str, str],
        home: str,
    ) -> int:
        os.environ.clear()
        os.environ.update(environment)
        sys.argv = [name, *arguments]
        sys.stdin = open(0, closefd=False)  # noqa: SIM115
        try:
            exec(source, {"__name__": "__main__"})
        except SystemExit as asked:
            return asked.code if isinstance(asked.code, int) else 0
        finally:
            sys.stdout.flush()
        return 0

    def run_module(
        self, name: str, arguments: list[str], environment: Mapping[str, str], home: str
    ) -> int:
        raise NotImplementedError


def run(case: dict[str, object], streams: list[int]) -> int:
    """In a copy: be the shell."""
    for number, descriptor in enumerate(streams):
        os.dup2(descriptor, number)
    sys.stdout = open(1, "w", closefd=False)  # noqa: SIM115
    home = str(case["home"])
    os.chdir(home)
    signal.alarm(SECONDS)
    roots = case.get("roots")
    environment = {
        "HOME": home,
        "PATH": "/usr/bin",
        "LC_ALL": "C",
        "TZ": "UTC",
        **case.get("environment", {}),
    }  # type: ignore[dict-item]
    os.environ["TZ"] = "UTC"
    return Shell(Places(roots, home), environment, PlainPython(), table.find).run(str(case["line"]))  # type: ignore[arg-type]


def main() -> None:
    for line in sys.stdin:
        case = json.loads(line)
        with (
            tempfile.TemporaryFile() as given,
            tempfile.TemporaryFile() as out,
            tempfile.TemporaryFile() as err,
        ):
            given.write(case.get("input", "").encode())
            given.seek(0)
            pid = os.fork()
            if not pid:
                status = 99
                try:
                    status = run(case, [given.fileno(), out.fileno(), err.fileno()])
                finally:
                    os._exit(status)
            code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
            out.seek(0)
            err.seek(0)
            answer = {
                "code": code,
                "out": out.read().decode("utf-8", "surrogateescape"),
                "err": err.read().decode("utf-8", "replace"),
            }
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
