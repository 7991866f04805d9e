"""Variables to bytes and back, in sessions of this process: what comes back behaves as what went
in, and what cannot go is named."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from fumehood import Policy, PolicyError
from fumehood.language.run import Session
from fumehood.worker import durable

POLICY = Policy(imports=("numpy", "pandas"))


def _session(*cells: str, policy: Policy = POLICY) -> Session:
    session = Session(policy)
    for cell in cells:
        _run(session, cell)
    return session


def _run(session: Session, cell: str) -> Any:
    execution = session.run(cell)
    assert execution.error is None, execution.error.traceback
    return repr(execution.value), execution.logs


def _loaded(payload: bytes, policy: Policy = POLICY) -> Session:
    session = Session(policy)
    durable.load(session, payload)
    return session


# A name, a cell that makes variables, and a cell that looks at them. Saved and loaded between the
# two, it must see the same.
_PROGRAMS = r"""
=== plain values
a = (1, 2.5, 3j, 'ä\ud800', b'x', None, True, ..., 10**60, float('inf'))
--- then
a
=== containers
a = {'l': [1], 't': (2,), 's': {3}, 'f': frozenset([4]), 'b': bytearray(b'5'), 'r': range(3), 'c': slice(1, 2)}
--- then
a
=== one object under two names
a = [1]; b = a; c = {'a': a}
--- then
a.append(2); (b, c, a is b, c['a'] is a)
=== a cycle across variables
a = []; b = {'a': a}; a.append(b)
--- then
a[0]['a'] is a, b['a'] is a
=== the variables themselves
g = globals(); x = 1
--- then
g['y'] = 2; (y, g is globals())
=== a recursive function
def f(n): return 1 if n < 2 else n * f(n - 1)
--- then
f(10)
=== functions that call each other
def even(n): return n == 0 or odd(n - 1)
def odd(n): return n != 0 and even(n - 1)
--- then
even(10), odd(10)
=== a recursive function in a closure
def outer():
    def f(n): return 0 if n == 0 else 1 + f(n - 1)
    return f
f = outer()
--- then
f(5)
=== two closures over one variable
def make():
    n = 0
    def up():
        nonlocal n
        n += 1
        return n
    return up, lambda: n
up, get = make(); up()
--- then
up(), get(), up(), get()
=== defaults, keywords and annotations
def f(a: int, /, b=[1], *c, d: 'str' = 'x', **e) -> list[int]:
    'doc'
    b.append(a); return a, b, c, d, e
f.note = 5
--- then
f(1), f(2, d=3), f.note, f.__doc__, f.__name__, f.__annotations__
=== lambdas in one line
f, g, h = (lambda: 1), (lambda: 2), (lambda x: [lambda: x])
--- then
f(), g(), h(3)[0]()
=== lambdas that differ in what they hold only
fs = [lambda: 1, lambda: 2, lambda: 1.0, lambda: True, lambda: 'a', lambda: x, lambda: y, lambda: (1, 2), lambda: (1, 3)]
x, y = 10, 20
--- then
[f() for f in fs]
=== a lambda beside other statements
a = 1; f = lambda: a; b = 2
--- then
f(), b
=== a decorated function
import functools
def twice(f):
    @functools.wraps(f)
    def g(*a): return f(*a) * 2
    return g
@twice
def f(x): return x
--- then
f(4), f.__name__
=== a cached function
import functools
@functools.lru_cache(maxsize=5)
def f(x): return x + 1
--- then
f(1), f.cache_info().maxsize
=== a context manager
import contextlib
@contextlib.contextmanager
def f(x):
    yield x + 1
--- then
with f(1) as y:
    print(y)
=== single dispatch
import functools
@functools.singledispatch
def f(x): return 'any'
@f.register
def _(x: int): return 'int'
--- then
f(1), f('')
=== generator and asynchronous functions
def g():
    yield 1
async def c(): return 2
--- then
list(g()), await c()
=== functions made by exec and eval
exec('def f(a): return a * 2')
g = eval('lambda a: a + 1')
--- then
f(2), g(2)
=== a partial and a bound method
import functools
class A:
    def m(self, x): return self.v + x
