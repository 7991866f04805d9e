"""`fumehood serve`: many jailed sandboxes behind one port."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import Annotated

import typer

from fumehood.cli import options, terminal

_EXTRA = frozenset({"starlette", "uvicorn", "httptools", "uvloop", "websockets"})
"""What the extra `server` brings."""

Host = Annotated[str, typer.Option("--host", metavar="ADDRESS", help="Where to listen; other than loopback needs a key.")]
Port = Annotated[int, typer.Option("--port", min=0, max=65535, help="0 for any that is free; the line it prints says which.")]


def serve(
    host: Annotated[
        str | None,
        typer.Option("--host", metavar="ADDRESS", help="Where to listen; other than loopback needs a key.", show_default="127.0.0.1"),
    ] = None,
    port: Annotated[
        int | None,
        typer.Option("--port", min=0, max=65535, help="0 for any that is free; the line it prints says which.", show_default="8720"),
    ] = None,
    api_key: Annotated[
        list[str] | None,
        typer.Option(
            "--api-key",
            metavar="KEY",
            help="A key that clients must send; may be repeated. Others on this machine can see it: FUMEHOOD_API_KEYS or --api-key-file cannot be seen.",
            show_default=False,
        ),
    ] = None,
    max_sandboxes: Annotated[int | None, typer.Option("--max-sandboxes", min=1, help="Of all keys together.", show_default="1000")] = None,
    imports: options.Imports = None,
    log: Annotated[
        str | None,
        typer.Option("--log", metavar="FILE", help="The access log, JSON lines: a file, - for stderr, or none.", show_default="-"),
    ] = None,
) -> None:
    """Serve sandboxes over HTTP: the native API under /v1, and E2B's, for its own SDK."""
    try:
        from fumehood.server.keys import digest
        from fumehood.server.listening import serve as listen
        from fumehood.server.settings import KeySettings, Settings
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in _EXTRA:
            raise
        terminal.fail(f"serving needs {error.name}: pip install 'fumehood[server]'", terminal.BAD_INPUT)
    given = [*(api_key or ()), *filter(None, os.environ.get("FUMEHOOD_API_KEYS", "").split(","))]
    policy = options.policy_for(imports)
    settings = Settings(keys=tuple(KeySettings(f"key-{n}", digest(key), policy) for n, key in enumerate(given, 1)), policy=policy)
    changes = {name: value for name, value in (("host", host), ("port", port), ("max_sandboxes", max_sandboxes)) if value is not None}
    if log is not None:
        changes["log"] = None if log == "none" else log
    with options.problems_as_lines():
        listen(replace(settings, **changes), lambda address: typer.echo(f"fumehood: listening on {address}"))
