"""What is put into a cloud sandbox: the inside ring as one file that Python runs, called after its
content, and the command that starts it.

There it unpacks itself, into a directory that nobody but its user can change and that the next
start finds again: a worker's modules are to be files, which a jail can show to code.
"""

from __future__ import annotations

import base64
import contextlib
import functools
import hashlib
import io
import json
import shlex
import zipfile
from typing import Any

from fumehood.tunnel.inside import files

# For any Python: one that is too old is told so.
_MAIN = """import os, stat, sys, tempfile, zipfile

if sys.version_info < (3, 11):
    sys.exit("fumehood needs Python 3.11 or newer, and python3 in this sandbox is %d.%d; use another template" % sys.version_info[:2])


def is_ours(home):
    try:
        found = os.lstat(home)
    except OSError:
        return False
    return stat.S_ISDIR(found.st_mode) and found.st_uid == os.geteuid() and not found.st_mode & 0o022


def unpacked(app):
    wanted = (os.environ.get("TMPDIR", ""), "/var/tmp", tempfile.gettempdir())
    places = [place for place in wanted if os.access(place, os.W_OK | os.X_OK)]
    home = os.path.join(places[0], os.path.basename(app)[: -len(".pyz")])
    if is_ours(home):
        return home
    made = tempfile.mkdtemp(prefix="fumehood-", dir=places[0])
    os.umask(0o022)
    with zipfile.ZipFile(app) as file:
        file.extractall(made, [name for name in file.namelist() if name.startswith("fumehood/")])
    os.chmod(made, 0o755)
    try:
        os.rename(made, home)
    except OSError:
        return made
    return home


sys.path[0] = unpacked(os.path.abspath(sys.argv[0]))
from fumehood.worker import memory

memory.gather()
import base64
from fumehood.worker.remote import main

sys.argv[1:] = [base64.b64decode(sys.argv[1]).decode()]
main()
"""  # noqa: E501
_WHEN = (2001, 9, 9, 1, 46, 40)
_SUFFIX = ".pyz"


@functools.cache
def digest() -> str:
    """Stands for the version, and for any change in a checkout: of what is in the file, not of how
    it is packed."""
    sum_ = hashlib.sha256()
    for name, text in [*files(), ("__main__.py", _MAIN.encode())]:
        sum_.update(f"{name}\0{len(text)}\0".encode())
        sum_.update(text)
    return sum_.hexdigest()[:32]


def name() -> str:
    return f"fumehood-{digest()}{_SUFFIX}"


@functools.cache
def archive() -> bytes:
    """The file."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as file:
        for inner, text in [
            ("__main__.py", _MAIN.encode()),
            *files(),
        ]:
            file.writestr(zipfile.ZipInfo(inner, _WHEN), text, zipfile.ZIP_DEFLATED)
    return made.getvalue()


def command(path: str, policy: dict[str, Any]) -> str:
    """The command line that starts the file at `path`, with a first supervisor for a policy. Its
    options are in base64, which no shell changes."""
    options = json.dumps({"policy": policy, "is_text": True}).encode()
    return f"python3 -u {shlex.quote(path)} {base64.b64encode(options).decode()}"


def asked_by(line: str) -> str | None:
    """The digest of the file in a line that `command` made; None for another line. For a
    service that has a remote end of its own and does not run the file."""
    match line.split():
        case ["python3", "-u", path, encoded]:
            found = path.strip("'").rpartition("/")[2]
            with contextlib.suppress(ValueError, RecursionError):
                options = json.loads(base64.b64decode(encoded, validate=True))
                is_ours = found.startswith("fumehood-") and found.endswith(_SUFFIX)
                if is_ours and isinstance(options, dict):
                    return found.removeprefix("fumehood-").removesuffix(_SUFFIX)
    return None
