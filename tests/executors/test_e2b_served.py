"""E2BExecutor against a real `fumehood serve`: what holds for a key holds for it."""

from __future__ import annotations

import secrets
import time
from collections.abc import Iterator

import pytest

from fumehood import (
    E2BExecutor,
    E2BQuotaReached,
    E2BSandboxGone,
    PolicyError,
    SandboxFailed,
)

from ..serving import Served, served

_CONFIG = """
[policy]
imports = ["numpy"]
files = true
language = "guarded"

[policy.limits]
memory_bytes = 268435456

[quotas]
sandboxes = 4
"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    pytest.importorskip("e2b_code_interpreter")
    directory = tmp_path_factory.mktemp("strict")
    (directory / "strict.toml").write_text(_CONFIG)
    with served(
        directory,
        "--config",
        str(directory / "strict.toml"),
        keys=[secrets.token_hex(16), secrets.token_hex(16)],
    ) as made:
        yield made


@pytest.fixture
def options(server: Served) -> dict[str, str]:
    return {"api_key": server.key, "api_url": server.url, "sandbox_url": server.url}


def until(condition, seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.02)


def test_tools_values_files_and_contexts_are_as_anywhere(options):
    with E2BExecutor(["numpy"], files=True, **options) as executor:
        executor.send_tools({"double": lambda x: 2 * x})
        assert executor("import numpy as np\nint(np.arange(double(3)).sum())").output == 15
        executor.files.write("notes.txt", b"hello")
        assert executor.files.read("notes.txt") == b"hello"
        with executor.beside() as other:
            assert other("x = 5\nx").output == 5
        assert executor("double(21)").output == 42


def test_what_the_key_may_not_is_said_in_one_line(options):
    with pytest.raises(
        PolicyError, match=r"cannot authorize 'scipy': this key's policy authorizes numpy"
    ) as caught:
        E2BExecutor(["scipy"], **options)
    assert "\n" not in str(caught.value)


def test_objects_that_would_run_past_the_rules_are_not_taken(options):
    """Where the key's policy has the guarded language, a pickle would be a way around it."""

    class Odd:
        pass

    with (
        E2BExecutor(**options) as executor,
        pytest.raises(PolicyError, match="runs past the rules of the language, which hold"),
    ):
        executor.send_variables({"odd": Odd()})


def test_its_sandboxes_count_with_the_keys_others(options):
    """Each executor has a sandbox of the service, and in there one of its own."""
    with E2BExecutor(**options), E2BExecutor(**options) as second:
        with pytest.raises(E2BQuotaReached, match="this key may have 4 sandboxes at once"):
            E2BExecutor(**options, retries=0)
        with pytest.raises(SandboxFailed, match="4 sandboxes at once"):
            second.fork()
        assert second("1 + 1").output == 2

    def can() -> bool:
        try:
            E2BExecutor(**options, retries=0).close()
        except SandboxFailed:
            return False
        return True

    until(can)


def test_the_owner_of_the_sandbox_ends_it_with_all_that_is_in_it(options):
    from e2b_code_interpreter import Sandbox

    with E2BExecutor(**options) as executor:
        made = executor.sandbox.id
        assert Sandbox.kill(made, **options)
        with pytest.raises(
            E2BSandboxGone, match=f"the E2B sandbox {made} is gone: somebody killed it"
        ):
            executor("1")
        assert executor("2 + 2").output == 4


@pytest.mark.long
@pytest.mark.extended
def test_a_server_that_ends_is_told(tmp_path):
    key = secrets.token_hex(16)
    with served(tmp_path, keys=[key]) as own:
        executor = E2BExecutor(api_key=key, api_url=own.url, sandbox_url=own.url, retries=0)
        executor("x = 1")
        own.end()
        with pytest.raises(SandboxFailed, match="E2B sandbox"):
            executor("x")
        executor.close()
