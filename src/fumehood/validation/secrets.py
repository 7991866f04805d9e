"""Secrets: keys, tokens and passwords in text. The rows are in tokens.py; here is what cannot be said in one expression.

Built on detect-secrets: its plugins' expressions are used, one by one and without its settings, so a program that uses the library itself
is not disturbed. The library is loaded when there is first something to look at.
"""

from __future__ import annotations

import importlib
import importlib.util
import re
import threading
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from fumehood.errors import MissingExtra
from fumehood.validation.tokens import PLUGINS, TOKENS, Token
from fumehood.validation.validators import PLACES, Action, Match, Validator

PREFIX = "secret: "

_KEY_BEGINS = re.compile(r"-----BEGIN (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----|PuTTY-User-Key-File-\d: ")
_KEY_GOES_ON = re.compile(r"[A-Za-z0-9+/=\s\\\"',:;.\-()@]{0,20000}+")
_KEY_BODY = re.compile(r"[A-Za-z0-9+/]{40}|(?:[A-Za-z0-9+/]{16,39}(?:\\n|\s)[\s\"',]{0,8}){2}")
_LONGEST_KEY = 20_000

_URL_PASSWORD = re.compile(r"://[^\s:/?#@\[\]\"'<>]{0,100}:([^\s/?#@\"'<>]{1,200})@(?=[\w\[])")

_NAMES = (
    r"pass(?:word|wd|phrase|wort)|pwd|kennwort|contrase(?:ñ|n)a|mot_?de_?passe|secret|api[_\- ]?key|access[_\-]?key|auth[_\-]?key|private[_\-]?key"
    r"|encryption[_\-]?key|signing[_\-]?key|account[_\-]?key|service[_\-]?key|master[_\-]?key|client[_\-]?key"
    r"|(?:auth|access|refresh|api|bot|session|bearer|id|deploy|personal[_\-]?access)[_\-]?token|credential|connection[_\-]?string"
)
_ASSIGNED = re.compile(
    rf"(?i:{_NAMES})([A-Za-z0-9_\-]{{0,20}})(?:\\?[\"'])?\]?[ \t]{{0,4}}(?::=|=>|={{1,2}}|:)[ \t]{{0,4}}"
    r"(?:[rbu]?\\?\"([^\"\\\n<>]{4,300})\\?\"|[rbu]?\\?'([^'\\\n<>]{4,300})\\?'|([^\s\"'<>,;&(){}\[\]`]{6,300})(?![(\[]))"
)
_HINTS = re.compile(r"pass|pwd|kennwort|contrase|mot_?de_?passe|secret|key|token|credential|connection", re.IGNORECASE)
_ABOUT = re.compile(
    r"(?i)[_\-]?(?:hash|hashed|id|ids|name|names|url|uri|file|path|dir|len|length|policy|policies|expir\w*|type|types|count|at|age|version|hint|arn"
    r"|min|max|reset|field|fields|label|env|var|placeholder|status|strength|score|regex|pattern|required|enabled|valid|ref|s|manager|header|prefix)"
)
"""What follows the name of a secret when it is something about a secret."""

_PLACEHOLDER = re.compile(
    r"(?i)(?:<.*>|\{.*\}|\$.*|%.*|\*+|x{3,}|\.{3,}|…|-+|_+|#+|n/a|none|null|nil|true|false|undefined|str|string|text|bytes|int|optional|required"
    r"|hidden|masked|redacted|removed|withheld|invalid|incorrect|wrong|missing|expired|empty|unknown|unset|changeme|change[_-]me|example\w*|dummy\w*"
    r"|placeholder\w*|sample\w*|test|tests?ing|your[\-_ ]?.*|my[\-_ ]?.*|the[\-_ ].*|enter .*|input|prompt|admin|user|username|default|value|object|field"
    r"|[a-z_]*(?:password|passwd|passphrase|secret|api_?key|token|credential)s?[a-z_]*|postgres|root|guest|ssm:.*|vault:.*|env:.*|arn:.*|secretref:.*|getpass\b.*)"
)
_CODE = re.compile(r"[A-Za-z_][\w]*(?:\.[A-Za-z_]\w*)*\.?")
_NUMBER = re.compile(r"[\d.,:%+\-]{1,11}")


