"""The reference, made from the code: every public name with its signature, its defaults as they are
written, and its docstring.

Signatures are read from the source rather than from the objects: a default is then shown as its
author wrote it, and a type by its name.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import re
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass, is_dataclass
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import Any

import fumehood

# Pages, each with the packages whose public names are on it, and what is said of it. The first
# package that fits a name's home has it.
PAGES: dict[str, tuple[str, tuple[str, ...], str]] = {
    "executors": (
        "Executors",
        (
            "fumehood.executors",
            "fumehood.fleet",
            "fumehood.packages",
            "fumehood.ray",
            "fumehood.jail",
        ),
        "What runs cells, here or elsewhere, and what it hands out.",
    ),
    "policy": (
        "Policy and limits",
        ("fumehood.policy",),
        "What code may reach, and how much it may use.",
    ),
    "results": (
        "What comes back",
        ("fumehood.results", "fumehood.wire"),
        "What a cell came to, and values whose class stayed in the sandbox.",
    ),
    "agent": ("Agents", ("fumehood.agent",), "An agent, its steps, and what a run gives back."),
    "models": ("Models", ("fumehood.models",), "What answers a conversation."),
    "tools": ("Tools", ("fumehood.tools",), "Functions of the host that code can call."),
    "watching": (
        "Watching",
        ("fumehood.audit", "fumehood.observing", "fumehood.validation", "fumehood.telemetry"),
        "What happens, for the record; and what is looked for in what leaves a sandbox.",
    ),
    "errors": (
        "Errors",
        ("fumehood.errors",),
        "The tree is drawn at the top of `errors.py`. A type says whose fault it was.",
    ),
}

# Those that a reader looks for come first on their page.
FIRST = (
    "PythonExecutor",
    "LocalPythonExecutor",
    "Policy",
    "Execution",
    "CodeAgent",
    "Model",
    "Tool",
    "tool",
    "AuditLog",
    "FumehoodError",
)

_WIDEST = 80


@dataclass(frozen=True)
class Public:
    """One public name."""

    name: str
    home: str
    value: Any

    @cached_property
    def page(self) -> str:
        for page, (_title, packages, _about) in PAGES.items():
            if any(
                self.home == package or self.home.startswith(package + ".") for package in packages
            ):
                return page
        raise LookupError(
            f"{self.name} of {self.home} is on no page of the reference: add its package to PAGES"
            " in press/reference.py"
        )


def public_names() -> list[Public]:
    rank = {name: number for number, name in enumerate(FIRST)}
    names = sorted(fumehood.__all__, key=lambda name: (rank.get(name, len(rank)), name.lower()))
    return [Public(name, fumehood._HOMES[name], getattr(fumehood, name)) for name in names]


def pages() -> dict[str, str]:
    """The text of every page, by its address below docs/."""
    names = public_names()
    made = {"reference/index.md": _index(names)}
    for page, (title, _packages, about) in PAGES.items():
        told: dict[int, str] = {}
        parts = [_entry(public, told) for public in names if public.page == page]
        made[f"reference/{page}.md"] = f"# {title}\n\n{about}\n\n" + "\n".join(parts)
    return made


def _index(names: list[Public]) -> str:
    lines = [
        "# Reference",
        "",
        "Made from the code. All of these are imported from `fumehood`.",
        "",
    ]
    for page, (title, _packages, _about) in PAGES.items():
        lines += [f"## {title}", "", "| name | |", "|---|---|"]
        lines += [
            f"| [`{p.name}`]({page}.md#{p.name.lower()}) | {_first_sentence(p.value)} |"
            for p in names
            if p.page == page
        ]
        lines.append("")
    return "\n".join(lines)


def _first_sentence(value: Any) -> str:
    paragraph = documentation(value).partition("\n\n")[0].replace("\n", " ")
    return _escaped(re.split(r"(?<=[.:]) (?=[A-Z`])", paragraph)[0].rstrip(":").replace("|", "\\|"))


# -- one name


def documentation(value: Any) -> str:
    """What is written of a name, by its author: a docstring that a dataclass has made up for
    itself, or that a builtin type lends to a value, is none."""
    if isinstance(value, property):
        value = value.fget
    if isinstance(value, cached_property):
        value = value.func
    if not (inspect.isclass(value) or inspect.isfunction(value)):
        return _constants().get(id(value), "")
    if inspect.isclass(value):
        if (
            value.__doc__ is None
            or is_dataclass(value)
            and value.__doc__.startswith(f"{value.__name__}(")
        ):
            return ""
        return inspect.cleandoc(value.__doc__)
    return inspect.getdoc(value) or ""


def members(cls: type) -> Iterator[tuple[str, Any, type]]:
    """Public methods and properties, each with the class that has it: of `cls`, and of classes of
    ours that are not public themselves."""
    seen: set[str] = set()
    public = {id(getattr(fumehood, name)) for name in fumehood.__all__}
    for base in cls.__mro__:
        if not base.__module__.startswith("fumehood") or base is not cls and id(base) in public:
            continue
        for name, value in vars(base).items():
            plain = value.__func__ if isinstance(value, staticmethod | classmethod) else value
            if (
                name.startswith("_")
                or name in seen
                or not (inspect.isfunction(plain) or isinstance(plain, property | cached_property))
            ):
                continue
            seen.add(name)
            yield name, plain, base


def attributes(cls: type) -> dict[str, tuple[str, str]]:
    """Fields with a text below them, in the class or in its `__init__`: their type and the text."""
    found: dict[str, tuple[str, str]] = {}
    for base in reversed([base for base in cls.__mro__ if base.__module__.startswith("fumehood")]):
        tree = _class_tree(base)
        maker = next(
            (
                node
                for node in tree.body
                if isinstance(node, ast.FunctionDef) and node.name == "__init__"
            ),
            None,
        )
        for body in [tree.body, maker.body if maker else []]:
            for node, after in pairwise(body):
                if (
                    isinstance(after, ast.Expr)
                    and isinstance(after.value, ast.Constant)
                    and isinstance(after.value.value, str)
                ):
                    target = (
                        node.target
                        if isinstance(node, ast.AnnAssign)
                        else node.targets[0]
                        if isinstance(node, ast.Assign)
                        else None
                    )
                    name = (
                        target.attr
                        if isinstance(target, ast.Attribute)
                        else target.id
                        if isinstance(target, ast.Name)
                        else "_"
                    )
                    if not name.startswith("_"):
                        kind = (
                            ast.unparse(node.annotation) if isinstance(node, ast.AnnAssign) else ""
                        )
                        found[name] = (kind, inspect.cleandoc(after.value.value))
    return found


def signature(value: Any, name: str) -> str:
    """`name(parameters) -> result`, as written; for a class what makes one."""
    if not inspect.isclass(value):
        return _signature(_function_tree(value), name) if inspect.isfunction(value) else name
    for base in value.__mro__:
        if not base.__module__.startswith("fumehood"):
            break
        tree = _class_tree(base)
        for node in tree.body:
            if isinstance(node, ast.FunctionDef) and node.name in ("__init__", "__new__"):
                return _signature(node, name, returns=False)
        if is_dataclass(base) and "__dataclass_fields__" in vars(base):
            return _laid_out(name, [*_made_from(tree)], "")
    return f"{name}(*args)" if issubclass(value, BaseException) else f"{name}()"


def _entry(public: Public, told: dict[int, str]) -> str:
    value = public.value
    lines = [f"## {public.name}", "", f"`{public.home}`", ""]
    if inspect.isclass(value) or inspect.isfunction(value):
        bases = [*_bases(value)] if inspect.isclass(value) else []
        lines += ["```python", signature(value, public.name), "```", ""]
        lines += [f"A kind of {', '.join(f'`{base}`' for base in bases)}.", ""] if bases else []
    lines += [as_markdown(documentation(value)), ""]
    if not inspect.isclass(value):
        return "\n".join(lines)
    if rows := attributes(value):
        lines += ["| attribute | |", "|---|---|"]
        for name, (kind, text) in rows.items():
            said = f"`{name}: {kind}`" if kind else f"`{name}`"
            lines.append(
                f"| {said.replace('|', chr(92) + '|')} |"
                f" {_escaped(' '.join(text.split())).replace('|', chr(92) + '|')} |"
            )
        lines.append("")
    elsewhere: dict[str, list[str]] = {}
    for name, member, _owner in members(value):
        if id(member) in told:
            elsewhere.setdefault(told[id(member)], []).append(name)
            continue
        told[id(member)] = public.name
        # Beside the page a name stands below its class, where there is little room.
        lines += [f'### {public.name}.{name} {{: data-toc-label="{name}" }}', ""]
        if inspect.isfunction(member):
            lines += ["```python", signature(member, name), "```", ""]
        lines += [as_markdown(documentation(member)), ""]
    for other, names in elsewhere.items():
        lines += [
            (
                f"As [`{other}`](#{other.lower()}):"
                f" {', '.join(f'`{name}`' for name in sorted(names))}."
            ),
            "",
        ]
    return "\n".join(lines)


def _bases(cls: type) -> Iterator[str]:
    """The public classes that it is a kind of, and Python's own exceptions."""
    for base in cls.__bases__:
        if (
            base.__name__ in fumehood.__all__
            or issubclass(base, BaseException)
            and base.__module__ == "builtins"
        ):
            yield base.__name__
        elif base.__module__.startswith("fumehood"):
            yield from _bases(base)


