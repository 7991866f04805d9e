"""`fumehood docker`: the images that containers are started from, and what is left of
containers."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.text import Text

from fumehood.cli import options, render, terminal
from fumehood.errors import DockerFailed, DockerUnavailable, ImageMissing, MissingExtra, PolicyError

if TYPE_CHECKING:
    from fumehood.docker.inventory import Inventory

app = typer.Typer(
    name="docker",
    help="Build, list and remove the images that DockerExecutor starts containers from.",
    no_args_is_help=True,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
)

Host = Annotated[
    str | None,
    typer.Option(
        "--host",
        metavar="URL",
        help="The engine; else DOCKER_HOST, the docker context, the usual socket.",
        show_default=False,
    ),
]
Base = Annotated[
    str | None,
    typer.Option(
        "--base", metavar="IMAGE", help="An image with Python.", show_default="python:3.12-slim"
    ),
]
Packages = Annotated[
    list[str] | None,
    typer.Option(
        "--package",
        "-p",
        metavar="PACKAGE",
        help="What pip is to install, or a wheel; may be repeated.",
        show_default=False,
    ),
]
Dockerfile = Annotated[
    Path | None,
    typer.Option(
        "--dockerfile", "-f", metavar="FILE", help="What it makes is the base.", show_default=False
    ),
]
Platform = Annotated[
    str | None,
    typer.Option("--platform", metavar="OS/ARCH", help="Such as linux/arm64.", show_default=False),
]
Network = Annotated[
    str | None,
    typer.Option(
        "--network",
        metavar="NAME",
        help="The network of the build, such as host.",
        show_default=False,
    ),
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Do not show what the build says.")]
All = Annotated[
    bool, typer.Option("--all", help="Images of this version too, if no container uses them.")
]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")]


@contextlib.contextmanager
def answered() -> Iterator[None]:
    """In here, whatever is wrong with an engine or what it was asked for is one line, and so is
    Ctrl-C."""
    with terminal.interruptible():
        try:
            yield
        except (PolicyError, MissingExtra, ImageMissing) as error:
            terminal.fail(str(error), terminal.BAD_INPUT)
        except DockerUnavailable as error:
            terminal.fail(str(error), terminal.NO_ISOLATION)
        except DockerFailed as error:
            terminal.fail(str(error), terminal.CODE_FAILED)


@app.command("build")
def build(
    base: Base = None,
    package: Packages = None,
    dockerfile: Dockerfile = None,
    platform: Platform = None,
    network: Network = None,
    quiet: Quiet = False,
    host: Host = None,
    json: options.Json = False,
) -> None:
    """Build the image that a DockerExecutor with the same options would use, unless it is there;
    prints its name.

    Exit code: 0 done, 1 the build failed, 2 bad input, 3 there is no engine.

    Example: fumehood docker build --package polars
    """
    from fumehood.docker.engine import Engine
    from fumehood.docker.images import Image

    said: list[str] = []
    with answered():
        wanted = Image.for_(
            base=base,
            packages=package or (),
            dockerfile=dockerfile,
            platform=platform,
            build_kwargs={"network_mode": network} if network else None,
        )
        began = time.monotonic()
        ready = wanted.ensure(Engine(host), _told(said, quiet or json))
    if json:
        render.print_json(
            {"image": ready.name, "id": ready.id, "built": bool(said), "labels": dict(ready.labels)}
        )
        return
    terminal.say(
        f"{wanted.title} was built in {_seconds(began)}"
        if said
        else f"{wanted.title} is there already"
    )
    typer.echo(ready.name)


@app.command("ls")
def list_(host: Host = None, json: options.Json = False) -> None:
    """List our images and containers on the engine.

    Exit code: 0 done, 2 bad input, 3 there is no engine.

    Example: fumehood docker ls --json
    """
    from fumehood.docker.engine import Engine
    from fumehood.docker.inventory import take

    with answered():
        engine = Engine(host)
        found = take(engine)
    if json:
        render.print_json(as_json(found))
        return
    from fumehood.cli import docker_tables

    docker_tables.show(found, engine.address)


@app.command("prune")
def prune(
    everything: All = False, yes: Yes = False, host: Host = None, json: options.Json = False
) -> None:
    """Remove containers whose process is gone, and images of other versions of fumehood that no
    container uses.

    Exit code: 0 done, 1 something could not be removed, 2 bad input, 3 there is no engine.

    Example: fumehood docker prune --yes
    """
    from fumehood.docker import inventory
    from fumehood.docker.engine import Engine

    with answered():
        engine = Engine(host)
        going = inventory.take(engine).unused(everything=everything)
        if (going.images or going.containers) and not yes:
            _ask(going, may_show=not json)
        before = inventory.layers_bytes(engine)
        inventory.remove(engine, going)
        after = inventory.layers_bytes(engine)
        gone = going.without(inventory.take(engine))
    freed = max(before - after, 0) if before is not None and after is not None else None
    left = len(going.images) + len(going.containers) - len(gone.images) - len(gone.containers)
    if json:
        names = {
            "images": [each.tag or each.id for each in gone.images],
            "containers": [each.id for each in gone.containers],
        }
        render.print_json({**names, "bytes": freed})
    else:
        from fumehood.cli import docker_tables

        terminal.console().print(Text(docker_tables.pruned(gone, freed, left)))
    if left:
        raise typer.Exit(terminal.CODE_FAILED)


def _ask(going: Inventory, *, may_show: bool) -> None:
    if not (sys.stdin.isatty() and sys.stderr.isatty()) or not may_show:
        terminal.fail("this removes images or containers: say --yes", terminal.BAD_INPUT)
    from fumehood.cli import docker_tables

    docker_tables.show_going(going)
    if not typer.confirm("Remove them?", err=True):
        terminal.fail("nothing was removed", terminal.CODE_FAILED)


def _told(said: list[str], quiet: bool) -> Callable[[str], None]:
    def tell(line: str) -> None:
        said.append(line)
        if not quiet:
            terminal.console(stderr=True).print(Text(terminal.one_line(line), style="dim"))

    return tell


def _seconds(began: float) -> str:
    from fumehood.agent.console.words import seconds

    return seconds(time.monotonic() - began)


def as_json(found: Inventory) -> dict[str, Any]:
    return {
        "images": [{**asdict(each), "is_current": each.is_current} for each in found.images],
        "containers": [asdict(each) for each in found.containers],
    }
