"""The shape of the source tree: size budgets, imports, and the files of the security boundary.

    python tests/test_house.py            print the stored tables as they should be today
    python tests/test_house.py --write    rewrite the generated list in docs/security/boundary.md

The stored numbers and lists only shrink. A test fails when the tree exceeds one of them, and also
when a stored entry is out of date, so that an improvement is not lost again.
"""

from __future__ import annotations

import ast
import functools
import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

import fumehood

ROOT = Path(__file__).resolve().parents[1]
SOURCE = ROOT / "src" / "fumehood"
# Attack programs are data.
FILES = sorted(
    path for path in SOURCE.rglob("*.py") if not path.is_relative_to(SOURCE / "attack" / "programs")
)


# -- sizes


class Budget(NamedTuple):
    """What a package may have at most, and the target of the second edition (None: no target of
    its own)."""

    lines: int
    files: int
    target: int | None


TOP = "(top level)"
BOUNDARY = "(boundary)"
BUDGETS = {
    "(boundary)": Budget(21_027, 63, 3_000),
    "(top level)": Budget(3_382, 12, 1_600),
    "agent": Budget(6_575, 38, 3_200),
    "attack": Budget(3_834, 22, 1_300),
    "audit": Budget(4_819, 19, 1_500),
    "cli": Budget(6_318, 44, 2_500),
    "docker": Budget(2_279, 6, None),  # part of the target of executors
    "e2b": Budget(479, 3, None),  # part of the target of executors
    "executors": Budget(9_561, 23, 4_800),
    "fleet": Budget(2_284, 12, 600),
    "integrations": Budget(415, 5, 1_200),
    "jail": Budget(2_870, 11, 1_800),
    "language": Budget(3_998, 14, 4_000),
    "models": Budget(2_857, 20, 1_200),
    "packages": Budget(1_723, 10, 500),
    "ray": Budget(1_020, 5, None),  # part of the target of executors
    "server": Budget(10_244, 58, 4_500),
    "telemetry": Budget(1_235, 6, 500),
    "tools": Budget(4_712, 26, 1_800),
    "tunnel": Budget(1_282, 8, None),  # part of the target of executors
    "validation": Budget(3_321, 16, 700),
    "wire": Budget(3_000, 10, 1_900),
    "worker": Budget(6_582, 19, 3_500),
}
# The sum of all packages: 40,000 lines in 220 files is the target. Rows were raised when plain Python
# and the kernel's enforcement of files came beside the guarded language, and when real programs
# replaced our own shell. Each time the sum went down. Executors grew by 60 lines, 20 of them in the
# boundary, when callers began to read the output of their commands themselves, without a thread. Cancelling a
# command and the exit code 126 took 15 more. Integrations grew by the adapters for Inspect, Deep
# Agents and Pydantic AI, which are part of its target.
# The boundary counts jail/_spawn.c too; the jail does not.
# The worker grew by 50 lines, which the boundary counts too, when the template began to merge the
# mappings of libraries: a fresh sandbox takes a tenth less processor time.
# Docker grew by 21 lines, the container's own system-call filter. With it the same jail runs in containers, and
# the jail, the worker and _spawn.c lost 700 lines.
# Executors grew by 160 lines for code in other languages, 10 of them in the boundary. Audit grew by 7
# lines, so that results from a log can be shown. The boundary grew by 22 lines when the time of a cell
# began to count only from its checkpoint.
# The tunnel grew by 120 lines when it took over the pumps and lines of text of E2B, Ray and Docker, which
# lost 180.
# A stored number may be this much too high before the test asks for a lower one.
SLACK_LINES, SLACK_FILES = 200, 5


