"""The marks by which models set code apart from prose, as tables: a reason per row. blocks.py is
the engine that reads them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, Literal

Language = Literal["python", "unsaid", "json", "other"]
"""What a block says that it holds. `unsaid` may be Python, `json` may be a call of a tool that has
code in it, `other` is prose."""


@dataclass(frozen=True, slots=True)
class Tag:
    """A pair of marks around code."""

    name: str
    opening: str
    closing: str
    reason: str
    language: Language = "python"


# The words after a fence that mean Python. No word at all is `unsaid`, and any other word is
# `other`.
PYTHON_WORDS: Final = {
    "python": "what models are asked for",
    "py": "the usual short form",
    "python3": "Python, with its version",
    "py3": "Python, with its version",
    "ipython": "what notebooks are labelled with",
    "ipython3": "what notebooks are labelled with",
    "pycon": "a session with prompts, which are taken off",
    "python-repl": "a session with prompts, which are taken off",
    "code": "a word for nothing else",
    "tool_code": "what Gemini models call the code that they want to have run",
}
PYTHON_WORD: Final = re.compile(
    "|".join(map(re.escape, sorted(PYTHON_WORDS, key=len, reverse=True))), re.IGNORECASE
)
JSON_WORDS: Final = {
    "json": "a call of a tool, as models write it that were trained on such calls",
    "tool_call": "the same, under the name of the tag",
    "tool_use": "the same, under the name of the API",
}

# Pairs of tags. `opening` is a regular expression; attributes are allowed where a model writes
# some.
TAGS: Final = (
    Tag(
        "code",
        r"<code(?:\s[^<>\n]{0,200})?>",
        "</code>",
        "what code agents are asked for, where it is not a fence",
    ),
    Tag(
        "execute_python",
        r"<execute_(?:i?python|code)>",
        "</execute_python>",
        "models tuned on traces of code that acts",
    ),
    Tag("execute", r"<execute>", "</execute>", "the same, from the first of those traces"),
    Tag("python", r"<i?python>", "</python>", "models that make a tag of the language"),
    Tag(
        "tool_code",
        r"<tool_code>",
        "</tool_code>",
        "Gemini models, with a tag in place of the fence",
    ),
    Tag("bracket", r"\[PYTHON\]", "[/PYTHON]", "CodeLlama"),
    Tag(
        "python_tag",
        r"<\|python_tag\|>",
        "<|eom_id|>",
        "Llama 3: the code goes on to the end of the message",
    ),
    Tag(
        "parameter",
        r"<parameter(?:=| name=[\"']?)(?:code|python_code)[\"']?>",
        "</parameter>",
        "calls of tools spelled with tags",
    ),
    Tag(
        "tool_call",
        r"<(?:tool_call|function_call)>(?=\s{0,50}[\[{])",
        "</tool_call>",
        "Hermes and Qwen: JSON in a tag",
        "json",
    ),
)

# Python knows no backtick and no `</`, `<|` or `[/`. So outside of strings and comments any of
# these ends code, whichever mark began it: models mix them up. `<end_code>` could be a comparison,
# so it has to end its line.
CLOSING: Final = (
    r"</(?:code|execute_(?:i?python|code)|execute|i?python|tool_code|parameter|function|invoke|tool_call|function_call|s)>"
    r"|\[/PYTHON\]"
    r"|<\|(?:im_end|eot_id|eom_id|endoftext|end|return)\|>"
    r"|<end_(?:code|action)>[ \t]*$"
)

# What a model writes for itself before it answers. Code in there is a draft, and is never run.
REASONING: Final = {
    "think": "DeepSeek, Qwen and most others that reason",
    "thinking": "models that were shown the longer word",
    "thought": "the same",
    "reasoning": "the same",
    "reflection": "models that look over their answer before they give it",
}
REASONING_OPENING: Final = rf"<(?:{'|'.join(REASONING)})>"
REASONING_CLOSING: Final = rf"</(?:{'|'.join(REASONING)})>"

# Words of a format, which are neither thought nor code: removed from prose.
MARKERS: Final = (
    (CLOSING, "an end that is left over"),
    (
        r"<(?:tool_call|function_call|function_calls)>|</function_calls>",
        "what stands around a call",
    ),
    (
        r"<function=[\w.-]{1,80}>|<invoke name=[\"']?[\w.-]{1,80}[\"']?>",
        "the name of the tool that is called: Python, here",
    ),
    (
        r"<\|(?:im_start|start_header_id|begin_of_text)\|>(?:assistant(?:<\|end_header_id\|>)?)?",
        "the template of a chat",
    ),
    (
        r"^[ \t]*(?:\*\*|__|#{1,6}[ \t]+)?thoughts?[ \t]*:(?:\*\*|__)?[ \t]*",
        "agents' prompts label the parts of an answer",
    ),
    (
        r"^[ \t]*(?:\*\*|__|#{1,6}[ \t]+)?(?:code|action)[ \t]*:?(?:\*\*|__)?:?[ \t]*$",
        "the label of the code that follows",
    ),
    (r"\b(?:code|action)[ \t]*:[ \t]*\Z", "the same, on the line on which the code begins"),
)
MARKER: Final = re.compile(
    "|".join(pattern for pattern, _ in MARKERS), re.IGNORECASE | re.MULTILINE
)

LABELLED_CODE: Final = re.compile(
    r"^[ \t]*(?:\*\*|__|#{1,6}[ \t]+)?(?:code|action)[ \t]*:(?:\*\*|__)?[ \t]*\n?",
    re.IGNORECASE | re.MULTILINE,
)
"""Code with a label and no fence: the label decides only if the rest of the text is Python."""

LABELLED_OUTPUT: Final = re.compile(
    r"(?:^|\n)[^\n\w]{0,10}(?:(?:the|expected|execution|this|it|code) )*"
    r"(?:outputs?|results?|observations?|prints?|logs?|stdout|returns?)\b[^\n]{0,60}\n?[ \t\n]*\Z",
    re.IGNORECASE,
)
"""The line before a block that shows what code printed."""