a = A(); a.v = 1; m = a.m; p = functools.partial(m, 2)
a.own = m
--- then
a.v = 5; (m(1), p(), a.own(1))
=== methods of builtin objects
a = []; f = a.append; g = str.upper
--- then
f(1); (a, g('x'))
=== a class and its instances
class A:
    n = 0
    def __init__(self): A.n += 1; self.me = self
    @property
    def p(self): return 7
    @classmethod
    def c(cls): return cls.n
    @staticmethod
    def s(x): return x
a = A(); A.later = [a]
--- then
a.me is a, a.p, A.c(), A.s(2), A.later[0] is a, isinstance(a, A), type(a) is A, A().n
=== inheritance and super
class A:
    def f(self): return 'A'
class B(A):
    def f(self): return 'B' + super().f()
b = B()
--- then
b.f(), issubclass(B, A), B.__mro__[1] is A
=== a subclass is not registered twice
class A:
    seen = []
    def __init_subclass__(cls): A.seen.append(cls.__name__)
class B(A): pass
--- then
class C(A): pass
A.seen
=== a metaclass of the code's own
class M(type):
    made = []
    def __new__(m, name, bases, body):
        M.made.append(name)
        return super().__new__(m, name, bases, body)
    def hi(cls): return cls.__name__
class A(metaclass=M): pass
--- then
A.hi(), M.made, type(A) is M
=== instances in sets and as keys
class K:
    def __init__(self, v): self.v = v
    def __eq__(self, o): return self.v == o.v
    def __hash__(self): return hash(self.v)
s = {K(1), K(2)}; d = {K(3): 'three'}; K.all = {K(4)}
--- then
K(1) in s, K(5) in s, d[K(3)], K(4) in K.all
=== classes in classes, in functions, and from type()
class Outer:
    class Inner:
        def f(self): return 'inner'
    def make(self):
        class Local(Outer.Inner):
            def f(self): return 'local ' + super().f()
        return Local()
local = Outer().make()
X = type('X', (dict,), {'a': 1, 'f': lambda self: len(self)})
x = X(k=1)
class L(list): pass
l = L([1])
l.me = l
--- then
local.f(), Outer.Inner().f(), x.f(), x, X.a, l, l.me is l
=== methods that are cached or chosen by type
import functools
class A:
    @functools.singledispatchmethod
    def f(self, x): return 'any'
    @f.register
    def _(self, x: int): return 'int'
    @functools.cached_property
    def c(self): return 3
a = A()
--- then
a.f(1), a.f(''), a.c, a.c
=== modules with parts
import pandas as pd
import numpy
import os.path, collections.abc
t = pd.Series([1], dtype='category')
--- then
t, pd.api.types.is_list_like([]), numpy.linalg.norm([3, 4]), os.path.sep, collections.abc.Sized
=== classes whose hooks answer for everything
class Any:
    def __getattr__(self, name): return name
class Proxy:
    def __init__(self, inner): self.inner = inner
    def __getattr__(self, name): return getattr(self.inner, name)
class Single:
    instance = None
    def __new__(cls):
        if cls.instance is None: cls.instance = super().__new__(cls)
        return cls.instance
class Frozen:
    def __init__(self): vars(self)['x'] = 1
    def __setattr__(self, name, value): raise TypeError('frozen')
class Log(dict):
    seen = []
    def __setitem__(self, key, value): Log.seen.append(key); super().__setitem__(key, value)
class Doubling(list):
    def append(self, x): super().append(x * 2)
a, p, s, f, l, d = Any(), Proxy([3]), Single(), Frozen(), Log(), Doubling()
l['k'] = 1
l.me = l
d.append(1)
--- then
d.append(2)
a.anything, p.inner, p.count(3), Single() is s, f.x, l, Log.seen, l.me is l, d
=== new types and arrays of numbers
import typing, array
UserId = typing.NewType('UserId', int)
u, n = UserId(5), array.array('d', [1.5])
--- then
u, UserId(6), n
=== slots
class A:
    __slots__ = ('x', '__y')
    def __init__(self): self.x = 1; self.__y = 2
    def y(self): return self.__y
a = A()
--- then
a.x, a.y(), hasattr(a, 'z')
=== own state methods
class A:
    def __init__(self): self.v = 1; self.g = (i for i in ())
    def __getstate__(self): return {'v': self.v}
    def __setstate__(self, s): self.v = s['v'] + 100
