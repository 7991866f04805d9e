"""What libraries raise when they talk to a server, brought to the kinds of failure that
`retrying.py` knows.

Each library has exceptions of its own, which wrap those of the library below it. None of them is
imported here: they are told apart by what they carry (a status, a response) and by the names of
their classes.
"""

from __future__ import annotations

import contextlib
import json
import re
import time
from collections.abc import Iterable, Iterator, Mapping
from email.utils import parsedate_to_datetime
from typing import Any

from fumehood.models.retrying import KINDS, Failure, kind_of_status

# The first row with a name that the exception, or one that it was raised from, has among its
# classes.
_CLASSES = (
    ("certificate", {"ssl.SSLCertVerificationError"}),
    (
        "address",
        {
            "httpx.UnsupportedProtocol",
            "httpx.InvalidURL",
            "httpx.LocalProtocolError",
            "requests.exceptions.InvalidURL",
        },
    ),
    (
        "not JSON",
        {
            "json.decoder.JSONDecodeError",
            "builtins.UnicodeDecodeError",
            "openai.APIResponseValidationError",
        },
    ),
    (
        "unreachable",
        {
            "httpx.ConnectError",
            "httpx.ConnectTimeout",
            "httpx.ProxyError",
            "requests.exceptions.ConnectTimeout",
        },
    ),
    ("unreachable", {"builtins.ConnectionRefusedError", "socket.gaierror"}),
    (
        "silent",
        {
            "httpx.TimeoutException",
            "builtins.TimeoutError",
            "requests.exceptions.Timeout",
            "openai.APITimeoutError",
        },
    ),
    ("silent", {"litellm.exceptions.Timeout", "huggingface_hub.errors.InferenceTimeoutError"}),
    ("said error", {"huggingface_hub.errors.TextGenerationError"}),
    (
        "cut",
        {
            "httpx.TransportError",
            "builtins.ConnectionError",
            "requests.exceptions.ConnectionError",
            "httpx.StreamError",
        },
    ),
    ("cut", {"openai.APIConnectionError", "requests.exceptions.ChunkedEncodingError"}),
    ("said error", {"openai.APIError"}),
)

_OUT_OF_QUOTA = re.compile(
    r"insufficient[_ ]quota|billing_hard_limit|credit balance is too low|exceeded your current"
    r" quota",
    re.IGNORECASE,
)


def understood(error: BaseException) -> Failure:
    """The failure that an exception tells of."""
    chain = list(_chain(error))
    for one in chain:
        if isinstance(one, Failure):
            return one
    # litellm makes up a status where there was no answer; what its exceptions were raised from
    # knows better.
    originals = [one for one in chain if not type(one).__module__.startswith("litellm.")]
    for some in (originals, [one for one in chain if one not in originals]):
        for find in (_by_status, _by_body, _by_class):
            failure = find(some, chain)
            if failure is not None:
                return failure
    return Failure(KINDS["unexpected"], f"{type(error).__name__}: {error}", error=error)


def of_error_object(said: Any, error: BaseException | None = None) -> Failure:
    """The failure that an error tells of which a server sent where an answer belongs. Gateways put
    a status into it."""
    code = said.get("code") if isinstance(said, Mapping) else getattr(said, "code", None)
    text = message_of(said)
    with contextlib.suppress(TypeError, ValueError):
        status = int(str(code))
        if 400 <= status <= 599:
            return Failure(kind_of_status(status), text, status=status, error=error)
    kind = KINDS["no quota" if _OUT_OF_QUOTA.search(f"{code} {text}") else "said error"]
    return Failure(kind, text, error=error)


def message_of(said: Any) -> str:
    """What a server says in the body of an error, whichever of the usual forms it has."""
    for _ in range(4):
        if isinstance(said, list) and said:
            said = said[0]
        if not isinstance(said, Mapping):
            break
        said = next(
            (
                said[key]
                for key in ("error", "message", "detail", "error_message", "msg", "title")
                if said.get(key)
            ),
            str(dict(said)),
        )
    return said if isinstance(said, str) else "" if said is None else str(said)


