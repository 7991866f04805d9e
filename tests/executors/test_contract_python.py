"""In a jail, cells run in CPython itself: what a script does, a cell does."""

from __future__ import annotations

import pytest

from fumehood import Limits, LocalPythonExecutor, Policy

from .conftest import MakeExecutor

# Cells, and what the last of their statements gives.
AS_IN_A_SCRIPT: list[tuple[str, object]] = [
    ("__name__, __file__.startswith('<cell')", ("__main__", True)),
    ("import sys\nsys.argv, sys.modules['__main__'].__name__", (["cell"], "__main__")),
    ("def f(): return 1\nimport __main__\n__main__.f()", 1),
    ("import inspect\ninspect.getsource(f)", "def f(): return 1\n"),
    (
        "class C:\n    def m(self): return 2\ninspect.getsource(C)",
        "class C:\n    def m(self): return 2\n",
    ),
    ("import pickle\ntype(pickle.loads(pickle.dumps(C()))) is C", True),
    (
        "from unittest.mock import patch\nwith patch('__main__.f', lambda: 5):\n    got = f()\ngot",
        5,
    ),
    (
        "import random\nwith patch('random.randint', return_value=7):\n    got = random.randint(1, 2)\ngot",
        7,
    ),
    ("random.randint(3, 3)", 3),
    (
        "from unittest.mock import mock_open\nwith patch('builtins.open', mock_open(read_data='x')):\n"
        "    got = open('/no/such/file').read()\ngot",
        "x",
    ),
    (
        "import typing, dataclasses\n@dataclasses.dataclass\nclass D:\n    c: 'C'\n"
        "typing.get_type_hints(D)['c'] is C",
        True,
    ),
    (
        "import unittest, io\nclass T(unittest.TestCase):\n    def test_it(self): self.assertEqual(f(), 1)\n"
        "unittest.main(exit=False).result.testsRun",
        1,
    ),
    (
        "import doctest\ndef g():\n    '''\n    >>> g()\n    3\n    '''\n    return 3\n"
        "doctest.testmod().attempted",
        1,
    ),
    ("import argparse\nvars(argparse.ArgumentParser().parse_args())", {}),
    (
        "import threading\nsys.setrecursionlimit(5000)\n"
        "def deep(n): return n and 1 + deep(n - 1)\ngot = []\n"
        "t = threading.Thread(target=lambda: got.append(deep(3000)))\nt.start(); t.join()\ngot",
        [3000],
    ),
    ("import asyncio\nawait asyncio.to_thread(lambda: 4)", 4),
    ("asyncio.run(asyncio.sleep(0, 6))", 6),
    ("await asyncio.get_running_loop().run_in_executor(None, f)", 1),
    (
        "from concurrent.futures import ThreadPoolExecutor\n"
        "with ThreadPoolExecutor() as pool:\n    got = sum(pool.map(int, '123'))\ngot",
        6,
    ),
    ("(lambda: 0).__globals__ is globals()", True),
    ("__author__ = 'me'\n__author__", "me"),
    ("    x = 1\n    x + 1\n", 2),
    ("%matplotlib inline\n8", 8),
    ("f(''', import os\n''') if False else 9", 9),
    ("_ = 1\nprint('a'); 10", 10),
    ("x = [\n1,\n2\n]\n", [1, 2]),
    ("if x:\n    11\nelse:\n    12\n", 11),
    ("text = '''\nimport ftplib\n'''\nlen(text)", 15),
    ("import os, posix\nos.getcwd() == posix.getcwd()", True),
    ("import site\nsite.getusersitepackages().startswith(os.path.expanduser('~/.local'))", True),
]


@pytest.fixture
def plain(place: str, make_executor: MakeExecutor) -> LocalPythonExecutor:
    if place == "inline":
        pytest.skip("without a jail there is only the guarded language")
    return make_executor(policy=Policy(["*"]))


def test_a_task_can_be_awaited_in_a_later_cell(plain: LocalPythonExecutor) -> None:
    plain.run(
        "import asyncio\nasync def five(): return 5\ntask = asyncio.ensure_future(five())\n"
        "await asyncio.sleep(0)"
    )
    assert plain.run("await task").value == 5


def test_a_cell_does_what_a_script_does(plain: LocalPythonExecutor) -> None:
    wrong = {}
    for code, value in AS_IN_A_SCRIPT:
        execution = plain.run(code)
        seen = execution.error or execution.value
        if seen != value or type(seen) is not type(value):
            wrong[code] = seen
    assert wrong == {}


def test_leaving_is_an_error_only_with_a_status(plain: LocalPythonExecutor) -> None:
    for code in ("import sys\nsys.exit()", "sys.exit(0)", "exit()", "quit()", "raise SystemExit"):
        assert plain.run("print('before')\n" + code).error is None, code
        assert plain.run("input()").error.type == "EOFError", code  # exit() closes sys.stdin
    for code in ("sys.exit(2)", "sys.exit('no')", "exit(1)"):
        assert plain.run(code).error.type == "SystemExit", code


