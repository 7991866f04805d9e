"""The test's end of a host process that is somebody: start it, ask for programs, close it."""

from __future__ import annotations

import json
import os
import sys
import tempfile
from pathlib import Path

from fumehood.attack.asking import DEADLINE_SECONDS, AskedHost
from fumehood.attack.configurations import Configuration

from . import attack_child

JAIL_ONLY = Configuration(guarded=False)


class AttackHost(AskedHost):
    """A host of an identity (identities.py), or "plain", whose runs are not jailed. After HostDied
    it is closed."""

    def __init__(
        self,
        identity: str,
        configuration: Configuration = JAIL_ONLY,
        deadline: float = DEADLINE_SECONDS,
        **environment: str,
    ) -> None:
        self._directory = tempfile.TemporaryDirectory(prefix="fumehood-attack-")
        Path(self._directory.name).chmod(0o755)
        package = Path(__file__).parent
        start = f"from {package.name}.{Path(attack_child.__file__).stem} import become; become()"
        paths = os.pathsep.join([str(package.parent), *filter(None, sys.path)])
        told = json.dumps(configuration.as_data())
        super().__init__(
            ["-c", start, identity, self._directory.name, told],
            deadline,
            PYTHONPATH=paths,
            **environment,
        )

    def leave_running(self) -> list[int]:
        """Have the host run a cell that never ends; the processes that then exist below the
        host."""
        pids: list[int] = json.loads(self.run(attack_child.ENDLESS).value)
        return pids

    def kill(self) -> None:
        """End the host as a crash would: it can do nothing more for what it started."""
        self._process.kill()
        self._process.wait()

    def close(self, patience: float = 10.0) -> None:
        super().close(patience)
        self._directory.cleanup()
