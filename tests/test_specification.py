"""Every call that the specification shows works here. The documents are not part of this package;
where they are, their own examples run.

FUMEHOOD_SPECIFICATION names the directory; without it, one beside the checkout is looked for.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import signal
import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import fumehood
from fumehood import ChatMessage, CodeAgent, DuckDuckGoSearchTool, Model, TokenUsage

from .clouds import KEY

BESIDE = Path(__file__).parents[2] / "shared" / "spec"
DIRECTORY = Path(os.environ.get("FUMEHOOD_SPECIFICATION") or BESIDE)

# What an example's task asks for, found by words in it, and what a model might write.
SCRIPTS: dict[str, str] = {
    "normal distribution": (
        "import numpy as np\nx = np.random.normal(size=100)\n"
        "final_answer({'mean': x.mean(), 'std': x.std(), 'p95': np.percentile(x, 95)})"
    ),
    "merge sort": "final_answer('O(n log n)')",
    "factorial of 20": "def f(n):\n    return 1 if n < 2 else n * f(n - 1)\nfinal_answer(f(20))",
    "square root of 144": "import math\nfinal_answer(math.sqrt(144))",
    "square root of 1764": "import math\nresult = math.sqrt(1764)\nfinal_answer(result)",
    "first 10 prime numbers": (
        "found = [n for n in range(2, 30) if all(n % d for d in range(2,"
        " n))]\nfinal_answer(found[:10])"
    ),
    "2 to the power of 32": "final_answer(2 ** 32)",
    "monthly sales": (
        "sales = [45, 52, 48, 61, 55, 72, 68, 71, 64, 78, 82, 95]\nimport statistics\n"
        "final_answer({'total': 1000 * sum(sales), 'average': 1000 * statistics.mean(sales)})"
    ),
    "quick brown fox": (
        "import re, collections\ntext = 'The quick brown fox jumps over the lazy dog. The fox is"
        " quick and brown.'\nfinal_answer(collections.Counter(re.findall(r'[a-z]+',"
        " text.lower())).most_common(3))"
    ),
    "binary search": (
        "import bisect\nnumbers = [2, 5, 8, 12, 16, 23, 38, 56, 72, 91]\n"
        "final_answer([numbers[bisect.bisect_left(numbers, 23)] == 23])"
    ),
    "average age": (
        'import json\nusers = json.loads(\'{"users": [{"age": 30}, {"age": 25}]}\')["users"]\n'
        'final_answer(sum(u["age"] for u in users) / len(users))'
    ),
    "Fibonacci": (
        "a, b, found = 0, 1, []\nfor _ in range(100):\n    found.append(a)\n    a, b = b, a +"
        " b\nfinal_answer(found)"
    ),
}

# What is printed at the end of an example, by words in its task.
PRINTED: dict[str, str] = {
    "square root of 144": "12.0",
    "monthly sales": "'total': 791000",
    "quick brown fox": "('the', 3)",
    "average age": "27.5",
    "normal distribution": "'p95'",
    "merge sort": "O(n log n)",
    "Fibonacci": "218922995834555169026",
}

# Examples that are not programs: outlines of another package's inside, and a text that a model
# writes.
OUTLINES = (
    "# --- File: agents.py",
    "# --- File: local_python_executor.py",
    "# Thought: I need to calculate",
)


class Scripted(Model):
    """Stands in for every model of the examples: writes what the task asks for."""

    def __init__(self, model_id: str = "scripted", **options: Any) -> None:
        self.model_id = model_id

    def generate(self, messages: Sequence[ChatMessage], **options: Any) -> ChatMessage:
        [code] = [
            code for words, code in SCRIPTS.items() if words.lower() in messages[1].content.lower()
        ]
        return ChatMessage(
            "assistant",
            f"Thought: this is how.\n```python\n{code}\n```",
            token_usage=TokenUsage(10, 5),
        )


def examples() -> list[Any]:
    found = []
    for document in sorted(DIRECTORY.glob("*.txt")) if DIRECTORY.is_dir() else ():
        blocks = re.findall(
            r"^([ ]*)```python\n(.*?)^\1```", document.read_text(), flags=re.DOTALL | re.MULTILINE
        )
        for number, (_indent, code) in enumerate(blocks, start=1):
            found.append(pytest.param(textwrap.dedent(code), id=f"{document.stem[:3]}-{number}"))
    return found or [
        pytest.param(
            None, marks=pytest.mark.skip(reason="the specification is not beside this checkout")
        )
    ]


@pytest.mark.parametrize("code", examples())
def test_the_specification_s_example_runs(
    code: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    if code.startswith(OUTLINES):
        pytest.skip("an outline of another package's inside, or a text that a model writes")
    for name in ("HfApiModel", "LiteLLMModel"):
        monkeypatch.setitem(vars(fumehood), name, Scripted)
    monkeypatch.chdir(tmp_path)
    code = code.replace("from smolagents", "from fumehood")
    if "scipy" in code:
        pytest.importorskip("scipy")
    printed = io.StringIO()
    before = {
        "CodeAgent": CodeAgent,
        "llm": Scripted(),
        "search_tool": DuckDuckGoSearchTool(),
    }  # of another example, on the same page
    made: dict[str, Any] = {"__name__": "example", **before}
    if 'executor_type="docker"' in code:  # and e2b
        monkeypatch.setattr(
            "fumehood.docker.images.DEFAULT_BASE", request.getfixturevalue("base")
        )  # there may be no registry
        cloud = request.getfixturevalue("cloud")  # nor a network
        for name, value in (
            ("E2B_API_KEY", KEY),
            ("E2B_API_URL", cloud.url),
            ("E2B_SANDBOX_URL", cloud.url),
        ):
            monkeypatch.setenv(name, value)
        run(code, made)
        for name in ("docker_agent", "e2b_agent"):
            with contextlib.closing(made[name]) as agent:
                assert agent.run("What is 2 to the power of 32?") == 2**32
        return
    try:
        with contextlib.redirect_stdout(printed):
            run(code, made)
    finally:
        for value in made.values():
            if isinstance(value, CodeAgent):
                value.close()
    for words, text in PRINTED.items():
        if words.lower() in code.lower():
            assert text in printed.getvalue()
    if "export_logs" in code:
        [entry] = json.loads((tmp_path / "execution_log.json").read_text())
        assert (entry["result"], entry["status"]) == (str(2**32), "success")


def run(code: str, made: dict[str, Any]) -> None:
    before = signal.getsignal(signal.SIGALRM)
    try:
        exec(compile(code, "example", "exec"), made)  # what a reader would paste into a file
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
