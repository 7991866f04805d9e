"""Doors: ways to read, call or make something by what is known only at run time, as tables of texts
with holes.

{e} an expression · {f} something to call · {c} a class, {k} one for a pattern · {n} a text that
names an attribute · {a} the name {v} a variable · {s} a text of source · {m} a module · {d} another
statement, indented
"""

from __future__ import annotations

import sys

# Doors that are expressions.
EXPRESSIONS = tuple(
    """getattr({e}, {n})
    getattr({e}, {n}, {e})
    getattr({e}, Text({n}))
    hasattr({e}, {n})
    {e}.{a}
    {e}.{a}
    {e}.{a}({e})
    {e}.{a}.{a}
    {e}({e})
    {e}()
    {e}[{e}]
    {e}[{n}]
    {f}({e})
    {f}({e}, {e})
    {f}(*[{e}, {n}])
    {f}(**{{{n}: {e}}})
    {f}({e}, key={f})
    operator.attrgetter({n})({e})
    operator.attrgetter({n} + '.' + {n})({e})
    operator.methodcaller({n})({e})
    operator.methodcaller({n}, {e})({e})
    operator.itemgetter({n})({e})
    operator.attrgetter({n}, {n})({e})
    '{{0.{t}}}'.format({e})
    '{{0.{t}.{t}}}'.format({e})
    '{{0[{t}].{t}}}'.format({e})
    '{{x.{t}!r:{{x.{t}}}}}'.format(x={e})
    '{{x.{t}}}'.format_map({{'x': {e}}})
    ('{{0.' + {n} + '}}').format({e})
    str.format('{{0.{t}}}', {e})
    str.format_map('{{x.{t}}}', {{'x': {e}}})
    Text('{{0.{t}}}').format({e})
    super(Text, Text('{{0.{t}}}')).format({e})
    collections.UserString('{{0.{t}}}').format({e})
    string.Formatter().format('{{0.{t}}}', {e})
    string.Formatter().vformat('{{0.{t}}}', ({e},), {{}})
    string.Formatter().get_field('0.{t}', ({e},), {{}})
    string.Formatter().get_field('0.' + {n}, ({e},), {{}})
    string.Template('$a').substitute(a={e})
    f'{{{e}}}'
    f'{{{e}!r}}'
    f'{{{e}:{{{e}}}}}'
    '%s' % ({e},)
    format({e}, {n})
    functools.reduce(getattr, [{n}, {n}], {e})
    functools.reduce({f}, [{e}, {e}])
    functools.partial(getattr, {e})({n})
    functools.partial({f}, {e})
    functools.partialmethod({f}, {e})
    functools.wraps({e}, ({n},), ())({f})
    functools.wraps({e}, (), ({n},))({f})
    functools.update_wrapper({f}, {e}, ({n},), ({n},))
    functools.singledispatch({f})
    functools.singledispatchmethod({f})
    functools.cached_property({f})
    functools.total_ordering({c})
    functools.cmp_to_key({f})({e})
    list(map(getattr, [{e}], [{n}]))
    list(map({f}, [{e}]))
    list(filter({f}, [{e}]))
    list(itertools.starmap(getattr, [({e}, {n})]))
    sorted([{e}, {e}], key={f})
    max([{e}, {e}], key={f})
    [x.{a} for x in [{e}]]
    [x async for x in {e}]
    [getattr(x, {n}) for x in [{e}]]
    {{x: x.{a} for x in [{e}]}}
    {{x.{a} for x in [{e}]}}
    list(x.{a} for x in [{e}])
    (lambda x: x.{a})({e})
    (lambda x={e}: x)()
    ({v} := {e})
    vars({e})
    vars({e})[{n}]
    vars({c}).get({n})
    dir({e})
    {e}.__dict__
    {e}.__dict__[{n}]
    {c}.__dict__.get({n})
    type({e})
    type({e}).__mro__
    type({e}).mro()
    type({e}).__bases__
    {e}.__class__
    type({n}, ({c},), {{{n}: {e}}})
    type({n}, ({c},), {{'__match_args__': ({n},)}})
    type({n}, ({c},), {{'__slots__': ({n},)}})
    type(type({e}))({n}, (), {{}})
    super({c}, {e})
    super({c}, {e}).{a}
    object.__getattribute__({e}, {n})
    type.__getattribute__({c}, {n})
    {e}.__getattribute__({n})
    {c}.__getattribute__({e}, {n})
    {c}.__getattr__({e}, {n})
    object.__setattr__({e}, {n}, {e})
    type.__setattr__({c}, {n}, {e})
    setattr({e}, {n}, {e})
    delattr({e}, {n})
    {c}.__init_subclass__()
    {c}.__new__({c})
    {c}.__call__({e})
    {e}.__get__({e})
    {c}.{a}.__get__({e}, {c})
    property({f}).fget
    property(lambda s: s.{a}).__get__({e})
    {e}.__init__({e})
    {e}.__wrapped__
    {e}.__cause__
    {e}.__context__
    {e}.__traceback__
    {e}.with_traceback({e})
    types.MethodType({f}, {e})
    types.MethodType(getattr, {e})({n})
    types.FunctionType({e}, {e})
    types.SimpleNamespace(**{{{n}: {e}}})
    types.ModuleType({n}).{a}
    types.new_class({n}, ({c},), {{}}, {f})
    types.DynamicClassAttribute({f})
    types.GenericAlias({c}, ({e},)).{a}
    types.coroutine({f})
    types.TracebackType(None, {e}, 0, 0)
    types.get_original_bases({c})
    copy.copy({e})
    copy.deepcopy({e})
    copy.copy(Own).{a}
    dataclasses.make_dataclass({n}, [{n}])
    dataclasses.make_dataclass('D', [({n}, {s}, {e})])
    dataclasses.make_dataclass('D', ['a'], namespace={{{n}: {e}}})
    dataclasses.asdict({e}, dict_factory={f})
    dataclasses.replace({e}, **{{{n}: {e}}})
    dataclasses.fields({e})
    dataclasses.dataclass({c})
    enum.Enum({n}, [({n}, {e})])
    enum.Enum({n}, {n}, module={n})
    enum.EnumMeta.{a}
    enum.Flag({n}, {n})
    collections.namedtuple({n}, [{n}, 'b'])
    collections.namedtuple({n}, 'a b', module={n}, defaults=[{e}])
    collections.namedtuple('N', 'a')({e})._replace(**{{{n}: {e}}})
    collections.defaultdict({f})[{e}]
    collections.OrderedDict([({n}, {e})])
    collections.ChainMap(vars({e}))[{n}]
    typing.get_type_hints({e})
    typing.get_type_hints({c}, {e}, {e})
    typing.NamedTuple({n}, [({n}, {s})])
    typing.TypedDict({n}, {{{n}: {s}}})
    typing.NewType({n}, {e}).{a}
    typing.Annotated[{c}, {e}].{a}
    typing.cast({s}, {e})
    typing.get_args({e})
    typing.Generic[{e}]
    typing.Optional[{s}]
    typing.Union[{s}, int].__args__
    typing.overload({f})
    typing.no_type_check({c})
    eval({s})
    eval({s}, {{}}, {e})
    eval({s}, {{'__builtins__': {e}}})
    eval(compile({s}, {n}, 'eval'))
    exec({s})
    exec({s}, {e})
    exec({s}, {{}}, {e})
    compile({s}, {n}, 'eval')
    __import__({n})
    __import__('{m}').{a}
    __import__('{m}', fromlist=[{n}])
    __build_class__({f}, {n}, {c})
    globals()[{n}]
    globals().get('__builtins__')
    globals().get({n}, {e})
    re.sub('.', {f}, {n})
    re.compile({n}).{a}
    re.Scanner([('.', {f})]).scan({n})
    re.match('(?P<x>.)', {n}).expand({n})
    json.loads('{{"a": 1}}', object_hook={f})
    json.loads('[1.5]', parse_float={f})
    json.dumps({e}, default={f})
    json.dumps({{'a': {e}}}, cls={c})
    pprint.pformat({e})
    reprlib.repr({e})
    reprlib.recursive_repr({f})({f})
    traceback.format_exception({e})
    traceback.format_tb({e})
    traceback.format_exc()
    sys.exc_info()[1].{a}
    sys.exception()
    sys.intern({n})
    sys.getsizeof({e})
    warnings.catch_warnings(record=True).__enter__()
    warnings.catch_warnings().{a}
    contextlib.contextmanager({f})({e}).{a}
    contextlib.ExitStack().enter_context({e})
    contextlib.ExitStack().push({e})
    contextlib.closing({e}).{a}
    contextlib.nullcontext({e}).__enter__()
    contextlib.redirect_stdout({e}).{a}
    asyncio.run({e})
    asyncio.get_event_loop().{a}
    asyncio.new_event_loop().{a}
    asyncio.current_task().{a}
    asyncio.Future().{a}
    asyncio.Queue().{a}
    asyncio.run(coro({e}))
    next(iter({e}))
    list({e})
    dict({e})
    iter({f}, {e})
    [*{e}]
    {{**{e}}}
    {e} + {e}
    {e} | {e}
    {e} == {e}
    {e} if {e} else {e}
    {e} and {e}
    not {e}
    -{e}
    await coro({e})
    ({e}, {e})
    {{{n}: {e}}}
    weakref.ref({e})()
    weakref.WeakMethod({e})
    weakref.finalize({e}, {f}, {e})
    weakref.proxy({e}).{a}
    abc.ABCMeta({n}, ({c},), {{}})
    abc.abstractmethod({f}).{a}
    queue.Queue().{a}
    random.Random({e}).{a}
    random.choice([{e}])
    random.setstate({e})
    statistics.mean([{e}])
    struct.unpack({n}, {e})
    io.StringIO({n}).{a}
    io.TextIOWrapper({e}).{a}
    csv.reader({e}).{a}
    csv.DictWriter({e}, [{n}]).writerow({e})
    string.capwords({n})
    html.parser.HTMLParser().{a}
    calendar.month({e}, {e})
    decimal.Context(**{{{n}: {e}}})
    uuid.UUID({n}).{a}
    heapq.merge({e}, key={f})
    bisect.bisect([{e}], {e}, key={f})
    difflib.get_close_matches({n}, dir({e}))
    zoneinfo.ZoneInfo({n})
    time.strftime({n}, {e})
    datetime.datetime.strptime({n}, {n})
    urllib.parse.quote({e})
    hashlib.new({n})
    hmac.new(b'', b'', {e})
    math.prod([{e}])
    array.array('u', {n}).{a}
    memoryview({e}).{a}
    memoryview({e}).obj
    Own({e}).{a}
    Meta({n}, ({c},), {{}}).{a}
    Text({n}).{a}
    see({e})
    see.aio({e})
    see.{a}""".split("\n    ")
)

