"""How an image is built: the Dockerfile, what goes with it, and what its output means.

The order is that of what changes least: packages, then our own files. Nothing of the base is needed
but Python.
"""

from __future__ import annotations

import ast
import io
import json
import os
import re
import subprocess
import sys
import tarfile
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from urllib.parse import urlsplit

from fumehood.docker import inside
from fumehood.docker.engine import Engine, as_ours, one_line
from fumehood.errors import DockerFailed, ImageBuildFailed, ImageMissing, PolicyError
from fumehood.progress import Progress

LAYER = "fumehood.layer"
"""A label of every step of a build of ours, so that those of one that failed can be told from other
people's."""
WHEELS = f"{inside.HOME}/wheels"
_KEPT_LINES = 40

_TOO_OLD = "fumehood needs Python 3.11 or newer"
_NO_PIP = "fumehood needs pip to install packages"

# What runs in the base while an image is built.
_CHECK = f"""import sys
if sys.version_info < (3, 11): sys.exit({_TOO_OLD!r} + ", and this is " + sys.version.split()[0])
"""
_INSTALL = (
    _CHECK
    + f"""import importlib.util, os, shutil, subprocess
if importlib.util.find_spec("pip") is None: sys.exit({_NO_PIP!r})
os.environ["PIP_BREAK_SYSTEM_PACKAGES"] = "1"  # the image is nobody else's
options = ["--no-cache-dir", "--disable-pip-version-check", "--no-input", "--root-user-action=ignore"]
done = subprocess.run([sys.executable, "-m", "pip", "install", *options, *sys.argv[1:]])
shutil.rmtree({WHEELS!r}, ignore_errors=True)
sys.exit(done.returncode)
"""  # noqa: E501
)
# A container cannot write compiled files, and images of Python come without: everything would be
# compiled at every start. Then the directories of a sandbox take the place of those of the base.
# What a base has in /home/user is kept beside it.
_COMPILE = (
    _CHECK
    + f"""import compileall, os, py_compile, re, shutil, sysconfig
left_out = re.compile(r"/(test|tests|idlelib|lib2to3|tkinter|turtledemo|ensurepip|pip|setuptools)/")
paths = [sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")] + [{inside.HOME!r}]
for path in dict.fromkeys(paths):
    compileall.compile_dir(path, quiet=2, rx=left_out, workers=0, invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)
for name, target in {inside.LINKS!r}.items():
    os.makedirs(os.path.dirname(name), exist_ok=True)
    if os.path.islink(name): os.unlink(name)
    elif name == "/tmp": shutil.rmtree(name, ignore_errors=True)
    elif os.path.exists(name): shutil.move(name, name + ".image")
    os.symlink(target, name)
"""  # noqa: E501
)

# Which settings of the caller's pip go with a build, as arguments of it, so that they are in force
# there and not in what comes of it.
PIP_SETTINGS = {
    "index-url": "PIP_INDEX_URL",
    "extra-index-url": "PIP_EXTRA_INDEX_URL",
    "trusted-host": "PIP_TRUSTED_HOST",
    "find-links": "PIP_FIND_LINKS",
    "timeout": "PIP_TIMEOUT",
    "retries": "PIP_RETRIES",
}
_PLACES = ("index-url", "extra-index-url", "find-links")
_PROXIES = (
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "NO_PROXY",
    "FTP_PROXY",
    "ALL_PROXY",
)  # the engine knows these by itself

# What a caller may not say about a build, in the terms of the `docker` package, and why.
OURS = {
    "path": "dockerfile= names the file, and what is beside it can be copied",
    "fileobj": "dockerfile= takes the text",
    "custom_context": "dockerfile= names the file, and what is beside it can be copied",
    "encoding": "the build is sent as it is",
    "gzip": "the build is sent as it is",
    "tag": "images are tagged by what they hold",
    "dockerfile": "it is an argument of its own",
    "decode": "the output is read here",
    "quiet": "the output is what says why a build failed",
    "rm": "nothing of a build is left behind",
    "forcerm": "nothing of a build is left behind",
    "timeout": "a build takes as long as it takes",
}


def dockerfile(
    base: str,
    packages: Sequence[str],
    arguments: Sequence[str],
    labels: Mapping[str, str],
    *,
    wheels: bool,
) -> str:
    """Of an image for containers of ours, on a base that holds Python."""
    lines = [f"FROM {base}", "USER 0", f"LABEL {LAYER}=1"]
    if packages:
        lines += [f"ARG {name}" for name in arguments]
        if wheels:
            lines.append(f"COPY wheels {WHEELS}")
        lines.append("RUN " + json.dumps(["python3", "-c", _INSTALL, *packages]))
    lines += ["ADD inside.tar /", "RUN " + json.dumps(["python3", "-c", _COMPILE])]
    lines.append(
        "LABEL " + " ".join(f"{_quoted(name)}={_quoted(value)}" for name, value in labels.items())
    )
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    return '"' + re.sub(r'([\\"$])', r"\\\1", text) + '"'


def context(dockerfile: str, others: Mapping[str, bytes] | None = None) -> io.BytesIO:
    """What a build is sent: a Dockerfile and what it needs, by their names."""
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w") as tar:
        for name, data in {"Dockerfile": dockerfile.encode(), **(others or {})}.items():
            entry = tarfile.TarInfo(name)
            entry.size, entry.mode = len(data), 0o644
            tar.addfile(entry, io.BytesIO(data))
    made.seek(0)
    return made


