"""What a model is told when there is no code in what it wrote: what was wrong, and one small
example of what is right."""

from __future__ import annotations

import ast
import re
from typing import Final

from fumehood.agent.parsing.calls import call_in_json
from fumehood.errors import AgentParsingError

_LONGEST_VALUE: Final = 80
_LOOKED_AT: Final = 4_000
_STATED: Final = re.compile(
    r"\b(?:final[ _])?answer\**[ \t]*(?:\bis\b|:|=)[ \t]*(?:\bis\b|:)?[ \t]*(?P<value>[^\n]{1,200})"
    r"|final_answer\((?P<call>[^\n]{0,200}?)\)",
    re.IGNORECASE,
)
_EXAMPLE: Final = "result = 6 * 7\nprint(result)"


class Advice:
    """Makes the errors, with examples in the marks that the agent asks for."""

    def __init__(self, tags: tuple[str, str] | None) -> None:
        self._tags = tags or ("```python", "```")

    def _error(self, what: str, example: str = _EXAMPLE) -> AgentParsingError:
        return AgentParsingError(
            f"{what} For example:\n\n{self._tags[0]}\n{example}\n{self._tags[1]}"
        )

    def empty(self) -> AgentParsingError:
        return self._error(
            "Your answer is empty. Say in a sentence what you want to do, then write one block of"
            " Python code."
        )

    def unfinished_thought(self) -> AgentParsingError:
        return self._error(
            "Your answer ends before your reasoning does, so there is no code in it. Think less,"
            " then write a block of Python code."
        )

    def only_drafts(self) -> AgentParsingError:
        return self._error(
            "The only code is inside of your reasoning, where it is not run. Write it again, after"
            " the reasoning."
        )

    def too_many_marks(self) -> AgentParsingError:
        return self._error(
            "Your answer holds too many fences and tags to be read. Write one block of Python code."
        )

    def empty_block(self) -> AgentParsingError:
        return self._error("The code block is empty. Write the Python code to run into it.")

    def no_code(self, prose: str, words: list[str]) -> AgentParsingError:
        """`words` are the languages of the blocks that are there."""
        call = call_in_json(prose)
        if call is not None:
            return self._error(
                "Tools are not called with JSON here: they are Python functions. Call them in a"
                " block of code.",
                f"print({call})",
            )
        stated = stated_answer(prose)
        if stated is not None:
            return self._error(
                "There is no code in your answer, so nothing was run and no answer was given. To"
                " give the final answer, call final_answer in a block of Python code.",
                f"final_answer({stated})",
            )
        if words:
            return self._error(
                f"Only Python is run, and your answer holds {words[0]}. Write a block of Python"
                " code."
            )
        return self._error(
            "There is no Python code in your answer, so nothing was run. Say in a sentence what you"
            " want to do, then write one block of Python code; to give the final answer, call"
            " final_answer(value) in it."
        )


def stated_answer(prose: str) -> str | None:
    """The argument for `final_answer` when prose says what the answer is. None if it does not."""
    stated = [*_STATED.finditer(prose[-_LOOKED_AT:])]
    if not stated:
        return None
    found = stated[-1]
    text = (found["value"] or found["call"] or "").strip()
    boxed = re.search(r"\\boxed\{([^{}]*)\}", text)
    text = (boxed[1] if boxed else text).strip(" \t*`$\"'“”").removesuffix(".").strip(" \t*`$\"'“”")
    if not text:
        return "value"
    try:
        value = ast.literal_eval(text)
    except (ValueError, SyntaxError, RecursionError, MemoryError, TypeError):
        value = text
    shown = repr(value) if type(value) in (int, float, bool, str) else repr(text)
    return shown if len(shown) <= _LONGEST_VALUE else "value"