def test_no_package_outgrows_its_budget() -> None:
    sizes = measured_sizes()
    assert sizes.keys() == BUDGETS.keys(), "one row of BUDGETS for each package"
    wrong = []
    for package, (lines, files) in sizes.items():
        budget = BUDGETS[package]
        if lines > budget.lines or files > budget.files:
            wrong.append(
                f"{package} has {lines:,} lines in {files} files; the budget is"
                f" {budget.lines:,} lines in {budget.files} files: delete or merge code"
            )
        elif budget.lines - lines > SLACK_LINES or budget.files - files > SLACK_FILES:
            wrong.append(f"{package} has shrunk to ({lines}, {files}): lower its row of BUDGETS")
    assert not wrong, "\n".join(wrong)


def measured_sizes() -> dict[str, tuple[int, int]]:
    """Lines and files of each package, and of the security boundary, which cuts across them."""
    found: defaultdict[str, list[int]] = defaultdict(list)
    for path in FILES:
        found[package_of(path)].append(line_count(path))
    found[BOUNDARY] = [line_count(path) for path in boundary()]
    return {package: (sum(counts), len(counts)) for package, counts in sorted(found.items())}


def package_of(path: Path) -> str:
    parts = path.relative_to(SOURCE).parts
    return parts[0] if len(parts) > 1 else TOP


def line_count(path: Path) -> int:
    return len(path.read_text(encoding="utf-8").splitlines())


# -- imports


class Imports(NamedTuple):
    """What a file imports: modules and names by their dotted names, and our own modules."""

    everywhere: frozenset[str]
    at_module_level: frozenset[str]
    modules: frozenset[str]
    """Our modules that it imports, also for type checkers alone."""
    modules_at_runtime: frozenset[str]
    mentioned: frozenset[str]
    """Our modules that it names in a string: started or imported by name."""


@functools.cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def name_of(path: Path) -> str:
    """The dotted name of one of our modules."""
    parts = path.relative_to(SOURCE.parent).with_suffix("").parts
    return ".".join(parts).removesuffix(".__init__")


@functools.cache
def modules() -> dict[str, Path]:
    return {name_of(path): path for path in FILES}


@functools.cache
def imports(path: Path) -> Imports:
    tree = tree_of(path)
    for_checkers = {
        id(below)
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
        for statement in node.body
        for below in ast.walk(statement)
    }
    nodes = [*ast.walk(tree)]
    everywhere = {name for node in nodes for name in imported(node)}
    known = modules().keys()
    return Imports(
        frozenset(everywhere),
        frozenset(name for node in tree.body for name in imported(node)),
        frozenset(own_modules(nodes)),
        frozenset(own_modules(node for node in nodes if id(node) not in for_checkers)),
        frozenset(
            node.value
            for node in nodes
            if isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and node.value in known
        ),
    )


def imported(node: ast.AST) -> set[str]:
    """The module that a statement imports from, and each name that it imports."""
    if isinstance(node, ast.Import):
        return {alias.name for alias in node.names}
    if isinstance(node, ast.ImportFrom) and node.module:
        return {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return set()


def own_modules(nodes: Iterator[ast.AST] | list[ast.AST]) -> Iterator[str]:
    known = modules()
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in known)
        elif isinstance(node, ast.ImportFrom) and node.module in known:
            for alias in node.names:
                name = f"{node.module}.{alias.name}"
                yield name if name in known else node.module


