"""Which names code may spell, as a table. `check.py` looks literal names up here while compiling,
`access.py` computed ones at run time.

A name without a row is free: `self._x`, and `__author__` too. Names that lead to frames, code
objects or other code's variables are refused. A few more are read through a guard, which checks the
object that the access returned (`"{0.x}".format` reads attributes named inside a string).

Every lookup normalizes the name as Python's parser does (NFKC), so that `gi_ｆrame` is `gi_frame`.
"""

from __future__ import annotations

import _string  # type: ignore[import-not-found]
from dataclasses import dataclass
from typing import Literal
from unicodedata import normalize

Reading = Literal["plain", "guarded", "refused"]


@dataclass(frozen=True, slots=True)
class NameRow:
    """`read` is how `x.name` is read; `bind` whether code may define it (def, class body,
    variable); `store` whether `x.name = v` may."""

    name: str
    reason: str
    read: Reading = "plain"
    bind: bool = False
    store: bool = False
    group: str = ""


NAMES: dict[str, NameRow] = {}


def _add(
    group: str,
    names: str,
    reason: str,
    *,
    read: Reading = "plain",
    bind: bool = False,
    store: bool = False,
) -> None:
    for name in names.split():
        NAMES[name] = NameRow(name, reason, read, bind, store, group)


# fmt: off
# -- the data model: methods that a class defines and that super() calls
_add("data model", "__new__ __init__ __call__ __init_subclass__ __class_getitem__ __set_name__ __prepare__ __mro_entries__",
     "making objects and classes", bind=True, store=True)
_add("data model", "__repr__ __str__ __bytes__ __format__ __hash__ __bool__ __len__ __length_hint__ __contains__ __iter__ __next__"
     " __reversed__ __getitem__ __setitem__ __delitem__ __missing__ __index__ __int__ __float__ __complex__ __round__ __trunc__"
     " __floor__ __ceil__ __sizeof__ __dir__ __fspath__", "conversion and container protocol", bind=True, store=True)
_add("data model", "__eq__ __ne__ __lt__ __le__ __gt__ __ge__", "comparison", bind=True, store=True)
_add("data model", " ".join(f"__{prefix}{op}__" for op in "add sub mul matmul truediv floordiv mod divmod pow lshift rshift and xor or".split()
     for prefix in ("", "r", "i")) + " __neg__ __pos__ __abs__ __invert__", "arithmetic", bind=True, store=True)
_add("data model", "__enter__ __exit__ __aenter__ __aexit__", "context managers", bind=True, store=True)
_add("data model", "__await__ __aiter__ __anext__", "asynchronous protocol", bind=True, store=True)
_add("data model", "__get__ __set__ __delete__", "descriptors", bind=True, store=True)
_add("data model", "__instancecheck__ __subclasscheck__ __subclasshook__ __abstractmethods__", "instance checks", bind=True, store=True)
_add("data model", "__del__", "finalizer; what it does late is still guarded code", bind=True, store=True)
_add("data model", "__copy__ __deepcopy__ __replace__ __getnewargs__ __getnewargs_ex__", "copying", bind=True, store=True)
_add("data model", "__buffer__ __release_buffer__", "buffers made by code", bind=True, store=True)
_add("data model", "__post_init__", "dataclasses call it", bind=True, store=True)
_add("data model", "__array__ __array_ufunc__ __array_function__ __array_priority__ __array_wrap__ __array_finalize__",
     "numpy's protocol for array-like classes", bind=True, store=True)

# -- data attributes
_add("attribute", "__name__ __qualname__ __module__ __doc__ __version__ __author__ __all__", "text about an object", bind=True, store=True)
_add("attribute", "__slots__ __match_args__", "class layout; class patterns look at the names in it when they match", bind=True)
_add("attribute", "__class__", "an object's type, the same as type(x); setting it would change what a class pattern has looked at", bind=True)
_add("attribute", "__mro__ __bases__ __base__", "a class's ancestors; only the way down, __subclasses__, leads elsewhere")
_add("attribute", "__members__ __origin__ __args__ __parameters__ __constraints__ __bound__ __metadata__ __type_params__ __value__"
     " __supertype__ __total__ __required_keys__ __optional_keys__ __default__ __covariant__ __contravariant__ __unpacked__"
     " __orig_bases__ __isabstractmethod__ __hints__", "facts about enums and type hints")
