"""Sandboxes over the native API: variables that stay, forks, snapshots, contexts, ends."""

from __future__ import annotations

import math
import threading
import time

import pytest

from .asking import Client, code_of, until


def test_variables_stay_from_cell_to_cell(client: Client) -> None:
    sandbox = client.create()
    client.run(sandbox, "x = 20")
    ran = client.run(sandbox, "print('seen'); x + 1")
    assert (ran["value"], ran["text"], ran["logs"], ran["error"], ran["fault"]) == (
        21,
        "21",
        "seen\n",
        None,
        None,
    )
    assert ran["usage"]["wall_seconds"] >= 0


def test_an_error_is_told_with_its_type_line_and_traceback(client: Client) -> None:
    ran = client.run(client.create(), "a = 1\nb = a / 0")
    assert ran["error"]["type"] == "ZeroDivisionError"
    assert ran["error"]["line"] == 2
    assert "b = a / 0" in ran["error"]["traceback"]


def test_a_value_that_json_has_no_form_for_is_typed(client: Client) -> None:
    sandbox = client.create()
    assert client.value(sandbox, "{1: (2, 3)}") == {"$wire": ["dict", 1, ["tuple", 2, 3]]}
    assert client.value(sandbox, "float('inf')") == {"$wire": ["float", "inf"]}
    assert client.value(sandbox, "{'$wire': 1}") == {"$wire": ["dict", "$wire", 1]}
    assert client.value(sandbox, "2**70") == {"$wire": ["int", hex(2**70)]}


def test_text_that_no_encoding_carries_does_not_break_an_answer(client: Client) -> None:
    ran = client.run(client.create(), "print('a\\ud800b'); '\\udfff'")
    assert ran["error"] is None
    assert ran["logs"] == "a\\ud800b\n"
    assert ran["value"] == {"$wire": ["text", "7b+/"]}
    assert ran["text"] == "'\\udfff'"


def test_displays_come_with_their_formats(client: Client) -> None:
    ran = client.run(
        client.create(),
        "class Rich:\n    def _repr_html_(self):\n        return '<b>bold</b>'\ndisplay(Rich())",
    )
    assert ran["error"] is None, ran["error"]
    assert ran["displays"][0]["text/html"] == "<b>bold</b>"


def test_variables_are_set_listed_read_and_removed(client: Client) -> None:
    sandbox = client.create()
    path = f"/v1/sandboxes/{sandbox}/variables"
    sent = {
        "plain": [1, "two", None],
        "typed": {"$wire": ["tuple", 1, 2]},
        "huge": {"$wire": ["int", hex(2**80)]},
    }
    assert client.put(path, json={"variables": sent}).status_code == 204
    assert client.value(sandbox, "(type(typed).__name__, huge == 2**80, plain)") == {
        "$wire": ["tuple", "tuple", True, ["list", 1, "two", None]]
    }
    assert {"plain", "typed", "huge"} <= {*client.get(path).json()["names"]}
    assert client.get(f"{path}/typed").json() == {
        "value": {"$wire": ["tuple", 1, 2]},
        "text": "(1, 2)",
    }
    assert client.delete(f"{path}/typed").status_code == 204
    assert code_of(client.get(f"{path}/typed")) == (404, "not_found")
    assert code_of(client.delete(f"{path}/typed")) == (404, "not_found")


@pytest.mark.parametrize(
    "variables",
    [
        {"no name": 1},
        {"__builtins__": 1},
        {"x": {"$wire": ["nonsense"]}},
        {"x": {"$wire": ["pickle", "AAAA"]}},
        {"x": {"$wire": ["object", 1]}},
    ],
    ids=str,
)
def test_variables_that_cannot_be_are_refused(client: Client, variables: dict[str, object]) -> None:
    answer = client.put(f"/v1/sandboxes/{client.create()}/variables", json={"variables": variables})
    assert code_of(answer) == (400, "invalid")


