"""Which sandbox a request is for, and whether it may.

The SDK names a sandbox by a header, or by the first part of the host's name where each sandbox has
a name of its own, and shows a token that opens that sandbox and nothing else. A link that somebody
was given names none: it is signed with the token of the sandbox that it is for.

    no token, no key           401
    a token or key that does not open what is named, or nothing is named by it
        502, "was not found": as for one that never was
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
import time
from collections.abc import MutableMapping
from typing import TYPE_CHECKING, Any, Final

from starlette.requests import Request

from fumehood.server.e2b.state import state_of
from fumehood.server.refusals import Invalid, NotAllowed, Refusal
from fumehood.server.sandbox import Sandbox

if TYPE_CHECKING:
    from fumehood.server.server import Server

_HOST: Final = re.compile(r"(\d{1,5})-([0-9a-z]{1,64})\.")


class NotRunning(Refusal):
    """The SDK reads in these words, and in this status, that the sandbox is over."""

    status, code = 502, "not_running"

    def __init__(self, sandbox_id: str, *, is_paused: bool = False) -> None:
        why = (
            "is paused and was not found running; connecting to it resumes it"
            if is_paused
            else "was not found"
        )
        super().__init__(f"The sandbox {sandbox_id[:64]!r} {why}")


def traffic_token(sandbox: Sandbox) -> str:
    """What opens the sandbox's notebook, and no file and no command: the SDK shows it where it does
    not show the other."""
    return hmac.new(sandbox.token.encode(), b"traffic", hashlib.sha256).hexdigest()


def names_sandbox(scope: MutableMapping[str, Any]) -> bool:
    """Whether a request is for a sandbox, and not for the server."""
    headers = scope["headers"]
    return any(
        name == b"e2b-sandbox-id" or name == b"host" and _HOST.match(value.decode("latin-1"))
        for name, value in headers
    )


def sandbox_of(server: Server, request: Request, *, notebook: bool = False) -> Sandbox:
    """The sandbox that a request is for; from here on its key's request. NotAllowed without any
    token, NotRunning for a wrong one. `notebook` says that the lesser token will do."""
    named = request.headers.get("e2b-sandbox-id") or ""
    if not named and (match := _HOST.match(request.headers.get("host", ""))):
        named = match[2]
    key = request.scope.get("fumehood.key")
    tokens = [request.headers.get("x-access-token")]
    if notebook:
        tokens.append(request.headers.get("e2b-traffic-access-token"))
    given = [token for token in tokens if token]
    if key is None and not given:
        raise NotAllowed(
            "a sandbox's access token is needed (X-Access-Token), or the key that it belongs to"
        )
    sandbox = server.sandboxes.find(named)
    if sandbox is None or not (
        sandbox.key is key or any(_opens(sandbox, token, notebook) for token in given)
    ):
        raise NotRunning(named)
    return enter(server, request, sandbox)


def _opens(sandbox: Sandbox, token: str, notebook: bool) -> bool:
    given = token.encode("utf-8", "surrogateescape")
    opens = hmac.compare_digest(given, sandbox.token.encode())
    return opens or notebook and hmac.compare_digest(given, traffic_token(sandbox).encode())


def enter(server: Server, request: Request, sandbox: Sandbox) -> Sandbox:
    """Use a sandbox. One that is paused goes on, if it was made so; else it is not running."""
    server.admit(request, sandbox.key, sandbox.id)
    if sandbox.is_paused:
        state = state_of(sandbox)
        if not state.resumes:
            raise NotRunning(sandbox.id, is_paused=True)
        sandbox.resume(state.timeout)
    sandbox.touch()
    return sandbox


# -- links


def signature(path: str, operation: str, user: str, token: str, expiration: str | None) -> str:
    """What makes a link good: made by the SDK, from the token, without asking anybody."""
    text = ":".join(
        [path, operation, user, token, *([expiration] if expiration is not None else [])]
    )
    digest = hashlib.sha256(text.encode("utf-8", "surrogateescape")).digest()
    return "v1_" + base64.b64encode(digest).rstrip(b"=").decode()


def sandbox_of_link(server: Server, request: Request, operation: str) -> Sandbox:
    """The sandbox whose token a link was signed with. The link says nothing else of it, so all are
    tried: some microseconds each."""
    query = request.query_params
    given, expiration = query.get("signature", ""), query.get("signature_expiration")
    if expiration is not None and not (
        expiration.isascii() and expiration.isdigit() and len(expiration) < 16
    ):
        raise Invalid("signature_expiration is a number of seconds since 1970")
    user = query.get("username", "")
    if ":" in user:
        # What is signed has colons between its parts, and a file's name may hold some: with one in
        # the user's name as well, a link to read `a:write:x` could be told as one to write `a`.
        raise Invalid("username: a user's name has no colon")
    found: Sandbox | None = None
    for sandbox in server.sandboxes:
        made = signature(query.get("path", ""), operation, user, sandbox.token, expiration)
        if hmac.compare_digest(made.encode(), given.encode("utf-8", "surrogateescape")):
            found = sandbox
    if found is None:
        raise NotAllowed("this link was not signed for this file, or its sandbox is over")
    if expiration is not None and int(expiration) < time.time():
        raise NotAllowed("this link was good until a moment that has passed; ask for another")
    return enter(server, request, found)
