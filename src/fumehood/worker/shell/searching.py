"""Commands that look for something in text, and hand on what was found: grep and xargs."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator

from fumehood.worker.shell import globs
from fumehood.worker.shell.calls import Call, Options, Usage, decoded, encoded, reason
from fumehood.worker.shell.expressions import compiled

_LONG = {
    "ignore-case": "i", "line-number": "n", "recursive": "r", "invert-match": "v", "count": "c", "files-with-matches": "l", "quiet": "q",  # noqa: E501
    "only-matching": "o", "extended-regexp": "E", "fixed-strings": "F", "word-regexp": "w", "regexp": "e", "no-filename": "h",  # noqa: E501
    "with-filename": "H", "max-count": "m", "include": "include=", "exclude": "exclude=", "exclude-dir": "exclude-dir=", "color": "color?",  # noqa: E501
}  # fmt: skip


def grep(call: Call) -> int:
    options = Options(call.arguments, "inrRvclLqoEFGPwxHhsa", "efmABC", _LONG)
    operands = [*options.operands]
    texts = [line for text in options.all("e") for line in text.split("\n")]
    for name in options.all("f"):
        with call.reading(name) as descriptor:
            texts += [decoded(line.removesuffix(b"\n")) for line in call.lines(descriptor)]
    if "e" not in options and "f" not in options:
        if not operands:
            raise Usage("what to look for is missing")
        texts = operands.pop(0).split("\n")
    is_recursive = "r" in options or "R" in options
    shows_name = ("H" in options or is_recursive or len(operands) > 1) and "h" not in options
    search = _Search(call, options, _wanted(call, texts, options), shows_name)
    has_found = False
    for name in _all_below(call, operands, options) if is_recursive else operands or ["-"]:
        try:
            with call.reading(name) as descriptor:
                has_found |= search.through("(standard input)" if name == "-" else name, descriptor)
        except BrokenPipeError:
            raise
        except (OSError, ValueError) as error:
            if "s" not in options:
                call.say(f"{name}: {reason(error)}")
            call.status = 2
        if has_found and "q" in options:
            return 0
    return 2 if call.status else int(not has_found)


def _wanted(call: Call, texts: list[str], options: Options) -> re.Pattern[bytes]:
    kind = (
        "F"
        if "F" in options
        else "P"
        if "P" in options
        else "E"
        if "E" in options or call.name == "egrep"
        else "G"
    )
    if call.name == "fgrep":
        kind = "F"
    return compiled(
        texts,
        kind,
        ignores_case="i" in options,
        whole_words="w" in options,
        whole_lines="x" in options,
    )


class _Search:
    def __init__(
        self, call: Call, options: Options, wanted: re.Pattern[bytes], shows_name: bool
    ) -> None:
        self._call, self._options, self._wanted, self._shows_name = (
            call,
            options,
            wanted,
            shows_name,
        )
        self._most = options.number("m", 1 << 62)
        both = options.number("C", 0)
        self._before, self._after = options.number("B", both), options.number("A", both)
        self._has_shown = False

    def through(self, name: str, descriptor: int) -> bool:
        """Look through one file; whether something was found."""
        call, options = self._call, self._options
        found, shown_to, kept = 0, 0, []
        is_listing = any(letter in options for letter in "qclL")
        for number, line in enumerate(call.lines(descriptor), 1):
            line = line.removesuffix(b"\n")
            if b"\0" in line[:1024] and "a" not in options and not is_listing:
                if self._wanted.search(line):
                    call.out.line(f"{call.name}: {name}: binary file matches")
                    return True
                continue
            matches = self._wanted.search(line) is not None
            if matches is ("v" in options):
                if number <= shown_to and found and not is_listing:
                    self._show(name, number, line, b"-")
                elif self._before:
                    kept.append((number, line))
                    del kept[: -self._before]
                continue
            found += 1
            if "q" in options or "l" in options or "L" in options:
                break
            if "c" not in options:
                if (
                    (self._before or self._after)
                    and self._has_shown
                    and number - len(kept) > shown_to + 1
                ):
                    call.out.write(b"--\n")
                for earlier, text in kept:
                    if earlier > shown_to:
                        self._show(name, earlier, text, b"-")
                kept = []
                self._show(name, number, line, b":", all_parts="o" in options)
                shown_to = number + self._after
            if found >= self._most:
                break
        if "c" in options and "q" not in options:
            call.out.line((f"{name}:" if self._shows_name else "") + str(found))
        if ("l" in options and found or "L" in options and not found) and "q" not in options:
            call.out.line(name)
        return bool(found) is not ("L" in options)

    def _show(
        self, name: str, number: int, line: bytes, sign: bytes, *, all_parts: bool = False
    ) -> None:
        head = encoded(name) + sign if self._shows_name else b""
        if "n" in self._options:
            head += b"%d" % number + sign
        self._has_shown = True
        if all_parts:
            if "v" not in self._options:
                for match in self._wanted.finditer(line):
                    if match.group():
                        self._call.out.write(head + match.group() + b"\n")
        else:
            self._call.out.write(head + line + b"\n")


def _all_below(call: Call, names: list[str], options: Options) -> Iterator[str]:
    """Files below directories, in the order of their names; links that stand in a directory are not
    followed."""

    def fits(kind: str, path: str) -> bool:
        return any(globs.matches(glob, os.path.basename(path)) for glob in options.all(kind))

    stack = [(name, True) for name in reversed(names or ["."])]
    while stack:
        path, is_named = stack.pop()
        try:
            mode = (call.places.stat if is_named else call.places.lstat)(path).st_mode
            if stat.S_ISDIR(mode) and (is_named or not fits("exclude-dir", path)):
                above = "" if not names and path == "." else f"{path.rstrip('/')}/"
                stack += [
                    (above + entry, False)
                    for entry in sorted(call.places.names(path), reverse=True)
                ]
        except (OSError, ValueError) as error:
            call.say(f"{path}: {reason(error)}")
            continue
        is_wanted = not fits("exclude", path) and (
            "include" not in options or fits("include", path)
        )
        if is_wanted and (stat.S_ISREG(mode) or is_named and not stat.S_ISDIR(mode)):
            yield path


def xargs(call: Call) -> int:
    options = Options(
        call.arguments,
        "0rt",
        "nIdLP",
        {"null": "0", "no-run-if-empty": "r", "max-args": "n", "delimiter": "d"},
        mixed=False,
    )
    data = b"".join(call.pieces(0)).decode("utf-8", "surrogateescape")
    if "0" in options or "d" in options:
        sign = (
            "\0"
            if "0" in options
            else options.get("d").replace("\\n", "\n").replace("\\t", "\t")[:1] or "\0"
        )
        words = data.removesuffix(sign).split(sign) if data else []
    elif "I" in options or "L" in options:
        words = [line.strip(" \t") for line in data.split("\n") if line.strip()]
    else:
        words = _words(data)
    words = [word.replace("\0", "") for word in words]
    command = options.operands or ["echo"]
    place = options.get("I")
    if place:
        calls = [[part.replace(place, word) for part in command] for word in words]
    else:
        most = max(1, options.number("n", options.number("L", 5000)))
        groups = [words[at : at + most] for at in range(0, len(words), most)]
        calls = [[*command, *group] for group in groups] or ([] if "r" in options else [command])
    status = 0
    for line in calls:
        found = call.shell.call(line)
        if found == 255:
            call.say("a command ended with 255, and no more are run")
            return 124
        if found:
            status = found if found in (126, 127) else 123
    return status


def _words(text: str) -> list[str]:
    """Words between blanks; quotes and `\\` keep blanks in them."""
    words: list[str] = []
    for match in re.finditer(r"(?:\\.|'[^'\n]*'|\"[^\"\n]*\"|[^\s'\"\\])+", text, re.DOTALL):
        words.append(
            re.sub(
                r"\\(.)|'([^'\n]*)'|\"([^\"\n]*)\"", _without_quotes, match.group(), flags=re.DOTALL
            )
        )
    return words


def _without_quotes(part: re.Match[str]) -> str:
    return part[1] or part[2] or part[3] or ""
