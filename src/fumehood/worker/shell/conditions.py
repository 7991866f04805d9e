"""The command test, which is also called [: questions about texts, numbers and files."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable

from fumehood.worker.shell.calls import Call, Usage, whole_number
from fumehood.worker.shell.places import Places

_KINDS: dict[str, Callable[[int], bool]] = {
    "-f": stat.S_ISREG,
    "-d": stat.S_ISDIR,
    "-p": stat.S_ISFIFO,
    "-S": stat.S_ISSOCK,
    "-b": stat.S_ISBLK,
    "-c": stat.S_ISCHR,
}
_RIGHTS = {"-r": os.R_OK, "-w": os.W_OK, "-x": os.X_OK}
_OF_ONE = {*_KINDS, *_RIGHTS, "-e", "-s", "-L", "-h", "-n", "-z", "-t", "-O", "-G"}
_OF_NUMBERS: dict[str, Callable[[int, int], bool]] = {
    "-eq": lambda a, b: a == b,
    "-ne": lambda a, b: a != b,
    "-lt": lambda a, b: a < b,
    "-le": lambda a, b: a <= b,
    "-gt": lambda a, b: a > b,
    "-ge": lambda a, b: a >= b,
}
_OF_TEXTS: dict[str, Callable[[str, str], bool]] = {
    "=": lambda a, b: a == b,
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    ">": lambda a, b: a > b,
}
_OF_FILES = ("-nt", "-ot", "-ef")
_DEEPEST = 30


def test(call: Call) -> int:
    words = [*call.arguments]
    if call.name == "[":
        if words[-1:] != ["]"]:
            raise Usage("a ] is missing at the end")
        words.pop()
    if not words:
        return 1
    question = _Question(words, call.places)
    answer = question.any_of(0)
    if question.words:
        raise Usage(f"{question.words[0]!r} is not expected here")
    return int(not answer)


class _Question:
    def __init__(self, words: list[str], places: Places) -> None:
        self.words, self._places = words, places

    def any_of(self, depth: int) -> bool:
        answer = self._all_of(depth)
        while self.words[:1] == ["-o"]:
            self.words.pop(0)
            answer = self._all_of(depth) or answer
        return answer

    def _all_of(self, depth: int) -> bool:
        answer = self._single(depth)
        while self.words[:1] == ["-a"]:
            self.words.pop(0)
            answer = self._single(depth) and answer
        return answer

    def _single(self, depth: int) -> bool:
        words = self.words
        if not words or depth > _DEEPEST:
            raise Usage("a word is missing" if not words else "the question is too deep")
        if len(words) >= 3 and self._is_between(words[1]):
            return self._compared(words.pop(0), words.pop(0), words.pop(0))
        if words[0] == "!" and len(words) > 1:
            words.pop(0)
            return not self._single(depth + 1)
        if words[0] == "(" and len(words) > 2:
            words.pop(0)
            answer = self.any_of(depth + 1)
            if words[:1] != [")"]:
                raise Usage("a ) is missing")
            words.pop(0)
            return answer
        if words[0] in _OF_ONE and len(words) > 1:
            return self._about(words.pop(0), words.pop(0))
        return words.pop(0) != ""

    def _is_between(self, word: str) -> bool:
        return word in _OF_NUMBERS or word in _OF_TEXTS or word in _OF_FILES

    def _compared(self, a: str, sign: str, b: str) -> bool:
        if sign in _OF_NUMBERS:
            return _OF_NUMBERS[sign](whole_number(a.strip(), sign), whole_number(b.strip(), sign))
        if sign in _OF_TEXTS:
            return _OF_TEXTS[sign](a, b)
        first, second = self._look(a), self._look(b)
        if sign == "-ef":
            return first is not None and second is not None and os.path.samestat(first, second)
        if sign == "-ot":
            first, second = second, first
        return first is not None and (second is None or first.st_mtime_ns > second.st_mtime_ns)

    def _about(self, sign: str, word: str) -> bool:
        match sign:
            case "-n":
                return word != ""
            case "-z":
                return word == ""
            case "-t":
                return False
            case "-r" | "-w" | "-x":
                return self._places.may(word, _RIGHTS[sign])
            case "-L" | "-h":
                found = self._look(word, follows=False)
                return found is not None and stat.S_ISLNK(found.st_mode)
        found = self._look(word)
        if found is None:
            return False
        if sign == "-s":
            return found.st_size > 0
        if sign in ("-O", "-G"):
            return found.st_uid == os.geteuid() if sign == "-O" else found.st_gid == os.getegid()
        return sign == "-e" or _KINDS[sign](found.st_mode)

    def _look(self, name: str, *, follows: bool = True) -> os.stat_result | None:
        try:
            return self._places.stat(name) if follows else self._places.lstat(name)
        except (OSError, ValueError):
            return None
