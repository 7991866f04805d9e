"""How images and containers are shown."""

from __future__ import annotations

import time
from collections.abc import Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from fumehood.agent.console.text import beginning, counted
from fumehood.cli import terminal
from fumehood.docker.inventory import Inventory, KnownImage, total_bytes

_UNITS = ((86400, "d"), (3600, "h"), (60, "min"), (1, "s"))


def show(found: Inventory, engine: str) -> None:
    console = terminal.console()
    if not found.images:
        console.print(
            Text(f"no images of ours at {engine}; fumehood docker build makes one", style="dim")
        )
    else:
        _print(console, _IMAGE_HEADS, [_image(each) for each in found.images])
        console.print(
            Text(
                f"{counted(len(found.images), 'image')}, {size(total_bytes(found.images))} with"
                " what they share",
                style="dim",
            )
        )
    console.print()
    if not found.containers:
        console.print(Text("no containers of ours", style="dim"))
    else:
        _print(console, _CONTAINER_HEADS, _containers(found))


def show_going(going: Inventory) -> None:
    """What would be removed, for whoever is asked about it."""
    console = terminal.console(stderr=True)
    if going.images:
        _print(console, _IMAGE_HEADS, [_image(each) for each in going.images])
    if going.containers:
        _print(console, _CONTAINER_HEADS, _containers(going))


def pruned(gone: Inventory, freed: int | None, left: int) -> str:
    if not gone.images and not gone.containers and not left and not freed:
        return "nothing to remove"
    room = f", {size(freed)} freed" if freed is not None else ""
    still = f"; {left:,} could not be removed, being in use by now" if left else ""
    return (
        f"removed {counted(len(gone.images), 'image')} and"
        f" {counted(len(gone.containers), 'container')}{room}{still}"
    )


_IMAGE_HEADS = ("image", "base", "packages", "size", "age", "used", "")
_CONTAINER_HEADS = ("container", "image", "state", "age", "by", "which")
_GIVES_WAY = {_IMAGE_HEADS: (1, 2), _CONTAINER_HEADS: (1,)}
_AT_LEAST = 8
_TO_THE_RIGHT = ("size", "age", "used")


def _image(image: KnownImage) -> list[Text]:
    return [
        Text(image.tag or image.id.removeprefix("sha256:")[:12], style="cyan"),
        Text(beginning(image.base, 200) or "-"),
        Text(beginning(" ".join(image.packages), 200) or "-"),
        Text(size(image.bytes)),
        Text(age(image.created)),
        Text(str(image.containers or "-")),
        _state(image),
    ]


def _state(image: KnownImage) -> Text:
    if not image.tag:
        return Text("no name", "dim")
    if image.inside is None:
        return Text("a base", "dim")
    return Text("current", "green") if image.is_current else Text("stale", "yellow")


def _containers(found: Inventory) -> list[list[Text]]:
    tags = {image.id: image.tag for image in found.images}
    states = {
        None: Text("cannot be seen", "dim"),
        True: Text("is gone", "red"),
        False: Text("is there", "green"),
    }
    return [
        [
            Text(beginning(each.name or each.id[:12], 40), style="cyan"),
            Text(tags.get(each.image) or each.image.removeprefix("sha256:")[:12]),
            Text(beginning(each.state, 12)),
            Text(age(each.created)),
            Text(f"process {each.pid}" if each.is_here else "elsewhere"),
            states[each.is_gone],
        ]
        for each in found.containers
    ]


def _print(console: Console, heads: tuple[str, ...], rows: Sequence[Sequence[Text]]) -> None:
    """Some columns give way where there is not enough room, the others never."""
    widths = [
        max(len(head), *(row[place].cell_len for row in rows)) for place, head in enumerate(heads)
    ]
    for place in _GIVES_WAY[heads]:
        too_much = max(sum(widths) + 2 * (len(widths) - 1) - console.width, 0)
        widths[place] = max(widths[place] - too_much, min(widths[place], _AT_LEAST))
    table = Table(header_style="bold", box=None, padding=(0, 2, 0, 0), pad_edge=False)
    for head, width in zip(heads, widths, strict=True):
        table.add_column(
            head,
            justify="right" if head in _TO_THE_RIGHT else "left",
            no_wrap=True,
            width=width,
            overflow="ellipsis",
        )
    for row in rows:
        table.add_row(*row)
    console.print(table, soft_wrap=False)


def size(number: int) -> str:
    """12 MB, 1.3 GB."""
    return (
        f"{number / 1e9:,.1f} GB"
        if number >= 1e9
        else f"{number / 1e6:,.0f} MB"
        if number >= 1e6
        else f"{number / 1e3:,.0f} kB"
    )


def age(created: float) -> str:
    """5 min, 3 d."""
    seconds = max(int(time.time() - created), 0)
    for unit, name in _UNITS:
        if seconds >= unit:
            return f"{seconds // unit:,} {name}"
    return "now"
