"""What a container costs: until the first result, for one more sandbox in it, and for each trip
through the tunnel.

    python benchmarks/docker.py                         everything; some minutes
    python benchmarks/docker.py --quick --only cell     one figure, soon and roughly
    python benchmarks/docker.py --check --json FILE     exit code 1 if a bar is missed, and every
                                                        sample in a file

The image is made of the Python that runs this, by the tests' own means, so no registry is needed;
--base names another that holds Python and `true`. Beside it are `docker run`, a jail on this
machine, and smolagents' DockerExecutor where what that needs is installed here (smolagents[docker],
jupyter_kernel_gateway, ipykernel, websocket-client). How to read the tables: benchmarks/sandbox.py.
"""

from __future__ import annotations

import sys

# Else this file would be the package of its name, which is what talks to engines.
sys.path.append(sys.path.pop(0))

import argparse
import atexit
import contextlib
import importlib.util
import itertools
import secrets
import shutil
import socket
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import command
from branching import cleaned, differences
from fresh import process
from round_trips import LOOP, add, must, shared_by
from side_by_side import Bar, Figure, Measure, Side, interleave, shown, timed

from fumehood import DockerExecutor, FumehoodError, Limits, LocalPythonExecutor, Policy
from fumehood.docker.engine import Engine
from fumehood.docker.hardening import Wanted, configuration
from fumehood.docker.images import Image
from fumehood.executors.docker import DockerContainer

ROOT = Path(__file__).resolve().parents[1]
FIRST_FACTOR = 1.2
SECOND_BAR = 10e-3
CELL_BAR = 1e-3
CALL_BAR = 1e-3
POLICY = Policy(limits=Limits(cell_seconds=300))
JAIL, SMOLAGENTS = "a jail on this machine", "smolagents' DockerExecutor"
NEEDED = {"docker": "it talks to the engine when an image is built"}
NEEDED_BY_SMOLAGENTS = ("smolagents", "kernel_gateway", "ipykernel", "websocket")


class Place:
    """The image that all figures use, and the containers that some of them share."""

    def __init__(self, engine: Engine, base: str | None) -> None:
        self.engine = engine
        self._stack = ExitStack()
        atexit.register(self._stack.close)
        given = {"base": base} if base is not None else {"dockerfile": self._made()}
        self.options: dict[str, Any] = {**given, "on_progress": lambda line: None}
        self.image = Image.for_(**given).ensure(engine, lambda line: None)  # type: ignore[arg-type]

    def _made(self) -> str:
        """A Dockerfile: this Python, as the tests have it in a container, and `true`."""
        base = _bases().base_of(self.engine)
        directory = Path(self._stack.enter_context(tempfile.TemporaryDirectory()))
        found = shutil.which("true")
        if found is None:
            raise SystemExit(
                "there is no program `true` here; name an image that has one with --base"
            )
        (directory / "true").write_bytes(Path(found).resolve().read_bytes())
        (directory / "true").chmod(0o755)
        (directory / "Dockerfile").write_text(f"FROM {base}\nCOPY true /usr/bin/true\n")
        return str(directory / "Dockerfile")

    def executor(self, **options: Any) -> DockerExecutor:
        return DockerExecutor(policy=POLICY, **self.options, **options)

    def container(self, sandboxes: int = 4) -> DockerContainer:
        return DockerContainer(**self.options, sandboxes=sandboxes)

    def run(self, *flags: str, program: tuple[str, ...] = ("true",)) -> Measure:
        return timed(process(["docker", "run", "--rm", *flags, self.image.id, *program]))


def _bases() -> Any:
    path = ROOT / "tests" / "docker" / "bases.py"
    spec = importlib.util.spec_from_file_location("bases", path)
    if spec is None or spec.loader is None or not path.is_file():
        raise SystemExit("the tests are not beside this, which make an image; name one with --base")
    module = importlib.util.module_from_spec(spec)
    sys.modules["bases"] = module
    spec.loader.exec_module(module)
    return module


