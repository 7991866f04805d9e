"""A package that is not installed is one line, when the model is made. Importing our modules
imports none of those packages."""

from __future__ import annotations

import subprocess
import sys

import pytest

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

MADE = {
    "openai": "from fumehood.models.openai import OpenAIModel as M; M('m')",
    "litellm": "from fumehood.models.litellm import LiteLLMModel as M; M('m')",
    "huggingface_hub": "from fumehood.models.huggingface import HfApiModel as M; M()",
}
EXTRAS = {"openai": "openai", "litellm": "litellm", "huggingface_hub": "huggingface"}


@pytest.mark.parametrize("package", MADE)
def test_a_missing_package_is_one_line_with_what_to_install(package: str) -> None:
    code = f"""
import sys

class Finder:
    def find_spec(self, name, path=None, target=None):
        return None if name.partition(".")[0] == {package!r} else sys_find(name, path, target)

import importlib.machinery
sys_find = importlib.machinery.PathFinder.find_spec
sys.meta_path = [finder for finder in sys.meta_path if finder is not importlib.machinery.PathFinder] + [Finder()]
try:
    {MADE[package].replace("; ", chr(10) + "    ")}
except ImportError as error:
    print(type(error).__name__, error)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("MissingExtra ")
    assert done.stdout.endswith(
        f"needs the package {package}: pip install 'fumehood[{EXTRAS[package]}]'\n"
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
