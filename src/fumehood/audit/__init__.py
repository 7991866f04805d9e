"""The audit log: every event a line of JSON, each chained to the one before. Nothing of the core
imports this; it observes.

entries.py      lines that the log writes about itself
values.py       values as JSON that can be read, and be made values again
encoding.py     events as JSON, and back
chain.py        what a line looks like, and how it hangs on the one before
files.py        how a log's files are called
appending.py    one open file: locked, appended to, taken up again after a crash
held.py         the one line that is kept back for a moment
log.py          AuditLog, the observer
reading.py      lines as records
verifying.py    whether anything was changed
"""

from __future__ import annotations

import importlib
from typing import Any

_NAMES = {
    "AuditLog": "log",
    "Cut": "values",
    "Record": "reading",
    "Verification": "verifying",
    "decode_value": "values",
    "encode_value": "values",
    "files_of": "files",
    "read": "reading",
    "verify": "verifying",
}


def __getattr__(name: str) -> Any:
    if name not in _NAMES:
        raise AttributeError(f"module 'fumehood.audit' has no attribute {name!r}")
    return getattr(importlib.import_module(f"fumehood.audit.{_NAMES[name]}"), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *_NAMES])