CALLABLES = tuple(
    """see
    getattr
    setattr
    hasattr
    vars
    dir
    type
    print
    eval
    repr
    super
    list
    (lambda *a, **k: see((a, k)))
    (lambda *a: a[0].{a})
    (lambda s, *a: getattr(s, {n}))
    Own
    Text
    error
    gen
    coro
    {c}
    {e}.{a}
    operator.attrgetter({n})
    operator.methodcaller({n})
    functools.partial(getattr, {e})
    str.format
    '{{0.{t}}}'.format
    object.__getattribute__
    operator.call
    operator.setitem
    operator.getitem
    functools.reduce
    types.FunctionType
    types.MethodType
    __import__
    exec
    globals""".split("\n    ")
)

CLASSES = tuple(
    """Own
    Meta
    Text
    object
    type
    str
    dict
    int
    tuple
    Exception
    AttributeError
    NameError
    ImportError
    property
    super
    type({e})
    types.FunctionType
    types.GeneratorType
    types.CoroutineType
    types.ModuleType
    types.MethodType
    types.TracebackType
    types.SimpleNamespace
    collections.UserString
    collections.UserDict
    collections.Counter
    string.Formatter
    string.Template
    enum.Enum
    functools.partial
    functools.cached_property
    typing.Generic
    typing.NamedTuple
    typing.Protocol
    abc.ABC
    json.JSONEncoder
    io.TextIOWrapper
    io.RawIOBase
    contextlib.ContextDecorator
    asyncio.Task
    asyncio.Future
    random.Random
    weakref.WeakKeyDictionary
    weakref.ref
    html.parser.HTMLParser
    calendar.Calendar
    decimal.Decimal
    datetime.tzinfo
    dataclasses.make_dataclass('D', ['a'])
    collections.namedtuple('N', 'a')""".split("\n    ")
)

