"""Modules as code sees them: a view of what it asks for, and of nothing else."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from fumehood import Policy
from fumehood.language.pristine import Library
from fumehood.language.run import Session


def test_modules_inside_a_module_have_views_once_they_are_asked_for() -> None:
    session = Session(Policy())
    assert session.run("import dataclasses").ok
    assert [*session.views.made()] == ["dataclasses"]
    assert session.run("dataclasses.re.escape('.')").value == r"\."
    assert {*session.views.made()} == {"dataclasses", "re"}
    assert session.run("import re\nre is dataclasses.re, re is dataclasses.re").value == (True, True)


def test_what_is_not_authorized_inside_of_a_module_is_not_there() -> None:
    session = Session(Policy())
    assert session.run("import dataclasses\nhasattr(dataclasses, 'inspect'), hasattr(dataclasses, 'nothing')").value == (False, False)
    for name, said in (("inspect", "dataclasses.inspect: a module that is not authorized"), ("nothing", "has no attribute 'nothing'")):
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
