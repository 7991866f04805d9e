"""Installs packages into the environment of the Python that runs this: with uv, which takes a fifth
of the time, or with pip where uv cannot be installed or fails.

uv does not read pip's configuration, so the indexes configured there are passed to it.
"""

from __future__ import annotations

import ast
import os
import subprocess
import sys

PIP = [sys.executable, "-m", "pip"]
QUIET = ["install", "--quiet", "--disable-pip-version-check", "--no-compile"]
# pip's setting, and uv's option for each of its values.
OPTIONS = {
    "index-url": "--default-index",
    "extra-index-url": "--index",
    "find-links": "--find-links",
    "trusted-host": "--allow-insecure-host",
}


def uv_options() -> tuple[list[str], dict[str, str]]:
    """Options and environment variables that make uv use the indexes that pip uses."""
    listed = subprocess.run([*PIP, "config", "list"], capture_output=True, text=True, check=True)
    settings = {}
    for section in ("global", "install", ":env:"):  # a later one overrides an earlier one
        for line in listed.stdout.splitlines():
            if line.startswith(f"{section}."):
                key, _, value = line[len(section) + 1 :].partition("=")
                settings[key] = str(ast.literal_eval(value))
    # Like pip, take the best version of all indexes, not of the first that has the package.
    options = ["--index-strategy", "unsafe-best-match"]
    for setting, option in OPTIONS.items():
        for value in settings.get(setting, "").split():
            options += [option, value]
    if settings.get("no-index", "").lower() in ("1", "true", "yes", "on"):
        options.append("--no-index")
    return options, {"SSL_CERT_FILE": settings["cert"]} if "cert" in settings else {}


def install_with_uv(wanted: list[str]) -> bool:
    try:
        subprocess.run([*PIP, *QUIET, "uv"], check=True)
        options, variables = uv_options()
        subprocess.run(
            [
                sys.executable,
                "-m",
                "uv",
                "pip",
                "install",
                "--quiet",
                *options,
                "--python",
                sys.executable,
                *wanted,
            ],
            env={**os.environ, **variables},
            check=True,
        )
    except (OSError, subprocess.CalledProcessError):
        # The error would print the command, and an index may have a password in its address.
        print("uv cannot be installed or has failed; installing with pip", file=sys.stderr)
        return False
    return True


if __name__ == "__main__":
    if not install_with_uv(sys.argv[1:]):
        sys.exit(subprocess.run([*PIP, *QUIET, *sys.argv[1:]], check=False).returncode)
