"""numpy and pandas functions that read files if they are given a path: they get a stream."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from fumehood.language import access

if TYPE_CHECKING:
    from fumehood.language.run import Session


def make_numpy(session: Session, name: str) -> Any:
    return access.takes_no_path(getattr(sys.modules["numpy"], name), name)


def make_pandas(session: Session, name: str) -> Any:
    found = getattr(sys.modules["pandas"], name)
    return (
        access.checks_expression(found, name)
        if name == "eval"
        else access.takes_no_path(found, name)
    )
