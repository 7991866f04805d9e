"""Tests that pass in plain CPython and not in the jail, and why.

Rows were written for CPython 3.11. A row that matches no difference there is out of date.
"""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import NamedTuple


class Row(NamedTuple):
    tests: str
    """A pattern of ids."""
    reason: str
    is_program: bool = False
    """The test executes a program, or looks for one, in a way that the audit hook does not see.
    It is not counted."""


_READ_ONLY = (
    "removes a file that does not exist from each directory of sys.path: on a read-only mount the"
    " kernel answers EROFS before it looks for the file"
)
_FIFO = "named pipes are refused: the host would wait for one that it opens"
_TERMINAL = "there are no pseudo-terminals"
_INTERPRETER = "opens sys.executable, which is not in the jail: no program is"

# fmt: off
ROWS = (
    Row("ctypes.test.test_find.*", "ctypes.util.find_library executes gcc and ldconfig when the module is imported", True),
    Row("ctypes.test.test_loading.*", "ctypes.util.find_library executes gcc and ldconfig when the module is imported", True),
    Row("test.test_os.PidTests.*", "os.spawnv executes Python in a forked process", True),
    Row("test.test_os.SpawnTests.*", "executes Python in a forked process", True),
    Row("test.test_pipes.*", "the module needs a shell", True),
    Row("test.test_posix.PosixTester.test_fexecve", _INTERPRETER, True),
    Row("test.test_posix.PosixTester.test_waitid", _INTERPRETER, True),
    Row("test.test_platform.PlatformTest.test_libc_ver", _INTERPRETER, True),
    Row("test.test_shutil.TestWhich*", "looks for programs in the workspace, which is mounted noexec", True),
    Row("test.test_tempfile.TestMkstempInner.test_noinherit", "os.spawnl executes Python in a forked process", True),
    Row("test.test_asyncio.*.test_create_datagram_endpoint_no_matching_family", "needs IPv6, and there is no network"),
    Row("test.test_asyncio.*.test_create_datagram_endpoint_sock_unix", "makes a socket that is no pair"),
    Row("test.test_asyncio.*.test_create_unix_server_path_dgram", "makes a socket that is no pair"),
    Row("test.test_asyncio.*_pty*", _TERMINAL),
    Row("test.test_bdb.*", _READ_ONLY),
    Row("test.test_builtin.PtyTests.*", _TERMINAL),
    Row("test.test_doctest.*.test_empty_namespace_package", _READ_ONLY),
    Row("test.test_fcntl.*.test_fcntl_64_bit", "F_NOTIFY is refused: it watches directories"),
    Row("test.test_import.ImportTests.test_import", _READ_ONLY),
    Row("test.test_import.PycacheTests.*", _READ_ONLY),
    Row("test.test_importlib.test_threaded_import.*", _READ_ONLY),
    Row("test.test_mmap.LargeMmapTests.test_around_4GB", "maps more than the memory limit"),
    Row("test.test_openpty.*", _TERMINAL),
    Row("test.test_os.ChownFileTests.test_chown_without_permission", "other users do not exist in the jail: EINVAL, not EPERM"),
    Row("test.test_os.ExtendedAttributeTests.*", "setting extended attributes is refused: no limit counts their memory"),
    Row("test.test_os.FDInheritanceTests.test_openpty", _TERMINAL),
    Row("test.test_os.FileTests.test_splice*", "splice is refused: it has a record of kernel bugs"),
    Row("test.test_os.MemfdCreateTests.*", "memfd_create is refused: no limit of a file system counts such files"),
    Row("test.test_os.ProgramPriorityTests.*", "setting a priority is refused"),
    Row("test.test_os.TestInvalidFD.test_tc?etpgrp*", "ioctl of terminals is refused: EPERM, not EBADF"),
    Row("test.test_pathlib.*.test_is_fifo_true", _FIFO),
    Row("test.test_pickle.*.test_unpickle_module_race", _READ_ONLY),
    Row("test.test_posix.*.test_mkfifo*", _FIFO),
    Row("test.test_posix.PosixTester.test_sched_rr_get_interval", "scheduling is refused"),
    Row("test.test_posix.PosixTester.test_sched_setaffinity", "choosing a processor is refused"),
    Row("test.test_posix.PosixTester.test_setres?id", "becoming a user is refused, even the same one"),
    Row("test.test_pty.*", _TERMINAL),
    Row("test.test_resource.ResourceTest.test_fsize_ismax", "there is a limit of file sizes"),
    Row("test.test_runpy.RunModuleTestCase.*", _READ_ONLY),
    Row("test.test_shutil.*_named_pipe", _FIFO),
    Row("test.test_stat.*.test_fifo", _FIFO),
    Row("test.test_sysconfig.*.test_get_config_h_filename", "C header files are not in the jail"),
    Row("test.test_sysconfig.*_venv_scheme", "in the jail Python is that of a virtual environment"),
    Row("test.test_tarfile.TestExtractionFilters.test_pipe", _FIFO),
    Row("test.test_trace.TestCoverage.test_coverage_ignore", "ignores what is below sys.prefix, and the library is not: a virtual environment"),
)
# fmt: on


def row_of(test: str) -> Row | None:
    return next((row for row in ROWS if fnmatchcase(test, row.tests)), None)
