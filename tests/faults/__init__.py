"""Faults, and what comes of each in every place where code can run: table.py has the rows,
docs/security/faults.md what was seen."""
