"""What programs cost in a sandbox, beside the same programs without one: one run, side by side,
medians.

    python benchmarks/programs.py                       everything; a minute
    python benchmarks/programs.py --quick --only true   one figure, soon and roughly
    python benchmarks/programs.py --check --json FILE   exit code 1 if a bar is missed, and every
                                                        sample in a file

Sides take turns, batch by batch. "ratio" is a median against that of the first side; "itself" is a
side's even batches against its odd ones, and so what a ratio is worth on this machine now.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from statistics import median

import command
from side_by_side import Bar, Figure, interleave, timed

from fumehood import LocalPythonExecutor, Policy

HERE, JAIL = "subprocess.run", "commands.run"
# Both sides have the locale of a sandbox and no /etc/gitconfig: programs read files because of it.
_ENVIRONMENT = {
    "PATH": "/usr/local/bin:/usr/bin:/bin",
    "HOME": "/nonexistent",
    "LANG": "C.UTF-8",
    "LC_ALL": "C.UTF-8",
    "GIT_CONFIG_NOSYSTEM": "1",
}
# Files of a sandbox are in memory. A disk answers faster for names that do not exist.
_MEMORY = "/dev/shm" if Path("/dev/shm").is_dir() else None


def _repository(directories: int, files: int) -> str:
    """Commands that make a repository with so many files in each of its directories, and one file
    more that is not tracked."""
    return (
        f"git init -q . && for d in {{1..{directories}}}; do mkdir d$d; for f in {{1..{files}}}; do"
        " echo $f > d$d/$f; done; done && find . -path ./.git -prune -o -type f -exec touch -d"
        " 2020-01-01 {} + && git add . && git -c user.name=a -c user.email=a@example.com commit -qm"
        " one && git status && echo new > new"
    )


# name: (arguments, what must be there first, how often what the other takes it may take)
PROGRAMS: dict[str, tuple[list[str], str, float | None]] = {
    "true": (["true"], "", 1.5),
    "git": (["git", "status"], _repository(70, 50), 1.1),
    "medium": (["git", "status"], _repository(25, 40), None),
    "small": (["git", "status"], _repository(4, 9), None),
    "python": (["/usr/bin/python3", "-c", "pass"], "", 1.1),
}
# The first is as large as the repository of fumehood. In smaller ones the fixed cost of a command
# weighs more.
_ABOUT = {"git": ", 3,500 files", "medium": ", 1,000 files", "small": ", 36 files"}


def program(name: str, quick: bool) -> Figure:
    """A short program in a warm sandbox, and in a directory in memory."""
    arguments, prepare, most = PROGRAMS[name]
    policy = Policy(files=True, programs=True)
    with (
        tempfile.TemporaryDirectory(dir=_MEMORY) as directory,
        LocalPythonExecutor(policy=policy) as executor,
    ):
        if prepare:
            subprocess.run(
                ["/bin/bash", "-c", prepare], cwd=directory, capture_output=True, check=True
            )
            assert executor.commands.run(prepare).exit_code == 0

        def here() -> None:
            subprocess.run(
                arguments, cwd=directory, env=_ENVIRONMENT, capture_output=True, check=True
            )

        def jailed() -> None:
            done = executor.commands.run(arguments, env=_ENVIRONMENT)
            assert done.exit_code == 0, done

        sides = interleave(
            {HERE: timed(here), JAIL: timed(jailed)},
            batches=4 if quick else 40,
            size=3 if quick else 25 if name == "true" else 8,
        )
    title = f"`{' '.join(arguments)}`{_ABOUT.get(name, '')}, until its result is there"
    if most is None:
        return Figure(name, title, "seconds", sides)
    # The bar is a multiple of what the first side took in the same run.
    bar = Bar(JAIL, most * median(sides[0].samples))
    return Figure(name, f"{title}; at most {most:g} times {HERE}", "seconds", sides, (bar,))


def creation(quick: bool) -> Figure:
    """A sandbox from its creation to its first result and its end."""

    def fresh(programs: bool) -> Callable[[], None]:
        policy = Policy(files=True, programs=programs)

        def make() -> None:
            with LocalPythonExecutor(policy=policy) as executor:
                assert executor("1 + 1").output == 2

        return make

    sides = interleave(
        {"without programs": timed(fresh(False)), "with programs": timed(fresh(True))},
        batches=4 if quick else 40,
        size=2 if quick else 5,
    )
    most = median(sides[0].samples) + 1e-3
    title = "create a sandbox, get the first result, close it; at most 1 ms more with programs"
    return Figure("creation", title, "seconds", sides, (Bar("with programs", most),))


FIGURES: dict[str, Callable[[argparse.Namespace], Figure]] = {
    "true": lambda options: program("true", options.quick),
    "git": lambda options: program("git", options.quick),
    "medium": lambda options: program("medium", options.quick),
    "small": lambda options: program("small", options.quick),
    "python": lambda options: program("python", options.quick),
    "creation": lambda options: creation(options.quick),
}


def main() -> int:
    parser = command.parser(__doc__ or "", FIGURES)
    return command.run(FIGURES, command.parsed(parser, FIGURES, {}))


if __name__ == "__main__":
    sys.exit(main())