def hardening() -> list[str]:
    """What fumehood's containers are given, in the words of `docker run`."""
    made = configuration(Wanted(POLICY))
    host = made["HostConfig"]
    flags = [
        "--user",
        made["User"],
        "--hostname",
        made["Hostname"],
        "--workdir",
        made["WorkingDir"],
        "--interactive",
        "--init",
    ]
    flags += [
        "--read-only",
        "--network",
        "none",
        "--ipc",
        "none",
        "--cap-drop",
        "ALL",
        "--security-opt",
        "no-new-privileges:true",
    ]
    flags += [
        "--memory",
        str(host["Memory"]),
        "--memory-swap",
        str(host["MemorySwap"]),
        "--pids-limit",
        str(host["PidsLimit"]),
    ]
    flags += [
        "--ulimit",
        "core=0",
        "--log-driver",
        "none",
        "--oom-score-adj",
        str(host["OomScoreAdj"]),
        "--no-healthcheck",
    ]
    for target, options in host["Tmpfs"].items():
        flags += ["--tmpfs", f"{target}:{options}"]
    return flags


# -- until there is a result


def first_result(place: Place, quick: bool, peers: bool) -> Figure:
    """From the constructor to the value of a cell, in a container of its own; ending that is not
    measured. `docker run` ends its own."""
    ours, alike, plain = (
        "DockerExecutor, first result",
        "docker run … true, hardened alike",
        "docker run … true",
    )
    python = "docker run … python3 -c pass, hardened alike"

    def until_answered() -> float:
        started = time.perf_counter()
        executor = place.executor()
        must(executor.run("1 + 1"))
        seconds = time.perf_counter() - started
        executor.close()
        return seconds

    sides: dict[str, Measure] = {
        ours: until_answered,
        alike: place.run(*hardening()),
        plain: place.run(),
        python: place.run(*hardening(), program=("python3", "-I", "-c", "pass")),
    }
    sizes: dict[str, int] = {}
    notes = [f"image {place.image.name}"]
    if peers:
        sides[SMOLAGENTS] = smolagents_start(place)
        sizes[SMOLAGENTS] = 1
    measured = interleave(sides, batches=2 if quick else 12, size=1 if quick else 2, sizes=sizes)
    by_name = {side.name: side for side in measured}
    bar = f"{FIRST_FACTOR} x {plain}"
    measured.append(
        Side(bar, [[FIRST_FACTOR * sample for sample in batch] for batch in by_name[plain].batches])
    )
    notes.append(
        "without a network a container is there sooner: what is hardened alike is shown for who"
        " wants to compare with that"
    )
    return Figure(
        "first",
        "A container, from nothing to a result",
        "seconds",
        measured,
        (Bar(ours, bar),),
        notes,
    )


def second_sandbox(place: Place, quick: bool) -> Figure:
    ready, answered = (
        "one more in a container, ready",
        "one more in a container, first cell answered",
    )
    local = f"{JAIL}, first cell answered"
    with (
        place.container() as container,
        DockerExecutor(policy=POLICY, container=container) as first,
    ):
        must(first.run("1"))

        def until(answer: bool, make: Callable[[], Any]) -> Measure:
            def measure() -> float:
                time.sleep(0.02)  # what was before is cleared away, and the next made ready
                started = time.perf_counter()
                executor = make()
                if answer:
                    must(executor.run("1 + 1"))
                seconds = time.perf_counter() - started
                executor.close()
                return seconds

            return measure

        sides = {
            ready: until(False, lambda: DockerExecutor(policy=POLICY, container=container)),
            answered: until(True, lambda: DockerExecutor(policy=POLICY, container=container)),
            local: until(True, lambda: LocalPythonExecutor(policy=POLICY)),
        }
        measured = interleave(sides, batches=2 if quick else 20, size=5)
    return Figure(
        "second",
        "One more sandbox",
        "seconds",
        measured,
        (Bar(ready, SECOND_BAR), Bar(answered, SECOND_BAR)),
    )


# -- trips