def arguments(packages: Sequence[str], report: Progress) -> dict[str, str]:
    """The caller's proxies, and for packages the settings of the caller's pip, as arguments of a
    build."""
    given = {
        name: value for name, value in os.environ.items() if name.upper() in _PROXIES and value
    }
    if packages:
        given |= pip_settings()
    for name in (PIP_SETTINGS[place] for place in _PLACES):
        if any(urlsplit(url).password for url in given.get(name, "").split()):
            report(
                f"the password in {name} will be readable in the history of the image; do not"
                " publish it"
            )
    return given


def pip_settings() -> dict[str, str]:
    """Where the caller's pip looks for packages, as far as a build can reach it: what lies in files
    of this machine is not there."""
    found = {name: os.environ.get(variable, "") for name, variable in PIP_SETTINGS.items()}
    try:
        done = subprocess.run(
            [sys.executable, "-m", "pip", "config", "list"],
            capture_output=True,
            text=True,
            timeout=60,
            stdin=subprocess.DEVNULL,
        )
        listed = done.stdout.splitlines()
    except (OSError, subprocess.SubprocessError):  # there may be no pip here
        listed = []
    for line in listed:
        key, _, value = line.partition("=")
        name = key.rpartition(".")[2]
        if name in PIP_SETTINGS:
            try:
                found[name] = str(ast.literal_eval(value))
            except (ValueError, SyntaxError):
                continue
    settings = {}
    for name, value in found.items():
        reachable = [
            word
            for word in value.split()
            if name not in _PLACES or urlsplit(word).scheme in ("http", "https")
        ]
        if reachable:
            settings[PIP_SETTINGS[name]] = " ".join(reachable)
    return settings


def check_options(options: Mapping[str, Any] | None) -> dict[str, Any]:
    """What a caller says about builds, in the terms of the `docker` package. PolicyError for what
    is ours to say."""
    for name in options or ():
        if name in OURS:
            raise PolicyError(f"build_kwargs cannot hold {name!r}: {OURS[name]}")
    return dict(options or {})


def build(engine: Engine, tag: str, what: str, report: Progress, **options: Any) -> None:
    """Have an image built and tagged. `what` is the image in words. ImageBuildFailed says why not,
    and nothing is left of it."""
    client = engine.sdk()
    last: deque[str] = deque(maxlen=_KEPT_LINES)
    try:
        for entry in client.build(tag=tag, decode=True, rm=True, forcerm=True, **options):
            for line in _told(entry):
                last.append(line)
                report(line)
            if isinstance(entry, dict) and entry.get("error"):
                raise ImageBuildFailed(
                    f"building {what} failed: {_why(str(entry['error']), last)}", tuple(last)
                )
    except TypeError as error:  # an option that the package does not know
        raise PolicyError(f"build_kwargs: {one_line(error)}") from None
    except ImageBuildFailed:
        raise
    except Exception as error:
        ours = as_ours(error)
        if ours.status is None:
            raise ours from None
        raise ImageBuildFailed(
            f"building {what} failed: {_why(str(ours), last)}", tuple(last)
        ) from None
    finally:
        client.close()


def pull(engine: Engine, name: str, report: Progress, *, platform: str | None = None) -> None:
    """Have an image brought. ImageMissing says why not."""
    client = engine.sdk()
    has_tag = ":" in name.rpartition("/")[2] or "@" in name
    told: set[str] = set()
    try:
        for entry in client.pull(
            name if has_tag else f"{name}:latest", stream=True, decode=True, platform=platform
        ):
            if isinstance(entry, dict) and entry.get("error"):
                raise DockerFailed(one_line(entry["error"]), status=404)
            for line in _told(entry):
                if line not in told:
                    told.add(line)
                    report(line)
    except Exception as error:
        ours = as_ours(error)
        if ours.status is None:
            raise ours from None
        raise ImageMissing(
            f"the image {name!r} is not on this engine and cannot be pulled: {ours}. Bring it with"
            " docker pull, docker load or docker import, or name another that holds Python"
        ) from None
    finally:
        client.close()


def _told(entry: Any) -> Iterator[str]:
    """Lines that somebody can read, of one entry of the engine's output."""
    if not isinstance(entry, dict):
        return
    for line in str(entry.get("stream") or "").splitlines():
        if line.strip():
            told = one_line(re.sub(r"\x1b\[[0-9;]*[A-Za-z]", "", line))
            yield (
                f"{told[:77]}…" if told.startswith("Step ") and len(told) > 78 else told
            )  # the programs above are one line each
    if entry.get(
        "status"
    ):  # of a pull; how far each layer is would be a line for every few kilobytes
        yield one_line(f"{entry['id']}: {entry['status']}" if entry.get("id") else entry["status"])


def _why(error: str, last: Sequence[str]) -> str:
    """The reason in one line, for what a caller can do something about."""
    for line in reversed(last):
        if line.startswith(f"{_TOO_OLD}, and this is "):
            return f"{line}. Name another base"
        if line == _NO_PIP:
            return (
                f"{_NO_PIP}, and the base has none. Name another base, or one that holds the"
                " packages already"
            )
    text = "\n".join([*last, error])
    if re.search(
        r'"python3":.*(not found|no such file)|exec .?python3.*no such file', text, re.IGNORECASE
    ):
        return f"the base has no python3. {_TOO_OLD}: name a base that holds it"
    if "no space left on device" in text.lower():
        return "the engine's disk is full. Make room (fumehood docker prune, docker system df)"
    code = re.search(r"returned a non-zero code: \d+", error)
    said = [line for line in last if re.match(r"(ERROR|error|E)\b.?:", line)]
    if said and code:
        return f"{said[-1]} (the command {code[0]})"
    return one_line(error)
