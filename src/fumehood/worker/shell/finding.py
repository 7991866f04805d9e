"""The command find: files by their names, kinds, sizes and times, and what is to be done with
them."""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Callable

from fumehood.worker.shell import globs
from fumehood.worker.shell.calls import Call, Usage, encoded, whole_number

_MOST_ARGUMENTS = 1 << 17
"""Characters that -exec … + hands on at once."""

Test = Callable[[str, os.stat_result], bool]
_TYPES = {
    "f": stat.S_ISREG,
    "d": stat.S_ISDIR,
    "l": stat.S_ISLNK,
    "p": stat.S_ISFIFO,
    "s": stat.S_ISSOCK,
}
_SIZES = {"c": 1, "w": 2, "b": 512, "k": 1 << 10, "M": 1 << 20, "G": 1 << 30}


def find(call: Call) -> None:
    words = [*call.arguments]
    starts: list[str] = []
    while words and not words[0].startswith("-") and words[0] not in ("!", "(", ")"):
        starts.append(words.pop(0))
    finder = _Find(call, words)
    for start in starts or ["."]:
        finder.walk(start)
    finder.end()


class _Find:
    def __init__(self, call: Call, words: list[str]) -> None:
        self._call, self._words = call, words
        self._least, self._most = 0, 1 << 30
        self._is_deep = self._acts = False
        self._gathered: list[tuple[list[str], list[str]]] = []
        self._pruned = False
        test = self._any_of(0) if words else None
        if self._words:
            raise Usage(f"{self._words[0]!r} is not expected here")
        self._test: Test = test or (lambda path, found: True)

    def walk(self, start: str) -> None:
        stack = [(start, 0, False)]
        while stack:
            path, depth, is_done = stack.pop()
            with self._call.telling(path):
                found = self._call.places.lstat(path)
                self._pruned = False
                is_directory = stat.S_ISDIR(found.st_mode)
                if is_directory and self._is_deep and not is_done:
                    stack.append((path, depth, True))
                elif depth >= self._least and self._test(path, found) and not self._acts:
                    self._call.out.line(path)
                if is_directory and depth < self._most and not is_done and not self._pruned:
                    below = self._call.places.names(path)
                    stack += [
                        (f"{path.rstrip('/')}/{name}", depth + 1, False)
                        for name in sorted(below, reverse=True)
                    ]

    def end(self) -> None:
        for command, paths in self._gathered:
            if paths:
                self._run(command, paths)

    def _run(self, command: list[str], paths: list[str]) -> bool:
        self._call.out.flush()
        at = command.index("{}") if "{}" in command else len(command)
        return self._call.shell.call([*command[:at], *paths, *command[at + 1 :]]) == 0

    # -- what is asked

    def _any_of(self, depth: int) -> Test:
        tests = [self._all_of(depth)]
        while self._words[:1] in (["-o"], ["-or"]):
            self._words.pop(0)
            tests.append(self._all_of(depth))
        return (
            tests[0]
            if len(tests) == 1
            else lambda path, found: any(test(path, found) for test in tests)
        )

    def _all_of(self, depth: int) -> Test:
        tests: list[Test] = []
        while self._words and self._words[0] not in ("-o", "-or", ")"):
            if self._words[0] in ("-a", "-and"):
                self._words.pop(0)
            else:
                tests.append(self._single(depth))
        if not tests:
            raise Usage("a question is missing")
        return lambda path, found: all(test(path, found) for test in tests)

    def _single(self, depth: int) -> Test:
        if depth > 30:
            raise Usage("the questions are too deep")
        word = self._words.pop(0)
        match word:
            case "!" | "-not":
                if not self._words:
                    raise Usage("a question is missing")
                test = self._single(depth + 1)
                return lambda path, found: not test(path, found)
            case "(":
                test = self._any_of(depth + 1)
                if self._words[:1] != [")"]:
                    raise Usage("a ) is missing")
                self._words.pop(0)
                return test
            case "-print" | "-print0" | "-delete" | "-exec":
                self._acts = True
                return self._action(word)
            case "-prune":
                return self._prune
            case "-empty":
                return self._is_empty
            case "-depth":
                self._is_deep = True
                return lambda path, found: True
            case "-true":
                return lambda path, found: True
        if not self._words:
            raise Usage(f"{word} is not known here, or needs a value")
        return self._about(word, self._words.pop(0))

    def _about(self, word: str, value: str) -> Test:
        match word:
            case "-name":
                return lambda path, found: globs.matches(
                    value, os.path.basename(path.rstrip("/")) or "/"
                )
            case "-iname":
                return lambda path, found: globs.matches(
                    value.lower(), os.path.basename(path.rstrip("/")).lower()
                )
            case "-path" | "-wholename":
                return lambda path, found: globs.matches(value, path)
            case "-type":
                kinds = [_TYPES[letter] for letter in value.split(",") if letter in _TYPES]
                if not kinds:
                    raise Usage(f"-type {value!r} is not known here")
                return lambda path, found: any(kind(found.st_mode) for kind in kinds)
            case "-maxdepth" | "-mindepth":
                if word == "-maxdepth":
                    self._most = whole_number(value, word)
                else:
                    self._least = whole_number(value, word)
                return lambda path, found: True
            case "-size":
                unit = _SIZES.get(value[-1:], 0)
                compare = _comparison(value[:-1] if unit else value, word)
                return lambda path, found: compare(-(-found.st_size // (unit or 512)))
            case "-mtime" | "-mmin":
                compare, span, now = (
                    _comparison(value, word),
                    86400 if word == "-mtime" else 60,
                    time.time(),
                )
                return lambda path, found: compare(int((now - found.st_mtime) // span))
            case "-newer":
                moment = self._call.places.stat(value).st_mtime_ns
                return lambda path, found: found.st_mtime_ns > moment
        raise Usage(f"{word} is not known here")

    def _action(self, word: str) -> Test:
        call = self._call
        if word == "-delete":
            self._is_deep = True
            return self._delete
        if word != "-exec":
            end = b"\0" if word == "-print0" else b"\n"

            def show(path: str, found: os.stat_result) -> bool:
                call.out.write(encoded(path) + end)
                return True

            return show
        ends = [
            place
            for place, found in enumerate(self._words)
            if found == ";" or found == "+" and self._words[place - 1] == "{}"
        ]
        if not ends or not ends[0]:
            raise Usage("-exec needs a command and a \\; or + at its end")
        command, sign = self._words[: ends[0]], self._words[ends[0]]
        del self._words[: ends[0] + 1]
        if sign == "+":
            gathered: tuple[list[str], list[str]] = (command, [])
            self._gathered.append(gathered)

            def gather(path: str, found: os.stat_result) -> bool:
                gathered[1].append(path)
                if sum(map(len, gathered[1])) > _MOST_ARGUMENTS:
                    self._run(*gathered)
                    gathered[1].clear()
                return True

            return gather

        def run(path: str, found: os.stat_result) -> bool:
            call.out.flush()
            return call.shell.call([part.replace("{}", path) for part in command]) == 0

        return run

    def _delete(self, path: str, found: os.stat_result) -> bool:
        with self._call.telling(path):
            (
                self._call.places.remove_directory
                if stat.S_ISDIR(found.st_mode)
                else self._call.places.remove
            )(path)
            return True
        return False

    def _prune(self, path: str, found: os.stat_result) -> bool:
        self._pruned = True
        return True

    def _is_empty(self, path: str, found: os.stat_result) -> bool:
        return (
            not self._call.places.names(path) if stat.S_ISDIR(found.st_mode) else not found.st_size
        )


def _comparison(text: str, of: str) -> Callable[[int], bool]:
    number = whole_number(text.lstrip("+-"), of)
    if text.startswith("+"):
        return lambda value: value > number
    if text.startswith("-"):
        return lambda value: value < number
    return lambda value: value == number
