"""Which route a path has. There are some eighty, and to look at all of them takes a good part of
the time that a short request has: so only those are looked at that begin with the same part."""

from __future__ import annotations

from collections.abc import MutableMapping
from typing import Any

from starlette.routing import BaseRoute, Match, Router
from starlette.types import Receive, Scope, Send


class ByFirstPart(Router):
    """Starlette's router, for routes whose first part is fixed. One that has no path, and finds out
    by something else whether a request is its own, is asked before those."""

    def __init__(self, routes: list[BaseRoute], **options: Any) -> None:
        super().__init__(routes, redirect_slashes=False, **options)
        self._of_any = [route for route in routes if not hasattr(route, "path")]
        self._by_part: dict[str, list[BaseRoute]] = {}
        for route in routes:
            if hasattr(route, "path"):
                part = _first_part(route.path)
                if "{" in part:
                    raise ValueError(f"a path must begin with a fixed part, unlike {part!r}")
                self._by_part.setdefault(part, [*self._of_any]).append(route)

    def alike(self, path: str) -> list[BaseRoute]:
        """Those that a path may have."""
        return self._by_part.get(_first_part(path), self._of_any)

    async def app(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await super().app(scope, receive, send)
            return
        other: tuple[BaseRoute, MutableMapping[str, Any]] | None = None
        for route in self.alike(scope["path"]):
            match, found = route.matches(scope)
            if match is Match.FULL:
                await self._hand_over(route, found, scope, receive, send)
                return
            if match is Match.PARTIAL and other is None:
                other = route, found
        if other is not None:  # the right path and the wrong method, which the route says itself
            await self._hand_over(*other, scope, receive, send)
        else:
            await self.default(scope, receive, send)

    async def _hand_over(
        self,
        route: BaseRoute,
        found: MutableMapping[str, Any],
        scope: Scope,
        receive: Receive,
        send: Send,
    ) -> None:
        scope["route"] = (
            route  # whose path is told in the access log, and not the path that was asked for
        )
        scope.update(found)
        await route.handle(scope, receive, send)


def _first_part(path: str) -> str:
    return path[1:].partition("/")[0]
