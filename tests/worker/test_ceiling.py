"""A runner that was told what it may take at most, whoever speaks with it."""

from __future__ import annotations

import pickle
from fractions import Fraction

import pytest

from fumehood import Policy, PolicyError
from fumehood.worker.runner import Ceiling

GUARDED = Policy(imports=("numpy",), language="guarded")


@pytest.fixture
def ceiling() -> Ceiling:
    made = Ceiling()
    made.confine(GUARDED.as_fields())
    return made


def test_without_one_everything_is_taken():
    free = Ceiling()
    asked = Policy(imports=("*",), language="off").as_fields()
    assert free.held(asked) is asked
    free.check_imports(["os"])
    assert free.unpickle(pickle.dumps(Fraction(1, 2))) == Fraction(1, 2)


def test_what_is_within_it_is_taken(ceiling):
    asked = Policy(imports=("numpy.linalg",), language="guarded").as_fields()
    assert ceiling.held(asked) == asked
    ceiling.check_imports(["numpy"])


def test_what_is_beyond_it_is_refused(ceiling):
    with pytest.raises(PolicyError, match="'os'"):
        ceiling.held(Policy(imports=("os",)).as_fields())
    with pytest.raises(PolicyError, match="'pandas'"):
        ceiling.check_imports(["numpy", "pandas"])


def test_a_second_one_is_not_heard(ceiling):
    ceiling.confine(Policy(imports=("*",), language="off").as_fields())
    with pytest.raises(PolicyError):
        ceiling.check_imports(["os"])


def test_where_the_rules_of_the_language_hold_nothing_is_unpickled(ceiling):
    """To unpickle is to run, under no rules at all."""
    with pytest.raises(PolicyError, match="a pickle runs past the rules of the language"):
        ceiling.unpickle(pickle.dumps(1))
    with pytest.raises(PolicyError, match="a saved state"):
        ceiling.check_code("a saved state")


def test_where_they_do_not_it_is():
    plain = Ceiling()
    plain.confine(Policy(language="off").as_fields())
    assert plain.unpickle(pickle.dumps(1)) == 1
