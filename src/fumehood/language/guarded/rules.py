"""The rules of the guarded language, as tables: syntax, builtins, names, names of libraries.

Literal names are checked against these tables while compiling (compile.py), computed names at run
time (access.py). Every lookup of a name normalizes it as Python's parser does (NFKC), so that
`gi_ｆrame` is `gi_frame`.
"""

from __future__ import annotations

import _string  # type: ignore[import-not-found]
import builtins
from typing import Any, Literal, NamedTuple
from unicodedata import normalize

# -- syntax: a kind of node without a row is refused, and so is text in a field without a row


class NodeRow(NamedTuple):
    """`fields` says what kind of name each field holds: a variable or attribute, whose context says
    whether it is read, a variable that it always binds (binding), an attribute that a class pattern
    reads (pattern), the name of an argument (keyword), a module or a member of one. The verdict
    "guard" marks nodes that compile.py may rewrite."""

    node: str
    verdict: Literal["allow", "guard", "refuse"]
    fields: dict[str, str]
    reason: str


NODES: dict[str, NodeRow] = {}
TEXT_FIELDS = frozenset({"type_comment", "kind", "value", "str", "tag"})
"""Fields that may hold text that is not a name."""


def _node(names: str, fields: str, reason: str, verdict: Any = "allow") -> None:
    parsed = dict(field.split(":") for field in fields.split())
    NODES.update((name, NodeRow(name, verdict, parsed, reason)) for name in names.split())


# fmt: off
_node("Module", "", "a cell; the value of its last statement is recorded", "guard")
_node("Interactive FunctionType TypeIgnore", "", "only interactive prompts and type checkers make it", "refuse")

_node("Global Nonlocal", "names:binding", "binds names")
_node("arg", "arg:binding", "binds a name")
_node("FunctionDef AsyncFunctionDef ClassDef ExceptHandler MatchStar MatchAs TypeVar ParamSpec TypeVarTuple", "name:binding", "binds a name")
_node("MatchMapping", "rest:binding", "binds a name")
_node("Name", "id:variable", "a variable")
_node("keyword", "arg:keyword", "the name of an argument")
_node("Attribute", "attr:attribute", "plain CPython, but for the few names that NAMES has read through a guard", "guard")
_node("MatchClass", "kwd_attrs:pattern", "reads attributes by name, so the names are checked")
_node("alias", "name:member asname:binding", "part of an import statement, which is looked at whole")
_node("Import", "", "calls the session's own __import__")
_node("ImportFrom", "module:module", "calls the session's own __import__")
_node("Match", "", "class patterns with positional arguments have their __match_args__ looked at", "guard")
_node("Assign AugAssign AnnAssign Expr", "", "plain CPython; as a cell's last statement its value is recorded", "guard")
_node("Expression Return Delete TypeAlias For AsyncFor While If With AsyncWith Raise Try TryStar Assert Pass Break Continue"
      " BoolOp NamedExpr BinOp UnaryOp Lambda IfExp Dict Set ListComp SetComp GeneratorExp DictComp Await Yield YieldFrom Compare Call"
      " FormattedValue Interpolation JoinedStr TemplateStr Constant Subscript Starred List Tuple Slice comprehension arguments withitem"
      " match_case MatchValue MatchSingleton MatchSequence MatchOr Load Store Del And Or Add Sub Mult MatMult Div Mod Pow LShift RShift"
      " BitOr BitXor BitAnd FloorDiv Invert Not UAdd USub Eq NotEq Lt LtE Gt GtE Is IsNot In NotIn", "", "plain CPython")
# fmt: on

# -- builtins


class BuiltinRow(NamedTuple):
    verdict: Literal["plain", "guarded", "refused"]
    reason: str
    hint: str = ""


BUILTINS: dict[str, BuiltinRow] = {}


def _builtin(verdict: Any, names: str, reason: str, hint: str = "") -> None:
    BUILTINS.update(dict.fromkeys(names.split(), BuiltinRow(verdict, reason, hint)))


