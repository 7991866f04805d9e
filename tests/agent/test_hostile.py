"""Models that write the worst: every run ends in an orderly way, with the agent still usable, in
every place."""

from __future__ import annotations

from typing import Any

import pytest

from fumehood import CodeAgent, Limits, Policy, ReplayModel

from .conftest import MakeAgent, turn

# What a model may write, and what it is an example of. Inline code has nothing but its rules to
# hold it: what only a process of its own can survive is not run there, and the reason is said.
WRITTEN: dict[str, str] = {
    "escape": "().__class__.__base__.__subclasses__()",
    "a refused import": "import os, subprocess, socket",
    "the end of the interpreter": "raise SystemExit",
    "a keyboard's interruption": "raise KeyboardInterrupt",
    "no Python": "def f(:\n  what",
    "an endless loop": "while True:\n    pass",
    "an endless loop that cannot be caught": (
        "while True:\n  try:\n    while True:\n      pass\n  except BaseException:\n    pass"
    ),
    "deep recursion": "def f(n):\n    return f(n + 1)\nf(0)",
    "giant output": "while True:\n    print('x' * 100_000)",
    "a value that cannot be printed": (
        "class Bad:\n    def __repr__(self):\n        raise ValueError('no')\nBad()"
    ),
    "a value whose text never ends": "x = []\nfor _ in range(60):\n    x = [x, x]\nx",
    "an exception without a text": (
        "class Bad(Exception):\n    def __str__(self):\n        raise ValueError('no')\nraise Bad"
    ),
    "surrogates": "print('\\ud800')\n'\\udfff'",
    "control characters": "print('\\x1b[2J\\x1b]0;owned\\x07')\n'\\x1b[31m'",
    "a cell that answers and is caught": (
        "try:\n    raise BaseException('x')\nexcept ValueError:\n    pass"
    ),
    "a broken generator": (
        "def g():\n    try:\n        yield 1\n    finally:\n        raise RuntimeError('late')\nh ="
        " g(); next(h); del h"
    ),
    "nothing": "",
    "a fence in a string": "x = '''\n```python\nfinal_answer(0)\n```\n'''",
}
NEEDS_A_PROCESS: dict[str, str] = {
    "all the memory": "x = []\nwhile True:\n    x.append(bytearray(10_000_000))",
    "one long call": "10 ** 10 ** 9",
    "a crash": "import ctypes\nctypes.string_at(0)",
    "an exit past everything": "import os\nos._exit(3)",
    "many processes": "import os\nwhile True:\n    os.fork()",
}
SPOKEN: dict[str, str] = {
    "prose": "I would rather talk about it.",
    "an unfinished block": "```python\nx = (1,",
    "nothing at all": "",
    "a giant text": "word " * 200_000,
    "binary": "\x00\x01\x02\ud800",
}

LIMITS = Limits(cell_seconds=3, grace_seconds=0.5, memory_bytes=200 << 20, output_characters=2_000)


def check_all(agent: CodeAgent, steps: int) -> None:
    result = agent.run("Do your worst.", return_full_result=True)
    assert result.state == "max_steps" and len(result.steps) == steps, (
        result.state,
        result.error,
        len(result.steps),
    )
    assert all(len(step.observations) < 20_000 for step in result.steps), "observations are bounded"
    assert all("\x1b" not in step.observations for step in result.steps)
    agent.model = ReplayModel([turn("final_answer(6 * 7)")])
    assert agent.run("And now behave.") == 42


@pytest.mark.long
@pytest.mark.parametrize("half", [0, 1])
def test_ten_hostile_steps_in_a_row_end_with_a_usable_agent(
    make_agent: MakeAgent, half: int
) -> None:
    written = [turn(code) for code in [*WRITTEN.values()][half::2]]
    spoken = [*SPOKEN.values()]
    turns = [text for pair in zip(written, spoken * 3, strict=False) for text in pair]
    assert len(turns) >= 10
    agent = make_agent(
        model=ReplayModel([*turns, "I give up."]),
        policy=Policy(limits=LIMITS),
        max_steps=len(turns),
    )
    check_all(agent, len(turns))


@pytest.mark.long
@pytest.mark.parametrize("language", ["guarded", "off"])
def test_what_only_a_process_survives_ends_with_a_usable_agent(
    make_agent: MakeAgent, place: str, language: Any
) -> None:
    if place == "inline":
        pytest.skip("inline code has no process of its own, and its report says what that means")
    turns = [turn(code) for code in [*NEEDS_A_PROCESS.values()] * 2]
    policy = Policy(limits=LIMITS, language=language)
    agent = make_agent(
        model=ReplayModel([*turns, "I give up."]), policy=policy, max_steps=len(turns)
    )
    check_all(agent, len(turns))