_add("attribute", "__cause__ __context__ __suppress_context__ __traceback__ __notes__", "an exception's history", store=True)
_add("attribute", "__wrapped__", "the function under a decorator; its own names are checked like any other's", store=True)
_add("attribute", "__debug__ __file__", "as a variable: a constant, and a NameError as in any cell", bind=False)

# -- read through a guard: what they give depends on the object
_add("guarded", "format format_map", "a format string reads attributes by names inside the string; they obey this table", read="guarded", bind=True, store=True)
_add("guarded", "__dict__", "an object's variables; a class's are shown without what this table refuses", read="guarded", store=True)
_add("guarded", "__getstate__", "an object's variables, shown as __dict__ shows them", read="guarded", bind=True, store=True)
_add("guarded", "__annotations__", "given as a copy; a function's own dictionary would change another program's function", read="guarded")
_add("guarded", "__getattribute__ __getattr__ __setattr__ __delattr__", "take a computed name, which obeys this table; defined in a class, not set later",
     read="guarded", bind=True)
_add("guarded", "obj", "of an AttributeError: an object of other code's; of anything else: plain", read="guarded", bind=True, store=True)
_add("guarded", "tofile dump to_pickle to_csv to_json to_excel to_parquet to_feather to_hdf to_stata to_orc to_sql to_gbq to_clipboard"
     " to_html to_iceberg to_latex to_markdown to_string to_typst to_xml", "of arrays and tables: writes files, so it takes no path", read="guarded", bind=True, store=True)
_add("guarded", "query eval", "of tables: evaluates a string, whose names obey this table", read="guarded", bind=True, store=True)
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
_add("functions", "func_globals func_code func_closure func_defaults func_dict im_func im_self im_class", "Python 2's way to a function's insides",
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
_add("library", "_convert_ _convert", "of an enum class: copies the variables of any module by name", read="refused", bind=True)
_add("library", "_attr_type _cls_type", "of an enum property: has it read an attribute by a computed name", read="refused", bind=True)
LOOP_METHODS = ("run_in_executor set_default_executor create_connection create_server create_datagram_endpoint connect_accepted_socket"
                " connect_read_pipe connect_write_pipe subprocess_exec subprocess_shell getaddrinfo getnameinfo sendfile start_tls").split()
_add("library", " ".join(LOOP_METHODS), "of an event loop: threads, sockets, programs", read="refused", bind=True)
_add("guarded", "register", "of an abstract class of a library: changes what its classes are", read="guarded", bind=True, store=True)
_add("library", "_module", "of warnings.catch_warnings: the module", read="refused", bind=True, store=True)
_add("library", "_evaluate", "of a forward reference: evaluates a string past the rules", read="refused", bind=True)
# fmt: on

# Names that are variables of the interpreter and not attributes: refused as a plain name too,
# unless listed as free here.
FREE_VARIABLES = frozenset({"__import__"})


def row_of(name: str) -> NameRow | None:
    return NAMES.get(name if name.isascii() else normalize("NFKC", name))


def reading(name: str) -> Reading:
    """How `x.name` may be read."""
    row = row_of(name)
    return row.read if row is not None else "plain"


def may_store(name: str) -> bool:
    """Whether `x.name = v` and `del x.name` are allowed."""
    row = row_of(name)
    return row is None or row.store


def may_bind(name: str) -> bool:
    """Whether a variable, function, parameter or class may be called this."""
    row = row_of(name)
    return row is None or row.bind


def may_load(name: str) -> bool:
    """Whether a variable of this name may be read."""
    row = row_of(name)
    if row is None or not is_dunder(row.name) or row.name in FREE_VARIABLES:
        return True
    return row.read != "refused" and (row.bind or row.name in ("__debug__", "__file__"))


def is_dunder(name: str) -> bool:
    return len(name) > 4 and name[:2] == "__" and name[-2:] == "__"


def reason(name: str) -> str:
    """Why a refused name is refused, worded for the model that wrote it."""
    row = row_of(name)
    return row.reason if row is not None else ""


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
            if is_attribute and reading(name) != "plain":
                return str(name)
        inner = refused_attribute(spec) if spec else None
        if inner is not None:
            return inner
    return None