def test_output_of_threads_that_are_not_joined_belongs_to_the_cell(
    plain: LocalPythonExecutor,
) -> None:
    code = (
        "import threading\ngo = threading.Event()\n"
        "def late():\n    go.wait(60)\n    print('late')\n"
        "threading.Thread(target=late).start()\nthreading.Timer(0.2, go.set).start()\nprint('first')"
    )
    assert plain.run(code).logs == "first\nlate\n"
    code = (
        "from concurrent.futures import ThreadPoolExecutor\nimport time\n"
        "def late(n):\n    time.sleep(0.1)\n    print(n)\n"
        "pool = ThreadPoolExecutor(1)\nfor n in range(3): pool.submit(late, n)\nprint('first')"
    )
    assert plain.run(code).logs == "first\n0\n1\n2\n"
    assert plain.run("pool.submit(late, 3)\nNone").logs == "3\n"


@pytest.mark.parametrize(
    ("code", "status", "logs"),
    [
        ("sys.exit(3)", 3, ""),
        ("print('child')", 0, "child\n"),
        ("sys.exit('no')", 1, "no\n"),
        ("1/0", 1, "ZeroDivisionError: division by zero\n"),
    ],
)
def test_a_forked_process_ends_as_a_script_does(
    plain: LocalPythonExecutor, code: str, status: int, logs: str
) -> None:
    execution = plain.run(
        "import os, sys\npid = os.fork()\n"
        f"if pid == 0:\n    {code}\n    sys.exit()\n"
        "os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])"
    )
    assert (execution.error, execution.value) == (None, status)
    assert execution.logs.endswith(logs)


def test_a_cell_does_not_wait_for_threads_of_a_cell_that_was_stopped(
    make_jailed: MakeExecutor,
) -> None:
    policy = Policy(language="off", limits=Limits(cell_seconds=3))
    executor = make_jailed(policy=policy, on_fault="keep")
    code = "import threading, time\nthreading.Thread(target=time.sleep, args=(600,)).start()"
    assert executor.run(code).fault == "timeout"
    assert executor.run("1 + 1").value == 2


def test_input_comes_from_a_text_or_from_the_host(plain: LocalPythonExecutor) -> None:
    code = "a = input('a? ')\nb = input('b? ')\n[a, b]"
    execution = plain.run(code, stdin="1\n2\n")
    assert (execution.value, execution.logs) == (["1", "2"], "a? b? ")
    prompts: list[str] = []

    def answer(prompt: str) -> str:
        prompts.append(prompt)
        return f"{len(prompts)}\n"

    assert plain.run(code, stdin=answer).value == ["1", "2"]
    assert prompts == ["a? ", "b? "]
    assert plain.run("import sys\nsys.stdin.read()", stdin=iter(["x", "y", None]).__next__).error
    lines = iter(["x", "y", None])
    assert plain.run("sys.stdin.read()", stdin=lambda prompt: next(lines)).value == "x\ny\n"
    error = plain.run("input()").error
    assert (error.type, error.message.splitlines()[1]) == (
        "EOFError",
        "this cell has no more input: give it with run(code, stdin=...)",
    )


def test_a_refused_import_names_the_module_and_the_option(
    place: str, make_executor: MakeExecutor
) -> None:
    if place == "inline":
        pytest.skip("without a jail there is only the guarded language")
    executor = make_executor(policy=Policy(["xml"]))
    execution = executor.run("import socket\nfrom urllib import request, parse\nimport os.path")
    assert [violation.name for violation in execution.violations] == [
        "import socket",
        "import urllib.request",
        "import os.path",
    ]
    text = execution.error.message
    assert 'additional_authorized_imports=["socket"]' in text
    assert "files=True" in text
    named = text.splitlines()[-1].removeprefix("authorized imports: ").split(", ")
    assert "xml" in named and len([name for name in named if name != "…"]) <= 10
    assert executor.run("exec('import socket')").error.type == "ForbiddenImport"
    assert (
        executor.run("from urllib import parse\nimport unittest.mock, collections.abc").error
        is None
    )


def test_a_magic_line_that_cannot_be_run_is_one_clear_line(plain: LocalPythonExecutor) -> None:
    for code in ("!ls -l", "x = !ls", "%pip install x", "%%bash\nls", "%nothing"):
        error = plain.run(code).error
        assert "\n" not in error.message, code
        assert "programs=True" in error.message or code == "%nothing", code
    assert plain.run("%%time\ny = 5\ny").value == 5
    assert "per loop" in plain.run("%timeit -1").logs
    assert "best of 2, 3 loops" in plain.run("%timeit -n 3 -r2 -y").logs
    assert "best of 2, 3 loops" in plain.run("%%timeit -n3 -r 2\n-y").logs
    assert plain.run("%%capture\nprint(1)\nz = 6").logs == ""
    assert plain.run("%%capture\nprint(1)\nz / 0").error.type == "ZeroDivisionError"
    assert plain.run("print(z)").logs == "6\n"
    assert plain.run("len?").logs == plain.run("?len").logs == plain.run("help(len)").logs != ""
