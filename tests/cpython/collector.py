"""Runs one module of CPython's `test` package and prints a line of JSON for each test.

The source of a cell, and of a program that plain CPython runs: it imports nothing of ours.
"""

import json
import os
import socket
import sys
import tempfile
import unittest

from test import support
from test.support import script_helper, socket_helper

MARK = "@cpython@"


class Collector(unittest.TestResult):
    """Prints `[id, outcome, what it used, first lines of the error]` when a test ends."""

    def __init__(self, descriptor, used):
        super().__init__()
        self._descriptor = descriptor
        self._used = used
        self._outcome = None

    def startTest(self, test):  # noqa: N802
        super().startTest(test)
        self._outcome = None
        self._used.clear()

    def stopTest(self, test):  # noqa: N802
        super().stopTest(test)
        self._print(test, *(self._outcome or ("pass", "")))
        # Results are printed already. Kept ones hold the objects of their tracebacks.
        for kept in (self.failures, self.errors, self.skipped, self.expectedFailures):
            kept.clear()

    def addSuccess(self, test):  # noqa: N802
        self._outcome = self._outcome or ("pass", "")

    def addError(self, test, err):  # noqa: N802
        self._outcome = ("error", _tail(err))
        if not isinstance(test, unittest.TestCase):  # a fixture of a class or a module
            self._print(test, *self._outcome)

    def addFailure(self, test, err):  # noqa: N802
        self._outcome = ("fail", _tail(err))

    def addSubTest(self, test, subtest, err):  # noqa: N802
        if err is not None:
            self._outcome = ("fail", f"{subtest._subDescription()}: {_tail(err)}")

    def addSkip(self, test, reason):  # noqa: N802
        self._outcome = self._outcome or ("skip", reason)

    def addExpectedFailure(self, test, err):  # noqa: N802
        self._outcome = ("pass", "")

    def addUnexpectedSuccess(self, test):  # noqa: N802
        self._outcome = ("fail", "unexpected success")

    def _print(self, test, outcome, detail):
        row = [test.id(), outcome, sorted(self._used), detail[-400:]]
        os.write(self._descriptor, f"\n{MARK}{json.dumps(row)}\n".encode())


def _tail(err):
    return f"{err[0].__name__}: {err[1]!s:.300}"


_PROGRAMS = ("subprocess.Popen", "os.exec", "os.posix_spawn", "os.system", "os.spawn", "pty.spawn")


def _flat(suite):
    if not isinstance(suite, unittest.TestSuite):
        return [suite]
    return [test for part in suite for test in _flat(part)]


def collect(name, left_out=()):
    used = set()
    is_over = False

    def hook(event, args):
        if is_over:
            return
        if event in _PROGRAMS:
            used.add("program")
        elif event == "socket.__new__":
            if args[1] not in (-1, socket.AF_UNIX):  # what socketpair makes
                used.add("socket")
        elif event.startswith("socket."):
            used.add("socket")

    sys.addaudithook(hook)
    descriptor = os.dup(1)
    support.use_resources = {}
    support.verbose = 0
    # Some modules bind a socket or execute Python when they are imported, to know what it can do.
    socket_helper._bind_nix_socket_error = "not compared"
    vars(script_helper)["__cached_interp_requires_environment"] = False
    before = os.getcwd()  # noqa: PTH109
    try:
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as directory:
            os.chdir(directory)
            tests = _flat(unittest.defaultTestLoader.loadTestsFromName(f"test.{name}"))
            suite = unittest.TestSuite(test for test in tests if test.id() not in left_out)
            suite.run(Collector(descriptor, used))
            os.chdir(before)
    finally:
        is_over = True
    os.write(descriptor, f"\n{MARK}null\n".encode())
    os.close(descriptor)
