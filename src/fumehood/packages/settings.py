"""Where the caller's pip and uv look for packages: by their settings, as each reads its own."""

from __future__ import annotations

import configparser
import contextlib
import os
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

# What says where to look. Each is a variable of the environment, and a line of a file.
_PIP = ("index-url", "extra-index-url", "find-links", "no-index")
_UV = ("default-index", "index-url", "index", "extra-index-url", "find-links", "no-index")


def of_pip() -> dict[str, str]:
    """What pip is told, if anything."""
    found: dict[str, str] = {}
    for path in _pip_files():
        parser = configparser.RawConfigParser()
        with contextlib.suppress(OSError, configparser.Error, UnicodeDecodeError):
            parser.read(path)
        for section in ("global", "install"):
            for name in _PIP:
                if parser.has_option(section, name):
                    found[name] = parser.get(section, name)
    return found | _variables("PIP", _PIP)


def of_uv() -> dict[str, str]:
    """What uv is told, if anything."""
    found: dict[str, str] = {}
    for path in _uv_files():
        with contextlib.suppress(OSError, tomllib.TOMLDecodeError, UnicodeDecodeError):
            settings: dict[str, Any] = tomllib.loads(path.read_text())
            for table in (settings, settings.get("pip", {})):
                found |= {
                    name: str(table[name])
                    for name in _UV
                    if isinstance(table, dict) and name in table
                }
    return found | _variables("UV", _UV)


def _variables(program: str, names: tuple[str, ...]) -> dict[str, str]:
    variables = {
        name: os.environ.get(f"{program}_{name.upper().replace('-', '_')}", "") for name in names
    }
    return {name: value for name, value in variables.items() if value}


def _pip_files() -> Iterator[Path]:
    named = os.environ.get("PIP_CONFIG_FILE")
    if named == os.devnull:  # by which pip is told to read none at all
        return
    for directory in (*os.environ.get("XDG_CONFIG_DIRS", "/etc/xdg").split(":"), _own_settings()):
        yield Path(directory, "pip", "pip.conf")
    yield from (
        Path("/etc/pip.conf"),
        Path.home() / ".pip" / "pip.conf",
        Path(sys.prefix, "pip.conf"),
    )
    if named:
        yield Path(named)


def _uv_files() -> Iterator[Path]:
    named = os.environ.get("UV_CONFIG_FILE")
    if named:
        yield Path(named)
    elif not os.environ.get("UV_NO_CONFIG"):
        yield from (Path("/etc/uv/uv.toml"), Path(_own_settings(), "uv", "uv.toml"))


def _own_settings() -> str:
    return os.environ.get("XDG_CONFIG_HOME") or str(Path.home() / ".config")