def cells(place: Place, quick: bool, peers: bool) -> Figure:
    """A trivial cell: without a base to go back to, as benchmarks/sandbox.py has it, and with one,
    which is made in the pause before a cell or while it waits. A pause alone costs something too:
    every process on the way has to be woken."""
    other, same = "on_fault='keep', another text each time", "on_fault='keep', the same text"
    kept_paused = "on_fault='keep', after a pause"
    paused, back_to_back = (
        "on_fault='rollback', after a pause",
        "on_fault='rollback', without a pause",
    )
    numbers = itertools.count()
    with ExitStack() as stack:
        container = stack.enter_context(place.container())
        keeps, goes_back, both = (
            stack.enter_context(DockerExecutor(policy=POLICY, container=container, on_fault=then))
            for then in ("keep", "rollback", "rollback")
        )
        local = stack.enter_context(LocalPythonExecutor(policy=POLICY, on_fault="keep"))

        def after_a_pause(executor: DockerExecutor) -> Measure:
            at_once = timed(lambda: must(executor.run(f"x = {next(numbers)} + 1")))

            def measure() -> float:
                time.sleep(0.02)
                return at_once()

            return measure

        sides: dict[str, Measure] = {
            other: timed(lambda: must(keeps.run(f"x = {next(numbers)} + 1"))),
            same: timed(lambda: must(keeps.run("x = 1 + 1"))),
            kept_paused: after_a_pause(keeps),
            paused: after_a_pause(goes_back),
            back_to_back: timed(lambda: must(both.run(f"x = {next(numbers)} + 1"))),
            JAIL: timed(lambda: must(local.run(f"x = {next(numbers)} + 1"))),
        }
        sizes = {paused: 10, kept_paused: 10}
        if peers:
            theirs = stack.enter_context(smolagents(place))
            sides[SMOLAGENTS] = timed(
                lambda: theirs.run_code_raise_errors(f"x = {next(numbers)} + 1")
            )
            sizes[SMOLAGENTS] = 5
        measured = interleave(
            sides, batches=2 if quick else 20, size=20 if quick else 50, sizes=sizes
        )
    bars = (Bar(other, CELL_BAR), Bar(same, CELL_BAR))
    return Figure("cell", "A trivial cell, round trip", "seconds", measured, bars)


def calls(place: Place, quick: bool) -> Figure:
    """A loop of calls of a tool that adds two numbers; the time of the cell, divided by the
    calls."""
    count = 20 if quick else 100
    code = LOOP.format(calls=count)
    ours = "from a container"
    with ExitStack() as stack:
        there = stack.enter_context(place.executor(on_fault="keep"))
        local = stack.enter_context(LocalPythonExecutor(policy=POLICY, on_fault="keep"))
        for executor in (there, local):
            executor.send_tools({"add": add})
        sides = {
            name: shared_by(count, timed(lambda one=one: must(one.run(code))))
            for name, one in ((ours, there), (f"from {JAIL}", local))
        }  # type: ignore[misc]
        measured = interleave(sides, batches=2 if quick else 20, size=3)
    notes = ["smolagents sends the source of tools into its container: they do not run here"]
    return Figure(
        "call",
        "A call of a host's tool from code",
        "seconds",
        measured,
        (Bar(ours, CALL_BAR),),
        notes,
    )


# -- branches


def branches(place: Place, quick: bool) -> Figure:
    """What each takes that makes or leaves a branch of a sandbox. An undone cell raises, and is
    done when the variables are back."""
    undone, kept, more = (
        "an undone cell (on_error='rollback')",
        "the same cell, kept",
        "what undoing adds",
    )
    with ExitStack() as stack:
        container = stack.enter_context(place.container(sandboxes=8))
        one, back, keeps = (
            stack.enter_context(DockerExecutor(policy=POLICY, container=container, on_error=then))
            for then in ("keep", "rollback", "keep")
        )
        must(one.run("x = 1"))
        snapshot = one.snapshot()
        sides: dict[str, Measure] = {
            "a snapshot": cleaned(one.snapshot, lambda made: made.discard()),
            "going back to one": timed(lambda: one.restore(snapshot)),
            "a fork": cleaned(one.fork, lambda made: made.close()),
            undone: timed(lambda: back.run("x = 2\n1 / 0")),
            kept: timed(lambda: keeps.run("x = 2\n1 / 0")),
        }
        measured = interleave(sides, batches=2 if quick else 20, size=5)
    by_name = {side.name: side for side in measured}
    measured.append(Side(more, differences(by_name[undone], by_name[kept])))
    return Figure("branch", "Branches of a sandbox in a container", "seconds", measured)


# -- values


