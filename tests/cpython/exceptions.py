"""Tests that pass in plain CPython and not in the jail with `Policy.full()`, and why.

Rows are for CPython 3.11, 3.12 and 3.13. A row without `since` that matches no difference on 3.11 is
out of date.
"""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import NamedTuple


class Row(NamedTuple):
    tests: str
    """A pattern of ids."""
    reason: str
    since: tuple[int, int] = (3, 11)
    """The first version of CPython that it was seen on."""


_READ_ONLY = (
    "removes a file that does not exist from each directory of sys.path: on a read-only mount the"
    " kernel answers EROFS before it looks for the file"
)
_LINK = "/tmp is a link, and programs see the real path of their directory, below /labs"
_NETWORK = "a program that it starts opens a network socket"
_ONE_USER = "the jail has one user and one group"
_SAFE_PATH = "the runner is started with -P, and so the test skips itself"
_SCHEDULING = "scheduling is refused"
_TRACKER = "the resource tracker of the runner does nothing: named memory ends with the sandbox"

# fmt: off
ROWS = (
    Row("test.test_asyncio.*.test_create_datagram_endpoint_no_matching_family", "needs IPv6, and there is no network"),
    Row("test.test_audit.AuditTest.test_socket", _NETWORK),
    Row("test.test_bdb.*", _READ_ONLY),
    Row("test.test_builtin.PtyTests.test_input_no_stdout_fileno", "sys.stdin of a cell has no input, and knows that already"),
    Row("test.test_cmd_line.CmdLineTest.test_empty_PYTHONPATH_issue16309", _SAFE_PATH),
    Row("test.test_cmd_line_script.*", _LINK),
    Row("test.test_doctest.*.test_empty_namespace_package", _READ_ONLY),
    Row("test.test_fcntl.*.test_fcntl_64_bit", "F_NOTIFY is refused: it watches directories"),
    Row("test.test_import.ImportTests.test_import", _READ_ONLY),
    Row("test.test_import.PycacheTests.*", _READ_ONLY),
    Row("test.test_importlib.test_threaded_import.*", _READ_ONLY),
    Row("test_multiprocessing_*.TestResourceTracker.*", _TRACKER),
    Row("test.test_os.CPUCountTests.test_process_cpu_count_affinity", "choosing a processor is refused", since=(3, 13)),
    Row("test.test_os.ChownFileTests.test_chown_without_permission", "other users do not exist in the jail: EINVAL, not EPERM"),
    Row("test.test_os.ExtendedAttributeTests.*", "setting extended attributes is refused: no limit counts their memory"),
    Row("test.test_os.FileTests.test_splice*", "splice is refused: it has a record of kernel bugs"),
    Row("test.test_os.MemfdCreateTests.*", "memfd_create is refused: no limit of a file system counts such files"),
    Row("test.test_pathlib.*.test_walk_above_recursion_limit", "sets a recursion limit of 40, and a cell has more frames below it", since=(3, 12)),
    Row("test.test_pdb.PdbTestCase.*", _SAFE_PATH),
    Row("test.test_pickle.*.test_unpickle_module_race", _READ_ONLY),
    Row("test.test_posix.PosixTester.test_sched_rr_get_interval", _SCHEDULING),
    Row("test.test_posix.PosixTester.test_sched_setaffinity", "choosing a processor is refused"),
    Row("test.test_posix.TestPosixSpawn*.test_setscheduler_*", _SCHEDULING),
    Row("test.test_resource.ResourceTest.test_fsize_ismax", "there is a limit of file sizes"),
    Row("test.test_runpy.RunModuleTestCase.*", _READ_ONLY),
    Row("test.test_subprocess.*.test_cwd*", _LINK),
    Row("test.test_subprocess.*.test_extra_groups", _ONE_USER),
    Row("test.test_subprocess.*.test_group", _ONE_USER),
    Row("test.test_subprocess.*.test_group_error", _ONE_USER, since=(3, 12)),
    Row("test.test_subprocess.*.test_pass_fds_redirected", "a program has one more descriptor: that of the sandbox's files"),
    Row("test.test_subprocess.*.test_user", _ONE_USER),
    Row("test.test_subprocess.*.test_user_error", _ONE_USER, since=(3, 12)),
    Row("test.test_traceback.*.test_import_from_*", _READ_ONLY, since=(3, 12)),
    Row("test.test_trace.TestCoverageCommandLineOutput.*", "writes beside modules of the library, which are read-only"),
    Row("test.test_uuid.*_getnode", "there is no network interface to ask for its address"),
    Row("test.test_warnings.*.test_tracemalloc", _LINK),
)
# fmt: on


def row_of(test: str) -> Row | None:
    return next((row for row in ROWS if fnmatchcase(test, row.tests)), None)
