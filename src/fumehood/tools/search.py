"""DuckDuckGoSearchTool: searching the web, with the package `ddgs`."""

from __future__ import annotations

import importlib.util
import threading
import time
from typing import Any

from fumehood import asked
from fumehood.errors import MissingExtra, ToolError
from fumehood.tools.prompting import plain
from fumehood.tools.tool import Tool
from fumehood.wire.show import one_line

MOST_RESULTS = 100
MOST_QUERY_CHARACTERS = 500
_MOST_A_SECOND = 1_000_000
_BODY_CHARACTERS = 1_000


class DuckDuckGoSearchTool(Tool):
    """Searches the web and gives titles, addresses and a few words of each result, as Markdown.

    `rate_limit` is how many searches a second are made at most, None for no limit. `backend` names
    the engines that `ddgs` asks, and `client` is what its client takes: timeout, proxy, verify.
    Making one needs no network.
    """

    name = "web_search"
    description = (
        "Searches the web and returns the best results: their titles, addresses and a few words of"
        " each."
    )

    def __init__(
        self,
        max_results: int = 10,
        *,
        rate_limit: float | None = 1.0,
        region: str = "us-en",
        safesearch: str = "moderate",
        timelimit: str | None = None,
        backend: str = "auto",
        **client: Any,
    ) -> None:
        super().__init__()
        if (
            isinstance(max_results, bool)
            or not isinstance(max_results, int)
            or not 1 <= max_results <= MOST_RESULTS
        ):
            raise ToolError(
                f"max_results must be a whole number from 1 to {MOST_RESULTS}, not"
                f" {asked.shown(max_results)}"
            )
        if rate_limit is not None and not (
            asked.is_number(rate_limit) and 0 < rate_limit < _MOST_A_SECOND
        ):
            raise ToolError(
                "rate_limit must be a number of searches a second above 0, or None for no limit,"
                f" not {asked.shown(rate_limit)}"
            )
        if importlib.util.find_spec("ddgs") is None:
            raise MissingExtra("DuckDuckGoSearchTool needs ddgs: pip install 'fumehood[web]'")
        self.max_results = max_results
        self.rate_limit = rate_limit
        self._options = {
            "region": region,
            "safesearch": safesearch,
            "timelimit": timelimit,
            "backend": backend,
        }
        self._client = {"timeout": 10, **client}
        self._pace = _Pace(0.0 if rate_limit is None else 1.0 / rate_limit)

    def forward(self, query: str) -> str:
        """
        Args:
            query: What to search for, in a few words.

        Returns:
            The results, best first.
        """
        import ddgs
        from ddgs.exceptions import DDGSException, RatelimitException, TimeoutException

        query = " ".join(plain(query).split())
        if not query:
            raise ToolError("there is nothing to search for: the query is empty")
        if len(query) > MOST_QUERY_CHARACTERS:
            raise ToolError(
                f"a query of {len(query):,} characters is too long: {MOST_QUERY_CHARACTERS} are the"
                " most"
            )
        self._pace.wait()
        try:
            # A client of its own for each search: they are cheap, and not meant for two threads.
            found = ddgs.DDGS(**self._client).text(
                query, max_results=self.max_results, **self._options
            )
        except RatelimitException:
            raise ToolError(
                "the search engine wants fewer searches: wait a minute, or go on without"
            ) from None
        except TimeoutException:
            raise ToolError(
                "the search engine did not answer in time: try again, or go on without"
            ) from None
        except DDGSException as error:
            raise ToolError(_why(query, str(error))) from None
        rows = [_row(result) for result in found[: self.max_results] if isinstance(result, dict)]
        if not rows:
            raise ToolError(_why(query, "No results found."))
        return "\n\n".join(f"{number}. {row}" for number, row in enumerate(rows, 1))


class _Pace:
    """Lets callers through with so much time between them, in the order in which they came."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._next = 0.0
        self._lock = threading.Lock()

    def wait(self) -> None:
        with self._lock:
            turn = max(self._next, time.monotonic())
            self._next = turn + self._seconds
        time.sleep(max(turn - time.monotonic(), 0.0))


def _why(query: str, said: str) -> str:
    if "No results" in said:
        # An engine that is asked too often says the same.
        return (
            f"nothing was found for {one_line(query, 100)!r}: use other or fewer words; after many"
            " searches wait a little"
        )
    return f"the search engine cannot be reached: {one_line(said, 200)}"


def _row(result: dict[str, Any]) -> str:
    title, address, body = (
        " ".join(plain(str(result.get(key) or "")).split()) for key in ("title", "href", "body")
    )
    body = body if len(body) <= _BODY_CHARACTERS else f"{body[:_BODY_CHARACTERS]}…"
    title = title.replace("[", "(").replace("]", ")")
    return f"[{title[:300] or address[:300]}]({address[:2000]})\n{body}".rstrip()