# -- the source


@lru_cache(None)
def _module_tree(module: str) -> ast.Module:
    return ast.parse(inspect.getsource(importlib.import_module(module)))


@lru_cache(None)
def _class_tree(cls: type) -> ast.ClassDef:
    (tree,) = [
        n
        for n in ast.walk(_module_tree(cls.__module__))
        if isinstance(n, ast.ClassDef) and n.name == cls.__qualname__.split(".")[-1]
    ]
    return tree


def _function_tree(function: Any) -> ast.FunctionDef | ast.AsyncFunctionDef:
    node = ast.parse(textwrap.dedent(inspect.getsource(inspect.unwrap(function)))).body[0]
    assert isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    return node


@lru_cache(None)
def _constants() -> dict[int, str]:
    """Texts below public names that are neither class nor function, by the id of what they name."""
    found = {}
    for name, home in fumehood._HOMES.items():
        body = _module_tree(home).body
        for node, after in pairwise(body):
            targets = (
                [node.target]
                if isinstance(node, ast.AnnAssign)
                else node.targets
                if isinstance(node, ast.Assign)
                else []
            )
            is_it = [target.id for target in targets if isinstance(target, ast.Name)] == [name]
            if is_it and isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant):
                found[id(getattr(fumehood, name))] = inspect.cleandoc(str(after.value.value))
    return found


