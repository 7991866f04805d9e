"""Code in other languages: `executor.run(code, language="bash")`.

Each language is a row: the program that runs it, with arguments. Bash and node keep their state
between calls, until a rollback or `restore()` ends them with the other programs of the sandbox.
"""

from __future__ import annotations

import json
import threading
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from fumehood.errors import PolicyError
from fumehood.executors.commands import NOT_FOUND, TIMED_OUT, CommandResult, Commands, Shell
from fumehood.results import ErrorInfo, Execution, Usage

if TYPE_CHECKING:
    from fumehood.executors.session import Session

# Runs [code, mark] from each line of its input in its global scope. As in node's own REPL, values
# are printed. Code with a top-level await runs in a function, and its variables end there.
_NODE = r"""
const vm = require('vm'), util = require('util');
const show = value => { if (value !== undefined) console.log(util.inspect(value)); };
const evaluate = code => {
  try { return vm.runInThisContext(code, {filename: 'cell.js'}); }
  catch (error) {
    if (!(error instanceof SyntaxError) || !/\bawait\b/.test(code)) throw error;
    return vm.runInThisContext(`(async () => {${code}\n})()`, {filename: 'cell.js'});
  }
};
let fail = null;
process.on('uncaughtException', error => { console.error(error); fail = error; });
(async () => {
  const lines = require('readline').createInterface({input: process.stdin, terminal: false});
  for await (const line of lines) {
    const [code, mark] = JSON.parse(line);
    let status = 0;
    fail = null;
    try { show(await evaluate(code)); await new Promise(setImmediate); }
    catch (error) { console.error(error); status = 1; }
    process.stdout.write(`${mark}${fail ? 1 : status}\n`);
    process.stderr.write(`${mark}\n`);
  }
})();
"""


class _Node(Shell):
    def _script(self, line: str, mark: str) -> str:
        return json.dumps([line, mark]) + "\n"


@dataclass(frozen=True, slots=True)
class Language:
    program: str
    arguments: tuple[str, ...] = ("-e",)
    """Before the code, for one run without state."""
    session: Literal["shell", "node", ""] = ""
    """What keeps the state between calls, if anything does."""


LANGUAGES = {
    "bash": Language("bash", ("-c",), session="shell"),
    "javascript": Language("node", session="node"),
    "lua": Language("lua"),
    "perl": Language("perl"),
    "php": Language("php", ("-r",)),
    "r": Language("Rscript"),
    "ruby": Language("ruby"),
    "typescript": Language("deno", ("eval", "--ext=ts")),
}


class Languages:
    """The sessions of one executor, by language."""

    def __init__(self) -> None:
        self._sessions: dict[str, Shell] = {}
        self._lock = threading.Lock()

    def run(self, worker: Session, code: str, name: str) -> Execution:
        language = LANGUAGES.get(name)
        if language is None:
            raise PolicyError(
                f"language must be 'python' or one of {', '.join(LANGUAGES)}, not {name!r}"
            )
        if not isinstance(code, str):
            raise PolicyError(f"code is a string, not {type(code).__name__}")
        commands = Commands(worker)
        seconds = worker.policy.limits.cell_seconds
        begun = time.monotonic()
        if language.session:
            done = self._session(commands, name, language).run(code, timeout=seconds)
            if done.error is not None:  # the session has ended, or is about to
                with self._lock:
                    self._sessions.pop(name, None)
        else:
            arguments = [language.program, *language.arguments, code]
            done = commands.run(arguments, timeout=seconds)
        _must_be_there(done, name, language)
        return Execution(
            logs=done.stdout + done.stderr,
            error=_error(done, name),
            fault="timeout" if done.error and done.exit_code == TIMED_OUT else None,
            usage=Usage(wall_seconds=time.monotonic() - begun),
        )

    def _session(self, commands: Commands, name: str, language: Language) -> Shell:
        with self._lock:
            session = self._sessions.get(name)
            if session is None or not session.is_running:
                if language.session == "shell":
                    session = commands.shell()
                else:
                    started = commands.start([language.program, "-e", _NODE], stdin=True)
                    if not started.is_running:
                        _must_be_there(started.wait(), name, language)
                    session = _Node(started)
                self._sessions[name] = session
            return session


def _must_be_there(done: CommandResult, name: str, language: Language) -> None:
    if done.exit_code == NOT_FOUND and done.error is not None:
        raise PolicyError(
            f"{name!r} needs the program {language.program}, which this sandbox does not have"
        )


def _error(done: CommandResult, name: str) -> ErrorInfo | None:
    if done.exit_code == 0 and done.error is None:
        return None
    kind = "TimeoutError" if done.exit_code == TIMED_OUT and done.error else "CalledProcessError"
    message = done.error or f"{name} ended with exit code {done.exit_code}"
    return ErrorInfo(kind, message, done.stderr)
