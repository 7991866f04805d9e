"""Paths as clients write them."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fumehood.server.e2b import paths
from fumehood.server.refusals import Invalid


@pytest.mark.parametrize(
    ("path", "inside"),
    [
        ("", ""),
        (".", ""),
        ("~", ""),
        ("/home/user", ""),
        ("/home/user/", ""),
        ("/tmp", "/tmp"),
        ("/tmp/x", "/tmp/x"),
        ("/home/user/../../tmp/x", "/tmp/x"),
        ("a/b", "a/b"),
        ("~/a", "a"),
        ("/home/user/../user/a", "a"),
        ("//home/user/a", "a"),
        (" a ", " a "),
        ("..a", "..a"),
    ],
)
def test_a_path_is_below_home_or_below_tmp(path: str, inside: str) -> None:
    assert paths.inside(path) == inside


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/etc/passwd",
        "/lab/x",
        "/tmp/../etc",
        "..",
        "../x",
        "a/../../x",
        "/home",
        "/home/user2",
        "/tmpx",
        "a\0b",
        "/home/user/../../etc",
    ],
)
def test_a_path_that_is_elsewhere_is_refused(path: str) -> None:
    with pytest.raises(Invalid):
        paths.inside(path)


@given(st.text(alphabet="./~ahometuslrb\0\n", max_size=30))
def test_whatever_is_written_nothing_leads_out(path: str) -> None:
    with contextlib.suppress(Invalid):
        inside = paths.inside(path)
        assert not inside.startswith("/") or (inside + "/").startswith("/tmp/")
        assert ".." not in inside.split("/")
        assert paths.inside(paths.whole(inside)) == inside