# Doors that are statements. Every one of them hands over what it gets.
STATEMENTS = (
    "{v} = {e}",
    "{v} = {e}\nsee({v})",
    "{v} = {e}\nsee({v}.{a})",
    "{v}, *{v} = {e}",
    "for {v} in {e}:\n    see({v})\n    break",
    "for {v}.{a} in {e}:\n    break",
    "async for {v} in {e}:\n    see({v})\n    break",
    "with {e} as {v}:\n    see({v})",
    "async with {e} as {v}:\n    see({v})",
    "with {e} as {v}.{a}:\n    pass",
    "match {e}:\n    case {k}({a}=x):\n        see(x)",
    "match {e}:\n    case {k}(x):\n        see(x)",
    "match {e}:\n    case {k}(x, y):\n        see((x, y))",
    "match {e}:\n    case {{{n}: x, **rest}}:\n        see((x, rest))",
    "match {e}:\n    case [x, *rest]:\n        see((x, rest))",
    "match {e}:\n    case {k}.{a}:\n        see(1)\n    case object({a}=object({a}=x)) | x:\n        see(x)",
    "def inner(x={e}):\n    match x:\n        case {k}(y):\n            see(y)\ninner()",
    "class K({c}):\n    __match_args__ = ({n},)\nmatch {e}:\n    case K(x):\n        see(x)",
    "class M(type):\n    def __instancecheck__(cls, x):\n        return True\nclass K(metaclass=M):\n    __match_args__ = ({n},)\nmatch {e}:\n    case K(x):\n        see(x)",
    "class K({c}):\n    {v} = {e}\n    see({v})\n    def __getattr__(self, name):\n        return see((self, name))\nsee(K)",
    "class K({c}, metaclass=Meta):\n    def __init_subclass__(cls, **k):\n        see((cls, k))\nclass L(K, {a}={e}):\n    pass",
    "class K(Meta):\n    def __prepare__(*a, **k):\n        return see(a) or {{}}\n    def __call__(cls, *a):\n        return see(a)\nsee(K('x', (), {{}})({e}))",
    "class K:\n    def __get__(self, *a):\n        return see(a)\n    def __set_name__(self, *a):\n        see(a)\nclass L({c}):\n    {v} = K()\nsee(L.{v})\nsee(L().{v})",
    "class K({c}):\n    def __eq__(self, other):\n        return see((self, other))\n    def __hash__(self):\n        return hash({n})\nsee({{K(): 1}}.get({n}))",
    "class K(str):\n    def __eq__(self, other):\n        return True\n    def __hash__(self):\n        return hash({n})\nsee(getattr({e}, K({n})))",
    "class K({c}):\n    def __format__(self, spec):\n        return see(spec) or ''\n    def __getitem__(self, key):\n        return see(key)\nsee('{{0[{t}]}}'.format(K()))",
    "class K({c}):\n    def __del__(self):\n        see(self)\nK()",
    "class K({c}):\n    def __reduce_ex__(self, p):\n        return getattr, ({e}, {n})\nsee(copy.copy(K()))",
    "class K({c}):\n    def __copy__(self):\n        return see(self)\n    def __getstate__(self):\n        return {{{n}: {e}}}\nsee(copy.copy(K()))\nsee(copy.deepcopy(K()))",
    "class K({c}):\n    __slots__ = ({n},)\nsee(vars(K))\nsee(K().{a})",
    "class K(typing.NamedTuple):\n    a: {s} = {e}\nsee(K)\nsee(typing.get_type_hints(K))",
    "@dataclasses.dataclass\nclass K:\n    a: {s} = {e}\n    b: {e} = dataclasses.field(default_factory={f})\nsee(K())\nsee(typing.get_type_hints(K))",
    "class K(enum.Enum):\n    A = {e}\n    _ignore_ = [{n}]\n    def _missing_(cls, value):\n        return see(value)\nsee(K.A)\nsee(K({e}))",
    "class K(string.Formatter):\n    def get_value(self, key, a, k):\n        return {e}\nsee(K().format('{{x.{t}}}'))",
    "class K(string.Template):\n    pattern = {n}\n    idpattern = {n}\nsee(K({n}).substitute({{}}))",
    "class K(json.JSONEncoder):\n    def default(self, o):\n        return see((self, o))\nsee(K().encode({e}))",
    "class K({c}):\n    def __class_getitem__(cls, x):\n        return see((cls, x))\nsee(K[{e}])",
    "class K({c}):\n    @property\n    def __class__(self):\n        return {c}\nsee(isinstance(K(), {c}))\nsee(K().{a})",
    "@{f}\ndef decorated(x={e}):\n    return x\nsee(decorated)",
    "@{f}\nclass Decorated({c}):\n    x = {e}\nsee(Decorated)",
    "@functools.singledispatch\ndef sd(x):\n    return see(x)\n@sd.register\ndef _(x: {s}):\n    return x\nsee(sd({e}))",
    "@contextlib.contextmanager\ndef cm():\n    try:\n        yield {e}\n    except BaseException as err:\n        see(err.__traceback__)\nwith cm() as x:\n    see(x)\n    raise {e}",
    "try:\n    {e}\nexcept BaseException as err:\n    see(err)\n    see(err.{a})",
    "try:\n    raise {e}\nexcept BaseException as err:\n    see(err.__traceback__)\n    see(getattr(err.__traceback__, {n}))",
    "try:\n    raise {e} from {e}\nexcept BaseException as err:\n    see(err.__cause__)\n    see(err.args)",
    "try:\n    raise ExceptionGroup('g', [error()])\nexcept* ValueError as group:\n    see(group.{a})",
    "try:\n    {e}.{a}\nexcept AttributeError as err:\n    see(err.obj)\n    see(err.name)",
    "try:\n    __import__({n})\nexcept ImportError as err:\n    see((err.name, err.path, err.{a}))",
    "def local(a={e}, *b, c: {e} = {e}, **d) -> {e}:\n    see(locals())\n    return lambda: (a, b, c, d)\nsee(local)\nsee(local())\nsee(local.__annotations__)",
    "def generator():\n    x = yield {e}\n    see(x)\n    yield from {e}\n{v} = generator()\nsee(next({v}))\nsee({v}.{a})\n{v}.send({e})",
    "async def coroutine():\n    see(await {e})\n    return {e}\n{v} = coroutine()\nsee({v}.{a})\nsee(await {v})",
    "async def agenerator():\n    yield {e}\n{v} = agenerator()\nsee({v}.{a})\nasync for x in {v}:\n    see(x)",
    "def outer():\n    x = {e}\n    def inner():\n        nonlocal x\n        x = {e}\n        return see(x)\n    return inner\nsee(outer()())",
    "global {v}\n{v} = {e}",
    "del {v}",
    "{v}.{a} = {e}",
    "{v}.{a} += {e}",
    "{v}[{n}] = {e}",
    "{v}: {e} = {e}",
    "import {m} as {v}\nsee({v}.{a})",
    "from {m} import *",
    "from {m} import {a}\nsee({a})",
    "import {m}",
    "exec({s})",
    "see(eval({s}))",
    "while {e}:\n    see(1)\n    break",
    "assert {e}, {e}",
    "return_ = [see(x) for x in {e} if {e}]",
    "if {e}:\n{d}",
    "try:\n{d}\nfinally:\n    see(sys.exc_info())",
    "def wrapped():\n{d}\nwrapped()",
    "class Body:\n{d}",
    "async def awaited():\n{d}\nawait awaited()",
    "lambda_ = lambda x: x.{a}\nsee(lambda_({e}))",
    "sys.stdout = {e}\nprint({e})",
    "sys.stdout.write = see\nprint({n})",
    "warnings.warn({e})",
    "warnings.showwarning = see\nwarnings.warn({n})",
    "{m}.{a} = {e}\nsee({m}.{a})",
    "builtins_ = globals()['__builtins__']\nsee(builtins_)\nsee(builtins_[{n}])",
    "globals()['__builtins__'] = {e}\nsee({e})",
    "__builtins__ = {e}",
    "final_answer({e})",
    *(
        (
            "type Alias[T: {e}] = {e}\nsee(Alias.__value__)\nsee(Alias.{a})",
            "def typed[T: {e}](x: T) -> {e}:\n    return see(x)\nsee(typed.__type_params__)\nsee(typed({e}))",
            "class Typed[T: {e}]({c}):\n    x: T = {e}\nsee(Typed.{a})\nsee(Typed[{e}])",
        )
        if sys.version_info >= (3, 12)
        else ()
    ),
    *(
        ("def typed[T = {e}](x: T):\n    return see(x)\nsee(typed.__type_params__[0].__default__)",)
        if sys.version_info >= (3, 13)
        else ()
    ),
)

PATTERN_CLASSES = (
    "object",
    "type",
    "str",
    "int",
    "dict",
    "Own",
    "Meta",
    "Text",
    "Exception",
    "types.FunctionType",
    "types.GeneratorType",
)

# Texts of source, for what evaluates them.
SOURCES = (
    "{e}",
    "see({e})",
    "{e}.{a}",
    "[x for x in [{e}]]",
    "lambda: {e}",
    "open",
    "__import__('os')",
    "().__class__.__base__.__subclasses__()",
    "__builtins__",
    "globals()",
)
