"""A driver that is outside of its cluster: by Ray Client, everything is as from within."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import threading
from pathlib import Path

import pytest

import fumehood
from fumehood import MissingExtra, RayExecutor

from ..rays import SETTINGS

HERE = Path(__file__)

PROGRAM = """
import json, sys
import rays
from fumehood import Fleet, Policy, RayExecutor, RayUnavailable
from fumehood.ray.cluster import Cluster

port = int(sys.argv[1])
address = f"ray://127.0.0.1:{port}"
made = rays.started(1, ray_client_server_port=port)
told = {}
printed = []

def connects():
    try:
        Cluster.shared(address)
    except RayUnavailable:
        return False
    return True

rays.until(connects, "whoever stands for this driver in there is up")  # on a busy machine Ray gives up before
with RayExecutor(address=address, policy=Policy(files=True), on_output=printed.append) as executor:
    told["report"] = executor.report()
    executor.send_tools({"add": lambda a, b: a + b})
    executor("x = add(20, 1)\\nprint('on its way')")
    told["printed"] = "".join(printed)
    executor.files.write("data.bin", bytes(range(256)) * 1000)
    told["value"] = executor("x * 2").output, len(executor.files.read("data.bin"))
    told["fault"] = executor.run("x = 0\\n'a' * 10**13").fault
    with executor.fork() as fork:
        told["fork"] = fork("x").output
with RayExecutor() as executor:  # the one that it is connected to
    told["again"] = executor("6 * 7").output
with Fleet(address, per_node=2) as fleet:
    results = list(fleet.run_all("input ** 2", range(20), timeout_seconds=100))
    told["fleet"] = [result.value for result in results]
    told["errors"] = [str(result.error) for result in fleet.run_all("1 / input", [0, 1])]
import ray
ray.shutdown()
made.shutdown()
print(json.dumps(told))
"""


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as found:
        return int(found.getsockname()[1])


@pytest.mark.long
def test_a_driver_outside_of_the_cluster_has_executors_and_fleets_there(tmp_path: Path) -> None:
    pytest.importorskip("ray")
    pytest.importorskip("grpc", reason="Ray Client needs grpcio, which 'ray[client]' brings")
    path = os.pathsep.join([str(Path(fumehood.__file__).parents[1]), str(HERE.parents[1])])
    environment = {**os.environ, **SETTINGS, "PYTHONPATH": path}
    command = [sys.executable, "-c", PROGRAM, str(_free_port())]
    done = subprocess.run(
        command,
        capture_output=True,
        text=True,
        env=environment,
        timeout=500,
        check=False,
        cwd=tmp_path,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    told = json.loads(done.stdout.splitlines()[-1])
    assert "by calls line" in told["report"]
    assert told["printed"] == "on its way\n"
    assert told["value"] == [42, 256_000]
    assert told["fault"] == "memory" and told["fork"] == 21
    assert told["again"] == 42
    assert told["fleet"] == [n**2 for n in range(20)]
    assert "ZeroDivisionError" in told["errors"][0] and told["errors"][1] == "None"


@pytest.mark.usefixtures("nobody_is_connected")
def test_without_ray_client_one_line_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody is there, who speaks as a Ray cluster does."""

    def answer() -> None:
        caller, _address = listening.accept()
        with caller:
            caller.recv(100)
            caller.sendall(bytes((0, 0, 0, 4, 0, 0, 0, 0, 0)))

    monkeypatch.setitem(sys.modules, "grpc", None)
    with socket.create_server(("127.0.0.1", 0)) as listening:
        answering = threading.Thread(target=answer)
        answering.start()
        with pytest.raises(
            MissingExtra,
            match=(
                r"^an address that begins with ray:// needs Ray Client: pip install"
                r" 'fumehood\[ray\]'$"
            ),
        ):
            RayExecutor(address=f"ray://127.0.0.1:{listening.getsockname()[1]}")
        answering.join()
