"""What a policy may be at most."""

from __future__ import annotations

from dataclasses import fields, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fumehood import Limits, Mount, Policy, PolicyError
from fumehood.policy_bounds import bounded, bounded_limits

CEILING = Policy(
    imports=("numpy", "os.path"),
    limits=Limits(memory_bytes=64 << 20, cell_seconds=5, cpu_seconds=10),
)


@pytest.mark.parametrize(
    "asked", [(), ("numpy",), ("numpy.linalg", "os.path"), ("numpy", "numpy.random")]
)
def test_what_the_ceiling_authorizes_can_be_had(asked):
    assert bounded(Policy(imports=asked), CEILING).imports == asked


@pytest.mark.parametrize("asked", ["os", "numpyx", "*", "pandas", "subprocess"])
def test_what_it_does_not_is_refused_by_name(asked):
    with pytest.raises(PolicyError, match=r"this key's policy authorizes numpy, os.path") as caught:
        bounded(Policy(imports=(asked,)), CEILING)
    assert repr(asked) in str(caught.value)


@pytest.mark.parametrize(
    "more",
    [{"files": True}, {"files": True, "mounts": (Mount("/usr/share", "/data"),)}],
    ids=lambda more: [*more][-1],
)
def test_what_else_it_has_not_is_refused(more):
    with pytest.raises(PolicyError, match="is more than this key's policy allows"):
        bounded(Policy(**more), CEILING)
    allowed = replace(CEILING, files=True)
    if "mounts" not in more:
        assert bounded(Policy(**more), allowed) is not None


def test_programs_are_bounded_by_name():
    some = replace(CEILING, programs=("git", "ls"))
    everything = replace(CEILING, programs=True)
    assert bounded(Policy(programs=["git"]), some).programs == ("git",)
    assert bounded(Policy(programs=["node"]), everything).programs == ("node",)
    for asked, ceiling in ((True, some), (["git", "node"], some), (["git"], CEILING)):
        with pytest.raises(PolicyError, match="programs"):
            bounded(Policy(programs=asked), ceiling)


def test_under_a_ceiling_with_the_guarded_language_every_policy_has_it():
    guarded = replace(CEILING, language="guarded")
    assert bounded(Policy(), guarded).language == "guarded"
    assert bounded(Policy(language="guarded"), CEILING).language == "guarded"


def test_a_default_import_that_the_ceiling_lacks_is_left_out():
    ceiling = Policy(defaults=("math", "json"))
    assert bounded(Policy(), ceiling).defaults == ("json", "math")
    assert bounded(Policy(defaults=("math", "re")), ceiling).defaults == ("math",)


def test_a_ceiling_of_everything_has_the_default_imports_of_each_language():
    ceiling = Policy(imports=("*",), language="off")
    asked = Policy(language="guarded")
    assert bounded(asked, ceiling).default_imports == asked.default_imports


AMOUNTS = [item.name for item in fields(Limits) if item.name != "tool_time_counts"]


@given(st.dictionaries(st.sampled_from(AMOUNTS), st.integers(1 << 25, 1 << 40)))
def test_no_limit_comes_out_higher_than_the_ceilings(asked):
    asked.pop("grace_seconds", None)
    asked.pop("answer_seconds", None)
    asked.pop("display_seconds", None)
    made = bounded_limits(Limits(**asked), CEILING.limits)
    for name in AMOUNTS:
        most = getattr(CEILING.limits, name)
        assert most is None or getattr(made, name) <= most
