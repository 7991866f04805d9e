"""Programs for tests of parsing: small, valid, and with everything in their strings and comments
that could be taken for a mark."""

from __future__ import annotations

import ast
import textwrap
import warnings

from hypothesis import strategies as st

FRAGMENTS = (
    *(
        "```",
        "```python\nprint(1)\n```",
        "````",
        "~~~",
        "~~~\n",
        "`",
        "``",
        "# ```",
        "```json\n{}\n```",
    ),
    *(
        "<code>",
        "</code>",
        "<code>\n",
        "\n</code>\n",
        "<run>",
        "</run>",
        "[PYTHON]",
        "[/PYTHON]",
        "<|python_tag|>",
        "</parameter>",
    ),
    *(
        "<think>",
        "</think>",
        "<end_code>",
        "<end_code>\n",
        "</s>",
        "<|eot_id|>",
        "<tool_call>{",
        "</tool_call>",
    ),
    *(
        "'",
        '"',
        "'''",
        '"""',
        "\\",
        "\\n",
        "\n",
        "\n\n",
        "    ",
        "\t",
        "#",
        "{",
        "}",
        "{{x}}",
        "%s",
    ),
    *(
        "Output:\n",
        "Code:\n",
        "Thought: x",
        ">>> x",
        "... y",
        "it's",
        "final_answer(1)",
        "The final answer is 42",
        "x",
        "y = 2",
    ),
    *("\u00a0", "\u200b", "\ufeff", "é", "\N{PILE OF POO}"),
)
"""Parts of strings."""

PROSE = (
    "",
    "I'll look at the data first.",
    "Thought: let's count what's there, and don't forget the \"header\".\n",
    "1. First\n2. Second: that's it\n",
    "We use `len` and ``x``.\n",
    "# A heading\n\nAnd text (with brackets], and 'quotes.\n",
)
"""What stands around code. Nothing in it is a mark."""


@st.composite
def literals(draw: st.DrawFn) -> str:
    """A string literal."""
    text = "".join(draw(st.lists(st.sampled_from(FRAGMENTS), max_size=5)))
    style = draw(st.sampled_from(("repr", '"', "'''", '"""', 'f"""', 'r"', "bytes")))
    if style == "repr":
        return repr(text)
    if style == "bytes":
        return repr(text.encode())
    if style == 'r"':
        return 'r"' + text.replace('"', "").replace("\n", "").rstrip("\\") + '"'
    escaped = text.replace("\\", "\\\\")
    if style == '"':
        return '"' + escaped.replace('"', '\\"').replace("\n", "\\n") + '"'
    if style == 'f"""':
        escaped = escaped.replace("{", "{{").replace("}", "}}")
    quote = style[-3:]
    return style + escaped.replace(quote[0], "\\" + quote[0]) + quote


@st.composite
def comments(draw: st.DrawFn) -> str:
    return (
        "# "
        + "".join(draw(st.lists(st.sampled_from(FRAGMENTS), max_size=3)))
        .replace("\n", " ")
        .rstrip()
    )


@st.composite
def statements(draw: st.DrawFn, depth: int = 0) -> str:
    kind = draw(
        st.sampled_from(
            ("assign", "call", "comment", "behind", "sum", "list", "if", "def")[
                : 8 if depth < 2 else 6
            ]
        )
    )
    if kind == "assign":
        return f"x = {draw(literals())}"
    if kind == "call":
        return f"print({draw(literals())}, {draw(literals())})"
    if kind == "comment":
        return draw(comments())
    if kind == "behind":
        return f"y = 1  {draw(comments())}"
    if kind == "sum":
        return f"y = (1 +  {draw(comments())}\n2 << 3 > ~~~4)"
    if kind == "list":
        return f"z = [\n{draw(literals())},\n    {draw(literals())}\n]"
    body = draw(st.lists(statements(depth=depth + 1), min_size=1, max_size=2))
    head = "if x:" if kind == "if" else "def f(a, b=1):"
    inside = "\n".join(_indented_outside_of_strings(part) for part in [*body, "pass"])
    return f"{head}\n{inside}"


def _indented_outside_of_strings(code: str) -> str:
    """The code one level deeper. What is inside of a string that goes over several lines has to
    stay where it is."""
    shifted = textwrap.indent(code, "    ", lambda line: True)
    if "'''" not in code and '"""' not in code:
        return shifted
    return "    " + code if "\n" not in code or is_python("if 1:\n    " + code) else shifted


def is_python(code: str) -> bool:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            ast.parse(code)
        except SyntaxError:
            return False
        return True


@st.composite
def programs(draw: st.DrawFn) -> str:
    """A program without blanks around it. Always Python."""
    code = "\n".join(draw(st.lists(statements(), min_size=1, max_size=4)))
    return code.strip(" \t\n\u00a0\u200b\ufeff") if is_python(code) else "x = 1"