def retry_after(headers: Any) -> float | None:
    """Seconds that a server asks to wait: a number, or a date. What makes no sense is as if it had
    not been said."""
    if not hasattr(headers, "get"):
        return None
    for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        value = headers.get(name)
        if not isinstance(value, str):
            continue
        with contextlib.suppress(ValueError):
            seconds = float(value) * unit
            if seconds >= 0:  # false for what is not a number
                return seconds
        with contextlib.suppress(ValueError, TypeError, OverflowError):
            return max(parsedate_to_datetime(value).timestamp() - time.time(), 0.0)
    return None


def refused_parameter(failure: Failure, sent: Iterable[str]) -> str | None:
    """The one of the parameters that a server says it does not take. It may say so in many
    words."""
    if failure.status not in (400, 422, 501):
        return None
    said = failure.text
    for name in sent:
        if re.search(rf"(?<![\w.]){re.escape(name)}(?!\w)", said):
            return name
    return None


def _chain(error: BaseException) -> Iterator[BaseException]:
    seen: set[int] = set()
    at: BaseException | None = error
    while at is not None and id(at) not in seen and len(seen) < 20:
        seen.add(id(at))
        yield at
        at = at.__cause__ or at.__context__


def _class_names(error: BaseException) -> set[str]:
    return {f"{kind.__module__}.{kind.__qualname__}" for kind in type(error).__mro__}


def _status(error: BaseException) -> int | None:
    for holder in (error, getattr(error, "response", None)):
        status = getattr(holder, "status_code", None)
        if type(status) is int and 400 <= status <= 599:
            return status
    return None


def _by_status(some: list[BaseException], chain: list[BaseException]) -> Failure | None:
    """An exception that knows the status of an HTTP answer."""
    found = next(((one, status) for one in some if (status := _status(one)) is not None), None)
    if found is None:
        return None
    error, status = found
    text, waits = "", None
    for one in chain:
        response = getattr(one, "response", None)
        text = text or _body_text(one, response)
        if waits is None:
            waits = retry_after(getattr(response, "headers", None))
        if waits is None:
            waits = retry_after(getattr(one, "litellm_response_headers", None))
    text = text or str(error)
    kind = kind_of_status(status)
    if status == 429 and _OUT_OF_QUOTA.search(f"{text} {getattr(error, 'code', '')}"):
        kind = KINDS["no quota"]
    return Failure(kind, text, status=status, retry_after=waits, error=chain[0])


def _body_text(error: BaseException, response: Any) -> str:
    """The server's message: from the body as the library has read it, or from the response."""
    body = getattr(error, "body", None)
    if body:
        return message_of(body)
    text = None
    with contextlib.suppress(Exception):  # a response that was not read, or cannot be decoded
        text = response.text
    if not isinstance(text, str) or not text:
        return ""
    with contextlib.suppress(json.JSONDecodeError, RecursionError):
        return message_of(json.loads(text))
    return text


def _innermost(chain: list[BaseException], found: BaseException) -> str:
    """The text of the exception that says most: libraries wrap “Connection refused” into
    “Connection error.”"""
    last = chain[-1]
    for one in (last, found, chain[0]):
        text = str(one).strip()
        if text:
            return text
    return type(last).__name__


def _by_body(some: list[BaseException], chain: list[BaseException]) -> Failure | None:
    """An exception for an error that a server sent in a stream: it has the body of that, and no
    status."""
    for one in some:
        body = getattr(one, "body", None)
        if isinstance(body, Mapping | str) and body:
            failure = of_error_object(body, chain[0])
            failure.text = failure.text or str(one)
            return failure
    return None


def _by_class(some: list[BaseException], chain: list[BaseException]) -> Failure | None:
    names = [_class_names(one) for one in some]
    for name, classes in _CLASSES:
        for one, its_names in zip(some, names, strict=True):
            if its_names & classes:
                return Failure(KINDS[name], _innermost(chain, one), error=chain[0])
    return None
