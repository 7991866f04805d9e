"""Notebook commands in cells: lines that begin with `%` or `!`, and cells that begin with `%%`.

    %time f()          __magic__('time', 'f()')
    names = %env       names = __magic__('env', '')
    %%time             __magic__('%time', '')      and the rest of the cell as it is
    %%writefile a.txt  __magic__('%writefile', 'a.txt', the rest of the cell)

Translation happens only when a cell does not compile, so Python code is never changed. Each line
stays one line. Lines with `!`, `%%bash` and `%pip` start programs, which needs programs=True.
"""

from __future__ import annotations

import codecs
import contextlib
import importlib
import io
import os
import re
import select
import subprocess
import sys
import time
import timeit
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

NAME = "__magic__"
"""The builtin that translated lines call."""

_TARGET = r"[^\W\d][\w.]*(?:\[[^\]]*\])?[ \t]*"
_LINE = re.compile(rf"([ \t]*)({_TARGET}(?:,[ \t]*{_TARGET})*(?:,[ \t]*)?=[ \t]*)?([%!])(.*)")
_OPTIONS = re.compile(r"((?:-\w+(?:\s*\d+)?(?:\s+|$))*)(.*)", re.DOTALL)
_HELP = re.compile(r"[ \t]*(?:\?{1,2}([\w.]+)|([\w.]+)\?{1,2})[ \t]*")
_PYTHON_CELLS = ("time", "capture")
"""Cell magics whose cell runs as Python, after the line itself."""
_IGNORED = ("matplotlib", "load_ext", "reload_ext", "autoreload", "config", "precision")
"""They set up what a sandbox has set up, or has no use for."""
_INSTALLERS = {"pip": (sys.executable, "-m", "pip"), "uv": ("uv",), "conda": ("conda",)}


def translate(source: str) -> str:
    """The source with its magic lines as Python; the same text if it has none."""
    lines = source.split("\n")
    first = next((number for number, line in enumerate(lines) if line.strip()), 0)
    opening = lines[first].lstrip()
    if opening.startswith("%%"):
        name, _, arguments = opening[2:].partition(" ")
        call = f"{NAME}({'%' + name!r}, {arguments.strip()!r}"
        if name not in _PYTHON_CELLS:
            return "\n" * first + f"{call}, {chr(10).join(lines[first + 1 :])!r})"
        lines[first] = f"{call})"
    return "\n".join(map(_translated, lines))


def _translated(line: str) -> str:
    if found := _HELP.fullmatch(line):
        return f"help({found[1] or found[2]})"
    found = _LINE.fullmatch(line)
    if found is None:
        return line
    indent, target, kind, rest = found.groups()
    name, _, arguments = ("!", "", rest) if kind == "!" else rest.partition(" ")
    if target and name == "!":
        name = "sx"
    return f"{indent}{target or ''}{NAME}({name!r}, {arguments.strip()!r})"


class UsageError(Exception):
    """A magic command that cannot be used here or so."""


