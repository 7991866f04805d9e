"""Modules as code sees them: a view of what it asks for, and of nothing else."""

from __future__ import annotations

import contextlib
import re
import threading
import types
from collections.abc import Iterator

from fumehood import Policy
from fumehood.language.guarded.module_restore import Library
from fumehood.language.guarded.session import Session


def test_modules_inside_a_module_have_names_once_they_are_asked_for_one() -> None:
    session = Session(Policy())
    assert session.run("import dataclasses").ok
    inside = session._modules.made()["re"]
    assert "escape" not in vars(inside) and "field" in vars(session._modules.made()["dataclasses"])
    assert session.run("dataclasses.re.escape('.')").value == r"\."
    assert {"escape", "compile"} <= vars(inside).keys()
    assert session.run("import re\nre is dataclasses.re, re is dataclasses.re").value == (
        True,
        True,
    )


def test_a_module_that_code_has_is_looked_up_as_fast_as_any() -> None:
    """Python does not remember where a name of a module is that has a `__getattr__`."""
    session = Session(Policy())
    assert session.run(
        "import math, json, statistics\nfrom functools import reduce\nimport string as s"
    ).ok
    views = session._modules.made()
    assert not [
        name
        for name in ("math", "json", "statistics", "string")
        if "__getattr__" in vars(views[name])
    ]
    assert {name for name in vars(views["functools"]) if not name.startswith("__")} == {"reduce"}, (
        "nothing that nobody has asked for"
    )


def test_names_that_were_taken_one_by_one_are_those_of_the_module() -> None:
    session = Session(Policy())
    code = (
        "from functools import wraps, reduce\nfrom string import Formatter\nimport functools,"
        " string\n"
    )
    assert (
        session.run(
            code
            + "wraps is functools.wraps, reduce is functools.reduce, Formatter is string.Formatter"
        ).value
        == (True,) * 3
    )
    assert (
        session.run(
            "from calendar import month_name as one\nimport calendar\nfrom calendar import *\none"
            " is month_name"
        ).value
        is True
    )


def test_threads_that_ask_a_new_module_at_once_all_find_its_names() -> None:
    for _ in range(20):
        session = Session(Policy())
        session.run("import dataclasses")
        inside = session._modules.made()["re"]
        found: list[object] = []
        together = threading.Barrier(4)

        def look(
            inside: types.ModuleType = inside,
            found: list[object] = found,
            together: threading.Barrier = together,
        ) -> None:
            together.wait()
            found.append(inside.escape)

        threads = [threading.Thread(target=look) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert found == [re.escape] * 4


def test_what_is_not_authorized_inside_of_a_module_is_not_there() -> None:
    session = Session(Policy())
    assert session.run(
        "import dataclasses\nhasattr(dataclasses, 'inspect'), hasattr(dataclasses, 'nothing')"
    ).value == (False, False)
    for name, said in (
        ("inspect", "dataclasses.inspect: a module that is not authorized"),
        ("nothing", "has no attribute 'nothing'"),
    ):
        error = session.run(f"dataclasses.{name}").error
        assert error is not None and said in error.message
    assert "inspect" not in (session.run("dir(dataclasses)").value or ())


def test_an_import_within_an_import_looks_at_the_library_once() -> None:
    looked: list[str] = []

    class Watched(Library):
        def put_back(self, seen: set[str]) -> list[str]:
            looked.append("put back")
            return super().put_back(seen)

    library = Watched()

    @contextlib.contextmanager
    def twice() -> Iterator[None]:
        with library.importing(set()), library.importing(set()):
            yield

    with twice():
        assert looked == ["put back"]
    with twice():
        assert looked == ["put back"] * 2
