"""Names left out of otherwise harmless modules, and names replaced by a guarded version, as a table
with reasons.

"replaced" rows have their implementation under the same key in `replacements.py`. A row for
"module" in the name column speaks of a submodule. Modules that a policy gives only in part have
their list of names in grants.py instead.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Door:
    module: str
    name: str
    verdict: Literal["left out", "replaced"]
    reason: str


DOORS: dict[tuple[str, str], Door] = {}


def _door(verdict: Literal["left out", "replaced"], module: str, names: str, reason: str) -> None:
    for name in names.split():
        DOORS[module, name] = Door(module, name, verdict, reason)


# fmt: off
# -- standard library: left out
_door("left out", "contextlib", "chdir", "changes the host's working directory")
_door("left out", "calendar", "LocaleTextCalendar LocaleHTMLCalendar", "changes the host's locale")
_door("left out", "enum", "global_enum global_enum_repr global_flag_repr global_str", "writes into modules found by name")
_door("left out", "enum", "pickle_by_enum_name pickle_by_global_name", "hands out the unguarded getattr")
_door("left out", "enum", "property", "reads an attribute named in its own variables; use the builtin property")
_door("left out", "time", "clock_settime clock_settime_ns tzset", "changes the host's clock or time zone")
_door("left out", "typing", "ForwardRef evaluate_forward_ref", "evaluates strings past the rules")
_door("left out", "uuid", "getnode uuid1 uuid6 main os sys platform bytes_ int_", "tells the machine's hardware address; use uuid4")
_door("left out", "io", "RawIOBase", "its read() believes a readinto() of code's that reports too many bytes, and shows memory")
_door("left out", "hashlib", "file_digest", "reads files")
_door("left out", "weakref", "finalize", "has a list of all finalizers of the process, and of what they were given")

# -- standard library: replaced
_door("replaced", "asyncio", "run Runner get_event_loop new_event_loop set_event_loop get_running_loop", "uses the sandbox's own loop, which has no sockets, processes or threads")
_door("replaced", "contextlib", "redirect_stdout redirect_stderr", "redirects the cell's streams and not the host's")
_door("replaced", "copy", "copy deepcopy replace", "the same code, with a setattr that obeys the name table")
_door("replaced", "dataclasses", "dataclass make_dataclass asdict astuple replace", "reads attributes and writes source by names of fields, which are checked")
_door("replaced", "decimal", "DefaultContext BasicContext ExtendedContext", "a copy: the original holds for the whole process")
_door("replaced", "calendar", "setfirstweekday firstweekday monthcalendar week weekheader month calendar prweek prmonth prcal",
      "uses a calendar of the session's own, so that the host's first weekday stays as it is")
_door("replaced", "functools", "update_wrapper wraps", "copies attributes by computed names, which obey the name table")
_door("replaced", "functools", "singledispatch singledispatchmethod", "evaluates annotation strings, which pass the checker first")
_door("replaced", "operator", "attrgetter methodcaller", "read attributes by computed names, which obey the name table")
_door("replaced", "random", "betavariate binomialvariate choice choices expovariate gammavariate gauss getrandbits getstate lognormvariate"
      " normalvariate paretovariate randbytes randint random randrange sample seed setstate shuffle triangular uniform"
      " vonmisesvariate weibullvariate", "uses a generator of the session's own, so that the host's stays as it is")
_door("replaced", "string", "Formatter", "reads attributes by names inside a string, which obey the name table")
_door("replaced", "sys", "stdout stderr", "the cell's own streams")
_door("replaced", "sys", "exc_info exception", "what the code itself is handling, not what its host is")
_door("replaced", "sys", "implementation", "a copy: the original can be changed")
_door("replaced", "sys", "exit", "ends the cell and not the host")
_door("replaced", "sys", "setrecursionlimit", "holds for the session, up to the policy's limit")
_door("replaced", "time", "sleep", "wakes up when the time limit is reached")
_door("replaced", "traceback", "format_exc format_exception format_exception_only format_tb print_exc print_exception",
      "shows the code's own frames; the host's files are not read")
_door("replaced", "types", "coroutine", "changes the function it is given, so it takes the code's own only")
_door("replaced", "typing", "get_type_hints", "evaluates annotation strings, which pass the checker first")
_door("replaced", "warnings", "warn filterwarnings simplefilter resetwarnings catch_warnings", "the session's own filters and stream")

# -- numpy and pandas: files, pickles, memory
_door("left out", "numpy", "load fromfile memmap DataSource save savez savez_compressed savetxt", "reads or writes files, or unpickles")
_door("left out", "numpy", "ctypeslib", "raw memory addresses")
_door("left out", "numpy", "f2py distutils", "compiles and loads C code")
_door("left out", "numpy", "testing test", "runs source text past the rules")
_door("left out", "numpy", "core compat", "internals; their public names are in numpy itself")
_door("left out", "numpy.lib", "format npyio introspect utils test add_docstring add_newdoc load save savez savez_compressed fromfile memmap DataSource"
      " loadtxt savetxt genfromtxt fromregex recfromcsv recfromtxt", "internals, or reads and writes files")
_door("left out", "numpy.lib.stride_tricks", "as_strided", "reads and writes memory outside the array; use sliding_window_view")
_door("left out", "numpy", "get_include show_config show_runtime source lookfor info", "tells where things are installed, or imports by name")
_door("left out", "numpy", "bmat", "looks names up in the variables of its caller; use block")
_door("left out", "numpy.rec", "fromfile", "reads files")
_door("left out", "numpy.ma", "dump dumps load loads core testutils extras", "unpickles, or internals")
_door("replaced", "numpy", "genfromtxt loadtxt fromregex", "takes text or a stream, not a path")
_door("left out", "pandas", "read_pickle to_pickle HDFStore read_hdf read_sql read_sql_query read_sql_table read_gbq read_clipboard read_sas"
      " read_spss read_stata read_feather read_orc read_parquet read_excel read_iceberg ExcelFile ExcelWriter", "reads or writes files, or unpickles")
_door("left out", "pandas", "io core compat util tests testing test annotations", "internals, with files and modules inside")
_door("replaced", "pandas", "read_csv read_table read_fwf read_json read_html read_xml", "takes a stream such as io.StringIO, not a path")
_door("left out", "pandas", "show_versions", "starts processes and writes files")
_door("left out", "pandas.api.typing", "JsonReader StataReader", "opens files")
_door("left out", "pandas.api", "interchange", "raw memory addresses")
_door("replaced", "pandas", "pivot_table crosstab", "a method given as text obeys the name table")
_door("replaced", "pandas", "eval", "evaluates a string, whose names obey the name table")
# fmt: on
