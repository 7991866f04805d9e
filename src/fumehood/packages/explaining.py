"""One line of what uv or pip said: what is wrong, and what to do about it. Rows are tried in this
order; the first that fits is told."""

from __future__ import annotations

import platform
import re
import sys
from collections.abc import Iterable, Mapping
from typing import NamedTuple


class Row(NamedTuple):
    said: re.Pattern[str]
    told: str
    """`{0}` and so on are what the pattern has found; `{here}` is this Python and machine."""


def _row(said: str, told: str) -> Row:
    return Row(re.compile(said), told)


_BUILD = (
    "name another version, or allow builds, which run its code on this machine (Packages([…],"
    " builds=True), --build)"
)
_SILENT = (
    "the package index takes connections and does not answer; try again later, or name another"
    " (PIP_INDEX_URL, UV_DEFAULT_INDEX)"
)

# fmt: off
ROWS = (
    # What the disk says comes first: all else that is said then follows from it.
    _row(r"No space left on device|os error 28|Disk quota exceeded",
         "the disk is full; `fumehood packages prune` removes what was kept"),
    _row(r"File too large|os error 27",
         "one of the files is larger than all packages may be together"),
    _row(r"Read-only file system|Permission denied.*fumehood",
         "where packages are kept cannot be written to; set XDG_CACHE_HOME to a directory that can"),  # noqa: E501
    _row(r"Read timed out|ReadTimeoutError|operation timed out|Failed to download distribution due to network timeout",  # noqa: E501
         _SILENT),
    # Without a network pip says that nothing was found, as if it had looked.
    _row(r"Failed to establish a new connection|Temporary failure in name resolution|error sending request for url|dns error"  # noqa: E501
         r"|connection error: |ConnectTimeoutError|Connection to \S+ timed out|Network is unreachable|ProxyError|Max retries exceeded"  # noqa: E501
         r"|tcp connect error",
         "the package index cannot be reached; without a network only what was fetched before can be had"),  # noqa: E501
    _row(r"SSLError|CERTIFICATE_VERIFY_FAILED|invalid peer certificate",
         "the package index shows a certificate that this machine does not trust"),
    _row(r"(?:40[13] Client Error|status code 40[13]|HTTP status client error \(40[13]|40[13] (?:Unauthorized|Forbidden))",  # noqa: E501
         "the package index refuses the credentials that it was given, or wants some"),
    _row(r"(5\d\d) Server Error|HTTP status server error \((5\d\d)|too many 5\d\d error",
         "the package index has a fault; try again later"),
    # uv
    _row(r"Because (\S+) was not found in the (?:package registry|provided package locations|cache)",  # noqa: E501
         "there is no package {0!r} in the index: is the name spelt as there?"),
    _row(r"Because (?:only )?(\S+?)(?:==\S+)? has no (?:usable )?wheels|all (?:of )?(\S+)'?s? .*no wheels",  # noqa: E501
         "{0} has no wheel for {here}; " + _BUILD),
    _row(r"Wheels are required for `(\S+?)`",
         "{0} has no wheel for {here}; " + _BUILD),
    _row(r"Because there is no version of (\S+)",
         "there is no version {0} in the index"),
    _row(r"`(\S+)` was included as a URL dependency",
         "a package needs {0} from an address of its own, which is not taken: it would have to be built, which runs its code here"),  # noqa: E501
    # pip
    _row(r"requirement (.+?) \(from versions: none\).*seen: no wheel",
         "{0} has no wheel for {here}; " + _BUILD),
    _row(r"requirement (.+?) \(from versions: none\)",
         "there is no package {0!r} in the index: is the name spelt as there?"),
    _row(r"requirement (.+?) \(from versions: (.+?)\)",
         "there is no version {0} in the index; there are {1}"),
    _row(r"ERROR: ([^:]+? is no wheel, and would have to be built, which runs its code here)",
         "{0}"),
    _row(r"Ignored the following versions that require a different python version",
         "no version of it is for {here}"),
    # Both
    _row(r"trying to install outside the target directory",
         "a wheel has files outside of its own directory, and is not taken"),
    _row(r"Invalid wheel|is invalid|bad zip|BadZipFile|Failed to read zip|is not a valid wheel|does not match the name|RECORD",  # noqa: E501
         "a wheel is damaged, or not what its name says"),
)
# fmt: on

_UNSATISFIABLE = "requirements are unsatisfiable"
_CONFLICTING = "conflicting dependencies"
_REQUIRES = re.compile(r"^\s+(.+? depends on .+)$", re.MULTILINE)
_KEPT = re.compile(r"\(constraint\)\s*(\S+)")
_MOST = 300


def why(said: Iterable[str], present: Mapping[str, str]) -> str:
    """One line. `present` is what is there already and stays as it is."""
    lines = [*said]
    text = " ".join(line.strip() for line in lines)  # uv breaks lines where it likes
    kept = [*dict.fromkeys(_KEPT.findall(text))]
    found = next(((row, match) for row in ROWS if (match := row.said.search(text))), None)
    if _CONFLICTING in text or found is None and _UNSATISFIABLE in text:
        return _conflict(
            lines,
            kept
            or [
                f"{name}=={version}"
                for name, version in present.items()
                if f"{name}=={version}" in text
            ],
        )
    if found is not None:
        groups = [_short(group) for group in found[1].groups() if group]
        return found[0].told.format(*groups, here=here()) + _staying(kept)
    errors = [line.partition(":")[2].strip() for line in lines if line.lower().startswith("error:")]
    return _short(
        errors[0] if errors else lines[-1].strip() if lines else "nothing was said"
    ) + _staying(kept)


def is_silence(said: Iterable[str]) -> bool:
    """Whether it failed because an index did not answer: asking again would take as long once
    more."""
    text = " ".join(said)
    return next((row.told for row in ROWS if row.said.search(text)), "") is _SILENT


def here() -> str:
    return (
        f"Python {sys.version_info.major}.{sys.version_info.minor} on {platform.system()}"
        f" {platform.machine()}"
    )


def _conflict(lines: list[str], kept: list[str]) -> str:
    """What contradicts what."""
    depends = _REQUIRES.findall("\n".join(lines))
    because = re.search(
        r"Because (.+?)(?:, we can conclude|$)", " ".join(line.strip() for line in lines)
    )
    what = "; ".join(dict.fromkeys(depends)) if depends else because[1] if because else ""
    return _short("the packages contradict each other" + (f": {what}" if what else "")) + _staying(
        kept
    )


def _staying(kept: list[str]) -> str:
    return f"; what is there already stays as it is ({', '.join(kept)})" if kept else ""


def _short(text: str) -> str:
    return text if len(text) <= _MOST else text[:_MOST] + "…"