a = A()
b = 0
--- then
hasattr(a, 'v')
=== a dataclass
from dataclasses import dataclass, field
import typing
@dataclass(order=True)
class P:
    x: int
    y: int = 2
    tags: list = field(default_factory=list, compare=False)
    kind: typing.ClassVar[str] = 'p'
    def norm(self): return self.x + self.y
@dataclass
class Q(P):
    z: int = 0
p = P(1); q = Q(1, z=5)
--- then
p, q, P(3), P(1) == p, p < P(2), p.norm(), P.kind, Q(9)
=== a frozen dataclass with slots
from dataclasses import dataclass, replace
@dataclass(frozen=True, slots=True)
class P:
    x: int
    y: str = 'q'
p = P(1); s = {p}
--- then
p, P(1) in s, replace(p, x=2), P(5)
try:
    p.x = 1
except Exception as e:
    print(type(e).__name__)
=== enumerations
import enum
class C(enum.Enum):
    R = 1
    G = 2
    CRIMSON = 1
    def low(self): return self.name.lower()
class P(enum.Enum):
    E = (2, 4)
    def __init__(self, a, b): self.a = a; self.b = b
class F(enum.Flag):
    X = enum.auto()
    Y = enum.auto()
class L(enum.IntEnum):
    ONE = 1
c = C.G; f = F.X | F.Y; d = {C.R: 1}
--- then
c is C.G, C(1), C.CRIMSON is C.R, c.low(), P.E.b, f, F.X in f, d[C.R], L.ONE + 1, list(C)
=== named tuples
import collections, typing
P = collections.namedtuple('P', 'x y', defaults=[5])
class N(typing.NamedTuple):
    a: int
    b: int = 3
    def t(self): return self.a + self.b
class S(P):
    def s(self): return self.x + self.y
p = P(1); n = N(1); s = S(1, 2)
--- then
p, n, n.t(), s.s(), P(2), N(4), s._replace(x=9), p == (1, 5)
=== generic, abstract and typed
import abc, typing
T = typing.TypeVar('T')
class B(typing.Generic[T]):
    def __init__(self, v): self.v = v
class S(abc.ABC):
    @abc.abstractmethod
    def f(self): ...
class Q(S):
    def f(self): return 4
class Pr(typing.Protocol):
    def f(self) -> int: ...
class D(typing.TypedDict):
    a: int
b = B[int](3)
q = Q()
u = int | None
--- then
b.v, B[str](1).v, q.f(), isinstance(q, S), D(a=1), u
try:
    S()
except TypeError as e:
    print('abstract')
=== exceptions with other arguments
class E(ValueError):
    def __init__(self, code, why):
        super().__init__(f'{code}')
        self.code = code; self.why = why
e = E(4, 'x')
--- then
e.code, e.why, str(e), e.args
=== library objects
import collections, datetime, decimal, fractions, re, uuid, operator, random
a = [collections.deque([1], maxlen=2), collections.defaultdict(list, a=[1]),
     collections.OrderedDict(a=1), collections.Counter('aab'),
     datetime.datetime(2020, 1, 1, tzinfo=datetime.timezone.utc), decimal.Decimal('1.5'),
     fractions.Fraction(1, 3), re.compile('a+'),
     uuid.UUID(int=5)]
