"""The tables against the language: every node and field has a row, and every row does what it
says."""

from __future__ import annotations

import ast
import builtins
import re

import pytest

from fumehood import LocalPythonExecutor
from fumehood.cli.rule_tables import tables
from fumehood.default_imports import DEFAULT_IMPORTS
from fumehood.language.guarded.compile import Findings, check_source
from fumehood.language.guarded.modules import MAKERS
from fumehood.language.guarded.rules import BUILTINS, LIBRARY_NAMES, NAMES, NODES
from fumehood.policy import Policy

# Classes that only older Pythons' parsers made; `ast` still has the names.
GONE = {
    "Num",
    "Str",
    "Bytes",
    "NameConstant",
    "Ellipsis",
    "Index",
    "ExtSlice",
    "AugLoad",
    "AugStore",
    "Param",
    "Suite",
}
ABSTRACT = {
    "AST",
    "mod",
    "stmt",
    "expr",
    "expr_context",
    "boolop",
    "operator",
    "unaryop",
    "cmpop",
    "excepthandler",
    "pattern",
    "type_ignore",
    "type_param",
    "slice",
}
NODE_CLASSES = [
    value
    for name, value in sorted(vars(ast).items())
    if isinstance(value, type)
    and issubclass(value, ast.AST)
    and name not in GONE | ABSTRACT
    and not name.startswith("_")
]


def test_every_node_has_a_row() -> None:
    for node in NODE_CLASSES:
        assert NODES[node.__name__].reason


def _identifiers(node: type[ast.AST]) -> list[str]:
    """The class's signature in its docstring says which fields are identifiers."""
    signature = re.search(rf"\b{node.__name__}\((.*?)\)", (node.__doc__ or "").replace("\n", " "))
    return [
        name
        for kind, name in re.findall(r"(\w+)[?*]* (\w+)", signature[1] if signature else "")
        if kind == "identifier"
    ]


def test_every_identifier_field_is_looked_up() -> None:
    found = [(node.__name__, name) for node in NODE_CLASSES for name in _identifiers(node)]
    assert len(found) >= 17, "as many as there are on Python 3.11"
    for node, name in found:
        assert name in NODES[node].fields, f"{node}.{name} is an identifier"


def test_a_node_that_nobody_reviewed_is_refused_by_name() -> None:
    class Frobnicate(ast.stmt):
        _fields = ()

    tree = ast.Module(body=[Frobnicate(lineno=3, col_offset=0)], type_ignores=[])
    (violation,) = Findings(tree, Policy()).violations
    assert (violation.name, violation.line) == ("Frobnicate", 3)
    assert "rules.py" in violation.reason


def test_a_field_that_nobody_reviewed_is_refused_by_name() -> None:
    class Pass(ast.Pass):
        _fields = ("secret",)

    Pass.__name__ = "Pass"
    node = Pass(lineno=1, col_offset=0)
    node.secret = "x"  # type: ignore[attr-defined]
    (violation,) = Findings(ast.Module(body=[node], type_ignores=[]), Policy()).violations
    assert violation.name == "Pass.secret"


def test_a_refused_node_is_refused() -> None:
    refused = [row for row in NODES.values() if row.verdict == "refuse"]
    assert refused
    for row in refused:
        node = getattr(ast, row.node)(**{key: [] for key in row.fields})
        violations = Findings(node, Policy()).violations
        assert violations, row.node
        assert violations[0].reason == row.reason


# -- names


def test_every_name_row_holds_for_reading_binding_and_storing() -> None:
    for row in NAMES.values():
        assert row.reason
        reads = check_source(f"x.{row.name}")
        assert bool(reads) == (row.read == "refused"), row.name
        stores = check_source(f"x.{row.name} = 1")
        assert bool(stores) != row.store, row.name
        binds = check_source(f"def f({row.name}): pass") if row.name != "__debug__" else [True]
        assert bool(binds) != row.bind, row.name
        patterns = check_source(f"match x:\n    case C({row.name}=y): pass")
        assert bool(patterns) == (row.read != "plain"), row.name