# fmt: off
_builtin("plain", "abs bin bool complex divmod float hash hex int max min oct pow round sum", "numbers")
_builtin("plain", "all any enumerate filter iter len map next range reversed slice sorted zip aiter anext", "iteration")
_builtin("plain", "bytearray bytes dict frozenset list memoryview set str tuple", "containers and text")
_builtin("plain", "ascii chr format ord repr", "text; format() takes a format specification, which reads no attributes")
_builtin("plain", "callable classmethod id isinstance issubclass object property staticmethod super type",
         "objects and classes; attribute names stay checked")
_builtin("plain", "dir", "names only")
_builtin("plain", "Ellipsis False None NotImplemented True __debug__", "constants")
_builtin("plain", "__build_class__", "the class statement")
_builtin("plain", " ".join(name for name, value in vars(builtins).items() if isinstance(value, type) and issubclass(value, BaseException)),
         "exceptions")
_builtin("guarded", "getattr setattr delattr hasattr", "a computed name obeys the name table")
_builtin("guarded", "vars", "a class's variables are shown without what the name table refuses")
_builtin("guarded", "globals locals", "the code's own variables, also when a library calls it")
_builtin("guarded", "print", "writes to the cell's output")
_builtin("guarded", "eval exec", "goes through the same checks as a cell")
_builtin("guarded", "compile", "gives an object that only eval and exec can use")
_builtin("guarded", "__import__", "the session's own import")
_builtin("guarded", "exit quit", "ends the cell")
_builtin("refused", "open", "opens files of the host", "pass the data in as a variable, or use io.StringIO;"
         " Policy(files=True) gives code an open() for a directory of its own")
_builtin("refused", "input", "guarded code has no input", "pass the answer in as a variable, or ask through a tool")
_builtin("refused", "breakpoint", "starts a debugger, which hands out frames", "print what you want to see")
_builtin("refused", "help", "starts a pager and imports by name", "print(x.__doc__)")
_builtin("refused", "copyright credits license", "an interactive prompt's text")
# fmt: on

# -- names: one without a row is free, `self._x` and `__author__` too. Names that lead to frames,
# code objects or other code's variables are refused. A few more are read through a guard, which
# checks the object that the access returned (`"{0.x}".format` reads attributes named in a string).


class NameRow(NamedTuple):
    """`read` is how `x.name` is read; `bind` whether code may define it (def, class body,
    variable); `store` whether `x.name = v` may."""

    name: str
    reason: str
    read: Literal["plain", "guarded", "refused"] = "plain"
    bind: bool = False
    store: bool = False
    group: str = ""


NAMES: dict[str, NameRow] = {}


def _add(group: str, names: str, reason: str, **rights: Any) -> None:
    NAMES.update((name, NameRow(name, reason, group=group, **rights)) for name in names.split())


# fmt: off
_add("attribute", "__slots__ __match_args__", "class layout; class patterns look at the names in it when they match", bind=True)
_add("attribute", "__class__", "an object's type, the same as type(x); setting it would change what a class pattern has looked at", bind=True)
_add("attribute", "__mro__ __bases__ __base__", "a class's ancestors; only the way down, __subclasses__, leads elsewhere")
_add("attribute", "__members__ __origin__ __args__ __parameters__ __constraints__ __bound__ __metadata__ __type_params__ __value__"
     " __supertype__ __total__ __required_keys__ __optional_keys__ __default__ __covariant__ __contravariant__ __unpacked__"
     " __orig_bases__ __isabstractmethod__ __hints__", "facts about enums and type hints")
_add("attribute", "__cause__ __context__ __suppress_context__ __traceback__ __notes__ __wrapped__",
     "an exception's history; the function under a decorator", store=True)
_add("attribute", "__debug__ __file__", "as a variable: a constant, and a NameError as in any cell")

# -- read through a guard: what they give depends on the object
_add("guarded", "format format_map", "a format string reads attributes by names inside the string; they obey this table", read="guarded", bind=True, store=True)
_add("guarded", "__dict__", "an object's variables; a class's are shown without what this table refuses", read="guarded", store=True)
_add("classes", "__getstate__", "an object's variables; a class may define it, and copying calls it", read="refused", bind=True, store=True)
_add("guarded", "__annotations__", "given as a copy; a function's own dictionary would change another program's function", read="guarded")
_add("guarded", "__getattribute__ __getattr__ __setattr__ __delattr__", "take a computed name, which obeys this table; defined in a class, not set later",
     read="guarded", bind=True)
