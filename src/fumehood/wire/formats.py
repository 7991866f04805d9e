"""MIME types of our own, in displays of a notebook: the numbers behind a picture, for whoever draws
them anew."""

from __future__ import annotations

from typing import Final

CHART: Final = "application/vnd.fumehood.chart+json"
"""What a figure shows: lines, points, bars (worker/figures.py)."""
TABLE: Final = "application/vnd.fumehood.table+json"
"""The columns of a table."""
