"""Validation of what leaves a sandbox: secrets, personal data, sizes, and whatever you look for
yourself.

    validators.py      what a validator is; Pattern, Custom, MaxSize (sizes.py counts)
    secrets.py         Secrets; its table is tokens.py
    personal.py        PersonalData; its table is identities.py, the arithmetic checksums.py, the
                       rest mail.py, payments.py, telephones.py
    validation.py      Validation: all validators, over all that a cell gives out
    walking.py         the way through nested values, walking_tables.py through arrays and tables,
                       documents.py through displays

Names are imported when first used: the tables are large.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from fumehood.validation.personal import PersonalData
    from fumehood.validation.secrets import Secrets
    from fumehood.validation.validation import Validation
    from fumehood.validation.validators import Action, Custom, Match, MaxSize, Pattern, Validator

__all__ = [
    "Action",
    "Custom",
    "Match",
    "MaxSize",
    "Pattern",
    "PersonalData",
    "Secrets",
    "Validation",
    "Validator",
]

_HOMES = {"PersonalData": "personal", "Secrets": "secrets", "Validation": "validation"}


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module 'fumehood.validation' has no attribute {name!r}")
    value = getattr(
        importlib.import_module(f"fumehood.validation.{_HOMES.get(name, 'validators')}"), name
    )
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
