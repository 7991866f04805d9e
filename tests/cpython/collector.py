"""Runs one module of CPython's `test` package and prints a line of JSON for each test.

The source of a cell, and of a program that plain CPython runs: it imports nothing of ours.
"""

import json
import os
import socket
import sys
import tempfile
import unittest
from importlib.util import find_spec

from test import support

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


_LOOKUPS = ("socket.getaddrinfo", "socket.gethostbyname", "socket.gethostbyaddr")
_LOCAL = (-1, socket.AF_UNIX)


def _flat(suite):
    if not isinstance(suite, unittest.TestSuite):
        return [suite]
    return [test for part in suite for test in _flat(part)]


def _importable(name):
    """The full name of a module. `make install` of some releases forgets test_multiprocessing_*;
    each is the same tests with another way to start processes."""
    if find_spec(f"test.{name}") is not None:
        return f"test.{name}"
    with open(f"{name}.py", "w") as file:  # noqa: PTH123
        file.write(
            "from test import _test_multiprocessing as tests\n"
            f"tests.install_tests_in_module_dict(globals(), {name.rpartition('_')[2]!r})\n"
        )
    sys.path.insert(0, os.getcwd())  # noqa: PTH109
    return name


def collect(name, left_out=()):
    used = set()
    is_over = False

    def hook(event, args):
        if is_over:
            return
        if event in _LOOKUPS or event == "socket.__new__" and args[1] not in _LOCAL:
            used.add("network")

    sys.addaudithook(hook)
    descriptor = os.dup(1)
    support.use_resources = {}
    support.verbose = 0
    before = os.getcwd()  # noqa: PTH109
    try:
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as directory:
            os.chdir(directory)
            tests = _flat(unittest.defaultTestLoader.loadTestsFromName(_importable(name)))
            suite = unittest.TestSuite(test for test in tests if test.id() not in left_out)
            suite.run(Collector(descriptor, used))
            os.chdir(before)
    finally:
        is_over = True
    os.write(descriptor, f"\n{MARK}null\n".encode())
    os.close(descriptor)
