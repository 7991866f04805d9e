"""What is put into a cloud sandbox: the inside ring as one file that Python runs, called after its
content, and the command that starts it.

There it unpacks itself, into a directory that nobody but its user can change and that the next
start finds again: a worker's modules are to be files, which a jail can show to code.
"""

from __future__ import annotations

import base64
import functools
import hashlib
import io
import json
import shlex
import zipfile
from typing import Any, NamedTuple

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
from fumehood.worker.remote import main_in_text

main_in_text()
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


def command(path: str, lifetime: float, policy: dict[str, Any]) -> str:
    """The command line that starts the file at `path`: for so many seconds, 0 for no limit, with a
    first supervisor for a policy."""
    return (
        f"python3 -u {shlex.quote(path)} {lifetime:g}"
        f" {base64.b64encode(json.dumps(policy).encode()).decode()}"
    )


class Start(NamedTuple):
    """What a command line asks for."""

    digest: str
    lifetime: float
    policy: dict[str, Any]


def asked_by(line: str) -> Start | None:
    """What `command` made a line for; None if it is another line. For whoever is asked to run it
    and has a remote end of its own."""
    match line.split():
        case ["python3", "-u", path, lifetime, encoded]:
            found = path.strip("'").rpartition("/")[2]
            if not found.startswith("fumehood-") or not found.endswith(_SUFFIX):
                return None
            try:
                policy = json.loads(base64.b64decode(encoded, validate=True))
                seconds = float(lifetime)
            except (ValueError, RecursionError):
                return None
            is_sound = isinstance(policy, dict) and 0 <= seconds < 1 << 31
            return (
                Start(found.removeprefix("fumehood-").removesuffix(_SUFFIX), seconds, policy)
                if is_sound
                else None
            )
    return None
