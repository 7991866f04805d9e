"""A service of your own: `fumehood serve` is started here, and used by E2B's own SDK and by plain
HTTP.

The same sandbox through both: what the SDK has set, a request reads. The server listens on
loopback, knows one key, and ends with this program. Needs `pip install 'fumehood[cli,server,e2b]'`.

    python examples/self_hosted.py
"""

from __future__ import annotations

import json
import os
import re
import secrets
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from e2b_code_interpreter import Sandbox

PRIMES = """
def primes(limit):
    sieve = [True] * limit
    for number in range(2, limit):
        if sieve[number]:
            yield number
            sieve[number * number :: number] = [False] * len(sieve[number * number :: number])

found = list(primes(100))
print(len(found), "primes below 100")
found[-1]
"""


@contextmanager
def server(key: str) -> Iterator[str]:
    """The address of a server that runs as long as this does."""
    command = [sys.executable, "-m", "fumehood.cli", "serve", "--port", "0", "--log", os.devnull]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, env={**os.environ, "FUMEHOOD_API_KEYS": key}
    )
    try:
        assert process.stdout is not None
        for line in process.stdout:
            if found := re.search(r"http://\S+", line):
                yield found[0]
                return
        raise SystemExit("the server did not start")
    finally:
        process.terminate()
        process.wait()


def asked(url: str, key: str, body: dict[str, Any] | None = None) -> Any:
    """The answer of the server's own API."""
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(
        url, data, {"X-API-Key": key, "Content-Type": "application/json"}
    )
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


def main() -> None:
    key = "e2b_" + secrets.token_hex(20)
    with server(key) as url, Sandbox.create(api_url=url, sandbox_url=url, api_key=key) as sandbox:
        print("-- by E2B's SDK")
        execution = sandbox.run_code(PRIMES)
        print("".join(execution.logs.stdout).strip(), "and the largest is", execution.text)
        sandbox.files.write("primes.txt", "\n".join(map(str, range(3))))
        print("files:", [entry.name for entry in sandbox.files.list(".")])
        print("wc says:", sandbox.commands.run("wc -c primes.txt").stdout.strip())
        failed = sandbox.run_code("found[1000]")
        print("an error:", failed.error.name, failed.error.value)

        print("\n-- by the native API")
        here = f"{url}/v1/sandboxes/{sandbox.sandbox_id}"
        print("a cell:", asked(f"{here}/run", key, {"code": "sum(range(11))"})["text"])
        refused = asked(f"{here}/run", key, {"code": "import socket\nimport ctypes"})
        for violation in refused["violations"]:
            print(f"refused: line {violation['line']}: {violation['name']}: {violation['reason']}")
        print("what this key has:", asked(f"{url}/v1/key", key)["sandboxes"])


if __name__ == "__main__":
    main()