# The rings of src/fumehood/__init__.py: each part, and the parts that it may import.
LEAF = {"errors", "results", "default_imports", "policy", "policy_bounds", "wire", "tunnel"}
INSIDE = LEAF | {"language", "jail", "worker"}
RINGS = {
    "errors": {"results"},
    "results": {"errors", "wire"},
    "default_imports": set(),
    "policy": {"errors", "default_imports"},
    "policy_bounds": {"errors", "policy"},
    "wire": {"errors"},
    "tunnel": {"errors", "policy"},
    "language": LEAF,
    "jail": LEAF,
    "worker": LEAF | {"language", "jail"},
    # Only the host uses these: events, and their subscribers.
    "events": {"results", "wire"},
    "logs": {"errors", "events", "results"},
    "observing": {"errors", "events", "logs"},
    "finalizer": set(),
    # Checks the arguments of callers. Modules inside have no callers outside.
    "asked": {"errors", "wire"},
    "validation": LEAF | {"asked"},
    "telemetry": {"errors", "results", "events", "observing"},
    "tools": LEAF | {"asked"},
    # The engine that containers run on. It knows what is put into them only by name, and the table
    # of system calls.
    "docker": LEAF | {"jail", "finalizer", "progress"},
    # A sandbox service. It knows what is put into its sandboxes only by name.
    "e2b": LEAF | {"finalizer"},
    # A cluster. What runs on its nodes is started by name.
    "ray": LEAF,
    "progress": set(),
    # Packages for code. They do not know about sandboxes.
    "packages": LEAF | {"progress"},
    # Executors use the language for the inline executor, and the report of the jail. They start a
    # worker and never import it.
    "executors": LEAF
    | {"language", "jail", "tools", "events", "logs", "observing", "validation"}
    | {"docker", "finalizer", "e2b", "packages", "ray"},
    "models": LEAF | {"asked"},
    "agent": LEAF | {"asked", "tools", "executors", "models", "events", "observing", "packages"},
    # Only the command line and the server import the audit log: what is observed does not know its
    # observers. A replay runs cells.
    "audit": LEAF | {"asked", "events", "observing", "executors"},
    "integrations": LEAF | {"tools", "executors"},
    # Clients receive values in the form of the audit log.
    "server": LEAF | {"asked", "executors", "tools", "audit", "events", "observing", "e2b"},
    # Many sandboxes on many machines. The actor of a node is known by name.
    "fleet": LEAF | {"executors", "ray"},
    # The attack suite uses sandboxes as a host does: logs, agents, saved state. It asks the rules
    # what they refuse.
    "attack": LEAF | {"executors", "docker", "language", "audit", "agent", "models", "events"},
    "cli": LEAF
    | {"attack", "server", "docker", "executors", "language", "jail", "tools", "models", "agent"}
    | {"audit", "events", "observing", "validation", "packages"},
}
# What the rings outside may import from the jail: tables and the report.
FROM_THE_JAIL = {"report", "syscalls", "landlock"}


def test_imports_point_inward() -> None:
    """Every part imports only the parts that RINGS lists for it."""
    wrong = []
    for path in FILES:
        part = part_of(name_of(path))
        for name in imports(path).everywhere:
            other = part_of(name)
            if not part or not name.startswith("fumehood.") or other == part:
                continue
            if other not in RINGS[part]:
                wrong.append(f"{where(path)} imports {name}")
            elif other == "jail" and part not in INSIDE:
                below = name.split(".")[2:3]
                if below and below[0] not in FROM_THE_JAIL:
                    wrong.append(f"{where(path)} imports {name}")
    assert not wrong, "\n".join(wrong)


def test_leaf_and_inside_import_only_the_standard_library() -> None:
    """When a module is imported. A function may import an installed library when it is called."""
    foreign = {
        (where(path), name.partition(".")[0])
        for path in FILES
        if part_of(name_of(path)) in INSIDE
        for name in imports(path).at_module_level
        if name.partition(".")[0] not in sys.stdlib_module_names | {"fumehood"}
    }
    assert not foreign


def part_of(name: str) -> str:
    """The package or top-level module below `fumehood` that a dotted name belongs to."""
    return name.split(".")[1] if name.count(".") else ""


def where(path: Path) -> str:
    return path.relative_to(SOURCE).as_posix()


