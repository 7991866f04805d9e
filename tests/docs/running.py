"""Runs a page from its top to its end, as a reader would who pastes everything into one terminal
and one Python, in an empty directory; and compares what comes of it with what the page says."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from .blocks import Block

# What is another each time, in what commands and programs print.
CHANGING = [
    (r"\b[0-9a-f]{64}\b", "HASH"),
    (r"\b[0-9a-f]{12,16}\b", "ID"),
    (r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d", "DAY"),
    (r"\d\d:\d\d:\d\d\.\d{3}", "TIME"),
    (r"(?<![\w.])[\d.…]+ (ms|s|MB)\b", "SOME"),
    (r"Python 3\.\d+\.\d+", "PYTHON"),
    (r"[─━]+$", "─"),
]
# And keys of JSON whose values are.
CHANGING_KEYS = {"id", "created", "expires", "usage"}

ADDRESS = "127.0.0.1:8720"
"""Where `fumehood serve` is on a page. Here it has a port of its own."""

_END = "end of the command"


class PageDiffers(AssertionError):
    """A page says what is not so."""


class Page:
    """One run of a page. `environment` is added to that of everything on it, `replaced` are texts
    that stand for others here."""

    def __init__(
        self,
        directory: Path,
        environment: Mapping[str, str] | None = None,
        replaced: Mapping[str, str] | None = None,
    ) -> None:
        self.directory = directory
        self.replaced = dict(replaced or {})
        programs = directory / ".programs"
        programs.mkdir()
        for name, words in (
            ("python", [sys.executable]),
            ("fumehood", [sys.executable, "-m", "fumehood.cli"]),
        ):
            (programs / name).write_text(f'#!/bin/sh\nexec {shlex.join(words)} "$@"\n')
            (programs / name).chmod(0o755)
        self.environment = {
            **os.environ,
            "COLUMNS": "72",
            "NO_COLOR": "1",
            **(environment or {}),
            "PATH": f"{programs}:{os.environ['PATH']}",
        }
        self._bash: subprocess.Popen[str] | None = None
        self._reader: subprocess.Popen[str] | None = None
        self._servers: list[subprocess.Popen[str]] = []
        self._status = 0

    def __enter__(self) -> Page:
        return self

    def __exit__(self, *error: object) -> None:
        for process in (self._reader, self._bash, *self._servers):
            if process is None:
                continue
            if process in self._servers:
                process.terminate()
            assert process.stdout is not None
            if process.stdin is not None:
                process.stdin.close()
            try:
                process.wait(60)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
            process.stdout.close()

    def run(self, blocks: list[Block]) -> None:
        """Raises PageDiffers, or what kept it from being run."""
        for number, block in enumerate(blocks):
            if block.reason is not None:
                continue
            if block.kind == "python":
                after = (
                    blocks[number + 1]
                    if number + 1 < len(blocks) and blocks[number + 1].kind == "output"
                    else None
                )
                self._run_program(
                    block, None if after is None or after.reason is not None else after.text
                )
            elif block.kind == "console":
                for command, said in block.commands:
                    self._run_command(block, command, said)
            elif block.kind == "toml":
                self._write(block)

    # -- programs

    def _run_program(self, block: Block, said: str | None) -> None:
        if self._reader is None:
            reader = Path(__file__).with_name("reader.py")
            self._reader = self._start([sys.executable, str(reader)], stderr=None)
        code = self._as_here(block.text)
        environment = {
            name: value for name, value in self.environment.items() if os.environ.get(name) != value
        }
        asked = {
            "page": block.file,
            "line": block.line,
            "code": code,
            "lines": [*block.arrows],
            "environment": environment,
        }
        assert self._reader.stdin is not None and self._reader.stdout is not None
        self._reader.stdin.write(json.dumps(asked) + "\n")
        self._reader.stdin.flush()
        line = self._reader.stdout.readline()
        if not line:
            raise PageDiffers(
                f"{block.where}: the program has ended Python itself, with {self._reader.wait()}"
            )
        outcome: dict[str, Any] = json.loads(line)
        if outcome["error"]:
            raise PageDiffers(
                f"{block.where}: the program fails\n{outcome['printed']}{outcome['error']}"
            )
        if said is not None:
            compare(
                f"{block.where}, what it prints", said, self._as_on_the_page(outcome["printed"])
            )
        for number, value in block.arrows.items():
            if str(number) not in outcome["shown"]:
                raise PageDiffers(
                    f"{block.file}, line {number}: the line with the arrow is not reached, or has"
                    " no value"
                )
            compare(
                f"{block.file}, line {number}",
                value,
                self._as_on_the_page(outcome["shown"][str(number)]),
            )

    # -- commands

    def _run_command(self, block: Block, command: str, said: str) -> None:
        command = self._as_here(command)
        if command.startswith("fumehood serve "):
            printed, status = self._serve(command), 0
        else:
            printed, status = self._in_bash(command)
        if said.strip() or printed.strip():
            compare(f"{block.where}: {command}", said, self._as_on_the_page(printed))
        if status and not said.strip():
            raise PageDiffers(
                f"{block.where}: {command} ends with {status}, and the page does not say so"
            )

    def _in_bash(self, command: str) -> tuple[str, int]:
        """What a command prints, and how it ends. Variables stay, and those that are exported are
        seen by programs too."""
        if self._bash is None:
            self._bash = self._start(["bash", "--norc", "--noprofile"])
        assert self._bash.stdin is not None and self._bash.stdout is not None
        (self.directory / ".command").write_text(command + "\n")
        self._bash.stdin.write(
            f"(exit {self._status}); . ./.command </dev/null; printf '\\n{_END} %d\\n' $?; env -0"
            " >.environment; echo\n"
        )
        self._bash.stdin.flush()
        lines: list[str] = []
        while not (line := self._bash.stdout.readline()).startswith(_END):
            if not line:
                raise PageDiffers(f"{command}: the shell has ended\n{''.join(lines)}")
            lines.append(line)
        self._bash.stdout.readline()  # by now the environment is written
        for pair in (self.directory / ".environment").read_text().split("\0"):
            name, equals, value = pair.partition("=")
            if equals and name not in ("_", "SHLVL", "PWD", "OLDPWD"):
                self.environment[name] = value
        self._status = int(line.split()[-1])
        return "".join(lines).removesuffix("\n"), self._status

    def _serve(self, command: str) -> str:
        """A server goes on in the background, as it would in a terminal of its own."""
        words = [
            sys.executable,
            "-m",
            "fumehood.cli",
            *shlex.split(command)[1:],
            "--port",
            "0",
            "--log",
            str(self.directory / ".access"),
        ]
        server = self._start(words)
        self._servers.append(server)
        assert server.stdout is not None
        lines: list[str] = []
        for line in server.stdout:
            lines.append(line)
            if found := re.search(r"listening on http://(127\.0\.0\.1:\d+)", line):
                self.replaced[ADDRESS] = found[1]
                return "".join(lines)
        raise PageDiffers(f"{command}: the server does not start\n{''.join(lines)}")

    def _start(
        self, words: list[str], stderr: int | None = subprocess.STDOUT
    ) -> subprocess.Popen[str]:
        pipe = subprocess.PIPE
        return subprocess.Popen(
            words,
            stdin=pipe,
            stdout=pipe,
            stderr=stderr,
            text=True,
            cwd=self.directory,
            env=self.environment,
        )

    def _write(self, block: Block) -> None:
        name = re.match(r"# ([\w./-]+)\n", block.text)
        if name is None:
            raise PageDiffers(f"{block.where}: the first line of a file names it, '# server.toml'")
        (self.directory / name[1]).write_text(self._as_here(block.text))

    def _as_here(self, text: str) -> str:
        for shown, used in self.replaced.items():
            text = text.replace(shown, used)
        return text

    def _as_on_the_page(self, text: str) -> str:
        for shown, used in self.replaced.items():
            text = text.replace(used, shown)
        return text


# -- comparing


def compare(where: str, said: str, printed: str) -> None:
    """`…` stands for anything within a line, and alone in a line for any lines. JSON is compared as
    what it says."""
    if (one := _as_json(said)) is not None and (other := _as_json(printed)) is not None:
        agree = _without_changing(one) == _without_changing(other)
    else:
        agree = re.fullmatch(_pattern(_settled(said)), "\n".join(_settled(printed))) is not None
    if not agree:
        raise PageDiffers(
            f"{where}\n-- the page says:\n{said.rstrip()}\n-- it is:\n{printed.rstrip()}"
        )


def _settled(text: str) -> list[str]:
    for pattern, name in CHANGING:
        text = re.sub(pattern, name, text, flags=re.MULTILINE)
    return [line.rstrip() for line in text.strip().splitlines()]


def _pattern(lines: list[str]) -> str:
    made = ""
    for number, line in enumerate(lines):
        end = "\n" if number + 1 < len(lines) else ""
        if line == "…":
            made += r"(?:[^\n]*\n)*" if end else r"(?:[^\n]*\n?)*"
        else:
            made += r"[^\n]*".join(map(re.escape, line.split("…"))) + end
    return made


def _as_json(text: str) -> Any:
    try:
        value = json.loads(text)
    except ValueError:
        return None
    return value if isinstance(value, dict | list) else None


def _without_changing(value: Any) -> Any:
    if isinstance(value, dict):
        return {
            key: "…" if key in CHANGING_KEYS else _without_changing(inner)
            for key, inner in value.items()
        }
    return [_without_changing(inner) for inner in value] if isinstance(value, list) else value
