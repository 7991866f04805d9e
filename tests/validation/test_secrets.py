"""Secrets are found whole, wherever they stand; what only speaks of them is left alone."""

from __future__ import annotations

import importlib
import pkgutil
import random
import subprocess
import sys
import textwrap

import pytest

pytest.importorskip("detect_secrets")

from fumehood.errors import MissingExtra
from fumehood.results import Execution
from fumehood.validation import Secrets, Validation, tokens

from .corpora import planted

VALIDATION = Validation([Secrets()])


def cleaned(text: str) -> str:
    logs = VALIDATION.check(Execution(logs=text)).logs
    assert isinstance(logs, str)
    return logs


R = random.Random(3)
PASSWORD = "Tr0ub4dor" + str(R.randrange(100))
TOKEN = "gh" + "p_" + planted.some(R, planted.ALNUM, 36)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"password={PASSWORD}", "password=[secret: password]"),
        (f"password: '{PASSWORD}'", "password: '[secret: password]'"),
        (f'{{"password": "{PASSWORD}", "n": 1}}', '{"password": "[secret: password]", "n": 1}'),
        (f"config['api_key'] = \"{PASSWORD}\"", "config['api_key'] = \"[secret: password]\""),
        (f"DB_PASSWORD => {PASSWORD};", "DB_PASSWORD => [secret: password];"),
        (f"postgres://joe:{PASSWORD}@db/x", "postgres://joe:[secret: password]@db/x"),
        (
            f"--header 'Authorization: Bearer {PASSWORD * 3}'",
            "--header 'Authorization: Bearer [secret: bearer token]'",
        ),
        (f"token {TOKEN}.", "token [secret: GitHub token]."),
        (f"x{TOKEN}", f"x{TOKEN}"),
    ],
)
def test_a_secret_goes_and_what_is_around_it_stays(text: str, expected: str) -> None:
    assert cleaned(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        'password = getpass("Password: ")',
        "password=None, secret=null",
        "def login(user: str, password: str) -> None",
        'api_key = os.environ["API_KEY"]',
        "postgres://user:password@localhost/db",
        "postgres://user:${PASSWORD}@localhost/db",
        'if "-----BEGIN RSA PRIVATE KEY-----" in text: pass',
        "token: hello, tokens: 512",
        "secret_name: prod/database/main1",
        "sk-estimator-doc-link-fitted-sk-toggleable",
        '{"password": "required", "api_key": "***"}',
    ],
)
def test_what_only_speaks_of_secrets_stays(text: str) -> None:
    assert cleaned(text) == text


def test_a_private_key_goes_whole_on_many_lines_on_one_and_without_an_end() -> None:
    key = planted.private_key(R)
    assert cleaned(f"a\n{key}\nb") == "a\n[secret: private key]\nb"
    assert cleaned(repr(key)) == "'[secret: private key]'"
    assert cleaned(textwrap.indent(key, "    ")) == "    [secret: private key]"
    assert cleaned(key[: len(key) // 2]) == "[secret: private key]"


def test_every_row_of_the_library_that_we_use_exists_and_every_other_one_is_named_with_a_reason() -> (
    None
):
    import detect_secrets.plugins

    there = {module.name for module in pkgutil.iter_modules(detect_secrets.plugins.__path__)} - {
        "base"
    }
    used = {row.module for row in tokens.PLUGINS}
    assert used | tokens.LEFT_OUT.keys() >= there
    assert not used & tokens.LEFT_OUT.keys()
    for row in tokens.PLUGINS:
        assert getattr(
            importlib.import_module(f"detect_secrets.plugins.{row.module}"), row.plugin
        ).denylist


def test_importing_validation_does_not_load_the_library_nor_numpy() -> None:
    heavy = {"detect_secrets.core", "requests", "numpy", "pandas"}
    code = f"import sys, fumehood.validation as v; v.Secrets(); print({heavy} & sys.modules.keys())"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


def test_without_the_library_one_line_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(MissingExtra, match=r"detect-secrets: pip install 'fumehood\[validation\]'"):
        Secrets()


def test_kinds_have_actions_of_their_own_and_an_unknown_kind_is_an_error_that_lists_them() -> None:
    validation = Validation([Secrets(actions={"password": "report"})])
    checked = validation.check(Execution(logs=f"password={PASSWORD} {TOKEN}"))
    assert checked.logs == f"password={PASSWORD} [secret: GitHub token]"
    assert {finding.kind: finding.action for finding in checked.findings} == {
        "secret: password": "report",
        "secret: GitHub token": "redact",
    }
    with pytest.raises(ValueError, match=r"no kind 'pasword'; there are .*password"):
        Secrets(actions={"pasword": "allow"})
