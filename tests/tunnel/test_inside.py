"""What goes to another place: the inside, whole, and nothing that it does not need."""

from __future__ import annotations

import ast
import sys

from fumehood.tunnel import inside


def test_every_file_of_the_inside_goes_and_none_of_the_outside() -> None:
    gone = {
        name.removeprefix("fumehood/"): text
        for name, text in inside.files()
        if not name.startswith("cloudpickle/")
    }
    parts = {name.partition("/")[0] for name in gone}
    assert parts == {part for part, _reason in inside.PARTS}
    here = {
        path.relative_to(inside.SOURCE).as_posix()
        for part in parts
        for path in (inside.SOURCE / part).rglob("*.py")
    }
    assert here <= gone.keys() and not any("__pycache__" in name for name in gone)


def test_what_goes_is_the_text_as_it_is_here_and_needs_nothing_that_does_not_go() -> None:
    gone = dict(inside.files())
    modules = {
        name.removesuffix(".py").removesuffix("/__init__").replace("/", ".") for name in gone
    }
    assert {
        "fumehood.worker.runner",
        "fumehood.jail.enter",
        "fumehood.language.guarded.compile",
        "cloudpickle",
    } <= modules
    for name, text in gone.items():
        if not name.startswith("fumehood/"):
            continue
        assert text == (inside.SOURCE.parent / name).read_bytes()
        if name.endswith(".so"):
            continue
        for node in ast.parse(text).body:
            if (
                isinstance(node, ast.ImportFrom)
                and node.module
                and node.module.startswith("fumehood.")
            ):
                assert node.module in modules, f"{name} imports {node.module}"
            elif isinstance(node, ast.Import):
                assert {
                    alias.name.partition(".")[0] for alias in node.names
                } <= sys.stdlib_module_names | {"fumehood", "msgspec"}, name