def test_a_cell_may_be_given_less_time_than_the_policy_gives(client: Client) -> None:
    sandbox = client.create()
    client.run(sandbox, "x = 1")
    ran = client.run(sandbox, "while True: pass", timeout_seconds=0.3)
    assert (ran["fault"], ran["error"]["type"]) == ("timeout", "TimeLimit")
    assert client.value(sandbox, "x") == 1


def test_a_running_cell_is_interrupted(client: Client) -> None:
    sandbox = client.create()
    assert client.post(f"/v1/sandboxes/{sandbox}/interrupt").json() == {"interrupted": False}
    outcome = {}
    running = threading.Thread(
        target=lambda: outcome.update(client.run(sandbox, "while True: pass"))
    )
    running.start()
    until(
        lambda: client.post(f"/v1/sandboxes/{sandbox}/interrupt").json()["interrupted"],
        "the cell was running",
    )
    running.join(60)
    assert outcome["fault"] == "killed"


def test_forks_begin_where_the_sandbox_is_and_go_their_own_ways(client: Client) -> None:
    sandbox = client.create(metadata={"for": "forks"})
    client.run(sandbox, "x = [1]")
    answer = client.post(f"/v1/sandboxes/{sandbox}/fork", json={"number": 2})
    assert answer.status_code == 201
    first, second = (row["id"] for row in answer.json()["sandboxes"])
    client.made += [first, second]
    client.run(first, "x.append(2)")
    assert [client.value(one, "x") for one in (sandbox, first, second)] == [[1], [1, 2], [1]]
    assert client.get(f"/v1/sandboxes/{second}").json()["metadata"] == {"for": "forks"}


def test_a_snapshot_is_gone_back_to_and_lives_on_without_its_sandbox(client: Client) -> None:
    sandbox = client.create()
    client.run(sandbox, "x = 'then'")
    kept = client.post(f"/v1/sandboxes/{sandbox}/snapshots", json={"name": "before"}).json()
    client.run(sandbox, "x = 'now'")
    assert (
        client.post(f"/v1/sandboxes/{sandbox}/restore", json={"snapshot": kept["id"]}).status_code
        == 200
    )
    assert client.value(sandbox, "x") == "then"
    assert client.delete(f"/v1/sandboxes/{sandbox}").status_code == 204
    again = client.create(snapshot=kept["id"])
    assert client.value(again, "x") == "then"
    listed = client.get("/v1/snapshots", params={"sandbox": sandbox}).json()["snapshots"]
    assert [(row["id"], row["name"]) for row in listed] == [(kept["id"], "before")]
    assert client.delete(f"/v1/snapshots/{kept['id']}").status_code == 204
    assert code_of(client.post("/v1/sandboxes", json={"snapshot": kept["id"]})) == (
        404,
        "not_found",
    )
    assert code_of(client.delete(f"/v1/snapshots/{kept['id']}")) == (404, "not_found")


def test_a_template_has_been_set_up(client: Client, other: Client) -> None:
    sandbox = client.create(template="counting")
    assert client.value(sandbox, "sum(numbers)") == 6
    assert client.get(f"/v1/sandboxes/{sandbox}").json()["template"] == "counting"
    assert code_of(other.post("/v1/sandboxes", json={"template": "counting"})) == (404, "not_found")


def test_limits_can_be_lowered_and_not_raised(client: Client) -> None:
    sandbox = client.create(limits={"output_characters": 100})
    assert len(client.run(sandbox, "print('x' * 10_000)")["logs"]) < 1000
    assert code_of(client.post("/v1/sandboxes", json={"limits": {"memory_bytes": 1 << 50}})) == (
        400,
        "invalid",
    )


