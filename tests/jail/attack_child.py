"""The host process that programs are run from, as somebody: it takes an identity, and is then the
host of fumehood.attack.

The test's end is in attack_host.py. A host is made once per identity and lives as long as it
answers; what a program may break is its own sandbox, so if the host breaks, that is a finding.
"plain" is the host whose runs are not jailed; it forks a world for each.
"""

from __future__ import annotations

import json
import os
import sys
import threading
from pathlib import Path

from fumehood import LocalPythonExecutor
from fumehood.attack.canaries import adopt_orphans, canary
from fumehood.attack.configurations import Configuration
from fumehood.attack.corpus import read
from fumehood.attack.host import answer_requests, runs_of
from fumehood.attack.outcomes import Outcome
from fumehood.attack.sandboxed import descendants

from . import identities, plain_world

ENDLESS = "endless"
_ENDLESS_CELL = """
import ctypes, signal
ctypes.CDLL(None).prctl(1, 0, 0, 0, 0)  # PR_SET_PDEATHSIG: no signal when the parent dies
for number in signal.valid_signals():
    try:
        signal.signal(number, signal.SIG_IGN)
    except (OSError, ValueError):
        pass
print("begun", flush=True)
while True:
    try:
        while True:
            signal.pause()
    except BaseException:
        pass
"""


def become() -> None:
    """The first half of the process: take the identity and begin anew with it."""
    _, identity, directory, configuration = sys.argv
    token = canary("mount")
    if identity != "plain":
        identities.prepare(identity, Path(directory), token)
    package = Path(__file__).parent
    start = f"from {package.name}.{Path(__file__).stem} import serve; serve()"
    os.execv(
        sys.executable, [sys.executable, "-c", start, identity, directory, configuration, token]
    )


def serve() -> None:
    """The second half: answer requests until nobody asks."""
    _, identity, directory, told, token = sys.argv
    adopt_orphans()
    if identity == "plain":
        answer_requests(lambda name: plain_world.run(read(name), Path(directory), token))
        return
    if identity == "housed":
        from fumehood.executors import supervisor

        supervisor.LOCAL._launch = identities.start_contained
    configuration = Configuration.from_data(json.loads(told))
    runs = runs_of(configuration, Path(directory), token)
    answer_requests(
        lambda name: leave_running(configuration) if name == ENDLESS else runs.run(read(name))
    )
    runs.close()


def leave_running(configuration: Configuration) -> Outcome:
    """Begin a cell that never ends; the value is the processes that there are then."""
    begun = threading.Event()
    executor = LocalPythonExecutor(
        policy=configuration.plain_policy(), on_fault="keep", on_output=lambda text: begun.set()
    )
    threading.Thread(target=executor.run, args=(_ENDLESS_CELL,), daemon=True).start()
    begun.wait(timeout=60)
    return Outcome(value=json.dumps(sorted(descendants())))