g = operator.itemgetter(1); r = random.Random(4); r.random()
--- then
a, g([1, 2]), r.random()
=== modules and what they have
import math, json as j, random
from math import sin
import os.path
r = random.random; e = eval; p = print
--- then
math.pi, j.dumps([1]), sin(0), os.path.join('a', 'b'), r is random.random, e('1 + 1'), p is print
=== arrays
import numpy as np
a = np.arange(6.0).reshape(2, 3); b = a; s = np.float32(1.5); o = np.array([1, 'x', None], dtype=object)
r = np.random.default_rng(3); r.random(); d = np.array(['2020-01-01'], dtype='datetime64[D]'); f = np.sum
--- then
a[0, 0] = 9; (a, b is a, s, o, r.random(), d, f(a))
=== tables
import pandas as pd
t = pd.DataFrame({'a': [1, 2], 'b': list('xy'), 'c': pd.to_datetime(['2020-01-01'] * 2), 'd': pd.Categorical(['u', 'v'])})
s = t['a']
m = pd.MultiIndex.from_product([[1], ['a', 'b']])
p = [pd.Timestamp('2020'), pd.Timedelta('1D'), pd.Period('2020-01'), pd.NaT]
--- then
t, t.dtypes, s.sum(), m, p, t.groupby('b')['a'].sum()
=== a variable with the name of a refused builtin, gone since
open = 5
def f(): return open
g = f()
del open
--- then
open = 6
f(), g
=== future annotations
from __future__ import annotations
x = 1
def f(a: nowhere): return a
--- then
f(1), f.__annotations__
"""


def _programs() -> dict[str, tuple[str, str]]:
    found = {}
    for program in _PROGRAMS.split("\n=== ")[1:]:
        name, _, cells = program.partition("\n")
        made, _, looked_at = cells.partition("\n--- then\n")
        found[name] = made, looked_at
    return found


ROUND_TRIPS = _programs() | {
    "text that Python splits into fewer lines than others do": (
        "def f(): return 'a\\x0cb'\ng = lambda: '''x\x0cy\u2028z'''\nh = lambda: 3",
        "f(), g(), h()",
    ),
}


@pytest.mark.parametrize(("made", "looked_at"), ROUND_TRIPS.values(), ids=ROUND_TRIPS)
def test_what_is_loaded_behaves_as_what_was_saved(made: str, looked_at: str) -> None:
    original = _session(made)
    state = durable.save(original)
    if "g = (i for i in ())" not in made:
        assert state["not_saved"] == {}
    loaded = _loaded(state["payload"])
    again = _loaded(durable.save(loaded)["payload"])
    expected = (
        _run(_session(made), looked_at) if "__setstate__" not in made else _run(original, looked_at)
    )
    assert _run(loaded, looked_at) == expected
    assert _run(again, looked_at) == expected


CASES = Path(__file__).parents[1] / "language" / "cases"


@pytest.mark.long
@pytest.mark.parametrize(
    "folder", sorted(folder.name for folder in CASES.iterdir() if folder.is_dir())
)
def test_whatever_a_program_leaves_behind_can_be_loaded_once_it_is_saved(folder: str) -> None:
    programs = sorted((CASES / folder).rglob("*.py"))
    assert programs
    for program in programs:
        session = Session(POLICY)
        session.run(
            program.read_text()
        )  # some of them end in an exception; what they have made by then counts
        state = durable.save(session)
        again = durable.save(_loaded(state["payload"]))
        assert ([*again["saved"]], again["not_saved"]) == ([*state["saved"]], {}), program


def test_own_state_methods_are_called() -> None:
    made, _looked_at = ROUND_TRIPS["own state methods"]
    state = durable.save(_session(made))
    assert state["not_saved"] == {}
    assert _run(_loaded(state["payload"]), "a.v, hasattr(a, 'g')")[0] == "(101, False)"


UNSAVABLE = {
    "g = (i for i in ())": ("g", "a generator cannot be saved"),
    "class M: pass\nm = M(); m.loader = (i for i in ())": (
        "m",
        "m.loader: a generator cannot be saved",
    ),
    "d = {'a': [1, {'b': (i for i in ())}]}": ("d", "d['a'][1]['b']: a generator cannot be saved"),
    "def f():\n    g = (i for i in ())\n    return lambda: g\nh = f()": (
        "h",
        "h (its variable g): a generator cannot be saved",
    ),
    "def f(x=(i for i in ())): return x": ("f", "f (a default): a generator cannot be saved"),
    "async def f(): pass\nc = f()\nc.close()": ("c", "a coroutine cannot be saved"),
    "m = memoryview(b'a')": ("m", "a memoryview cannot be saved"),
    "import weakref\nclass A: pass\na = A(); w = weakref.ref(a)": (
        "w",
        "a weak reference cannot be saved",
    ),
    "c = compile('1', 'x', 'eval')": ("c", "compiled text cannot be saved"),
    "d = {}; exec('def f(): pass', d); f = d['f']; del d": (
        "f",
        "made by exec() among other variables",
    ),
    "l = []\nfor _ in range(100_000): l = [l]\ndel _": ("l", "it is nested too deeply"),
    "class A:\n    def __getstate__(self): raise ValueError('not me')\na = A()": (
        "a",
        "ValueError: not me",
    ),
    "import operator\ng = operator.attrgetter('x')": ("g", "write a lambda"),
}


@pytest.mark.parametrize("made", UNSAVABLE)
def test_what_cannot_be_saved_is_named_with_its_reason_and_the_rest_is_saved(made: str) -> None:
    name, reason = UNSAVABLE[made]
    state = durable.save(_session("before = [1]", made, "after = before"))
    assert list(state["not_saved"]) == [name]
    assert reason in state["not_saved"][name]
    loaded = _loaded(state["payload"])
    assert _run(loaded, "before.append(2); after")[0] == "[1, 2]"
    assert name not in loaded.namespace


def test_a_tool_is_not_saved_and_says_what_to_do() -> None:
    session = _session()
    session.add_tools({"search": lambda query: query})
    _run(session, "s = search\nx = 1")
    state = durable.save(session)
    assert state["not_saved"] == {"s": "search is a tool of the host; send it again after loading"}


def test_a_function_is_saved_however_many_cells_ago_it_was_written() -> None:
    session = _session("def f(): return 5")
    for number in range(300):
        _run(session, f"x = {number}")
    assert _run(_loaded(durable.save(session)["payload"]), "f()")[0] == "5"


def test_a_loaded_function_shows_its_lines_in_tracebacks() -> None:
    session = _session("x = 0\n\ndef f(a):\n    return 1 / a  # here\n\ny = 1")
    error = _loaded(durable.save(session)["payload"]).run("f(0)").error
    assert error is not None
    assert "line 4, in f\n    return 1 / a  # here\n" in error.traceback


def test_only_statements_that_define_something_alive_are_kept() -> None:
    payload = durable.save(
        _session("secret = 'hunter' + '2'\ndef f(): return 1\ndef g(): return 2", "del secret, g")
    )["payload"]
    assert b"def f" in payload
    assert b"hunter" not in payload
    assert b"def g" not in payload


def test_no_code_object_is_in_the_payload_and_no_name_of_ours() -> None:
    payload = durable.save(_session("class A:\n    def f(self): return 1\na = A(); g = lambda: a"))[
        "payload"
    ]
    assert b"fumehood" not in payload
    assert b"marshal" not in payload


def test_the_modules_that_are_needed_are_listed() -> None:
    state = durable.save(
        _session(
            "import numpy as np, json\nfrom math import sin\na = np.zeros(2)\ndef f():\n    import"
            " statistics\ndel np"
        )
    )
    assert {"numpy", "json", "math", "statistics"} <= set(state["modules"])


@pytest.mark.parametrize(
    "made",
    [
        "import numpy as np",
        "import numpy\na = numpy.zeros(2)\ndel numpy",
        "def f():\n    import numpy",
    ],
)
def test_a_policy_that_lacks_a_module_refuses_by_name(made: str) -> None:
    payload = durable.save(_session(made))["payload"]
    with pytest.raises(PolicyError, match="needs numpy"):
        _loaded(payload, Policy())


def test_loaded_code_is_held_to_the_loaders_rules() -> None:
    payload = durable.save(
        _session("import subprocess\ndef f(): return subprocess.run", policy=Policy(language="off"))
    )["payload"]
    with pytest.raises(PolicyError, match="needs subprocess"):
        _loaded(payload)
    payload = durable.save(
        _session(
            "def f(): return ().__class__.__base__.__subclasses__()", policy=Policy(language="off")
        )
    )["payload"]
    with pytest.raises(durable.StateUnreadable, match="__subclasses__"):
        _loaded(payload)


def test_loaded_functions_have_the_sessions_builtins() -> None:
    loaded = _loaded(durable.save(_session("def f(): return eval, getattr, print"))["payload"])
    assert _run(loaded, "f() == (eval, getattr, print)")[0] == "True"
    function = loaded.namespace["f"]
    assert function.__builtins__ is loaded.builtins
    assert "__builtins__" not in loaded.namespace
