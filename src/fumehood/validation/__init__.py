"""Validation of what leaves a sandbox: secrets, personal data, sizes, and whatever you look for yourself.

validators.py      what a validator is; Pattern, Custom, MaxSize
secrets.py         Secrets; its table is tokens.py
personal.py        PersonalData; its table is identities.py, the arithmetic checksums.py
validation.py      Validation: all validators, over all that a cell gives out
walking.py         the way through nested values, walking_tables.py through arrays and tables, documents.py through displays
"""

from __future__ import annotations

from fumehood.validation.personal import PersonalData
from fumehood.validation.secrets import Secrets
from fumehood.validation.validation import Validation
from fumehood.validation.validators import Action, Custom, Match, MaxSize, Pattern, Validator

__all__ = ["Action", "Custom", "Match", "MaxSize", "Pattern", "PersonalData", "Secrets", "Validation", "Validator"]