class Secrets(Validator):
    """Keys, tokens, private keys, and passwords in addresses, headers and assignments. `actions` gives kinds an action of their own:
    `Secrets(actions={"password": "report"})`; `Secrets.kinds()` lists them."""

    name = "Secrets"
    reads_all = True
    least = 8

    def __init__(
        self, action: Action = "redact", *, actions: Mapping[str, Action] | None = None, where: Iterable[str] | str = tuple(PLACES)
    ) -> None:
        known = self.kinds()
        for kind in actions or {}:
            if kind not in known:
                raise ValueError(f"Secrets: there is no kind {kind!r}; there are {', '.join(known)}")
        super().__init__(action, where, {PREFIX + kind: given for kind, given in (actions or {}).items()})
        if importlib.util.find_spec("detect_secrets") is None:
            raise MissingExtra("Secrets needs the package detect-secrets: pip install 'fumehood[validation]'")

    @staticmethod
    def kinds() -> tuple[str, ...]:
        return tuple(sorted({*(row.name for row in TOKENS), *(row.name for row in PLUGINS), "password", "private key"}))

    def find(self, text: str, where: str) -> Iterator[Match]:
        yield from private_keys(text)
        for row in _rows():
            if any(map(text.__contains__, row.hints)):
                for start, end in _spans(row, text):
                    yield Match(start, end, PREFIX + row.name)
        if "://" in text:
            for found in _URL_PASSWORD.finditer(text):
                if not _PLACEHOLDER.fullmatch(found[1]):
                    yield Match(*found.span(1), PREFIX + "password")
        if _HINTS.search(text):
            yield from passwords(text)


# -- rows --------------------------------------------------------------------------------------------------------------------------------

_LOADED: list[Token] = []
_LOADING = threading.Lock()
_TAIL = re.compile(r"[A-Za-z0-9_\-]{0,400}+")
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
                f"Secrets needs detect-secrets 1.5 or newer, whose {row.plugin} could not be had ({error}): pip install 'fumehood[validation]'"
            ) from None
        for regex in expressions:
            yield Token(row.name, row.hints, regex, row.reason, row.check)


def _spans(row: Token, text: str) -> Iterator[tuple[int, int]]:
    # The library's expressions for assignments take time by the square of a run of spaces: they are shown none that is long.
    for begin, finish in _pieces(text):
        for found in row.regex.finditer(text, begin, finish):
            start, end = found.span(found.lastindex if found.re.groups and found.lastindex else 0)
            if row.check is None or row.check(text[start:end]):
                tail = _TAIL.match(text, end)
                yield start, max(end, tail.end() if tail and not text[end - 1].isspace() else end)


def _pieces(text: str) -> Iterator[tuple[int, int]]:
    begin = 0
    if _GAP in text:
        for gap in _GAPS.finditer(text):
            yield begin, gap.start()
            begin = gap.end()
    yield begin, len(text)


# -- what takes more than an expression --------------------------------------------------------------------------------------------------


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
        if _KEY_BODY.search(text, begins.end(), end):
            yield Match(begins.start(), end, PREFIX + "private key")
        position = end


def passwords(text: str) -> Iterator[Match]:
    """What is assigned to something that is called a password, a secret, a key: in code, JSON, YAML, a configuration."""
    position = 0
    while found := _ASSIGNED.search(text, position):
        about, double, single, bare = found.groups()
        group = 2 if double is not None else 3 if single is not None else 4
        if about and _ABOUT.fullmatch(about):
            position = found.end(1)
            continue
        value = found[group]
        if bare is not None:
            value = value.rstrip(".:!?")
        if _is_password(value, quoted=bare is None):
            start = found.start(group)
            yield Match(start, start + len(value), PREFIX + "password")
            position = start + len(value)
        else:
            position = found.end(1)


def _is_password(value: str, quoted: bool) -> bool:
    if _PLACEHOLDER.fullmatch(value) or _NUMBER.fullmatch(value) or " " in value.strip() or value.startswith("[secret"):
        return False
    if "://" in value or value.startswith(("/", "./", "~/", "../", "\\", "http")):
        return False  # a place where it is; what is in an address has a rule of its own
    if quoted:
        return len(value) >= 6 or not value.isalpha()
    # Without quotes it may be a piece of code or of prose.
    return not _CODE.fullmatch(value) and any(map(str.isalpha, value)) or (looks_mixed(value) and len(value) >= 8)


def looks_mixed(value: str) -> bool:
    """An identifier that nobody would choose as one."""
    kinds = sum((any(map(str.isdigit, value)), any(map(str.islower, value)), any(map(str.isupper, value))))
    return kinds == 3 or (kinds == 2 and any(map(str.isdigit, value)) and "_" not in value)