# Modules whose only importer is in their own package, and that no other file names. Each belongs
# into its importer. Rule tables are separate files on purpose: the column "table" in CONTRIBUTING.md
# lists them.
SINGLE_IMPORTER = {
    "agent/aside.py",
    "agent/console/replaying.py",
    "agent/describing/steps.py",
    "agent/managing.py",
    "agent/parsing/advice.py",
    "agent/parsing/blocks.py",
    "agent/picture.py",
    "agent/picture_html.py",
    "attack/host.py",
    "attack/host_state.py",
    "attack/inline.py",
    "attack/server/runs.py",
    "attack/server/target.py",
    "attack/server/victim.py",
    "attack/steps.py",
    "audit/answering.py",
    "audit/appending.py",
    "audit/script.py",
    "cli/agent.py",
    "cli/agent_inputs.py",
    "cli/agent_json.py",
    "cli/agent_models.py",
    "cli/agent_tools.py",
    "cli/app.py",
    "cli/attack.py",
    "cli/attempts.py",
    "cli/audit/blocks.py",
    "cli/audit/export.py",
    "cli/audit/replay.py",
    "cli/audit/show.py",
    "cli/audit/stats.py",
    "cli/audit/tables.py",
    "cli/audit/verify.py",
    "cli/cells.py",
    "cli/check.py",
    "cli/docker.py",
    "cli/docker_rules.py",
    "cli/docker_tables.py",
    "cli/images.py",
    "cli/history.py",
    "cli/interrupts.py",
    "cli/magics.py",
    "cli/packages.py",
    "cli/policy_files.py",
    "cli/repl.py",
    "cli/rules.py",
    "cli/serve.py",
    "fleet/engine.py",
    "fleet/progress.py",
    "fleet/ray_links.py",
    "jail/seccomp.py",
    "models/connection.py",
    "models/pacing.py",
    "packages/explaining.py",
    "ray/host.py",  # runs on a node, its importer in the driver
    "server/bounded_http.py",
    "server/brokers.py",
    "server/docs_page.py",
    "server/e2b/control.py",
    "server/e2b/filesystem.py",
    "server/e2b/notebook.py",
    "server/e2b/results.py",
    "server/e2b/pip_lines.py",
    "server/e2b/transfer.py",
    "server/remote_ends.py",
    "server/gate.py",
    "server/leftovers.py",
    "server/lifetimes.py",
    "server/metrics.py",
    "server/operations/contexts.py",
    "server/operations/snapshots.py",
    "server/operations/status.py",
    "server/websocket.py",
    "telemetry/instrumentation.py",
    "telemetry/metrics.py",
    "telemetry/spans.py",
    "tools/containers.py",
    "tools/docstrings.py",
    "tools/fetching.py",
    "tools/hints.py",
    "tools/mcp.py",
    "tools/mcp_values.py",
    "validation/documents.py",
    "validation/mail.py",
    "validation/sizes.py",
    "validation/walking_tables.py",
    "wire/arrays.py",
    "wire/tables.py",
    "worker/checkpoint.py",
    "worker/commands.py",
    "worker/orphans.py",
    "worker/preload.py",
    "worker/file_server.py",
    "worker/packages.py",
    "worker/state.py",
    "worker/supervisor.py",
    "worker/tools.py",
    "worker/zygote.py",
}


def test_a_module_with_one_importer_is_part_of_it() -> None:
    found = single_importers()
    new = [f"{module}: merge it into {found[module]}" for module in found.keys() - SINGLE_IMPORTER]
    gone = [
        f"{module}: remove it from SINGLE_IMPORTER" for module in SINGLE_IMPORTER - found.keys()
    ]
    assert not new + gone, "\n".join(sorted(new + gone))


def single_importers() -> dict[str, str]:
    """Modules with one importer, which is in their own package, and that importer. Not rule
    tables."""
    importers: defaultdict[str, set[str]] = defaultdict(set)
    for path in FILES:
        for module in imports(path).modules | imports(path).mentioned:
            importers[module].add(where(path))
    found = {}
    for module, path in modules().items():
        others = importers[module] - {where(path)}
        if len(others) != 1 or path.name in ("__init__.py", "__main__.py"):
            continue
        (importer,) = others
        if package_of(SOURCE / importer) == package_of(path) and where(path) not in rule_tables():
            found[where(path)] = importer
    return found


