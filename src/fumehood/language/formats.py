"""Format strings read attributes by names inside a string: which, and whether they may."""

from __future__ import annotations

import _string  # type: ignore[import-not-found]
from collections.abc import Iterator

from fumehood.language import names


def is_plain_format(text: str) -> bool:
    """Whether formatting this text reads only attributes that may be read plainly."""
    return refused_attribute(text) is None


def refused_attribute(text: str, depth: int = 2) -> str | None:
    """The first attribute in a format string that may not be read plainly. Text that is no format
    string has none."""
    if "." not in text:
        return None
    try:
        fields = [
            (name, spec) for _, name, spec, _ in _string.formatter_parser(text) if name is not None
        ]
    except ValueError:
        return None  # str.format says what is wrong with it
    for field, spec in fields:
        for name in _attributes(field):
            if names.reading(name) != "plain":
                return name
        inner = refused_attribute(spec, depth - 1) if spec and depth else None
        if inner is not None:
            return inner
    return None


def _attributes(field: str) -> Iterator[str]:
    """The attribute names in a replacement field such as `0.real` or `user.name[0].first`."""
    _, rest = _string.formatter_field_name_split(field)
    try:
        for is_attribute, name in rest:
            if is_attribute:
                yield name
    except ValueError:
        return
