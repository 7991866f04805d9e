"""Which modules code may import without asking, and which are dangerous to authorize: tables, a
reason per row.

    DEFAULT_IMPORTS       the guarded language: what it gives of each module
    PLAIN_IMPORTS         plain Python in a jail: whole modules, with all that is in their packages
    CAPABILITY_IMPORTS    what a capability adds to those
    DANGEROUS_IMPORTS     modules that widen what code can do
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Grant:
    """What a policy gives of one module: all its public names (`only` is None), or just those
    named."""

    module: str
    reason: str
    only: frozenset[str] | None = None


def _rows(*rows: tuple[str, str] | tuple[str, str, str]) -> dict[str, Grant]:
    return {r[0]: Grant(r[0], r[1], frozenset(r[2].split()) if len(r) == 3 else None) for r in rows}


# What code may import without asking: just these modules, not what else is in their packages. Names
# left out of these modules, each with its reason, are in language/guarded/rules.py.
DEFAULT_IMPORTS: dict[str, Grant] = _rows(
    ("__future__", "compiler directives"),
    ("abc", "abstract classes"),
    ("array", "compact number arrays"),
    ("ast", "only reading literals; the rest walks attributes by computed names", "literal_eval"),
    (
        "asyncio",
        "tasks, queues and locks on the sandbox's own loop, which has no sockets, processes or threads",
        "ALL_COMPLETED Barrier BoundedSemaphore BrokenBarrierError CancelledError Condition Event FIRST_COMPLETED"
        " FIRST_EXCEPTION Future InvalidStateError LifoQueue Lock PriorityQueue Queue QueueEmpty QueueFull QueueShutDown"
        " Semaphore Task TaskGroup Timeout TimeoutError all_tasks as_completed create_task current_task"
        " ensure_future gather get_event_loop get_running_loop iscoroutine iscoroutinefunction isfuture new_event_loop"
        " run set_event_loop shield sleep timeout timeout_at wait wait_for",
    ),
    ("base64", "text encodings of bytes"),
    ("binascii", "text encodings of bytes"),
    ("bisect", "sorted-list search"),
    ("calendar", "calendar arithmetic"),
    ("cmath", "complex mathematics"),
    ("collections", "containers"),
    ("collections.abc", "container interfaces"),
    ("colorsys", "colour conversion"),
    ("contextlib", "context managers"),
    ("copy", "copies of values"),
    ("csv", "tables as text; reads and writes only objects the code already has"),
    ("dataclasses", "record classes"),
    ("datetime", "dates and times"),
    ("decimal", "decimal arithmetic"),
    ("difflib", "text comparison"),
    ("enum", "enumerations"),
    ("fractions", "rational arithmetic"),
    ("functools", "functions on functions"),
    ("graphlib", "topological sorting"),
    ("hashlib", "digests"),
    ("heapq", "priority queues"),
    ("hmac", "keyed digests"),
    ("html", "HTML escaping"),
    ("html.entities", "names of characters"),
    ("html.parser", "taking HTML text apart"),
    (
        "io",
        "streams in memory; nothing that opens a file, and not the buffered readers and writers, which lend out memory they free",
        "BufferedIOBase BytesIO DEFAULT_BUFFER_SIZE IOBase"
        " IncrementalNewlineDecoder SEEK_CUR SEEK_END SEEK_SET StringIO TextIOBase TextIOWrapper UnsupportedOperation",
    ),
    ("itertools", "iterator algebra"),
    ("json", "JSON text"),
    ("json.decoder", "JSON text"),
    ("json.encoder", "JSON text"),
    ("keyword", "the list of keywords"),
    ("math", "mathematics"),
    ("numbers", "number interfaces"),
    ("operator", "operators as functions"),
    (
        "os",
        "constants and pure functions; nothing that reaches the machine",
        "PathLike altsep curdir devnull extsep fspath linesep name pardir pathsep sep urandom",
    ),
    (
        "os.path",
        "path arithmetic on text; nothing that looks at a file system, a home or the environment",
        "altsep basename commonpath commonprefix curdir defpath dirname extsep isabs join normcase normpath pardir pathsep"
        " sep split splitdrive splitext splitroot supports_unicode_filenames",
    ),
    ("pprint", "pretty printing"),
    ("queue", "queues"),
    ("random", "random numbers, from a generator of the session's own"),
    ("re", "regular expressions"),
    ("reprlib", "short reprs"),
    ("secrets", "random tokens"),
    ("stat", "names of file mode bits"),
    ("statistics", "statistics"),
    ("string", "string constants and templates"),
    ("struct", "binary records"),
    (
        "sys",
        "constants, pure functions and the cell's own streams; nothing of the interpreter's state",
        "api_version byteorder exc_info exception exit float_info float_repr_style get_int_max_str_digits"
        " getdefaultencoding getrecursionlimit getrefcount getsizeof hash_info hexversion implementation int_info intern"
        " is_finalizing maxsize maxunicode platform setrecursionlimit stderr stdout version version_info",
    ),
    ("textwrap", "text wrapping"),
    ("time", "clocks and sleeping"),
    (
        "traceback",
        "the text of exceptions, showing the code's own frames only",
        "format_exc format_exception format_exception_only format_tb print_exc print_exception",
    ),
    (
        "types",
        "names of harmless types; not code, frames or cells, from which code can be built or other code's variables read",
        "AsyncGeneratorType BuiltinFunctionType BuiltinMethodType CoroutineType DynamicClassAttribute EllipsisType"
        " FunctionType GeneratorType GenericAlias LambdaType MappingProxyType MethodType ModuleType NoneType"
        " NotImplementedType SimpleNamespace TracebackType UnionType get_original_bases new_class prepare_class"
        " resolve_bases",
    ),
    ("typing", "type hints"),
    ("unicodedata", "character properties"),
    ("urllib.parse", "taking URLs apart; opens nothing"),
    ("uuid", "unique identifiers"),
    ("warnings", "warnings go to the cell's stderr; the host's filters are out of reach", "catch_warnings filterwarnings"
     " resetwarnings simplefilter warn"),
    ("weakref", "weak references; not to methods, whose owner they hand out", "ReferenceType WeakKeyDictionary WeakSet WeakValueDictionary"
     " getweakrefcount proxy ref"),
    ("zlib", "compression of bytes"),
    ("zoneinfo", "time zones", "ZoneInfo ZoneInfoNotFoundError available_timezones"),
)  # fmt: skip

# Plain Python in a jail. A row gives the module and all that is in its package. The modules that a
# security review looks for (os, sys, subprocess, socket, shutil, importlib, ctypes, pickle) are
# left out, although the jail holds them: the list says what code needs.
PLAIN_IMPORTS: frozenset[str] = frozenset(
    """
    __future__ abc argparse array ast asyncio atexit base64 binascii bisect builtins bz2 cProfile
    calendar cmath cmd code codecs codeop collections colorsys concurrent.futures configparser
    contextlib contextvars copy copyreg csv dataclasses datetime decimal difflib dis doctest email
    enum errno faulthandler filecmp fnmatch fractions functools gc getopt gettext graphlib gzip
    hashlib heapq hmac html http.cookies inspect io ipaddress itertools json keyword linecache
    locale logging lzma math mimetypes mmap multiprocessing numbers opcode operator optparse
    pickletools platform plistlib pprint profile pstats pyclbr queue quopri random re reprlib
    resource sched secrets select selectors shlex signal sqlite3 stat statistics string stringprep
    struct symtable sysconfig tarfile textwrap threading time timeit token tokenize tomllib trace
    traceback tracemalloc types typing unicodedata unittest urllib.error urllib.parse uuid
    warnings weakref wsgiref xml zipfile zlib zoneinfo IPython.display
    """.split()
)

CAPABILITY_IMPORTS: dict[str, frozenset[str]] = {
    "files": frozenset("dbm fileinput glob mailbox os pathlib shutil tempfile".split()),
    "programs": frozenset("os pty shlex signal subprocess".split()),
}

# Authorizing one of these works and warns: in the jail they reach only the jail, inline they reach
# the host.
DANGEROUS_IMPORTS: dict[str, str] = {
    "*": "every installed module can be imported; the import list stops nothing",
    "_thread": "starts threads that outlive a cell",
    "atexit": "runs code when the host program ends",
    "builtins": "holds the unguarded open, eval, exec and getattr",
    "cffi": "calls any C function and reads any memory",
    "cloudpickle": "unpickling runs any code",
    "code": "runs source text past the rules",
    "codecs": "opens files",
    "codeop": "compiles source text past the rules",
    "concurrent": "starts threads and processes that outlive a cell",
    "copyreg": "changes how every object of the process is copied and pickled",
    "ctypes": "calls any C function and reads any memory",
    "dill": "unpickling runs any code",
    "fileinput": "opens files",
    "ftplib": "reaches the network",
    "gc": "hands out every object of the process",
    "glob": "lists the file system",
    "http": "reaches the network",
    "httpx": "reaches the network",
    "importlib": "imports any module past the authorized list",
    "inspect": "hands out frames, and through them other code's variables",
    "joblib": "unpickling runs any code",
    "linecache": "reads files",
    "marshal": "builds code objects from bytes",
    "mmap": "maps files and memory",
    "multiprocessing": "starts processes",
    "os": "file system access, processes, the environment",
    "pathlib": "file system access",
    "pdb": "hands out frames and runs source text past the rules",
    "pickle": "unpickling runs any code",
    "platform": "tells about the machine and starts processes to find out",
    "posix": "file system access, processes, the environment",
    "pty": "starts processes",
    "requests": "reaches the network",
    "resource": "changes the process's limits",
    "runpy": "runs modules past the rules",
    "shelve": "unpickling runs any code",
    "shutil": "copies and deletes files",
    "signal": "takes over the host's signals, the time limit's among them",
    "site": "changes where modules come from",
    "smtplib": "reaches the network",
    "socket": "direct network access",
    "socketserver": "reaches the network",
    "sqlite3": "opens files and loads extensions",
    "ssl": "reaches the network",
    "subprocess": "runs shell commands",
    "sys": "modules, frames, hooks and the import system",
    "sysconfig": "tells where things are installed",
    "tempfile": "creates files",
    "threading": "starts threads that outlive a cell",
    "timeit": "runs source text past the rules",
    "tokenize": "opens files",
    "tracemalloc": "tells about the host's memory",
    "urllib": "reaches the network and files",
    "webbrowser": "starts processes",
    "zipfile": "opens files",
    "zipimport": "imports any module past the authorized list",
}
