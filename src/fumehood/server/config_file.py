"""Settings from a file, the environment and the command line, the later ones over the earlier.

The file is TOML. Its tables are the classes of settings.py, with a policy's fields in `policy` and
its limits in `policy.limits`:

    host = "0.0.0.0"

    [quotas]                    # of every key that says nothing else
    sandboxes = 20

    [policy]                    # likewise
    imports = ["numpy"]
    limits = {cell_seconds = 10}

    [keys.alice]
    key_file = "/run/secrets/alice"     # or key = "…", in a file that nobody else may read
    quotas = {cells = 4}
    templates = ["tables"]

    [templates.tables]
    policy = {imports = ["pandas"]}
    setup = "import pandas as pd"
"""

from __future__ import annotations

import difflib
import os
import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any, TypeVar, get_type_hints

import msgspec

from fumehood.asked import shown
from fumehood.errors import PolicyError
from fumehood.policy import Mount, Policy
from fumehood.server.keys import LONGEST, digest
from fumehood.server.settings import SERVED, KeySettings, Quotas, Settings, SettingsError, Template

T = TypeVar("T")

ENVIRONMENT = "FUMEHOOD_API_KEYS"
"""Keys, with commas between them."""
_SHORT = 16
"""A key with fewer characters could be guessed."""
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
_POLICY = frozenset(
    {"imports", "files", "programs", "language", "seed", "clock", "mounts", "limits"}
)
_KEY = frozenset({"key", "key_file", "policy", "quotas", "templates", "may_install", "on_fault"})
_TEMPLATE = frozenset({"policy", "setup"})


@dataclass
class Given:
    """What a server is told, and what the operator should know about that."""

    settings: Settings = field(default_factory=Settings)
    warnings: list[str] = field(default_factory=list)


def gather(
    *,
    config: Path | None = None,
    key_files: Iterable[Path] = (),
    api_keys: Iterable[str] = (),
    environment: Mapping[str, str] = os.environ,
    imports: Iterable[str] = (),
    **options: Any,
) -> Given:
    """Everything together. `options` are settings by their names; those that are None were not
    given. SettingsError in one line."""
    given = Given()
    base = Settings() if config is None else _read(config, given)
    policy = replace(base.policy, imports=(*base.policy.imports, *imports))
    keys = list(base.keys)
    found = [text.strip() for text in environment.get(ENVIRONMENT, "").split(",")]
    sources = [
        ("the command line", list(api_keys)),
        (ENVIRONMENT, [text for text in found if text]),
    ]
    sources += [(str(path), _keys_in(path, given)) for path in key_files]
    if sources[0][1]:
        given.warnings.append(
            f"others on this machine can see a key on the command line; use {ENVIRONMENT} or"
            " --api-key-file"
        )
    for where, texts in sources:
        for text in texts:
            name = f"key-{len(keys) + 1}"
            keys.append(KeySettings(name, _digest(text, where, given), policy, base.quotas))
    changes = {name: value for name, value in options.items() if value is not None}
    given.settings = replace(base, keys=tuple(keys), policy=policy, **changes)
    if not given.settings.keys and given.settings.is_loopback:
        given.warnings.append(
            "there is no key: whoever can reach the port can run code; give one with --api-key-file"
            " or FUMEHOOD_API_KEYS"
        )
    return given


