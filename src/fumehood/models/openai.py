"""OpenAIModel: any server that speaks as OpenAI's does, through the `openai` package."""

from __future__ import annotations

import contextlib
import inspect
import json
import os
import threading
import weakref
from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Any, NamedTuple

from fumehood import asked
from fumehood.errors import ModelError, PolicyError
from fumehood.models.connection import Watch
from fumehood.models.hiding import keys_in_headers
from fumehood.models.leaving import Errand
from fumehood.models.messages import ChatMessage
from fumehood.models.serving import ServedModel

# Idle clients that are kept, with their connections, for the next calls.
_MOST_IDLE = 8

_SECONDS_TO_CONNECT = 30.0

# Bytes that a character of an answer may take in JSON, and what an answer may hold beside its text.
_BYTES_A_CHARACTER = 12
_BYTES_BESIDE = 4 << 20


class _Client(NamedTuple):
    """A client for one call at a time: what ends its connections, ends that call and no other."""

    openai: Any
    watch: Watch | None


class OpenAIModel(ServedModel):
    """A model of OpenAI, or of any server that speaks as OpenAI's does: `api_base` (or `base_url`)
    is its address, ending in /v1 as a rule.

    Without `api_key` the key is taken from OPENAI_API_KEY; a server of one's own that needs none is
    asked without. `client_kwargs` go to `openai.OpenAI`, for headers, proxies or an `http_client`
    of one's own; how such a client is ended and bounded is its owner's affair. All else is said at
    ServedModel. Needs the extra `openai`.
    """

    _package = "openai"
    _extra = "openai"

    def __init__(
        self,
        model_id: str,
        api_base: str | None = None,
        api_key: str | None = None,
        *,
        base_url: str | None = None,
        timeout: float | None = 300.0,
        total_timeout: float | None = 1800.0,
        max_retries: int = 5,
        requests_per_minute: float | None = None,
        max_answer_characters: int = 1_000_000,
        organization: str | None = None,
        project: str | None = None,
        client_kwargs: Mapping[str, Any] | None = None,
        **parameters: Any,
    ) -> None:
        options = asked.dictionary("client_kwargs", client_kwargs, "{'default_headers': {…}}")
        super().__init__(
            model_id,
            address=the_one_of(
                api_base=api_base, base_url=base_url or options.pop("base_url", None)
            )
            or os.environ.get("OPENAI_BASE_URL"),
            key=api_key or options.pop("api_key", None) or os.environ.get("OPENAI_API_KEY") or None,
            timeout=timeout,
            total_timeout=total_timeout,
            max_retries=max_retries,
            requests_per_minute=requests_per_minute,
            max_answer_characters=max_answer_characters,
            parameters=parameters,
        )
        # What is tried again is ours to say: the SDK would wait where nobody can interrupt it.
        self._options = {
            **options,
            "organization": organization,
            "project": project,
            "max_retries": 0,
        }
        self._lock = threading.Lock()
        self._idle: list[_Client] = []
        self._tls: Any = None
        weakref.finalize(self, _close, self._idle).atexit = False

    def close(self) -> None:
        """Give up the connections that are kept for the next call. The model stays usable."""
        with self._lock:
            idle = self._idle[:]
            self._idle.clear()
        _close(idle)

    def _keys(self) -> Iterator[str]:
        yield from super()._keys()
        yield from keys_in_headers(self._options.get("default_headers"))

    @contextlib.contextmanager
    def _call(self, body: dict[str, Any], errand: Errand[ChatMessage]) -> Iterator[Any]:
        client = self._take()
        is_whole = False
        try:
            with errand.closing(client.watch.shut) if client.watch else contextlib.nullcontext():
                create = client.openai.chat.completions.create
                got: Any = create(**split(body, create))
                if body.get("stream"):
                    with got:
                        yield _chunks(got, client.watch)
                else:
                    yield got
                is_whole = True
        finally:
            self._give_back(client, is_whole)

    def _take(self) -> _Client:
        with self._lock:
            if self._idle:
                return self._idle.pop()
        return self._new_client()

    def _give_back(self, client: _Client, is_whole: bool) -> None:
        with self._lock:
            if is_whole and len(self._idle) < _MOST_IDLE:
                self._idle.append(client)
                return
        _close([client])

    def _new_client(self) -> _Client:
        key = self._key.value if self._key is not None else None
        if key is None:
            if self._address is None:
                raise ModelError(
                    f"{self.model_id} needs a key: give api_key=…, or set OPENAI_API_KEY"
                )
            key = "none"  # a server of one's own; the SDK insists on a word
        openai, httpx = import_module("openai"), import_module("httpx")
        # A server that does not even take a connection is not busy with an answer.
        patience = httpx.Timeout(
            self.timeout, connect=min(self.timeout or _SECONDS_TO_CONNECT, _SECONDS_TO_CONNECT)
        )
        options = {**self._options, "api_key": key, "base_url": self._address, "timeout": patience}
        if "http_client" in options:
            return _Client(openai.OpenAI(**options), None)
        with self._lock:
            if self._tls is None:
                self._tls = httpx.create_ssl_context()  # costs 20 ms, so clients share it
        watch = Watch(self.max_answer_characters * _BYTES_A_CHARACTER + _BYTES_BESIDE)
        http = openai.DefaultHttpxClient(
            verify=self._tls, event_hooks=watch.hooks, timeout=patience
        )
        return _Client(openai.OpenAI(**options, http_client=http), watch)


def the_one_of(**same: str | None) -> str | None:
    """The value of an argument that has several names."""
    given = {name: value for name, value in same.items() if value is not None}
    first = next(iter(given.values()), None)
    if any(value != first for value in given.values()):
        raise PolicyError(f"{' and '.join(given)} say different things: give one of them")
    return first


def split(body: Mapping[str, Any], function: Any) -> dict[str, Any]:
    """The body as arguments of a library's function: what it has no parameter for goes into its
    `extra_body`."""
    known = inspect.signature(function).parameters
    arguments = {
        name: value for name, value in body.items() if name in known and name != "extra_body"
    }
    extra = {name: value for name, value in body.items() if name not in known} | dict(
        body.get("extra_body") or {}
    )
    return {**arguments, "extra_body": extra} if extra else arguments


def _chunks(stream: Any, watch: Watch | None) -> Any:
    """The chunks of a stream; or the whole answer, if the server does not stream."""
    if stream.response.headers.get("content-type", "").startswith("application/json"):
        return json.loads(stream.response.read())
    return _refilling(stream, watch)


def _refilling(stream: Any, watch: Watch | None) -> Iterator[Any]:
    for chunk in stream:
        if watch is not None:
            watch.refill()
        yield chunk


def _close(clients: list[_Client]) -> None:
    for client in clients:
        if (
            client.watch is not None
        ):  # one that came with the caller's own `http_client` is the caller's to close
            with contextlib.suppress(Exception):
                client.openai.close()
