"""Secrets: keys, tokens and passwords in text. The rows are in tokens.py; here is what cannot be
said in one expression.

Built on detect-secrets: its plugins' expressions are used, one by one and without its settings, so
a program that uses the library itself is not disturbed. The library is loaded when there is first
something to look at.
"""

from __future__ import annotations

import importlib
import importlib.util
import re
import threading
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from fumehood.asked import dictionary, shown
from fumehood.errors import MissingExtra, PolicyError
from fumehood.validation.tokens import PLUGINS, TOKENS, Token
from fumehood.validation.validators import MASK, PLACES, Action, Match, Validator

PREFIX = "secret: "

_KEY_BEGINS = re.compile(
    r"-----BEGIN (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----|PuTTY-User-Key-File-\d: "
)
_KEY_GOES_ON = re.compile(r"[A-Za-z0-9+/=\s\\\"',:;.\-()@]{0,20000}+")
_KEY_BODY = re.compile(r"[A-Za-z0-9+/]{40}|(?:[A-Za-z0-9+/]{16,39}(?:\\n|\s)[\s\"',]{0,8}){2}")
_LONGEST_KEY = 20_000

_URL_PASSWORD = re.compile(r"://[^\s:/?#@\[\]\"'<>]{0,100}:([^\s/?#@\"'<>]{1,200})@(?=[\w\[])")

_WORDS = re.compile(
    r"pass(?:word|wd|phrase|wort)|pwd|kennwort|contrase(?:ñ|n)a|mot[_ ]?de[_"
    r" ]?passe|secret|key|token|credential|connection[_\- ]?string"
)
_QUALIFIED = {
    "key": re.compile(
        r"(?:api|access|auth|private|encryption|signing|account|service|master|client)[_\- ]?$"
    ),
    "token": re.compile(
        r"(?:auth|access|refresh|api|bot|session|bearer|id|deploy|personal[_\-]?access)[_\-]?$"
    ),
}
"""Words that name a secret only after another word: a token is also a piece of text, and every
dictionary has keys."""
_ASSIGNED = re.compile(
    r"([A-Za-z0-9_\-]{0,20})(?:\\?[\"'])?\]?[ \t]{0,4}(?::=|=>|={1,2}|:)[ \t]{0,4}"
    r"(?:[rbu]?\\?\"([^\"\\\n<>]{4,300})\\?\"|[rbu]?\\?'([^'\\\n<>]{4,300})\\?'|([^\s\"'<>,;&(){}\[\]`]{6,300})(?![(\[]))"
)
_ABOUT = re.compile(
    r"(?i)[_\-]?(?:hash|hashed|id|ids|name|names|url|uri|file|path|dir|len|length|policy|policies|expir\w*|type|types|count|at|age|version|hint|arn"
    r"|min|max|reset|field|fields|label|env|var|placeholder|status|strength|score|regex|pattern|required|enabled|valid|ref|s|manager|header|prefix)$"
)
"""What follows the name of a secret when it is something about a secret."""

_PLACEHOLDER = re.compile(
    r"(?i)(?:<.*>|\{.*\}|\$.*|%.*|\*+|x{3,}|\.{3,}|…|-+|_+|#+|n/a|none|null|nil|true|false|undefined|str|string|text|bytes|int|optional|required"
    r"|hidden|masked|redacted|removed|withheld|invalid|incorrect|wrong|missing|expired|empty|unknown|unset|changeme|change[_-]me|example\w*|dummy\w*"
    r"|placeholder\w*|sample\w*|test|tests?ing|your[\-_ ]?.*|my[\-_ ]?.*"
    r"|the[\-_ ].*|enter .*|input|prompt|admin|user|username|default|value|object|field"
    r"|[a-z_]*(?:password|passwd|passphrase|secret|api_?key|token|credential)s?[a-z_]*|postgres|root|guest|ssm:.*|vault:.*|env:.*|arn:.*|secretref:.*|getpass\b.*)"
)
_CODE = re.compile(r"[A-Za-z_][\w]*(?:\.[A-Za-z_]\w*)*\.?")
_NUMBER = re.compile(r"[\d.,:%+\-]{1,11}")


class Secrets(Validator):
    """Keys, tokens, private keys, and passwords in addresses, headers and assignments. `actions`
    gives kinds an action of their own: `Secrets(actions={"password": "report"})`; `Secrets.kinds()`
    lists them."""

    name = "Secrets"
    reads_all = True
    least = 8

    def __init__(
        self,
        action: Action = "redact",
        *,
        actions: Mapping[str, Action] | None = None,
        where: Iterable[str] | str = tuple(PLACES),
    ) -> None:
        known = self.kinds()
        actions = dictionary("Secrets: actions", actions, "{'password': 'report'}")
        for kind in actions:
            if kind not in known:
                raise PolicyError(
                    f"Secrets: there is no kind {shown(kind)}; there are {', '.join(known)}"
                )
        super().__init__(action, where, {PREFIX + kind: given for kind, given in actions.items()})
        if importlib.util.find_spec("detect_secrets") is None:
            raise MissingExtra(
                "Secrets needs the package detect-secrets: pip install 'fumehood[validation]'"
            )

    @staticmethod
    def kinds() -> tuple[str, ...]:
        """Names of all that is looked for, to be used in `actions`."""
        return tuple(
            sorted(
                {
                    *(row.name for row in TOKENS),
                    *(row.name for row in PLUGINS),
                    "password",
                    "private key",
                }
            )
        )

    def find(self, text: str, where: str) -> Iterator[Match]:
        yield from private_keys(text)
        if len(text) > _SHORT or _LONG_WORD.search(text):
            for row in _rows():
                if any(map(text.__contains__, row.hints)):
                    for start, end in _spans(row, text):
                        yield Match(start, end, PREFIX + row.name)
        if "://" in text:
            for found in _URL_PASSWORD.finditer(text):
                if not _PLACEHOLDER.fullmatch(found[1]) and MASK not in found[1]:
                    yield Match(*found.span(1), PREFIX + "password")
        yield from passwords(text)


