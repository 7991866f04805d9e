"""Modules as code sees them: a view of what it asks for, and of nothing else."""

from __future__ import annotations

import sys

from fumehood import Policy
from fumehood.language.guarded.session import InlineSession


def test_a_module_inside_a_module_is_the_same_view() -> None:
    session = InlineSession(Policy())
    assert session.run("import dataclasses\ndataclasses.re.escape('.')").value == r"\."
    assert session.run("import re\nre is dataclasses.re").value is True


def test_names_that_were_taken_one_by_one_are_those_of_the_module() -> None:
    session = InlineSession(Policy())
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


def test_what_is_not_authorized_inside_of_a_module_is_not_there() -> None:
    session = InlineSession(Policy())
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


def test_loops_of_guarded_code_reach_no_threads_sockets_or_programs() -> None:
    session = InlineSession(Policy(imports=("asyncio",)))
    for call in (
        "to_thread(print, 1)",
        "open_connection('localhost', 1)",
        "start_server(print, 'localhost', 0)",
        "create_subprocess_exec('true')",
    ):
        error = session.run(f"import asyncio\nawait asyncio.{call}").error
        assert error is not None and error.type == "NotImplementedError", call


def test_a_name_that_is_deleted_amid_an_import_comes_from_the_view_again() -> None:
    """And not from sys.modules, where the import statement looks for what a module has not."""
    code = """
import collections
class Names(dict):
    def __setitem__(self, name, value):
        if name == "OrderedDict":
            del collections.abc
        dict.__setitem__(self, name, value)
class Meta(type):
    @classmethod
    def __prepare__(cls, *args):
        return Names()
class Taken(metaclass=Meta):
    from collections import OrderedDict, abc
Taken.abc
"""
    session = InlineSession(Policy())
    found = session.run(code).value
    assert found is not None and found is not sys.modules["collections.abc"]
    assert session.run("Taken.abc is collections.abc").value is True
