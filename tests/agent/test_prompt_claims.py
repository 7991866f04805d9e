"""The system prompt says of the place where code runs what is true there: every claim is tried."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from fumehood import CodeAgent, Limits, Policy, ReplayModel

EXTENDED = pytest.mark.extended
LIMITS = Limits(cell_seconds=3, output_characters=5_000, memory_bytes=256 << 20)
PLACES: dict[str, dict[str, Any]] = {
    "default": {"policy": Policy(limits=LIMITS)},
    "files": {"policy": Policy(files=True, limits=LIMITS)},
    "any import": {"policy": Policy(["*"], limits=LIMITS)},
    "full": {"policy": Policy.full(limits=LIMITS)},
    "listed programs": {"policy": Policy(programs=["bash", "ls"], limits=LIMITS)},
    "guarded": {"policy": Policy(language="guarded", limits=LIMITS)},
    "inline": {"policy": Policy(limits=LIMITS), "isolation": "inline"},
}


def _fails(executor: Any, code: str) -> None:
    assert executor.run(code).error is not None, code


def _gives(executor: Any, code: str, value: object) -> None:
    execution = executor.run(code)
    assert execution.error is None, f"{code}: {execution.error}"
    assert execution.value == value, code


def _versions(executor: Any, claim: str) -> None:
    _gives(executor, "class A:\n    pass\nlist(x for x in range(2))", [0, 1])
    _gives(executor, "import asyncio\nawait asyncio.sleep(0, 1)", 1)


def _kept(executor: Any, claim: str) -> None:
    executor("import math\ndef f(): return math.pi")
    _gives(executor, "f() > 3", True)


def _modules(executor: Any, claim: str) -> None:
    listed = claim.partition(": ")[2].rstrip(".").split(", ")
    failed = {name: str(executor.run(f"import {name}").error) for name in listed}
    assert {name: error for name, error in failed.items() if error != "None"} == {}
    for name in {"ctypes", "ftplib", "subprocess"} - {*listed}:
        assert executor.run(f"import {name}").fault == "refused", name


def _any_module(executor: Any, claim: str) -> None:
    for name in ("ctypes", "ftplib", "os", "sys", "msgspec"):
        assert executor.run(f"import {name}").error is None, name


def _files(executor: Any, claim: str) -> None:
    home = re.findall(r"`(/[^`]*)`", claim)[0]
    for path in ("a.txt", f"{home}/b.txt", "/tmp/c.txt"):
        _gives(executor, f"open({path!r}, 'w').write('x')\nopen({path!r}).read()", "x")
    _gives(executor, "__import__('os').getcwd()", home)


def _no_files(executor: Any, claim: str) -> None:
    _fails(executor, "open('a.txt', 'w')")
    _fails(executor, "open('/etc/shadow')")


def _no_network(executor: Any, claim: str) -> None:
    _fails(executor, "import socket\nsocket.create_connection(('127.0.0.1', 9))")


def _no_programs(executor: Any, claim: str) -> None:
    _fails(executor, "import subprocess\nsubprocess.run(['true'])")


def _programs(executor: Any, claim: str) -> None:
    _gives(executor, "import subprocess\nsubprocess.run(['true']).returncode", 0)
    assert executor.run("!echo said").logs == "said\n"


def _listed_programs(executor: Any, claim: str) -> None:
    assert "bash, ls" in claim
    _gives(
        executor, "import subprocess\nsubprocess.run(['ls', '/home'], stdout=-1).stdout", b"user\n"
    )
    _fails(executor, "import subprocess\nsubprocess.run(['env'])")


def _time(executor: Any, claim: str) -> None:
    assert "3 seconds" in claim
    assert executor.run("import time\ntime.sleep(1000)").fault == "timeout"


def _memory(executor: Any, claim: str) -> None:
    assert "256 MB" in claim
    assert executor.run("x = bytearray(300 << 20)").error is not None
    _gives(executor, "len(bytearray(60 << 20)) >> 20", 60)


def _printed(executor: Any, claim: str) -> None:
    logs = executor.run("print('x' * 100_000)").logs
    assert 5_000 <= len(logs) < 10_000


def _guarded(executor: Any, claim: str) -> None:
    for code in re.findall(r"`([^`]*)`", claim):
        assert executor.run(f"x = 1\ndef f(): pass\n{code}").fault == "refused", code
    _gives(executor, "class C:\n    def __len__(self): return 3\nlen(C())", 3)


def _undone(executor: Any, claim: str) -> None:
    executor("kept = 1")
    assert executor.run("kept = 2\nwhile True: pass").rolled_back
    _gives(executor, "kept", 1)


def _printing(executor: Any, claim: str) -> None:
    assert executor.run("print(5)").logs == "5\n"


CLAIMS: list[tuple[str, Callable[[Any, str], None]]] = [
    ("- Real Python", _versions),
    ("- Variables, functions and imports", _kept),
    ("- Print what you need", _printing),
    ("- Any installed module", _any_module),
    ("- These modules can be imported", _modules),
    ("- Files can be read", _files),
    ("- There are no files", _no_files),
    ("- There is no network", _no_network),
    ("- No programs", _no_programs),
    ("- The programs of this machine", _programs),
    ("- These programs can be started", _listed_programs),
    ("- A step may run for", _time),
    ("- It may use", _memory),
    ("- 5,000 characters", _printed),
    ("- Attributes that lead", _guarded),
    ("- A step that runs out", _undone),
]


@pytest.mark.filterwarnings("ignore::fumehood.DangerousImport")
@pytest.mark.parametrize(
    "place",
    [
        pytest.param(place, marks=() if place in ("default", "full", "inline") else EXTENDED)
        for place in PLACES
    ],
)
def test_every_claim_of_the_system_prompt_is_true(place: str) -> None:
    agent = CodeAgent(tools=[], model=ReplayModel([]), executor_kwargs=PLACES[place])
    section = agent.system_prompt.partition("# How the code runs\n")[2].partition("\n\n#")[0]
    tried = set()
    for line in section.splitlines():
        check = next((check for start, check in CLAIMS if line.startswith(start)), None)
        assert check is not None, f"nothing tries: {line}"
        check(agent.python_executor, line)
        tried.add(check)
    assert len(tried) >= 8