def test_a_refused_name_is_refused_when_it_is_computed_too() -> None:
    executor = LocalPythonExecutor(isolation="inline")
    for row in NAMES.values():
        if row.read != "refused":
            continue
        for code in (
            f"getattr(str, {row.name!r})",
            f"import operator\noperator.attrgetter({row.name!r})(1)",
            f"import operator\noperator.methodcaller({row.name!r})(1)",
            f"'{{0.{row.name}}}'.format(1)",
            f"template = '{{x.{row.name}}}'\ntemplate.format(x=1)",
        ):
            execution = executor.run(code)
            assert execution.fault == "refused", code
            assert row.reason in execution.error.message, code
        assert executor.run(f"hasattr(str, {row.name!r})").value is False, row.name


def test_an_augmented_assignment_reads_no_refused_attribute() -> None:
    executor = LocalPythonExecutor(isolation="inline")
    executor("class Taker:\n    def __ror__(self, other): return other\nimport warnings")
    for code in (
        "caught = warnings.catch_warnings()\ncaught._module |= Taker()",
        "text = 'x'\ntext.format |= Taker()",
    ):
        assert executor.run(code).fault == "refused", code


def test_a_dunder_name_without_special_meaning_is_free() -> None:
    for code in (
        "__contact__ = 'x'",
        "__author__, __contact__",
        "def __frob__(): pass",
        "f(__frob__=1)",
        "import math as __frob__",
        "x.__frob__ = x.__frob__",
        "class C:\n    def __reduce__(self): return C, ()",
    ):
        assert check_source(code) == [], code


def test_a_refused_dunder_name_is_refused_everywhere() -> None:
    for code in (
        "x.__globals__",
        "__globals__",
        "__globals__ = 1",
        "def __globals__(): pass",
        "f(__globals__=1)",
        "import math as __globals__",
        "x.__globals__ = 1",
    ):
        (violation,) = check_source(code)
        assert violation.name == "__globals__"


def _attributes(obj: object) -> set[str]:
    return {name for name in dir(obj) if not name.startswith("__")}


def _frame_like() -> list[object]:
    def generator():
        yield

    async def coroutine():
        pass

    async def agenerator():
        yield

    made = coroutine()
    made.close()
    try:
        raise ValueError
    except ValueError as error:
        traceback = error.__traceback__
    return [generator(), made, agenerator(), traceback, traceback.tb_frame, generator.__code__]


HARMLESS = {
    "send throw close asend athrow aclose": "plain generator protocol",
    "gi_running gi_suspended cr_running cr_suspended ag_running ag_suspended": "yes or no",
    "tb_lasti tb_lineno tb_next clear replace": (
        "numbers and links; a code object itself is out of reach"
    ),
}


@pytest.mark.parametrize("obj", _frame_like(), ids=lambda obj: type(obj).__name__)
def test_every_attribute_of_frames_code_and_generators_was_reviewed(obj: object) -> None:
    harmless = {name for names in HARMLESS for name in names.split()}
    dangerous = _attributes(obj) - harmless
    assert dangerous
    for name in dangerous:
        assert name in NAMES, f"{type(obj).__name__}.{name} has no row"
        assert NAMES[name].read == "refused"


def test_no_dunder_of_functions_can_be_read_but_those_that_were_reviewed() -> None:
    known = {name for name in dir(_attributes) if name not in dir(object)}
    reviewed = {"__name__", "__qualname__", "__module__", "__call__", "__get__", "__type_params__"}
    as_copies = {"__dict__", "__annotations__"}
    assert {"__globals__", "__code__", "__closure__", "__builtins__"} <= known
    assert {name for name in known if not check_source(f"function.{name}")} <= reviewed | as_copies
    assert {NAMES[name].read for name in as_copies} == {"guarded"}


# -- builtins


def builtins_that_are(verdict: str) -> list[str]:
    return sorted(name for name, row in BUILTINS.items() if row.verdict == verdict)


