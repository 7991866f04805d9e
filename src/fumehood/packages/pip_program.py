"""pip, as a program of its own, with two things changed. It is started by installers.py with the
path of this file; nobody imports it.

    nothing is built    what is not a wheel would have to be, and that runs its code on the host.
                        `--only-binary` alone does not prevent it:
                        a wheel can require something by its address, which pip then takes as it is.
                        Unless the caller allows builds
    markers             what a package asks of the Python that it is for is answered for the place
                        that it goes to: pip answers it for
                        its own Python, whatever it is told to install for

The first argument is those answers and whether it may build, in JSON, the others are pip's. A pip
in which this cannot be changed is not used.
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any

UNKNOWN_PIP = 90
"""The exit code for a pip that is other than those we know."""


def main() -> None:
    told = json.loads(sys.argv.pop(1))
    answers = told["markers"]
    os.environ["_PIP_RUNNING_IN_SUBPROCESS"] = (
        "1"  # else a setting could have it start another, in which nothing is changed
    )
    try:
        from pip._internal.cli.main import main as run
        from pip._internal.distributions.sdist import SourceDistribution
        from pip._internal.exceptions import InstallationError
        from pip._vendor.packaging import markers

        own_answers = markers.default_environment
        if not callable(SourceDistribution.prepare_distribution_metadata):
            raise AttributeError("prepare_distribution_metadata")
    except (ImportError, AttributeError) as error:
        print(f"ERROR: this pip is not one that is known: {error}", file=sys.stderr)
        raise SystemExit(UNKNOWN_PIP) from None

    def refuse(self: Any, *_args: Any, **_options: Any) -> None:
        raise InstallationError(
            f"{self.req} is no wheel, and would have to be built, which runs its code here"
        )

    if not told["builds"]:
        SourceDistribution.prepare_distribution_metadata = refuse  # type: ignore[method-assign]
    markers.default_environment = lambda: {**own_answers(), **answers}
    raise SystemExit(run(sys.argv[1:]))


if __name__ == "__main__":
    main()
