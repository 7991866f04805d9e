"""Who imports whom, who uses sharp tools, what is public: the shape of the package, compared with
what it says of itself."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import fumehood

SOURCE = Path(fumehood.__file__).parent
# Programs of the attack suite are data.
FILES = sorted(
    path for path in SOURCE.rglob("*.py") if not path.is_relative_to(SOURCE / "attack" / "programs")
)

# The rings of src/fumehood/__init__.py: each part, and the parts it may import.
LEAF = {"errors", "results", "grants", "policy", "ceilings", "wire", "tunnel"}
INSIDE = LEAF | {"language", "jail", "worker"}
RINGS = {
    "errors": {"results"},
    "results": {"errors", "wire"},
    "grants": set(),
    "policy": {"errors", "grants"},
    "ceilings": {"errors", "policy"},
    "wire": {"errors"},
    "tunnel": {"errors", "policy"},
    "language": LEAF,
    "jail": LEAF,
    "worker": LEAF | {"language", "jail"},
    # What the host alone knows of: what happens, and who wants to know.
    "events": {"results", "wire"},
    "logs": {"errors", "events", "results"},
    "observing": {"errors", "events", "logs"},
    "dropping": set(),
    # What is wrong with arguments, in one line. Nobody inside has callers of whom that is to be
    # said.
    "asked": {"errors", "wire"},
    "validation": LEAF | {"asked"},
    "telemetry": {"errors", "results", "events", "observing"},
    "tools": LEAF | {"asked"},
    # Of the inside, executors use the language for the inline executor, and the jail's report; they
    # start a worker and never import it. The engine that containers run on. What is put into them
    # is known to it by names alone.
    "docker": LEAF | {"dropping", "progress"},
    # A service that has sandboxes: what is put into them is known to it by names alone, too.
    "e2b": LEAF | {"dropping"},
    # A cluster whose nodes have far ends: what runs in those is started by name, too.
    "ray": LEAF,
    # What is told of things that take a while; and packages for code, which know of no sandbox.
    "progress": set(),
    "packages": LEAF | {"progress"},
    "executors": (
        LEAF
        | {
            "language",
            "jail",
            "tools",
            "events",
            "logs",
            "observing",
            "validation",
            "docker",
            "dropping",
            "e2b",
            "packages",
            "ray",
        }
    ),
    "models": LEAF | {"asked"},
    "agent": LEAF | {"asked", "tools", "executors", "models", "events", "observing", "packages"},
    # Nothing but the command line imports the audit log: whoever is observed does not know who
    # observes. A replay runs cells.
    "audit": LEAF | {"asked", "events", "observing", "executors"},
    "integrations": LEAF | {"tools", "executors"},
    # Values go to clients in the form that they have in the audit log.
    "server": LEAF | {"asked", "executors", "tools", "audit", "events", "observing", "e2b"},
    # Many sandboxes on many machines. A node's actor knows its part there by name alone.
    "fleet": LEAF | {"executors", "ray"},
    # The attack suite does to sandboxes all that a host does: logs, agents, saved state. It asks
    # the rules what they refuse.
    "attack": LEAF | {"executors", "docker", "language", "audit", "agent", "models", "events"},
    "cli": (
        LEAF
        | {
            "attack",
            "server",
            "docker",
            "executors",
            "language",
            "jail",
            "tools",
            "models",
            "agent",
            "audit",
            "events",
        }
        | {"observing", "validation", "packages"}
    ),
}
FROM_THE_JAIL = {"fumehood.jail.report", "fumehood.jail.syscalls", "fumehood.jail.landlock"}

# Sharp tools and the only files that may use them, with the reason.
SHARP = {
    "ctypes": {
        "language/deadline.py": "throws an exception into a thread",
        "jail/kernel.py": "makes kernel calls that Python does not offer",
        "attack/canaries.py": "has a secret at a known place in a process's memory",
    },
}
SHARP_METHODS = {
    ("os", "fork"): {
        "jail/kernel.py": "where Python's own fork is needed",
        "attack/canaries.py": "a victim for attacks",
        "attack/inline.py": "an attack inline may leave its process in any state",
    },
    ("kernel", "fork"): {
        "worker/fork.py": "starts processes by copying the zygote",
        "worker/branching.py": "a runner copies itself",
    },
    ("pickle", "loads"): {"worker/ceiling.py": "unpickles, inside the jail, what the host sent"},
    ("os", "_exit"): {
        "worker/fork.py": "a forked process must not return into its parent's code",
        "jail/contained.py": "a template whose zygote is gone ends",
        "worker/runner.py": (
            "a process that code has forked is no runner, and must not come back as one"
        ),
        "worker/line.py": "a runner whose host is gone ends, whichever of its threads notices",
        "worker/branching.py": "a base that nobody needs ends",
        "attack/canaries.py": "a victim ends without its parent's exit hooks",
        "attack/inline.py": "exit hooks that an attack left behind are not run",
    },
}
SHARP_CALLS = {
    "compile": {"language/compile.py": "makes code from checked trees"},
    "exec": {"language/compile.py": "runs a private copy of a library module"},
    "eval": {"language/compile.py": "runs code from checked trees"},
}


def _part(name: str) -> str:
    return name.split(".")[1] if name.count(".") else ""


def _imports(path: Path, everywhere: bool = True) -> set[str]:
    found: set[str] = set()
    tree = ast.parse(path.read_text())
    for node in ast.walk(tree) if everywhere else tree.body:
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module} | {f"{node.module}.{alias.name}" for alias in node.names}
    return found


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(SOURCE)))
def test_imports_point_inward_only(path: Path) -> None:
    part = path.relative_to(SOURCE).parts[0].removesuffix(".py")
    if part == "__init__":
        return
    for name in _imports(path):
        if name.startswith("fumehood.") and _part(name) != part:
            assert _part(name) in RINGS[part], f"{part} imports {name}"
            if _part(name) == "jail" and part not in INSIDE:
                assert any(
                    name == allowed or name.startswith(allowed + ".")
                    for allowed in {*FROM_THE_JAIL, "fumehood.jail"}
                ), name


def test_the_inside_needs_nothing_but_the_standard_library() -> None:
    """What is imported when a module is: a function may import a library late, if it is there."""
    inside = [
        path for path in FILES if path.relative_to(SOURCE).parts[0].removesuffix(".py") in INSIDE
    ]
    foreign = {
        (path.name, name)
        for path in inside
        for name in _imports(path, everywhere=False)
        if name.partition(".")[0] not in sys.stdlib_module_names | {"fumehood"}
    }
    assert foreign == {("strict.py", "msgspec")}, (
        "strict.py reads what sandboxes send, on the host only"
    )


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(SOURCE)))
def test_sharp_tools_stay_in_the_files_named_for_them(path: Path) -> None:
    where = path.relative_to(SOURCE).as_posix()
    for tool, homes in SHARP.items():
        if tool in _imports(path):
            assert where in homes, f"{where} imports {tool}"
    for node in ast.walk(ast.parse(path.read_text())):
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id in SHARP_CALLS
        ):
            assert where in SHARP_CALLS[node.func.id], f"{where}:{node.lineno} calls {node.func.id}"
        if (
            isinstance(node, ast.Attribute)
            and isinstance(node.value, ast.Name)
            and (node.value.id, node.attr) in SHARP_METHODS
        ):
            assert where in SHARP_METHODS[node.value.id, node.attr], (
                f"{where}:{node.lineno} uses {node.value.id}.{node.attr}"
            )


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
    """The cost of `import fumehood` is measured by benchmarks/startup.py; this keeps its cause
    out."""
    code = "import sys, fumehood; print([n for n in sys.modules if n.startswith('fumehood.')])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
