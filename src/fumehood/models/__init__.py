"""Models, by the names that the package has them under as well. Imported when first used: most need
an extra."""

from __future__ import annotations

from typing import Any

_NAMES = (
    "ChatMessage HfApiModel Image InferenceClientModel LiteLLMModel Model OpenAIModel ReplayModel"
    " TokenUsage".split()
)


def __getattr__(name: str) -> Any:
    if name not in _NAMES:
        raise AttributeError(f"module 'fumehood.models' has no attribute {name!r}")
    import fumehood

    return getattr(fumehood, name)


def __dir__() -> list[str]:
    return sorted([*globals(), *_NAMES])