_add("guarded", "obj", "of an AttributeError: an object of other code's; of anything else: plain", read="guarded", bind=True, store=True)
_add("guarded", "tofile dump to_pickle to_csv to_json to_excel to_parquet to_feather to_hdf to_stata to_orc to_sql to_gbq to_clipboard"
     " to_html to_iceberg to_latex to_markdown to_string to_typst to_xml", "of arrays and tables: writes files, so it takes no path", read="guarded", bind=True, store=True)
_add("guarded", "query eval", "of tables: evaluates a string past the rules; compare columns instead", read="guarded", bind=True, store=True)
_add("guarded", "agg aggregate apply transform pivot_table", "of tables: a method given as text obeys this table", read="guarded", bind=True, store=True)
_add("guarded", "style", "of a table: a template engine, whose templates run code past the rules", read="guarded", bind=True, store=True)
_add("guarded", "ctypes", "of arrays: raw memory addresses", read="guarded", bind=True, store=True)
_add("guarded", "evaluate", "of a forward reference: evaluates a string past the rules", read="guarded", bind=True, store=True)

# -- refused: each leads out
_add("frames", "gi_frame gi_code gi_yieldfrom cr_frame cr_code cr_await cr_origin ag_frame ag_code ag_await tb_frame",
     "leads to a frame, and so to other code's variables", read="refused", bind=True)
_add("frames", "f_back f_builtins f_code f_globals f_lasti f_lineno f_locals f_trace f_trace_lines f_trace_opcodes f_generator",
     "part of a frame: other code's variables", read="refused", bind=True)
_add("frames", "get_stack print_stack _source_traceback", "of a task: its frames", read="refused", bind=True)
_add("code objects", "co_argcount co_branches co_cellvars co_code co_consts co_exceptiontable co_filename co_firstlineno co_flags co_freevars"
     " co_kwonlyargcount co_lines co_linetable co_lnotab co_name co_names co_nlocals co_positions co_posonlyargcount co_qualname"
     " co_stacksize co_varnames _co_code_adaptive _varname_from_oparg", "part of a code object, from which other code can be built",
     read="refused", bind=True)
_add("functions", "__globals__ __code__ __closure__ __builtins__ __defaults__ __kwdefaults__ __func__ __self__ __objclass__ __thisclass__"
     " __self_class__ __annotate__ __annotate_func__", "the inside of a function: its module's variables, its code, its defaults",
     read="refused")
_add("functions", "cell_contents", "a variable of an enclosing function that may be other code's", read="refused", bind=True)
_add("classes", "__subclasses__", "hands out every class of the process", read="refused")
_add("classes", "__setstate__", "sets what an object is made of; a class may define it, and only copying calls it", read="refused", bind=True)
_add("classes", "__reduce__ __reduce_ex__", "pickling; a class may define it, and only copying calls it", read="refused", bind=True)
_add("classes", "__classcell__ __dataclass_fields__ __dataclass_params__ __slotnames__ __weakref__ __basicsize__ __dictoffset__ __flags__"
     " __itemsize__ __vectorcalloffset__ __weakrefoffset__", "the layout of a class", read="refused")
_add("classes", "__forward_arg__ __forward_code__ __forward_evaluated__ __forward_is_argument__ __forward_is_class__ __forward_module__"
     " __forward_value__", "part of a forward reference, which evaluates a string past the rules", read="refused")
_add("classes", "__build_class__", "the class statement is the way to make a class", read="refused")
_add("modules", "__import__ __loader__ __spec__ __path__ __package__ __cached__", "the import system", read="refused")
_add("memory", "__array_interface__ __array_struct__ __cuda_array_interface__ __dlpack__ __dlpack_device__ __dataframe__ __arrow_array__"
     " __arrow_c_array__ __arrow_c_schema__ __arrow_c_stream__ __pyx_capi__ __pyx_vtable__ __reduce_cython__ __setstate_cython__",
     "raw memory addresses", read="refused")
_add("memory", "__array_namespace__", "of an array: the whole numpy module", read="refused")
_add("library", "_convert_ _convert _attr_type _cls_type", "of enums: reads attributes and modules by computed names", read="refused", bind=True)
LOOP_METHODS = ("run_in_executor set_default_executor create_connection create_server create_datagram_endpoint connect_accepted_socket"
                " connect_read_pipe connect_write_pipe subprocess_exec subprocess_shell getaddrinfo getnameinfo sendfile start_tls")
