"""Policy and Limits: what they give, and what they refuse to be."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime, timedelta, timezone
from typing import Any

import pytest

from fumehood import DangerousImport, Limits, Policy, PolicyError
from fumehood.default_imports import DANGEROUS_IMPORTS, DEFAULT_IMPORTS

SPECIFIED = (
    "math statistics collections itertools functools re string textwrap time datetime json random"
    " copy enum typing queue stat unicodedata dataclasses abc contextlib heapq bisect operator"
    " decimal fractions cmath numbers array hashlib base64 uuid io types __future__ asyncio"
    " collections.abc"
).split()


@pytest.mark.parametrize("module", SPECIFIED)
def test_the_specified_modules_are_authorized_by_default(module: str) -> None:
    assert Policy().authorizes(module)
    assert Policy(language="guarded").grant(module) is not None


def test_the_default_list_depends_on_the_capabilities() -> None:
    for module in ("os", "os.path", "pathlib", "tempfile", "shutil", "glob"):
        assert not Policy().authorizes(module)
        assert Policy(files=True).authorizes(module)
    for module in ("subprocess", "socket", "sys", "importlib", "ctypes", "pickle"):
        assert not Policy(files=True).authorizes(module)
        assert Policy.full().authorizes(module)


def test_the_language_off_is_python_with_any_import() -> None:
    policy = Policy(["numpy"], language="off")
    assert (policy.language, policy.imports) == ("python", ("numpy", "*"))


def test_every_default_import_has_a_reason_and_exists() -> None:
    Policy(
        imports=tuple(name for name in DEFAULT_IMPORTS if name not in DANGEROUS_IMPORTS)
    ).verify()
    assert all(row.reason for row in DEFAULT_IMPORTS.values())


@pytest.mark.parametrize(
    "name",
    [
        "subprocess",
        "os",
        "socket",
        "shutil",
        "importlib",
        "ctypes",
        "pickle",
        "sys.modules",
        "os.system",
        "json.tool",
    ],
)
def test_other_modules_are_not_authorized(name: str) -> None:
    grant = Policy().grant(name)
    assert grant is None or grant.only is not None


def test_a_package_authorizes_its_submodules() -> None:
    policy = Policy(imports=("xml",))
    assert policy.grant("xml.etree.ElementTree")
    assert policy.grant("xmlrpc") is None


def test_a_submodule_does_not_authorize_its_package() -> None:
    policy = Policy(imports=("xml.etree",))
    grant = policy.grant("xml")
    assert grant is not None
    assert grant.only == frozenset()


@pytest.mark.parametrize(
    "name", sorted(set("os subprocess socket shutil sys importlib ctypes pickle".split()) | {"*"})
)
def test_authorizing_a_dangerous_module_works_and_warns_with_the_reason(name: str) -> None:
    with pytest.warns(DangerousImport, match="authorizing"):
        Policy(imports=(name,)).verify()


def test_a_misspelt_import_is_named_with_what_was_probably_meant() -> None:
    with pytest.raises(PolicyError, match=r"'tomlib'.*Did you mean 'tomllib'"):
        Policy(imports=("tomlib",)).verify()


def test_an_import_that_is_not_installed_is_named() -> None:
    with pytest.raises(
        PolicyError, match="'surely_not_installed_xyz': no module of that name is installed"
    ):
        Policy(imports=("surely_not_installed_xyz",)).verify()


@pytest.mark.parametrize("imports", ["numpy", ("a b",), ("",), (3,), 5, ("os;",)])
def test_what_is_not_a_list_of_module_names_is_an_error(imports: object) -> None:
    with pytest.raises(PolicyError):
        Policy(imports=imports)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "limits",
    [
        {"cell_seconds": 0},
        {"cell_seconds": -1},
        {"cell_seconds": float("nan")},
        {"cell_seconds": "3"},
        {"output_characters": 0},
        {"recursion_depth": 1.5},
    ],
)
def test_limits_that_make_no_sense_are_an_error(limits: dict[str, object]) -> None:
    with pytest.raises(PolicyError):
        Limits(**limits)  # type: ignore[arg-type]


NEW_YEAR = 1767225600.0


@pytest.mark.parametrize(
    "clock",
    [
        "2026-01-01T00:00:00+00:00",
        "2026-01-01T00:00:00Z",
        "2026-01-01T02:00:00+02:00",
        "2026-01-01 00:00:00+00:00",
        NEW_YEAR,
        int(NEW_YEAR),
        datetime(2026, 1, 1, tzinfo=UTC),
        datetime(2026, 1, 1, 9, tzinfo=timezone(timedelta(hours=9))),
    ],
)
def test_a_clock_is_kept_as_seconds_however_it_was_said(clock: str | float | datetime) -> None:
    policy = Policy(clock=clock)
    assert policy.clock == NEW_YEAR
    assert type(policy.clock) is float
    assert (
        policy
        == Policy(clock=NEW_YEAR)
        == Policy.from_fields(json.loads(json.dumps(policy.as_fields())))
    )


@pytest.mark.parametrize(
    ("clock", "said"),
    [
        ("now", "must be an instant such as '2026-01-01T00:00:00"),
        ("", "must be an instant"),
        ("2026-13-01T00:00:00+00:00", "must be an instant"),
        ("2026-01-01T00:00:00", "needs a time zone"),
        ("2026-01-01", "needs a time zone"),
        (datetime(2026, 1, 1), "needs a time zone"),
        (date(2026, 1, 1), "must be seconds since 1970"),
        (True, "must be seconds since 1970"),
        (float("nan"), "must be seconds since 1970"),
        (b"2026", "must be seconds since 1970"),
        ([NEW_YEAR], "must be seconds since 1970"),
        (float("inf"), "between the years 1970 and 2261"),
        (-1, "between the years 1970 and 2261"),
        (10**300, "between the years 1970 and 2261"),
        ("1969-12-31T23:59:59+00:00", "between the years 1970 and 2261"),
        ("2262-01-01T00:00:00+00:00", "between the years 1970 and 2261"),
    ],
)
def test_what_is_no_instant_is_refused_in_one_line(clock: Any, said: str) -> None:
    with pytest.raises(PolicyError) as refused:
        Policy(clock=clock)
    assert str(refused.value).startswith("clock ") and said in str(refused.value)
    assert "\n" not in str(refused.value)