def test_every_builtin_of_this_python_has_a_row() -> None:
    machinery = {"__name__", "__doc__", "__package__", "__loader__", "__spec__", "_"}
    known = BUILTINS.keys() | machinery
    assert {name for name in vars(builtins) if name not in known} == set()


def test_a_plain_builtin_is_python_s_own() -> None:
    executor = LocalPythonExecutor(isolation="inline")
    for name in builtins_that_are("plain"):
        seen: list[object] = []
        executor.send_tools({"see": seen.append})
        if name == "__build_class__":
            executor.run("class A: pass\nsee(A.__name__)")
            assert seen == ["A"]
        else:
            executor.run(f"see({name})")
            assert seen == [getattr(builtins, name)], name


def test_a_refused_builtin_is_refused_before_running_and_when_reached_otherwise() -> None:
    for name in builtins_that_are("refused"):
        executor = LocalPythonExecutor(isolation="inline")
        execution = executor.run(f"print('before')\n{name}('x')")
        assert execution.fault == "refused", name
        first = execution.violations[0]
        assert (first.line, first.name, execution.logs) == (2, name, "")
        assert executor.run(f"eval('{name}')('x')").fault == "refused", name
        assert executor.run(f"{name} = 3\n{name}").value == 3, name


# -- blocked and replaced names

TRY_EVERY_NAME = """
bad = []
for name in dir(m):
    try:
        getattr(m, name)
    except AttributeError as error:
        bad.append(str(error))
bad
"""


@pytest.mark.parametrize(
    "package", sorted({row.module.partition(".")[0] for row in LIBRARY_NAMES.values()})
)
def test_every_blocked_name_is_as_its_row_says(package: str) -> None:
    executors = {
        is_default: LocalPythonExecutor([] if is_default else [package], isolation="inline")
        for is_default in (True, False)
    }
    present = 0
    for row in LIBRARY_NAMES.values():
        if row.module.partition(".")[0] != package:
            continue
        try:
            module = __import__(row.module, fromlist=["x"])
            if not hasattr(module, row.name):
                continue
        except (ImportError, Warning):  # not installed, or not in this version
            continue
        present += 1
        where = f"{row.module}.{row.name}"
        executor = executors[row.module in DEFAULT_IMPORTS]
        execution = executor.run(f"import {row.module} as m\nm.{row.name}")
        if row.verdict == "left out":
            assert execution.fault == "refused", where
            assert executor.run(f"from {row.module} import {row.name}").fault == "refused", where
            found = executor.run(f"import {row.module} as m\nhasattr(m, {row.name!r})").value
            assert found is False, where
        else:
            assert execution.error is None, where
            assert execution.value is not getattr(module, row.name), where
    if not present:
        pytest.skip(f"{package} is not installed, or has none of these names")


def test_every_replaced_name_has_its_implementation() -> None:
    replaced = [row for row in LIBRARY_NAMES.values() if row.verdict == "replaced"]
    assert replaced
    for row in replaced:
        assert f"{row.module}.{row.name}" in MAKERS or row.module in MAKERS


def test_every_default_module_can_be_imported_and_all_its_listed_names_read() -> None:
    executor = LocalPythonExecutor(isolation="inline")
    for module, row in sorted(DEFAULT_IMPORTS.items()):
        execution = executor.run(f"import {module} as m\n" + TRY_EVERY_NAME)
        assert execution.error is None, module
        assert execution.value == [], module
        real = __import__(module, fromlist=["x"])
        for name in row.only or ():
            if hasattr(real, name):
                found = executor.run(f"import {module} as m\nm.{name}\nTrue").value
                assert found is True, f"{module}.{name}"


def test_the_printed_tables_hold_every_row_with_a_reason() -> None:
    made = tables()
    assert [table.name for table in made] == [
        "imports",
        "blocked",
        "dangerous",
        "names",
        "builtins",
        "syntax",
    ]
    for table in made:
        assert table.rows
        for row in table.rows:
            assert len(row) == len(table.columns)
            assert row[-1].strip()
