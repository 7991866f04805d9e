"""`fumehood serve`: many jailed sandboxes behind one port."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from typing import Annotated

import typer

from fumehood.cli import options, terminal

_EXTRA = frozenset(
    {"httptools", "prometheus_client", "starlette", "uvicorn", "uvloop", "websockets"}
)
"""What the extra `server` brings."""

Host = Annotated[
    str | None,
    typer.Option(
        "--host",
        metavar="ADDRESS",
        help="Where to listen; other than loopback needs a key.",
        show_default="127.0.0.1",
    ),
]
Port = Annotated[
    int | None,
    typer.Option(
        "--port",
        min=0,
        max=65535,
        metavar="PORT",
        help="0 for any that is free; the line it prints says which.",
        show_default="8720",
    ),
]
ApiKeys = Annotated[
    list[str] | None,
    typer.Option(
        "--api-key",
        metavar="KEY",
        help=(
            "A key for clients; may be repeated. Others on this machine can see it, unlike"
            " FUMEHOOD_API_KEYS."
        ),
        show_default=False,
    ),
]
KeyFiles = Annotated[
    list[Path] | None,
    typer.Option(
        "--api-key-file", metavar="FILE", help="Keys for clients, one a line.", show_default=False
    ),
]
Config = Annotated[
    Path | None,
    typer.Option(
        "--config",
        metavar="FILE",
        help="Settings, in TOML: keys, quotas, policies.",
        show_default=False,
    ),
]
MaxSandboxes = Annotated[
    int | None,
    typer.Option(
        "--max-sandboxes",
        min=1,
        metavar="N",
        help="How many there may be at once, of all keys together.",
        show_default="1000",
    ),
]
Log = Annotated[
    str | None,
    typer.Option(
        "--log",
        metavar="FILE",
        help="The access log, JSON lines: a file, - for stderr, or the word none.",
        show_default="-",
    ),
]
Grace = Annotated[
    float | None,
    typer.Option(
        "--shutdown-seconds",
        min=0,
        metavar="SECONDS",
        help="How long running cells may go on when it is told to end.",
        show_default="10",
    ),
]
Directory = Annotated[
    Path | None,
    typer.Option(
        "--directory",
        metavar="DIRECTORY",
        help="For what must be on disk while it runs.",
        show_default=False,
    ),
]


def serve(
    host: Host = None,
    port: Port = None,
    api_key: ApiKeys = None,
    api_key_file: KeyFiles = None,
    config: Config = None,
    max_sandboxes: MaxSandboxes = None,
    imports: options.Imports = None,
    log: Log = None,
    shutdown_seconds: Grace = None,
    directory: Directory = None,
) -> None:
    """Serve sandboxes over HTTP: the native API under /v1, and E2B's, for its own SDK.

    Exit code: 0 ended as it was told to, 2 bad input, 3 there is no place to run code in.

    Example: fumehood serve --port 8720
    """
    try:
        from fumehood.server.config_file import ENVIRONMENT, gather
        from fumehood.server.listening import prepared
    except ModuleNotFoundError as error:
        missing = (error.name or "").partition(".")[0]
        if missing not in _EXTRA:
            raise
        terminal.fail(
            f"serving needs {missing}: pip install 'fumehood[server]'", terminal.BAD_INPUT
        )
    with contextlib.ExitStack() as opened:
        with options.problems_as_lines():
            given = gather(
                config=config,
                key_files=api_key_file or (),
                api_keys=api_key or (),
                imports=imports or (),
                host=host,
                port=port,
                max_sandboxes=max_sandboxes,
                log=log,
                shutdown_seconds=shutdown_seconds,
                directory=None if directory is None else str(directory),
            )
            os.environ.pop(ENVIRONMENT, None)  # what is started from here need not have it
            for warning in given.warnings:
                terminal.say(f"warning: {warning}")
            run = opened.enter_context(prepared(given.settings))
        run(lambda address: typer.echo(f"fumehood: listening on {address}"))