def values(place: Place, quick: bool) -> Figure:
    """Bytes that are sent in and fetched."""
    with ExitStack() as stack:
        there = stack.enter_context(place.executor())
        local = stack.enter_context(LocalPythonExecutor(policy=POLICY))
        sides: dict[str, Measure] = {}
        sizes: dict[str, int] = {}
        for size in (1_000_000,) if quick else (1_000_000, 50_000_000):
            data = secrets.token_bytes(size)
            for where, executor in (("container", there), ("jail", local)):
                name = f"data{size}"
                executor.send_variables({name: data})
                if executor.state[name] != data:
                    raise RuntimeError("what comes back is not what was sent")
                for way, action in (
                    (
                        "sent",
                        lambda one=executor, name=name, data=data: one.send_variables({name: data}),
                    ),
                    ("fetched", lambda one=executor, name=name: one.state[name]),
                ):
                    side = f"{shown(size, 'bytes')} {way}, {where}"
                    sides[side] = timed(action)
                    sizes[side] = 5 if size < 10_000_000 else 1
        measured = interleave(sides, batches=2 if quick else 8, sizes=sizes)
    return Figure("value", "A value, into a sandbox and out of it", "seconds", measured)


# -- smolagents


def why_no_smolagents() -> str:
    missing = [name for name in NEEDED_BY_SMOLAGENTS if importlib.util.find_spec(name) is None]
    return (
        f"{SMOLAGENTS} is not compared: {', '.join(missing)} not installed here" if missing else ""
    )


@contextlib.contextmanager
def smolagents(place: Place) -> Iterator[Any]:
    """Their executor, in an image with the same Python and what it needs, as that is installed
    here. It takes a port of this machine."""
    from smolagents.monitoring import AgentLogger, LogLevel  # type: ignore[import-untyped]
    from smolagents.remote_executors import DockerExecutor as Theirs  # type: ignore[import-untyped]

    base = _bases().base_of(place.engine, packages=("jupyter_kernel_gateway", "ipykernel"))
    image = Image.for_(base=base).ensure(place.engine, lambda line: None)  # compiled, as ours is
    gateway = [
        "python3",
        "-m",
        "kernel_gateway",
        "--KernelGatewayApp.ip=0.0.0.0",
        "--KernelGatewayApp.port=8888",
    ]
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    options = {"entrypoint": gateway, "environment": {"HOME": "/tmp"}}
    executor = Theirs(
        [],
        AgentLogger(level=LogLevel.OFF),
        image_name=image.name,
        build_new_image=False,
        port=port,
        container_run_kwargs=options,
    )
    try:
        yield executor
    finally:
        with contextlib.redirect_stdout(None):
            executor.cleanup()


def smolagents_start(place: Place) -> Measure:
    def measure() -> float:
        started = time.perf_counter()
        with smolagents(place) as executor:
            executor.run_code_raise_errors("1 + 1")
            return time.perf_counter() - started

    return measure


# ----------------------------------------------------------------------------------------------------------------------------------------  # noqa: E501

FIGURES: dict[str, Callable[[argparse.Namespace], Figure]] = {
    "first": lambda options: first_result(options.place, options.quick, options.theirs),
    "second": lambda options: second_sandbox(options.place, options.quick),
    "cell": lambda options: cells(options.place, options.quick, options.theirs),
    "call": lambda options: calls(options.place, options.quick),
    "branch": lambda options: branches(options.place, options.quick),
    "value": lambda options: values(options.place, options.quick),
}


def main() -> int:
    parser = command.parser(__doc__ or "", FIGURES)
    parser.add_argument(
        "--base",
        metavar="IMAGE",
        help="an image on the engine that holds Python and `true`, in place of one made here",
    )
    wanted = "--no-peers" not in sys.argv
    options = command.parsed(parser, FIGURES, NEEDED)
    options.peers = False  # pydantic-monty has no containers
    if shutil.which("docker") is None:
        parser.error("the command `docker` must be installed: what is measured is compared with it")
    try:
        options.place = Place(Engine(), options.base)
    except FumehoodError as error:
        parser.error(str(error))
    why = why_no_smolagents()
    options.theirs = wanted and not why
    if options.theirs:
        try:
            with smolagents(options.place) as executor:
                executor.run_code_raise_errors("1 + 1")
        except Exception as error:
            options.theirs, why = (
                False,
                (
                    f"{SMOLAGENTS} is not compared, as it cannot run here:"
                    f" {str(error).splitlines()[0]}"
                ),
            )
    if wanted and why:
        print(why)
    return command.run(FIGURES, options)


if __name__ == "__main__":
    sys.exit(main())