class Magics:
    """The commands of one session. `run` compiles and runs Python text among its variables."""

    def __init__(self, namespace: dict[str, Any], run: Callable[[str], Any]) -> None:
        self._namespace = namespace
        self._run = run
        self.at_end: list[contextlib.AbstractContextManager[Any]] = []

    def __call__(self, name: str, arguments: str, body: str | None = None) -> Any:
        if name in _COMMANDS:
            return _COMMANDS[name](self, arguments, body)
        if name not in _IGNORED:
            known = ", ".join(sorted("%" + name for name in _COMMANDS))
            raise UsageError(f"%{name} is not supported here. Supported: {known}")
        return None

    def _program(self, arguments: str, body: str | None) -> None:
        """Run a line, which may name variables as {x} and $x, or a script with bash."""
        status = self._bash(self._filled(arguments) if body is None else body)
        if body is not None and status:
            raise subprocess.CalledProcessError(status, "bash")

    def _captured(self, arguments: str, body: str | None) -> list[str]:
        """The lines that a command prints."""
        pieces: list[str] = []
        self._bash(self._filled(arguments), pieces.append)
        return "".join(pieces).splitlines()

    def _bash(self, text: str, show: Callable[[str], Any] | None = None) -> int:
        status = self._namespace["_exit_code"] = _run_program(["/bin/bash", "-c", text], show)
        return status

    def _filled(self, line: str) -> str:
        """A line with the values of variables in it, as IPython fills them in."""
        return re.sub(
            r"\{([^\W\d]\w*)\}|\$([^\W\d]\w*)",
            lambda found: str(self._namespace.get(found[1] or found[2], found[0])),
            line,
        )

    def _install(self, arguments: str, body: str | None, *, program: str = "pip") -> None:
        status = _run_program([*_INSTALLERS[program], *arguments.split()])
        if status:
            raise UsageError(f"%{program} {arguments} failed with exit code {status}")

    def _time(self, arguments: str, body: str | None) -> Any:
        with _timer():
            return self._run(arguments)

    def _time_cell(self, arguments: str, body: str | None) -> None:
        self._until_end(_timer())

    def _capture(self, arguments: str, body: str | None) -> None:
        self._until_end(contextlib.redirect_stdout(io.StringIO()))

    def _until_end(self, context: contextlib.AbstractContextManager[Any]) -> None:
        context.__enter__()
        self.at_end.append(context)

    def _timeit(self, arguments: str, body: str | None) -> None:
        options, statement = _OPTIONS.fullmatch(arguments).groups()  # type: ignore[union-attr]
        given = {name: int(value) for name, value in re.findall(r"-([nr])\s*(\d+)", options)}
        timer = timeit.Timer(body or statement or "pass", globals=self._namespace)
        number = given.get("n") or timer.autorange()[0]
        runs = [total / number for total in timer.repeat(given.get("r", 5), number)]
        print(f"{_duration(min(runs))} per loop (best of {len(runs)}, {number:,} loops each)")

    def _writefile(self, arguments: str, body: str | None) -> None:
        append, path = arguments.startswith("-a "), arguments.removeprefix("-a ").strip()
        with open(path, "a" if append else "w", encoding="utf-8") as file:  # noqa: PTH123
            file.write((body or "").removesuffix("\n") + "\n")
        print(f"{'Appending to' if append else 'Writing'} {path}")

    def _pwd(self, arguments: str, body: str | None) -> str:
        return os.getcwd()  # noqa: PTH109

    def _cd(self, arguments: str, body: str | None) -> None:
        os.chdir(os.path.expanduser(arguments or "~"))  # noqa: PTH111
        print(os.getcwd())  # noqa: PTH109

    def _env(self, arguments: str, body: str | None) -> Any:
        name, is_set, value = re.split(r"\s*(=|\s)\s*", arguments + " ", maxsplit=1)
        if not name:
            return dict(os.environ)
        if is_set and value.strip():
            os.environ[name] = value.strip()
            return None
        return os.environ.get(name)


_COMMANDS: dict[str, Callable[[Magics, str, str | None], Any]] = {
    "time": Magics._time,
    "pwd": Magics._pwd,
    "cd": Magics._cd,
    "env": Magics._env,
    "%capture": Magics._capture,
    "%time": Magics._time_cell,
    "%writefile": Magics._writefile,
    **dict.fromkeys(("timeit", "%timeit"), Magics._timeit),
    **dict.fromkeys(("!", "%bash", "%sh", "%script"), Magics._program),
    **dict.fromkeys(("system", "sx"), Magics._captured),
    **{name: partial(Magics._install, program=name) for name in _INSTALLERS},
}


def _run_program(arguments: list[str], show: Callable[[str], Any] | None = None) -> int:
    """Run a program, show its streams or give them to `show`, and return its exit code."""
    with subprocess.Popen(
        arguments, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None and process.stderr is not None
        decode = codecs.getincrementaldecoder("utf-8")
        open_streams = {
            process.stdout.fileno(): (decode("replace"), show or sys.stdout.write),
            process.stderr.fileno(): (decode("replace"), show or sys.stderr.write),
        }
        while open_streams:
            for descriptor in select.select(open_streams, (), ())[0]:
                data = os.read(descriptor, 1 << 16)
                decoder, write = open_streams[descriptor]
                if text := decoder.decode(data, not data):
                    write(text)
                if not data:
                    del open_streams[descriptor]
    importlib.invalidate_caches()  # it may have installed something
    return process.returncode


@contextlib.contextmanager
def _timer() -> Iterator[None]:
    wall, processor = time.perf_counter(), time.process_time()
    yield
    cpu, real = time.process_time() - processor, time.perf_counter() - wall
    print(f"CPU times: {_duration(cpu)}, wall time: {_duration(real)}")


def _duration(seconds: float) -> str:
    units = ((1, "s"), (1e3, "ms"), (1e6, "µs"), (1e9, "ns"))
    factor, unit = next((pair for pair in units if seconds * pair[0] >= 1), units[-1])
    return f"{seconds * factor:.3g} {unit}"
