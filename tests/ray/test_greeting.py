"""How the two ends of a direct line know each other."""

from __future__ import annotations

import pytest

from fumehood.ray import greeting


def test_two_who_know_the_secret_believe_each_other() -> None:
    secret = greeting.secret()
    driver, node = greeting.Driver(secret), greeting.Node(secret)
    said = node.answer(driver.hello)
    assert secret not in said and len(said) == 2 * greeting.SIZE
    node.check(driver.answer(said))


def test_a_driver_believes_nobody_who_does_not_know_the_secret() -> None:
    driver, other = greeting.Driver(greeting.secret()), greeting.Node(greeting.secret())
    with pytest.raises(greeting.Refused):
        driver.answer(other.answer(driver.hello))


def test_a_node_believes_nobody_who_does_not_know_the_secret() -> None:
    secret = greeting.secret()
    driver, node, other = (
        greeting.Driver(secret),
        greeting.Node(secret),
        greeting.Driver(greeting.secret()),
    )
    said = node.answer(driver.hello)
    for digest in (b"", said[greeting.SIZE :], said[: greeting.SIZE], bytes(greeting.SIZE)):
        with pytest.raises(greeting.Refused):
            node.check(digest)
    with pytest.raises(greeting.Refused):
        other.answer(said)


def test_what_was_said_once_is_of_no_use_again() -> None:
    secret = greeting.secret()
    first, node = greeting.Driver(secret), greeting.Node(secret)
    heard = first.answer(node.answer(first.hello))
    node.check(heard)
    again = greeting.Node(secret)
    again.answer(first.hello)
    with pytest.raises(greeting.Refused):
        again.check(heard)


def test_a_node_s_own_words_do_not_pass_for_a_driver_s() -> None:
    """Whoever sends back what was said knows nothing."""
    secret = greeting.secret()
    node = greeting.Node(secret)
    said = node.answer(bytes(greeting.SIZE))
    with pytest.raises(greeting.Refused):
        node.check(said[greeting.SIZE :])
