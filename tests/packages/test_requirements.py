"""What may be asked for, and how the same is known to be the same."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from fumehood import Packages, PolicyError
from fumehood.packages.requirements import identity, requests_of

from ..executors.wheels import make_wheel


def the_same(*texts: str) -> bool:
    return len({identity(*requests_of([text])) for text in texts}) == 1


def test_a_name_is_the_same_however_it_is_written() -> None:
    assert the_same("Polars", "polars", " polars ")
    assert the_same("Zope.Interface >= 1, <2", "zope-interface<2,>=1")
    assert the_same("pandas[Excel,plot]", "pandas[plot,excel]")
    assert not the_same("polars", "polars>=1")


def test_a_wheel_is_known_by_its_content(tmp_path: Path) -> None:
    one = make_wheel(tmp_path, "plain", {"plain.py": "1"})
    before = identity(*requests_of([one]))
    status = one.stat()
    make_wheel(tmp_path, "plain", {"plain.py": "2"})
    os.utime(one, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert identity(*requests_of([one])) != before


def test_an_address_is_taken_only_if_the_caller_says_so() -> None:
    wheel, source = (
        "plain @ https://example.org/plain-1.0-py3-none-any.whl",
        "plain @ https://example.org/plain-1.0.tar.gz",
    )
    with pytest.raises(PolicyError, match="not taken unless you say so"):
        requests_of([wheel])
    assert requests_of([wheel], addresses=True)
    with pytest.raises(PolicyError, match="runs its code here"):
        requests_of([source], addresses=True)
    assert requests_of([source], addresses=True, builds=True)
    with pytest.raises(PolicyError, match="an address begins with https://"):
        requests_of(["plain @ http://example.org/plain-1.0-py3-none-any.whl"], addresses=True)


def test_the_worker_is_no_package_for_code() -> None:
    with pytest.raises(PolicyError, match="it is what runs the code"):
        requests_of(["Fumehood>=0.1"])


@pytest.mark.parametrize(
    ("wrong", "match"),
    [
        ({"names": "polars"}, r"write \['polars'\]"),
        ({"names": Path("plain.whl")}, "not one path"),
        ({"names": 3}, "list of names"),
        ({"names": ["polars"], "builds": 1}, "builds must be True or False"),
        ({"names": ["polars"], "installer": "conda"}, "'uv' or 'pip'"),
    ],
)
def test_what_makes_no_sense_is_one_line(wrong: dict[str, object], match: str) -> None:
    with pytest.raises(PolicyError, match=match) as caught:
        Packages(**wrong)  # type: ignore[arg-type]
    assert "\n" not in str(caught.value)


def test_a_name_without_end_is_refused_and_not_repeated() -> None:
    with pytest.raises(PolicyError) as caught:
        requests_of(["x" * 100_000])
    assert len(str(caught.value)) < 200
