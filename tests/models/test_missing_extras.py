"""A package that is not installed is one line, when the model is made. Importing our modules
imports none of those packages."""

from __future__ import annotations

import subprocess
import sys

# asyncio is not large, but nobody needs it who has no asynchronous model.
HEAVY = (
    "openai",
    "litellm",
    "huggingface_hub",
    "httpx",
    "smolagents",
    "requests",
    "pydantic",
    "asyncio",
    "numpy",
)


def test_importing_the_models_imports_nothing_heavy() -> None:
    modules = (
        "asking adopting base failures function hiding huggingface leaving litellm messages openai"
        " pacing replay retrying serving"
    )
    code = "import sys\n" + "\n".join(f"import fumehood.models.{name}" for name in modules.split())
    code += f"\nprint([name for name in {HEAVY!r} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
