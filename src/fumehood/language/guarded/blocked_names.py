"""Names left out of otherwise harmless modules, and names replaced by a guarded version, as a table
with reasons.

"replaced" rows have their implementation under the same key in `modules.py`. A row for
"module" in the name column speaks of a submodule. Modules that a policy gives only in part have
their list of names in grants.py instead.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class BlockedName:
    module: str
    name: str
    verdict: Literal["left out", "replaced"]
    reason: str


BLOCKED_NAMES: dict[tuple[str, str], BlockedName] = {}


def _name(verdict: Literal["left out", "replaced"], module: str, names: str, reason: str) -> None:
    for name in names.split():
        BLOCKED_NAMES[module, name] = BlockedName(module, name, verdict, reason)


# fmt: off
# -- standard library: left out
_name("left out", "contextlib", "chdir", "changes the host's working directory")
_name("left out", "calendar", "setfirstweekday", "changes the host's calendars; use calendar.TextCalendar(6)")
_name("left out", "csv", "register_dialect unregister_dialect field_size_limit", "changes how the host reads tables; give the options to reader and writer")
_name("left out", "calendar", "LocaleTextCalendar LocaleHTMLCalendar", "changes the host's locale")
_name("left out", "enum", "global_enum global_enum_repr global_flag_repr global_str", "writes into modules found by name")
_name("left out", "enum", "pickle_by_enum_name pickle_by_global_name", "hands out the unguarded getattr")
_name("left out", "enum", "property", "reads an attribute named in its own variables; use the builtin property")
_name("left out", "time", "clock_settime clock_settime_ns tzset", "changes the host's clock or time zone")
_name("left out", "typing", "ForwardRef evaluate_forward_ref", "evaluates strings past the rules")
_name("left out", "uuid", "getnode uuid1 uuid6 main os sys platform bytes_ int_", "tells the machine's hardware address; use uuid4")
_name("left out", "io", "RawIOBase", "its read() believes a readinto() of code's that reports too many bytes, and shows memory")
_name("left out", "hashlib", "file_digest", "reads files")
_name("left out", "weakref", "finalize", "has a list of all finalizers of the process, and of what they were given")

# -- standard library: replaced
_name("replaced", "asyncio", "run Runner new_event_loop", "uses the sandbox's own loop, which has no sockets, processes or threads")
_name("replaced", "contextlib", "redirect_stdout redirect_stderr", "redirects the cell's streams and not the host's")
_name("replaced", "copy", "copy deepcopy replace", "the same code, with a setattr that obeys the name table")
_name("replaced", "dataclasses", "dataclass make_dataclass asdict astuple replace", "reads attributes and writes source by names of fields, which are checked")
_name("replaced", "functools", "update_wrapper wraps", "copies attributes by computed names, which obey the name table")
_name("replaced", "functools", "singledispatch singledispatchmethod", "evaluates annotation strings, which pass the checker first")
_name("replaced", "operator", "attrgetter methodcaller", "read attributes by computed names, which obey the name table")
_name("replaced", "random", "betavariate binomialvariate choice choices expovariate gammavariate gauss getrandbits getstate lognormvariate"
      " normalvariate paretovariate randbytes randint random randrange sample seed setstate shuffle triangular uniform"
      " vonmisesvariate weibullvariate", "uses a generator of the session's own, so that the host's stays as it is")
_name("replaced", "string", "Formatter", "reads attributes by names inside a string, which obey the name table")
_name("replaced", "sys", "stdout stderr", "the cell's own streams")
_name("replaced", "sys", "exc_info exception", "what the code itself is handling, not what its host is")
_name("replaced", "sys", "exit", "ends the cell and not the host")
_name("replaced", "sys", "setrecursionlimit", "holds for the session, up to the policy's limit")
_name("replaced", "time", "sleep", "wakes up when the time limit is reached")
_name("replaced", "traceback", "format_exc format_exception format_exception_only format_tb print_exc print_exception",
      "shows the code's own frames; the host's files are not read")
_name("replaced", "types", "coroutine", "changes the function it is given, so it takes the code's own only")
_name("replaced", "typing", "get_type_hints", "evaluates annotation strings, which pass the checker first")
_name("replaced", "warnings", "warn filterwarnings simplefilter resetwarnings catch_warnings", "the session's own filters and stream")

# -- numpy and pandas: files, pickles, memory
_name("left out", "numpy", "load fromfile memmap DataSource save savez savez_compressed savetxt", "reads or writes files, or unpickles")
_name("left out", "numpy", "ctypeslib", "raw memory addresses")
_name("left out", "numpy", "f2py distutils", "compiles and loads C code")
_name("left out", "numpy", "testing test", "runs source text past the rules")
_name("left out", "numpy", "core compat", "internals; their public names are in numpy itself")
_name("left out", "numpy.lib", "format npyio introspect utils test add_docstring add_newdoc load save savez savez_compressed fromfile memmap DataSource"
      " loadtxt savetxt genfromtxt fromregex recfromcsv recfromtxt", "internals, or reads and writes files")
_name("left out", "numpy.lib.stride_tricks", "as_strided", "reads and writes memory outside the array; use sliding_window_view")
_name("left out", "numpy", "get_include show_config show_runtime source lookfor info", "tells where things are installed, or imports by name")
_name("left out", "numpy", "bmat", "looks names up in the variables of its caller; use block")
_name("left out", "numpy.rec", "fromfile", "reads files")
_name("left out", "numpy.ma", "dump dumps load loads core testutils extras", "unpickles, or internals")
_name("replaced", "numpy", "genfromtxt loadtxt fromregex", "takes text or a stream, not a path")
_name("left out", "pandas", "read_pickle to_pickle HDFStore read_hdf read_sql read_sql_query read_sql_table read_gbq read_clipboard read_sas"
      " read_spss read_stata read_feather read_orc read_parquet read_excel read_iceberg ExcelFile ExcelWriter", "reads or writes files, or unpickles")
_name("left out", "pandas", "io core compat util tests testing test annotations", "internals, with files and modules inside")
_name("replaced", "pandas", "read_csv read_table read_fwf read_json read_html read_xml", "takes a stream such as io.StringIO, not a path")
_name("left out", "pandas", "show_versions", "starts processes and writes files")
_name("left out", "pandas.api.typing", "JsonReader StataReader", "opens files")
_name("left out", "pandas.api", "interchange", "raw memory addresses")
_name("replaced", "pandas", "pivot_table crosstab", "a method given as text obeys the name table")
_name("replaced", "pandas", "eval", "evaluates a string, whose names obey the name table")
# fmt: on
