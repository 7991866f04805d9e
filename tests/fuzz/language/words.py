"""What programs are made of, as tables: names that lead somewhere, modules, and things to begin
with."""

from __future__ import annotations

import importlib
import types

from fumehood.grants import DEFAULT_IMPORTS
from fumehood.language.guarded.blocked_names import BLOCKED_NAMES
from fumehood.language.guarded.names import NAMES

MODULES = tuple(sorted(name for name in DEFAULT_IMPORTS if name != "__future__"))
"""What code may import."""
FORBIDDEN_MODULES = tuple(
    (
        "os sys builtins gc inspect ctypes _ctypes importlib subprocess posix pickle marshal code"
        " types.CodeType threading _thread _io io.open socket pathlib tempfile shutil linecache"
        " tokenize dis ast._ast imp runpy sys.modules os.system fuzz_host numpy __main__"
        " _frozen_importlib traceback.walk_tb typing.ForwardRef operator.attrgetter"
        " collections._sys random._os enum.sys json.codecs weakref.ref"
    ).split()
)

REFUSED_NAMES = tuple(sorted(name for name, row in NAMES.items() if row.read == "refused"))
GUARDED_NAMES = tuple(sorted(name for name, row in NAMES.items() if row.read == "guarded"))
PLAIN_NAMES = tuple(sorted(name for name, row in NAMES.items() if row.read == "plain"))
UNLISTED_NAMES = tuple(
    (
        "__weakref__ __firstlineno__ __static_attributes__ __orig_class__ __text_signature__"
        " __signature__ __file__ __annotate__ __vectorcalloffset__ __basicsize__ __dictoffset__"
        " __flags__ __itemsize__ __weakrefoffset__ __type_params__ __init_subclass__ _os _sys"
        " _module _io _abc_impl _field_defaults _asdict _replace _make _fields tb_next tb_lasti"
        " tb_lineno with_traceback add_note args gi_running gi_suspended cr_running ag_running obj"
        " name mro __abstractmethods__ registry dispatch cache_info cache_clear func keywords data"
        " value throw send close real imag items get pop update append copy codecs sys os re"
        " modules"
    ).split()
)
TESTED_NAMES = (
    "value",
    "name",
    "args",
    "data",
    "items",
    "real",
    "x",
    "_x",
    "__class__",
    "__doc__",
    "__mro__",
    "__name__",
    "__wrapped__",
)

VARIABLES = tuple("v0 v1 v2 v3 v4 v5 v6".split())

# Things to begin with: objects that have something behind them.
ROOTS = tuple(
    """see
    print
    getattr
    type
    object
    str
    super
    __build_class__
    __import__
    eval
    exec
    compile
    globals()
    locals()
    vars()
    ()
    []
    {}
    ''
    b''
    0
    1.5
    None
    ...
    NotImplemented
    (lambda *a, **k: a)
    (lambda: (yield))()
    (x for x in [1])
    [x async for x in agen()]
    agen()
    coro()
    gen()
    Own
    Own()
    Own().method
    Own.method
    Meta
    Text('__globals__')
    error()
    error().__traceback__
    error().__context__
    ExceptionGroup('g', [error()])
    sys.exc_info()
    sys.stdout
    sys.implementation
    sys
    os
    operator
    functools
    string
    re
    re.compile('(a)').match('a')
    types
    typing
    dataclasses
    enum
    collections
    copy
    json
    io
    io.StringIO()
    io.BytesIO(b'x')
    io.TextIOWrapper(io.BytesIO(b'x'))
    asyncio
    contextlib
    contextlib.ExitStack()
    contextlib.suppress(Exception)
    traceback
    warnings
    itertools
    itertools.count()
    random
    random.Random(1)
    calendar
    csv
    decimal.getcontext()
    uuid
    weakref
    weakref.ref(Own)
    queue.Queue()
    functools.partial(see)
    functools.singledispatch(see)
    functools.cached_property(see)
    functools.lru_cache(see)
    operator.attrgetter('real')
    string.Formatter()
    string.Template('$a')
    collections.UserString('{0.real}')
    collections.UserDict()
    collections.ChainMap({})
    enum.Enum('E', 'A B')
    enum.Enum('E', 'A B').A
    typing.NamedTuple('N', [('a', int)])
    typing.TypeVar('T')
    typing.List[int]
    dataclasses.make_dataclass('D', ['a'])(1)
    dataclasses.field()
    types.SimpleNamespace(a=1)
    types.ModuleType('m')
    types.MappingProxyType({})
    json.JSONDecoder()
    json.JSONEncoder()
    datetime.datetime.now()
    zoneinfo.ZoneInfo('UTC')
    html.parser.HTMLParser()
    pprint.PrettyPrinter()
    reprlib.Repr()
    textwrap.TextWrapper()
    difflib.SequenceMatcher()
    graphlib.TopologicalSorter()
    statistics.NormalDist()
    fractions.Fraction(1)
    array.array('i', [1])
    memoryview(b'x')
    slice(1)
    range(3)
    property(see)
    classmethod(see)
    staticmethod(see)""".split("\n    ")
)