def test_a_paused_sandbox_keeps_its_variables_and_does_nothing(client: Client) -> None:
    sandbox = client.create(timeout_seconds=1000)
    client.run(sandbox, "x = 5")
    assert client.post(f"/v1/sandboxes/{sandbox}/pause").json()["state"] == "paused"
    assert code_of(client.post(f"/v1/sandboxes/{sandbox}/run", json={"code": "x"})) == (
        409,
        "conflict",
    )
    assert code_of(client.post(f"/v1/sandboxes/{sandbox}/pause")) == (409, "conflict")
    assert (
        client.post(f"/v1/sandboxes/{sandbox}/resume", json={"timeout_seconds": 50}).json()["state"]
        == "running"
    )
    assert client.value(sandbox, "x") == 5
    assert code_of(client.post(f"/v1/sandboxes/{sandbox}/resume")) == (409, "conflict")


def test_the_time_that_a_sandbox_is_paused_is_not_counted(client: Client) -> None:
    sandbox = client.create(timeout_seconds=1000)
    before = client.get(f"/v1/sandboxes/{sandbox}").json()["expires"]
    client.post(f"/v1/sandboxes/{sandbox}/pause")
    paused = time.time()
    time.sleep(0.3)
    resumed = time.time()
    after = client.post(f"/v1/sandboxes/{sandbox}/resume").json()["expires"]
    assert after - before >= resumed - paused - 0.01
    changed = client.put(f"/v1/sandboxes/{sandbox}/timeout", json={"timeout_seconds": 5000}).json()
    assert math.isclose(changed["expires"], time.time() + 5000, abs_tol=60)


def test_a_sandbox_that_was_closed_is_not_there(client: Client) -> None:
    sandbox = client.create()
    assert sandbox in {row["id"] for row in client.get("/v1/sandboxes").json()["sandboxes"]}
    assert client.delete(f"/v1/sandboxes/{sandbox}").status_code == 204
    assert code_of(client.delete(f"/v1/sandboxes/{sandbox}")) == (404, "not_found")
    assert code_of(client.post(f"/v1/sandboxes/{sandbox}/run", json={"code": "1"})) == (
        404,
        "not_found",
    )
    assert sandbox not in {row["id"] for row in client.get("/v1/sandboxes").json()["sandboxes"]}


def test_a_context_has_variables_of_its_own_and_the_same_files(client: Client) -> None:
    sandbox = client.create(environment={"WHO": "sandbox", "WHERE": "here"})
    client.run(sandbox, "x = 1\nopen('/home/user/shared', 'w').write('seen')")
    context = client.post(
        f"/v1/sandboxes/{sandbox}/contexts", json={"environment": {"WHO": "context"}}
    ).json()["id"]
    assert client.run(sandbox, "x", context=context)["error"]["type"] == "NameError"
    client.run(sandbox, "x = 2", context=context)
    assert client.value(sandbox, "x") == 1
    assert client.value(sandbox, "open('/home/user/shared').read()", context=context) == "seen"
    assert (
        client.get(f"/v1/sandboxes/{sandbox}/variables/x", params={"context": context}).json()[
            "value"
        ]
        == 2
    )
    assert [
        row["id"] for row in client.get(f"/v1/sandboxes/{sandbox}/contexts").json()["contexts"]
    ] == [context]
    assert client.delete(f"/v1/sandboxes/{sandbox}/contexts/{context}").status_code == 204
    assert code_of(
        client.post(f"/v1/sandboxes/{sandbox}/run", json={"code": "1", "context": context})
    ) == (404, "not_found")
    assert client.value(sandbox, "x") == 1


def test_a_command_line_is_run_in_the_sandbox(client: Client) -> None:
    sandbox = client.create()
    path = f"/v1/sandboxes/{sandbox}/commands"
    done = client.post(
        path, json={"line": "echo $WHO > a; cat a; cat none", "environment": {"WHO": "me"}}
    ).json()
    assert (done["stdout"], done["exit_code"], done["error"]) == ("me\n", 1, None)
    assert "none" in done["stderr"]
    assert client.post(path, json={"line": "cat /etc/shadow"}).json()["stdout"] == ""
    assert (
        client.post(path, json={"line": "sleep 100", "timeout_seconds": 0.3}).json()["exit_code"]
        == 124
    )
    assert code_of(client.post(path, json={"line": "pwd", "cwd": "a\0b"})) == (400, "invalid")