@functools.cache
def rule_tables() -> frozenset[str]:
    """The files in the column "table" of CONTRIBUTING.md."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    rows = re.findall(
        r"^\|[^|]*\|([^|]*)\|[^|]*\|$", text.partition("## Where rules live")[2], re.M
    )
    tables = frozenset(name for row in rows for name in re.findall(r"`([\w/]+\.py)`", row))
    assert tables and all((SOURCE / name).exists() for name in tables), tables
    return tables


# -- machine code

# Code that cannot be Python is in jail/_spawn.c.
C_FILES = {SOURCE / "jail" / "_spawn.c": 500}
LEAST_CODE = 16


def test_no_file_holds_machine_code() -> None:
    found = {where(path): count for path in FILES if (count := machine_code(path))}
    assert found == {}, "bytes of machine code by file"


def test_there_is_one_c_file_and_it_stays_short() -> None:
    found = {path for suffix in ("c", "h") for path in SOURCE.rglob(f"*.{suffix}")}
    assert found == {*C_FILES}
    assert [path for path, most in C_FILES.items() if line_count(path) > most] == []


def machine_code(path: Path) -> int:
    """Bytes in literals that look like code: arguments of `fromhex`, other long hexadecimal
    strings, and bytes that are mostly not text."""
    count = 0
    for node in ast.walk(tree_of(path)):
        if not isinstance(node, ast.Constant):
            continue
        if isinstance(node.value, str):
            digits = "".join(node.value.split())
            if (
                re.fullmatch(rf"(?:[0-9a-fA-F]{{2}}){{{LEAST_CODE},}}", digits)
                and not digits.isdigit()
            ):
                count += len(digits) // 2
        elif isinstance(node.value, bytes) and len(node.value) >= LEAST_CODE:
            text = sum(32 <= byte < 127 or byte in b"\t\r\n" for byte in node.value)
            count += len(node.value) if text < len(node.value) / 2 else 0
    return count


# -- sharp tools

# Sharp tools and the only files that may use them, with the reason.
SHARP = {
    "ctypes": {
        "language/deadline.py": "raises an exception in another thread",
        "jail/kernel.py": "makes kernel calls that Python does not offer",
        "attack/canaries.py": "keeps a secret at a known address of a process's memory",
    },
}
SHARP_METHODS = {
    ("os", "fork"): {
        "jail/kernel.py": "where Python's own fork is needed",
        "attack/canaries.py": "a victim for attacks",
        "attack/inline.py": "an inline attack may leave its process in any state",
    },
    ("kernel", "fork"): {
        "worker/fork.py": "starts processes by copying the zygote",
        "worker/checkpoint.py": "a runner copies itself",
        "jail/spawn.py": "starts an init without the C library",
    },
    ("pickle", "loads"): {"worker/runner.py": "unpickles, inside the jail, what the host sent"},
    ("pickle", "Unpickler"): {"worker/state.py": "loads saved variables, inside the jail"},
    ("pickle", "load"): {"worker/state.py": "loads saved variables, inside the jail"},
    ("os", "_exit"): {
        "worker/fork.py": "a forked process must not return into its parent's code",
        "jail/spawn.py": "a template ends when its zygote is gone",
        "worker/runner.py": "a process forked by code must not continue as a runner",
        "worker/line.py": "a runner ends when its host is gone, whichever thread notices",
        "worker/checkpoint.py": "an unused checkpoint ends",
        "attack/canaries.py": "a victim ends without its parent's exit hooks",
        "attack/inline.py": "exit hooks that an attack left behind must not run",
    },
}
SHARP_CALLS = {
    "compile": {
        "language/source.py": "compiles cells",
        "language/guarded/compile.py": "compiles checked trees",
    },
    "exec": {"language/guarded/compile.py": "runs a private copy of a library module"},
    "eval": {
        "language/run.py": "runs compiled cells",
        "language/guarded/compile.py": "runs code from checked trees",
    },
}


def test_sharp_tools_stay_in_the_files_named_for_them() -> None:
    wrong = []
    for path in FILES:
        wrong += [
            f"{where(path)} imports {tool}"
            for tool, homes in SHARP.items()
            if tool in imports(path).everywhere and where(path) not in homes
        ]
        for node in ast.walk(tree_of(path)):
            homes: Collection[str] | None = None
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                homes = SHARP_CALLS.get(node.func.id)
            elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                homes = SHARP_METHODS.get((node.value.id, node.attr))
            if homes is not None and where(path) not in homes:
                wrong.append(f"{where(path)}:{node.lineno}: {ast.unparse(node)}")
    assert not wrong, "\n".join(wrong)


# -- the security boundary

# The boundary consists of the files whose correctness keeps code in. The rule: start at the roots,
# follow imports at run time, and do not enter what STOPS lists.
BOUNDARY_PAGE = ROOT / "docs" / "security" / "boundary.md"
# Modules that turn bytes from a sandbox into messages. A module outside of the sandbox that imports
# one of them reads data from sandboxes, and is a root.
PARSERS = {
    *("wire.frames", "wire.messages", "wire.protocol"),
    *("tunnel.frames", "tunnel.end"),
}
HOST = {"executors", "tunnel", "docker", "e2b", "ray", "server"}
ROOTS = {
    "worker.supervisor": "starts the zygote and ends everything below it",
    "worker.remote": "the same at the remote end of a tunnel",
    "executors.supervisor": "starts supervisors and takes sockets and process handles from them",
    "docker.hardening": "what a container is granted",
    "fleet.parcels": "reads results from the nodes of a cluster",
    "executors.cell": "runs the host's tools with arguments from a sandbox",
}
STOPS = {
    # These run in a sandbox, or load what will run there before any untrusted code does. The jail
    # must hold whatever they do.
    "language": "runs in the sandbox",
    "worker.runner": "runs in the sandbox",
    "worker.checkpoint": "runs in the sandbox",
    "worker.preload": "imports what will run in the sandbox",
    # These receive values that the boundary has already checked, or no data of a sandbox at all.
    "": "public names",
    "errors": "exceptions",
    "results": "plain result types",
    "events": "plain event types",
    "asked": "checks arguments of the caller",
    "progress": "prints progress",
    "logs": "receives checked values",
    "observing": "receives checked values",
    "validation": "receives checked values",
    "executors.session_events": "sends checked values to observers",
    "executors.executor": "the interface for callers: receives decoded values",
    "executors.base": "the interface for callers: receives decoded values",
    "executors.options": "checks arguments of the caller",
    "finalizer": "calls finalizers",
    "docker.engine": "asks the Docker engine, which is trusted",
    "docker.images": "builds images on the Docker engine",
    "packages": "runs an installer on the host, with the caller's rights",
    "server.refusals": "HTTP errors",
    "tools.tool": "the host's own tools",
    "tools.describe": "describes the host's own tools",
    "tools.signatures": "reads the host's own tools",
    "tools.shipping": "sends the host's own tools",
}
GROUPS = {
    "policy.py": "The policy",
    "default_imports.py": "The policy",
    "policy_bounds.py": "The policy",
    "jail": "The jail",
    "worker": "Processes outside of the sandbox",
    "wire": "Parsing of messages and values",
    "tools": "Parsing of messages and values",
    "executors": "The host",
    "tunnel": "Remote places",
    "docker": "Remote places",
    "e2b": "Remote places",
    "ray": "Remote places",
    "fleet": "Remote places",
    "server": "Remote places",
}
BEGIN, END = "<!-- generated by tests/test_house.py -->", "<!-- end of the generated part -->"


def test_the_boundary_page_lists_the_files_that_the_imports_give() -> None:
    page = BOUNDARY_PAGE.read_text(encoding="utf-8")
    listed = page.partition(BEGIN)[2].partition(END)[0]
    files = {SOURCE / name for name in re.findall(r"\]\([./]*/src/fumehood/([^)]+)\)", listed)}
    missing, unknown = {*boundary()} - files, files - {*boundary()}
    again = "run `python tests/test_house.py --write`"
    assert not missing, f"not on the page: {sorted(map(where, missing))}; {again}"
    assert not unknown, f"not in the boundary: {sorted(map(where, unknown))}; {again}"
    said = re.search(r"([\d,]+) lines in (\d+) files", listed)
    assert said, again
    lines = int(said[1].replace(",", ""))
    assert abs(lines - measured_sizes()[BOUNDARY][0]) <= SLACK_LINES, again
    assert int(said[2]) == len(boundary()), again


def test_every_root_and_stop_of_the_boundary_is_a_module() -> None:
    names = {name.partition(".")[2] for name in modules()}
    assert {*PARSERS, *ROOTS, *STOPS} - names == set()


@functools.cache
def boundary() -> tuple[Path, ...]:
    known = modules()
    parsers = {f"fumehood.{name}" for name in PARSERS}
    pending = {f"fumehood.{name}" for name in ROOTS} | parsers
    pending |= {name for name in known if part_of(name) == "jail"}
    pending |= {
        name
        for name, path in known.items()
        if part_of(name) in HOST and imports(path).modules_at_runtime & parsers
    }
    found: set[str] = set()
    while pending:
        name = pending.pop()
        if name not in found and not is_stop(name):
            found.add(name)
            pending |= imports(known[name]).modules_at_runtime
    return tuple(sorted([*C_FILES, *(known[name] for name in found if line_count(known[name]))]))


def is_stop(name: str) -> bool:
    own = name.partition(".")[2]
    return any(own == stop or (stop and own.startswith(stop + ".")) for stop in STOPS)


def boundary_list() -> str:
    """The generated part of the page."""
    lines, files = measured_sizes()[BOUNDARY]
    rows = [f"The boundary has {lines:,} lines in {files} files. The target is 3,000 lines.", ""]
    rows += ["| part | lines | files |", "|---|---|---|"]
    grouped: defaultdict[str, list[Path]] = defaultdict(list)
    for path in boundary():
        grouped[GROUPS[path.relative_to(SOURCE).parts[0]]].append(path)
    for group in dict.fromkeys(GROUPS.values()):
        links = ", ".join(
            f"[`{where(path)}`](../../src/fumehood/{where(path)})" for path in grouped[group]
        )
        rows.append(f"| {group} | {sum(map(line_count, grouped[group])):,} | {links} |")
    return "\n".join(rows)


# -- public names


def test_every_public_name_exists_and_is_listed_once() -> None:
    assert sorted(fumehood.__all__) == sorted(fumehood._HOMES)
    assert len(set(fumehood.__all__)) == len(fumehood.__all__)
    for name in fumehood.__all__:
        assert getattr(fumehood, name) is not None
    assert set(fumehood.__all__) <= set(dir(fumehood))


def test_an_unknown_public_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'Nothing'"):
        _ = fumehood.Nothing


def test_importing_the_package_imports_none_of_its_parts() -> None:
    """benchmarks/startup.py measures what `import fumehood` costs. This test keeps the cause out."""
    code = "import sys, fumehood; print([n for n in sys.modules if n.startswith('fumehood.')])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


# -- the command


def main(arguments: list[str]) -> None:
    if arguments == ["--write"]:
        text = BOUNDARY_PAGE.read_text(encoding="utf-8")
        before, after = text.partition(BEGIN)[0], text.partition(END)[2]
        made = f"{before}{BEGIN}\n\n{boundary_list()}\n\n{END}{after}"
        BOUNDARY_PAGE.write_text(made, encoding="utf-8")
        return
    sizes = measured_sizes()
    print("BUDGETS: dict[str, Budget] = {")
    for package, (lines, files) in sizes.items():
        target = BUDGETS[package].target if package in BUDGETS else None
        print(
            f'    "{package}": Budget({lines:_}, {files}, {target if target is None else format(target, "_")}),'
        )
    print("}")
    total = [
        sum(size[column] for name, size in sizes.items() if name != BOUNDARY) for column in (0, 1)
    ]
    print(f"# total: {total[0]:,} lines in {total[1]} files")
    print("SINGLE_IMPORTER = {")
    print(*(f'    "{name}",' for name in sorted(single_importers())), sep="\n")
    print("}")


if __name__ == "__main__":
    main(sys.argv[1:])
