"""Settings from a file, the environment and the command line; and what is said of those that cannot
be."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from fumehood.server.config_file import gather
from fumehood.server.keys import Keys, digest
from fumehood.server.settings import Quotas, Settings, SettingsError

KEY = "0123456789abcdef-of-the-test"


def _config(directory: Path, text: str) -> Path:
    path = directory / "server.toml"
    path.write_text(text)
    path.chmod(0o600)
    return path


def _gather(directory: Path, text: str = "", **more: Any) -> Settings:
    return gather(config=_config(directory, text), environment={}, **more).settings


def test_a_file_says_who_may_what(tmp_path: Path) -> None:
    (tmp_path / "bob.key").write_text(f"# bob's\n{KEY}-bob\n")
    (tmp_path / "bob.key").chmod(0o600)
    settings = _gather(
        tmp_path,
        f"""
host = "0.0.0.0"
port = 80
threads = 7
[quotas]
sandboxes = 20
[policy]
imports = ["decimal"]
limits = {{cell_seconds = 5}}
[keys.alice]
key = "{KEY}"
quotas = {{cells = 3, idle_seconds = 60}}
policy = {{limits = {{memory_bytes = 50_000_000}}}}
templates = ["tables"]
may_install = true
on_fault = "rollback"
[keys.bob]
key_file = "bob.key"
[templates.tables]
policy = {{imports = ["fractions"], files = true}}
setup = "x = 1"
""",
    )
    assert (settings.host, settings.port, settings.threads) == ("0.0.0.0", 80, 7)
    alice, bob = Keys(settings)
    assert (alice.name, bob.name) == ("alice", "bob")
    assert alice.settings.digest == digest(KEY)
    assert bob.settings.digest == digest(f"{KEY}-bob")
    assert alice.quotas == Quotas(sandboxes=20, cells=3, idle_seconds=60)
    assert bob.quotas == Quotas(sandboxes=20)
    assert (alice.policy.limits.cell_seconds, alice.policy.limits.memory_bytes) == (5, 50_000_000)
    assert bob.policy.imports == ("decimal",)
    assert (alice.may_install, bob.may_install, alice.settings.on_fault, bob.settings.on_fault) == (
        True,
        False,
        "rollback",
        "keep",
    )
    assert [*alice.templates] == ["tables"]
    assert bob.templates == {}
    assert alice.templates["tables"].policy.files
    assert alice.templates["tables"].policy.limits.cell_seconds == 5


def test_the_command_line_says_more_than_the_environment_and_that_more_than_the_file(
    tmp_path: Path,
) -> None:
    files = tmp_path / "keys"
    files.write_text(f"{KEY}-from-a-file\n\n# none\n")
    files.chmod(0o600)
    given = gather(
        config=_config(
            tmp_path, f'port = 1\n[keys.alice]\nkey = "{KEY}"\n[policy]\nimports = ["decimal"]'
        ),
        key_files=[files],
        api_keys=[f"{KEY}-from-the-line"],
        environment={"FUMEHOOD_API_KEYS": f"{KEY}-1, {KEY}-2,"},
        imports=["fractions"],
        port=2,
        host=None,
    )
    assert given.settings.port == 2
    assert given.settings.host == "127.0.0.1"
    known = Keys(given.settings)
    names = [
        known.find(f"{KEY}{rest}").name
        for rest in ("", "-from-the-line", "-1", "-2", "-from-a-file")
    ]  # type: ignore[union-attr]
    assert names == ["alice", "key-2", "key-3", "key-4", "key-5"]
    assert known.find(f"{KEY}-1").policy.imports == ("decimal", "fractions")  # type: ignore[union-attr]
    assert [warning for warning in given.warnings if "command line" in warning]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("port = ", "not TOML"),
        ("prot = 1", "prot: there is no such setting; did you mean port?"),
        ('port = "80"', "port: expected `int`, got `str`"),
        ("port = 99999", "port must be between 0 and 65535"),
        ("threads = 0", "threads must be between 1 and"),
        ("[quotas]\nsandboxes = -1", "quotas.sandboxes must be at least 0"),
        (
            "[quotas]\nsandbox = 1",
            "quotas.sandbox: there is no such setting; did you mean sandboxes?",
        ),
        ("quotas = 5", "quotas must be a table"),
        ("[quotas]\nrequests_per_second = inf", "requests_per_second must be a number"),
        ("[quotas]\nmemory_bytes = 1" + "0" * 400, "memory_bytes"),
        ("[keys.alice]", "keys.alice needs either key or key_file, and has neither"),
        (
            '[keys.alice]\nkey = "x"\nkey_file = "y"',
            "keys.alice needs either key or key_file, and has both",
        ),
        (
            '[keys]\nalice = "sesame"',
            'keys.alice must be a table, not str; write [keys.alice] and below it key = "…"',
        ),
        ('keys = ["sesame"]', "keys must be a table, not list"),
        (
            '[keys.alice]\nkey = "x"\n[keys.bob]\nkey = "x"',
            "keys: alice and bob are the same; each tenant needs its own",
        ),
        (
            '[keys.alice]\nkey_file = "nothing"',
            "nothing, a file of keys, cannot be read: No such file",
        ),
        ('[keys.alice]\nkey = "with a space"', "keys.alice: a key has between"),
        ("[keys.alice]\nkey = 5", "keys.alice.key: expected `str`, got `int`"),
        ('[keys."al ice"]\nkey = "x"', "cannot be a name"),
        (
            '[keys.alice]\nkey = "x"\nquotas = {cells = 0}',
            "keys.alice.quotas.cells must be at least 1",
        ),
        (
            '[keys.alice]\nkey = "x"\npolicy = {limits = {cell_seconds = -1}}',
            "keys.alice.policy.limits.cell_seconds must be",
        ),
        (
            '[keys.alice]\nkey = "x"\npolicy = {imports = "numpy"}',
            "keys.alice.policy.imports: expected `array`",
        ),
        (
            '[keys.alice]\nkey = "x"\npolicy = {language = "none"}',
            "keys.alice.policy: language must be",
        ),
        (
            '[keys.alice]\nkey = "x"\ntemplates = ["none"]',
            (
                "keys.alice.templates: there is no template 'none'; there are none;"
                " [templates.NAME] makes one"
            ),
        ),
        ('[keys.alice]\nkey = "x"\non_fault = "panic"', "keys.alice.on_fault"),
        ("[templates.t]\nsetup = 5", "templates.t.setup: expected `str`"),
        (
            '[policy]\nmounts = [{sauce = "/"}]',
            "policy.mounts[0].sauce: there is no such setting; did you mean source?",
        ),
        ('[policy]\nmounts = [{target = "/data"}]', "policy.mounts[0] needs a source"),
        ('nothing = "x"', "nothing: there is no such setting; there are "),
    ],
    ids=lambda text: text.replace("\n", " ")[:40],
)
def test_what_cannot_be_is_said_in_one_line_that_names_it(
    tmp_path: Path, text: str, said: str
) -> None:
    with pytest.raises(SettingsError) as caught:
        _gather(tmp_path, text)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)
    assert str(tmp_path / "server.toml") in str(caught.value)
    assert "sesame" not in str(caught.value), "it may be a key"


def test_what_others_can_read_or_guess_is_warned_of(tmp_path: Path) -> None:
    config = _config(tmp_path, '[keys.alice]\nkey = "short"')
    config.chmod(0o644)
    warnings = gather(config=config, environment={}).warnings
    assert any("others may read it" in warning for warning in warnings)
    assert any("could be guessed" in warning for warning in warnings)
    assert not any("short" in warning for warning in warnings)


@pytest.mark.parametrize(
    "host", ["0.0.0.0", "::", "192.0.2.1", "example.org", "127.0.0.1.example.org", ""]
)
def test_without_a_key_only_this_machine_is_listened_to(host: str) -> None:
    with pytest.raises(SettingsError, match="there is no key"):
        Settings(host=host).check()


@pytest.mark.parametrize("host", ["127.0.0.1", "127.8.9.1", "::1", "localhost"])
def test_this_machine_needs_no_key_but_is_warned(host: str) -> None:
    given = gather(environment={}, host=host)
    given.settings.check()
    assert any("there is no key" in warning for warning in given.warnings)