def _made_from(tree: ast.ClassDef) -> Iterator[str]:
    """The parameters of what makes a dataclass."""
    if any("kw_only=True" in ast.unparse(decorator) for decorator in tree.decorator_list):
        yield "*"
    for node in tree.body:
        if isinstance(node, ast.AnnAssign) and ast.unparse(node.annotation) == "KW_ONLY":
            yield "*"
        elif node in _fields(tree):
            yield ast.unparse(node)


def _fields(tree: ast.ClassDef) -> Iterator[ast.AnnAssign]:
    for node in tree.body:
        if not (isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name)):
            continue
        if not node.target.id.startswith("_") and not ast.unparse(node.annotation).startswith(
            "ClassVar"
        ):
            yield node


def _signature(
    node: ast.FunctionDef | ast.AsyncFunctionDef, name: str, *, returns: bool = True
) -> str:
    given = node.args
    parts: list[str] = []
    positional = [*given.posonlyargs, *given.args]
    defaults = [None] * (len(positional) - len(given.defaults)) + [*given.defaults]
    for argument, default in zip(positional, defaults, strict=True):
        if argument.arg not in ("self", "cls"):
            parts.append(_parameter(argument, default))
    if given.vararg:
        parts.append(f"*{_parameter(given.vararg, None)}")
    elif given.kwonlyargs:
        parts.append("*")
    parts += [
        _parameter(argument, default)
        for argument, default in zip(given.kwonlyargs, given.kw_defaults, strict=True)
    ]
    if given.kwarg:
        parts += _options(
            ast.unparse(given.kwarg.annotation) if given.kwarg.annotation else ""
        ) or [f"**{_parameter(given.kwarg, None)}"]
    word = "async " if isinstance(node, ast.AsyncFunctionDef) else ""
    return _laid_out(
        word + name, parts, f" -> {ast.unparse(node.returns)}" if returns and node.returns else ""
    )


def _options(annotation: str) -> list[str]:
    """What comes by name where a constructor has `**session: Unpack[SessionOptions]`, with types
    and defaults as they are written."""
    if annotation != "Unpack[SessionOptions]":
        return []
    tree = _module_tree("fumehood.executors.options")
    options = next(
        node for node in tree.body if isinstance(node, ast.ClassDef) and node.name == "Options"
    )
    return [ast.unparse(field) for field in _fields(options)]


def _parameter(argument: ast.arg, default: ast.expr | None) -> str:
    text = argument.arg + (f": {ast.unparse(argument.annotation)}" if argument.annotation else "")
    return text + (f" = {ast.unparse(default)}" if default else "")


def _laid_out(name: str, parts: list[str], result: str) -> str:
    one = f"{name}({', '.join(parts)}){result}"
    return (
        one
        if len(one) <= _WIDEST
        else f"{name}(\n" + "".join(f"    {part},\n" for part in parts) + f"){result}"
    )


# -- text

_ROW = re.compile(r"^(\S(?:.*?\S)?)\s{2,}(\S.*)$")


def as_markdown(text: str) -> str:
    """A docstring as Markdown: two columns become a table, what is indented stays as it is, and
    angles are no tags."""
    made = []
    for paragraph in re.split(r"\n{2,}", text):
        lines = paragraph.split("\n")
        rows = [_ROW.match(line) for line in lines if not line.startswith(" ")]
        if len(rows) > 1 and all(rows) and not lines[0].startswith(" "):
            table: list[list[str]] = []
            for line in lines:
                if row := _ROW.match(line) if not line.startswith(" ") else None:
                    table.append([row[1], row[2]])
                else:
                    table[-1][1] += " " + line.strip()
            made.append(
                "| | |\n|---|---|\n"
                + "\n".join(
                    f"| `{name}` | {_escaped(said).replace('|', chr(92) + '|')} |"
                    for name, said in table
                )
            )
        elif all(line.startswith("    ") for line in lines):
            made.append(f"```text\n{textwrap.dedent(paragraph)}\n```")
        else:
            made.append(_escaped(paragraph))
    return "\n\n".join(made)


def _escaped(text: str) -> str:
    """Without tags, and without emphasis by accident, outside of what stands in backquotes."""
    pieces = re.split(r"(`[^`]*`)", text)
    return "".join(p if p.startswith("`") else re.sub(r"(?=[<*_\[])", r"\\", p) for p in pieces)