_add("library", LOOP_METHODS, "of an event loop: threads, sockets, programs", read="refused", bind=True)
_add("guarded", "register", "of an abstract class of a library: changes what its classes are", read="guarded", bind=True, store=True)
_add("library", "_module", "of warnings.catch_warnings: the module", read="refused", bind=True, store=True)
_add("library", "_evaluate", "of a forward reference: evaluates a string past the rules", read="refused", bind=True)
# fmt: on


_FREE = NameRow("", "", bind=True, store=True)


def rule(name: str) -> NameRow:
    return NAMES.get(name if name.isascii() else normalize("NFKC", name), _FREE)


# -- format strings read attributes by names inside a string


def refused_attribute(text: str) -> str | None:
    """The first attribute in a format string that may not be read plainly. Raises the ValueError of
    str.format for text that does not parse: str.format reads the fields before the mistake."""
    if "." not in text:
        return None
    for _, field, spec, _ in _string.formatter_parser(text):
        if field is None:
            continue
        for is_attribute, name in _string.formatter_field_name_split(field)[1]:
            if is_attribute and rule(name).read != "plain":
                return str(name)
        inner = refused_attribute(spec) if spec else None
        if inner is not None:
            return inner
    return None


# -- libraries: names left out of otherwise harmless modules, and names replaced by a version in
# modules.py. Modules that a policy gives only in part have their list of names in default_imports.py.


class LibraryRow(NamedTuple):
    module: str
    name: str
    verdict: Literal["left out", "replaced"]
    reason: str


LIBRARY_NAMES: dict[tuple[str, str], LibraryRow] = {}


def _name(verdict: Any, module: str, names: str, reason: str) -> None:
    for name in names.split():
        LIBRARY_NAMES[module, name] = LibraryRow(module, name, verdict, reason)


# fmt: off
# -- standard library: left out
_name("left out", "contextlib", "chdir", "changes the host's working directory")
_name("left out", "csv", "register_dialect unregister_dialect field_size_limit", "changes how the host reads tables; give the options to reader and writer")
_name("left out", "calendar", "setfirstweekday LocaleTextCalendar LocaleHTMLCalendar", "changes the host's calendars or locale; use calendar.TextCalendar(6)")
_name("left out", "enum", "global_enum global_enum_repr global_flag_repr global_str", "writes into modules found by name")
_name("left out", "enum", "pickle_by_enum_name pickle_by_global_name property", "hands out the unguarded getattr, or reads attributes by a computed name")
_name("left out", "time", "clock_settime clock_settime_ns tzset", "changes the host's clock or time zone")
_name("left out", "typing", "ForwardRef evaluate_forward_ref", "evaluates strings past the rules")
_name("left out", "uuid", "getnode uuid1 uuid6 main os sys platform bytes_ int_", "tells the machine's hardware address; use uuid4")
_name("left out", "io", "RawIOBase", "its read() believes a readinto() of code's that reports too many bytes, and shows memory")
_name("left out", "hashlib", "file_digest", "reads files")
_name("left out", "types", "coroutine", "changes the function it is given; use async def")
_name("left out", "asyncio", "Runner", "makes a loop with sockets, processes and threads; use asyncio.run")
_name("left out", "weakref", "finalize", "has a list of all finalizers of the process, and of what they were given")

# -- standard library: replaced
_name("replaced", "asyncio", "run new_event_loop", "uses the sandbox's own loop, which has no sockets, processes or threads")
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
_name("replaced", "typing", "get_type_hints", "evaluates annotation strings, which pass the checker first")
_name("replaced", "warnings", "warn filterwarnings simplefilter resetwarnings catch_warnings", "the session's own filters and stream")

# -- numpy and pandas: files, pickles, memory
_name("left out", "numpy", "load fromfile memmap DataSource save savez savez_compressed savetxt", "reads or writes files, or unpickles")
_name("left out", "numpy", "f2py distutils testing test", "compiles C code, or runs source text past the rules")
_name("left out", "numpy", "core compat ctypeslib", "internals, whose public names are in numpy itself, and raw memory addresses")
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
_name("left out", "pandas", "eval", "evaluates a string past the rules")
# fmt: on
