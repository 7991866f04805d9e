"""One line that is added to the description of an uncaught error, to name the capability that is
missing."""

from __future__ import annotations

import errno
import os
import re
import sys
from opcode import opmap

from fumehood.policy import Policy

FILES_HINT = "this sandbox has no files: reading and writing files needs files=True"

PROGRAMS_HINT = "this sandbox has no programs: starting one needs programs=True"
_STARTS = frozenset("os.exec os.posix_spawn os.spawn os.system subprocess.Popen pty.spawn".split())
"""Audit events of Python that come before a program is started."""

_NUMBERS = (errno.EACCES, errno.EROFS, errno.ENOENT, errno.EPERM, errno.EFBIG, errno.ENOTDIR)
# Calls that are not about files fail with the other numbers, too.
_NUMBERS_WITHOUT_NAME = (errno.EROFS, errno.ENOENT, errno.EFBIG)
# What libraries say that do not set a number.
_TEXTS = re.compile(
    "unable to open database file|non-existent directory|[Nn]o such file|Read-only file system"
    r"|\(os error (2|13|30)\)|^\S+ not found\.$"
)
_SYSTEM = ("/usr", "/lib", "/lib64", "/etc", "/proc", "/sys", "/dev", "/packages", "/bin", "/sbin")
_LONGEST_CHAIN = 20


def hint(error: BaseException, policy: Policy) -> str | None:
    """One line that says what is missing; None if nothing is."""
    if isinstance(error, EOFError) and error.args == ("EOF when reading a line",):
        return "this cell has no more input: give it with run(code, stdin=...)"
    return None if policy.files else files_hint(error)


def files_hint(error: BaseException) -> str | None:
    """The line for an error of code that may have no files; None if neither the error nor one that
    it follows from comes of that."""
    pending: list[BaseException | None] = [error]
    seen: list[BaseException] = []
    while pending and len(seen) < _LONGEST_CHAIN:
        each = pending.pop()
        if each is None or any(each is other for other in seen):
            continue
        if _is_about_files(each):
            return FILES_HINT
        seen.append(each)
        pending += [each.__cause__, None if each.__suppress_context__ else each.__context__]
    return None


def _is_about_files(error: BaseException) -> bool:
    arguments = vars(BaseException)["args"].__get__(error)
    number = name = None
    if isinstance(error, OSError):
        number, name = (vars(OSError)[field].__get__(error) for field in ("errno", "filename"))
    elif not isinstance(error, RuntimeError) and type(error).__module__ != "sqlite3":
        return False
    if number is None:
        is_said = any(type(text) is str and _TEXTS.search(text) for text in arguments)
        return is_said and not _is_raised_by_cell(error)
    if name is None:
        return number in _NUMBERS_WITHOUT_NAME and not _is_raised_by_cell(error)
    return number in _NUMBERS and not _is_of_the_system(name)


def _is_raised_by_cell(error: BaseException) -> bool:
    """Whether the code itself raised it, and not a function that it called."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    if trace is None or not trace.tb_frame.f_code.co_filename.startswith("<cell "):
        return False
    return trace.tb_frame.f_code.co_code[trace.tb_lasti] == opmap["RAISE_VARARGS"]


def _is_of_the_system(name: object) -> bool:
    """Whether a path is not a file of code: with files it would fail, too."""
    if type(name) is bytes:
        name = os.fsdecode(name)
    if type(name) is not str or not name.startswith("/"):
        return False
    path = os.path.normpath(name)
    if path.startswith("/dev/shm"):
        return False
    roots = (*_SYSTEM, sys.prefix, sys.base_prefix)
    return any(path == root or path.startswith(root + "/") for root in roots)


def explain_programs() -> None:
    """Have every attempt to start a program fail with the line that names the capability. The
    kernel refuses it, too, with a less helpful error or none."""

    def refuse(event: str, arguments: object) -> None:
        if event in _STARTS:
            raise PermissionError(errno.EPERM, PROGRAMS_HINT)

    sys.addaudithook(refuse)
