"""What the server counts, as Prometheus reads it: what happened, and nothing that a client could
choose."""

from __future__ import annotations

import httpx
from prometheus_client.parser import text_string_to_metric_families

from .asking import Client, code_of, until
from .hearing import PRICE, answering, declare, hearing

Samples = dict[tuple[str, tuple[tuple[str, str], ...]], float]


def samples(text: str) -> Samples:
    return {
        (sample.name, tuple(sorted(sample.labels.items()))): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def counted(client: httpx.Client) -> Samples:
    answer = client.get("/metrics")
    assert answer.headers["content-type"].startswith("text/plain")
    return samples(answer.text)


def value(found: Samples, name: str, **labels: str) -> float:
    return found.get((name, tuple(sorted(labels.items()))), 0.0)


def test_requests_cells_and_sandboxes_are_counted_by_what_became_of_them(client: Client) -> None:
    before = counted(client)
    sandbox = client.create()
    client.run(sandbox, "1")
    client.run(sandbox, "1 / 0")
    client.run(sandbox, "import socket")
    client.delete(f"/v1/sandboxes/{sandbox}")
    code_of(client.get(f"/v1/sandboxes/{sandbox}"))
    after = counted(client)

    def more(name: str, **labels: str) -> float:
        return value(after, name, **labels) - value(before, name, **labels)

    route = "/v1/sandboxes/{sandbox_id}"
    assert more("fumehood_requests_total", method="POST", route=f"{route}/run", status="200") == 3
    assert more("fumehood_requests_total", method="GET", route=route, status="404") == 1
    assert more("fumehood_request_seconds_count", route=f"{route}/run") == 3
    assert [
        more("fumehood_cells_total", outcome=outcome) for outcome in ("ok", "error", "refused")
    ] == [1, 1, 1]
    assert more("fumehood_cell_seconds_count") == 3
    assert (
        more("fumehood_sandboxes_created_total")
        == more("fumehood_sandboxes_ended_total", why="closed")
        == 1
    )
    assert more("fumehood_sandboxes") == 0
    assert more("fumehood_refused_total", why="not_found") == 1
    assert more("fumehood_received_bytes_total") > 0
    assert more("fumehood_sent_bytes_total") > 0


def test_calls_of_tools_are_counted_by_how_they_end(client: Client) -> None:
    sandbox = client.create()
    declare(client, sandbox, PRICE)
    before = counted(client)
    with hearing(client, sandbox, "price('a')") as events:
        answering(client, sandbox, events, lambda ticker: 1.0)

    def answered() -> float:
        return value(counted(client), "fumehood_tool_calls_total", outcome="answered") - value(
            before, "fumehood_tool_calls_total", outcome="answered"
        )

    until(lambda: answered() == 1, "the call is counted")


def test_a_path_that_is_not_there_makes_no_series_of_its_own(client: Client) -> None:
    for number in range(3):
        client.get(f"/not/there/{number}")
        client.get(f"/v1/sandboxes/{number}")
    text = client.get("/metrics").text
    assert "/not/there" not in text
    assert (
        value(samples(text), "fumehood_requests_total", method="GET", route="other", status="404")
        >= 3
    )


def test_metrics_are_for_those_with_a_key(nobody: httpx.Client) -> None:
    assert code_of(nobody.get("/metrics")) == (401, "not_allowed")
