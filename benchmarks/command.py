"""What every benchmark does on the command line: which figures, how thoroughly, what comes of it,
and the file that `--json` writes."""

from __future__ import annotations

import argparse
import importlib.metadata
import importlib.util
import json
import os
import platform
import time
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from side_by_side import Figure

from fumehood.executors import supervisor

PEER = "pydantic_monty"

Figures = Mapping[str, Callable[[argparse.Namespace], Figure]]


def parser(description: str, figures: Figures) -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(description=description.splitlines()[0])
    made.add_argument(
        "--quick",
        action="store_true",
        help="few samples and small sizes: whether it works, not how fast",
    )
    made.add_argument(
        "--only",
        metavar="NAME",
        action="append",
        choices=figures,
        help=f"one of {', '.join(figures)}; may be repeated",
    )
    made.add_argument(
        "--no-peers", dest="peers", action="store_false", help="leave out everybody else"
    )
    made.add_argument(
        "--json", metavar="FILE", type=Path, help="also write every sample to this file"
    )
    made.add_argument("--check", action="store_true", help="exit 1 when a bar is missed")
    return made


def parsed(
    parser: argparse.ArgumentParser, figures: Figures, needed: Mapping[str, str]
) -> argparse.Namespace:
    """The options. `needed` says what must be installed, and why."""
    options = parser.parse_args()
    for name, why in needed.items():
        if importlib.util.find_spec(name) is None:
            parser.error(f"{name} must be installed: {why}")
    options.others = options.peers  # whoever else can be compared with
    options.peers = options.peers and importlib.util.find_spec(PEER) is not None
    options.only = [name for name in figures if name in (options.only or figures)]
    return options


def run(figures: Figures, options: argparse.Namespace) -> int:
    """Measure what was asked for and print it as it comes; gives the exit code."""
    headline = machine(options)
    print(headline, end="\n\n", flush=True)
    measured: list[Figure] = []
    started = time.monotonic()
    for name in options.only:
        measured.append(figures[name](options))
        print(measured[-1].text(), end="\n\n", flush=True)
    supervisor.close_all()
    if options.json:
        write(options.json, headline, options.quick, measured)
    verdicts = [verdict for figure in measured for verdict in figure.verdicts()]
    missed = sum(not passed for passed, _line in verdicts)
    print(
        f"{len(verdicts) - missed} of {len(verdicts)} bars reached,"
        f" {time.monotonic() - started:.0f} s"
    )
    return 1 if options.check and missed else 0


def write(path: Path, headline: str, quick: bool, figures: Iterable[Figure], **more: Any) -> None:
    """The one form of a benchmark's file, which results.py reads; `more` is what only one of them
    has."""
    report = {
        "machine": headline,
        "quick": quick,
        "figures": [figure.as_json() for figure in figures],
        **more,
    }
    path.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")


def machine(options: argparse.Namespace) -> str:
    load = os.getloadavg()[0]
    peer = (
        f"pydantic-monty {importlib.metadata.version('pydantic-monty')}"
        if options.peers
        else "without pydantic-monty"
    )
    python = (
        f"CPython {platform.python_version()}, Linux {platform.release()}, {os.cpu_count()} cores"
    )
    return f"{python}, load {load:.1f}, {peer}{', QUICK: not for quoting' if options.quick else ''}"