# -- rows

_LOADED: list[Token] = []
_LOADING = threading.Lock()
_TAIL = re.compile(r"[A-Za-z0-9_\-]{0,400}+")
_TOKEN_LETTERS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-")
_SHORT = 2000
_LONG_WORD = re.compile(r"[A-Za-z0-9_+/=.~\-]{14}")
"""No token is shorter than this: most short texts need no look at the rows."""
_GAP = " " * 8
_GAPS = re.compile(r" {8,}+")


def _rows() -> list[Token]:
    """Our rows, and those of the library."""
    if not _LOADED:
        with _LOADING:
            if not _LOADED:
                _LOADED.extend([*TOKENS, *_of_the_library()])
    return _LOADED


def _of_the_library() -> Iterator[Token]:
    for row in PLUGINS:
        try:
            module: Any = importlib.import_module(f"detect_secrets.plugins.{row.module}")
            expressions = getattr(module, row.plugin).denylist
        except (ImportError, AttributeError) as error:
            raise MissingExtra(
                f"Secrets needs detect-secrets 1.5 or newer, whose {row.plugin} could not be had"
                f" ({error}): pip install 'fumehood[validation]'"
            ) from None
        for regex in expressions:
            yield Token(row.name, row.hints, regex, row.reason, row.check, row.exact, row.spaced)


def _spans(row: Token, text: str) -> Iterator[tuple[int, int]]:
    for begin, finish in _pieces(text) if row.spaced else ((0, len(text)),):
        for found in row.regex.finditer(text, begin, finish):
            start, end = found.span(found.lastindex or 0)
            if (
                text[start - 1 : start].isalnum()
                and found.start() == start
                or row.check is not None
                and not row.check(text[start:end])
            ):
                continue
            tail = _TAIL.match(text, end) if text[end - 1 : end] in _TOKEN_LETTERS else None
            if tail is None or not tail[0]:
                yield start, end
            elif not row.exact:
                yield start, tail.end()


def _pieces(text: str) -> Iterator[tuple[int, int]]:
    begin = 0
    if _GAP in text:
        for gap in _GAPS.finditer(text):
            yield begin, gap.start()
            begin = gap.end()
    yield begin, len(text)


# -- what takes more than an expression


def private_keys(text: str) -> Iterator[Match]:
    """Blocks over several lines, also as one line with `\\n` in it, also without an end."""
    position = 0
    while "PRIVATE KEY" in text or "PuTTY-User-Key" in text:
        begins = _KEY_BEGINS.search(text, position)
        if begins is None:
            return
        end = text.find("-----END", begins.end(), begins.end() + _LONGEST_KEY)
        if end >= 0:
            dashes = text.find("-----", end + 8, end + 80)
            end = dashes + 5 if dashes >= 0 else end + 8
        else:
            goes_on = _KEY_GOES_ON.match(text, begins.end())
            end = goes_on.end() if goes_on else begins.end()
        another = text.find("-----BEGIN", begins.end(), end)
        end = end if another < 0 else another
        if _KEY_BODY.search(text, begins.end(), min(end, begins.end() + 400)):
            yield Match(begins.start(), end, PREFIX + "private key")
        position = end


def passwords(text: str) -> Iterator[Match]:
    """What is assigned to something that is called a password, a secret, a key: in code, JSON,
    YAML, a configuration."""
    lowered = text.lower()
    if len(lowered) != len(text):  # a few letters are two when they are small
        lowered = "".join(c.lower() if c.isascii() else c for c in text)
    past = 0
    for word in _WORDS.finditer(lowered):
        qualified = _QUALIFIED.get(word[0])
        if (
            word.start() < past
            or qualified
            and not qualified.search(lowered, max(word.start() - 20, 0), word.start())
        ):
            continue
        found = _ASSIGNED.match(text, word.end())
        if found is None or found[1] and _ABOUT.search(found[1]):
            continue
        group = found.lastindex or 0
        value = found[group] if group < 4 else found[group].rstrip(".:!?")
        if _is_password(value, quoted=group < 4):
            start = found.start(group)
            past = start + len(value)
            yield Match(start, past, PREFIX + "password")


def _is_password(value: str, quoted: bool) -> bool:
    if (
        _PLACEHOLDER.fullmatch(value)
        or _NUMBER.fullmatch(value)
        or " " in value.strip()
        or MASK in value
    ):
        return False
    if "://" in value or value.startswith(("/", "./", "~/", "../", "\\", "http")):
        return False  # a place where it is; what is in an address has a rule of its own
    if quoted:
        return len(value) >= 6 or not value.isalpha()
    # Without quotes it may be a piece of code or of prose.
    return not _CODE.fullmatch(value) and any(map(str.isalpha, value)) or looks_mixed(value)


def looks_mixed(value: str) -> bool:
    """An identifier that nobody would choose as one."""
    kinds = sum(
        (any(map(str.isdigit, value)), any(map(str.islower, value)), any(map(str.isupper, value)))
    )
    return kinds == 3 or (
        kinds == 2 and len(value) >= 8 and any(map(str.isdigit, value)) and "_" not in value
    )