# The code's own things, which the tables above speak of.
OWN_THINGS = """
class Meta(type):
    def __getattr__(cls, name):
        see((cls, name))
        raise AttributeError(name)

class Own:
    x = 1
    def __init__(self, *a, **k):
        self.a, self.k = a, k
    def method(self, *a):
        return a

class Text(str):
    def __str__(self):
        return 'real'
    def __eq__(self, other):
        return True
    def __hash__(self):
        return 1

def error(*a):
    try:
        raise ValueError(*a)
    except ValueError as raised:
        return raised

def gen(*a):
    yield a

async def coro(*a):
    return a

async def agen(*a):
    yield a
"""


def _leads() -> tuple[tuple[str, str], ...]:
    inside = "__globals__ __code__ __closure__ __defaults__ __kwdefaults__ __builtins__"
    written = {
        "see": inside,
        "error": inside,
        "(lambda x: x)": inside,
        "getattr": inside,
        "print": inside,
        "dataclasses.dataclass": inside,
        "string.capwords": inside,
        "copy.copy": inside,
        "random.choice": inside,
        "functools.wraps(see)(error)": inside,
        "Own().method": "__func__ __self__",
        "Own.method": inside,
        "[].append": "__self__",
        "print.__call__": "__self__",
        "error().with_traceback": "__self__",
        "error().__traceback__": "tb_frame",
        "error().__traceback__.tb_next": "tb_frame",
        "(x for x in [1])": "gi_frame gi_code gi_yieldfrom",
        "gen()": "gi_frame gi_code gi_yieldfrom",
        "coro()": "cr_frame cr_code cr_await cr_origin",
        "agen()": "ag_frame ag_code ag_await",
        "object": "__subclasses__",
        "type": "__subclasses__ __getattribute__ __call__",
        "Exception": "__subclasses__",
        "int": "__subclasses__ from_bytes",
        "str.format": "__objclass__ __self__",
        "super(Own, Own())": "__thisclass__ __self_class__ __self__",
        "property(see)": "fget",
        "functools.partial(see)": "func __reduce__ __setstate__",
        "functools.cached_property(see)": "func",
        "functools.singledispatch(see)": "registry dispatch __wrapped__ __closure__ __globals__",
        "weakref.ref(Own)": "__callback__ __self__",
        "enum.Enum('E', 'A').A": "__reduce_ex__ _convert_",
        "typing.List['int']": "__args__ __origin__ __reduce__",
        "io.StringIO()": "__reduce_ex__ __setstate__ buffer",
        "asyncio.get_event_loop()": (
            "get_debug run_in_executor subprocess_exec create_server _selector"
        ),
        "memoryview(b'')": "obj",
        "sys.stdout": "__self__ buffer fileno _write __dict__",
    }
    found = [(thing, name) for thing, listed in written.items() for name in listed.split()]
    for module in MODULES:  # modules inside modules, and what is left out
        real = importlib.import_module(module)
        found += [
            (module, name)
            for name, value in vars(real).items()
            if isinstance(value, types.ModuleType)
        ]
        found += [
            (module, name)
            for name in (
                "__loader__",
                "__spec__",
                "__builtins__",
                "__dict__",
                "__file__",
                "__cached__",
            )
        ]
    found += [key for key in BLOCKED_NAMES if key[0] in MODULES]
    return tuple(sorted(found))


LEADS = _leads()
"""Things, and names of theirs that lead somewhere: where a door is tried, it is mostly worth trying
on one of these."""