def _read(path: Path, given: Given) -> Settings:
    try:
        with path.open("rb") as file:
            document = tomllib.load(file)
            mode = os.fstat(file.fileno()).st_mode
    except OSError as error:
        raise SettingsError(f"{path} cannot be read: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SettingsError(f"{path} is not TOML: {error}") from None
    try:
        tables = {
            name: _table(document.pop(name, {}), name)
            for name in ("quotas", "policy", "keys", "templates")
        }
        quotas = _fields(Quotas(), tables["quotas"], "quotas.")
        policy = _policy(SERVED, tables["policy"], "policy.")
        base = replace(_fields(Settings(), document, ""), quotas=quotas, policy=policy)
        templates = tuple(
            _template(name, table, policy) for name, table in tables["templates"].items()
        )
        keys = tuple(
            _key(name, table, base, path.parent, given) for name, table in tables["keys"].items()
        )
        if mode & 0o077 and any("key" in table for table in tables["keys"].values()):
            given.warnings.append(f"{path} holds keys and others may read it; chmod 600 it")
        return replace(base, templates=templates, keys=keys)
    except SettingsError as error:
        raise SettingsError(f"{path}: {error}") from None


def _key(name: str, given_table: Any, base: Settings, directory: Path, given: Given) -> KeySettings:
    where = f"keys.{name}."
    table = _table(given_table, where[:-1], _KEY)
    if not _NAME.fullmatch(name):
        raise SettingsError(
            f"keys: {name!r} cannot be a name; letters, digits, '.', '_' and '-' can"
        )
    if ("key" in table) == ("key_file" in table):
        raise SettingsError(
            f"{where[:-1]} needs either key or key_file, and has"
            f" {'both' if 'key' in table else 'neither'}"
        )
    if "key" in table:
        text = _as(str, table["key"], f"{where}key", is_secret=True)
    else:
        texts = _keys_in(directory / _as(str, table["key_file"], f"{where}key_file"), given)
        if len(texts) != 1:
            raise SettingsError(f"{where}key_file must hold one key, and holds {len(texts)}")
        text = texts[0]
    plain = {
        name: value
        for name, value in table.items()
        if name in ("templates", "may_install", "on_fault")
    }
    key = KeySettings(
        name,
        _digest(text, where[:-1], given),
        _policy(base.policy, table.get("policy", {}), f"{where}policy."),
        _fields(base.quotas, _table(table.get("quotas", {}), f"{where}quotas"), f"{where}quotas."),
    )
    return _fields(key, plain, where)


def _template(name: str, given_table: Any, base: Policy) -> Template:
    where = f"templates.{name}."
    table = _table(given_table, where[:-1], _TEMPLATE)
    return Template(
        name,
        _policy(base, table.get("policy", {}), f"{where}policy."),
        _as(str, table.get("setup", ""), f"{where}setup"),
    )


def _policy(base: Policy, given_table: Any, where: str) -> Policy:
    table = dict(_table(given_table, where[:-1], _POLICY))
    try:
        limits = _fields(
            base.limits, _table(table.pop("limits", {}), f"{where}limits"), f"{where}limits."
        )
        if "mounts" in table:
            rows = _as(list[dict[str, Any]], table["mounts"], f"{where}mounts")
            table["mounts"] = tuple(
                _mount(row, f"{where}mounts[{place}]") for place, row in enumerate(rows)
            )
        if "imports" in table:
            table["imports"] = tuple(_as(list[str], table["imports"], f"{where}imports"))
        return replace(base, limits=limits, **table)
    except (PolicyError, TypeError) as error:
        if isinstance(error, SettingsError):
            raise
        raise SettingsError(f"{where[:-1]}: {error}") from None


def _mount(row: dict[str, Any], where: str) -> Mount:
    _known(row, [one.name for one in fields(Mount)], f"{where}.")
    if "source" not in row:
        raise SettingsError(f'{where} needs a source, such as source = "/data"')
    return Mount(**row)


def _fields(base: T, table: Mapping[str, Any], where: str) -> T:
    """The same with what the table says, each of its own type."""
    hints = get_type_hints(type(base))
    names = {one.name for one in fields(base)}  # type: ignore[arg-type]
    _known(table, names, where)
    try:
        made: T = replace(
            base,
            **{name: _as(hints[name], value, f"{where}{name}") for name, value in table.items()},
        )  # type: ignore[type-var]
        return made
    except PolicyError as error:
        if isinstance(error, SettingsError) and (not where or str(error).startswith(where)):
            raise
        raise SettingsError(f"{where}{error}") from None


def _table(given: Any, where: str, names: Iterable[str] | None = None) -> dict[str, Any]:
    if type(given) is not dict:
        # What stands there in the place of a table of keys may be a key.
        is_secret = where.partition(".")[0] == "keys"
        hint = (
            f'; write [{where}] and below it key = "…"'
            if where.startswith("keys.") and where.count(".") == 1
            else ""
        )
        raise SettingsError(
            f"{where} must be a table, not"
            f" {type(given).__name__ if is_secret else shown(given)}{hint}"
        )
    if names is not None:
        _known(given, names, f"{where}.")
    return given


def _known(table: Iterable[str], names: Iterable[str], where: str) -> None:
    for name in table:
        if name not in names:
            close = difflib.get_close_matches(name, names, n=1)
            raise SettingsError(
                f"{where}{name}: there is no such setting"
                + (
                    f"; did you mean {close[0]}?"
                    if close
                    else f"; there are {', '.join(sorted(names))}"
                )
            )


def _as(kind: Any, value: Any, where: str, *, is_secret: bool = False) -> Any:
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        what = "" if is_secret else f" (it is {shown(value)})"
        raise SettingsError(f"{where}: {str(error)[:1].lower()}{str(error)[1:]}{what}") from None


def _keys_in(path: Path, given: Given) -> list[str]:
    """The keys in a file, one a line. What begins with # is none."""
    try:
        with path.open() as file:
            mode = os.fstat(file.fileno()).st_mode
            lines = [line.strip() for line in file]
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(
            f"{path}, a file of keys, cannot be read:"
            f" {getattr(error, 'strerror', None) or 'it is not text'}"
        ) from None
    if mode & 0o077:
        given.warnings.append(f"{path} holds keys and others may read it; chmod 600 it")
    return [line for line in lines if line and not line.startswith("#")]


def _digest(text: str, where: str, given: Given) -> bytes:
    """What is kept of a key. What is wrong with it is said without it."""
    if not 0 < len(text) <= LONGEST or not text.isascii() or not text.isprintable() or " " in text:
        raise SettingsError(
            f"{where}: a key has between 1 and {LONGEST} characters of ASCII, and no spaces"
        )
    if len(text) < _SHORT:
        given.warnings.append(
            f"a key from {where} has fewer than {_SHORT} characters and could be guessed"
        )
    return digest(text)
