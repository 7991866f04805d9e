# A tokenizer built from named groups, with positions and errors.
import re
from typing import Iterator, NamedTuple


class Token(NamedTuple):
    kind: str
    text: str
    line: int
    column: int


SPECIFICATION = [
    ("NUMBER", r"\d+(?:\.\d*)?"),
    ("STRING", r'"[^"\n]*"'),
    ("ASSIGN", r":="),
    ("NAME", r"[A-Za-z_]\w*"),
    ("OPERATOR", r"[+\-*/();]"),
    ("NEWLINE", r"\n"),
    ("SKIP", r"[ \t]+|#[^\n]*"),
    ("MISMATCH", r"."),
]
KEYWORDS = {"if", "then", "end"}
PATTERN = re.compile("|".join(f"(?P<{name}>{pattern})" for name, pattern in SPECIFICATION))


def tokenize(code: str) -> Iterator[Token]:
    line, line_start = 1, 0
    for match in PATTERN.finditer(code):
        kind, text = match.lastgroup, match.group()
        column = match.start() - line_start
        match kind:
            case "NEWLINE":
                line_start, line = match.end(), line + 1
                continue
            case "SKIP":
                continue
            case "MISMATCH":
                raise SyntaxError(f"unexpected {text!r} on line {line}")
            case "NAME" if text in KEYWORDS:
                kind = text.upper()
        yield Token(kind, text, line, column)


program = 'if x then  # a test\n  total := total + 2.5 * (y);\n  say "hi"\nend'
for token in tokenize(program):
    print(*token)
try:
    list(tokenize("a\nb ? c"))
except SyntaxError as error:
    print("error:", error)
[t.kind for t in tokenize("if a := 1")]
