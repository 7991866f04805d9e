"""The numbers behind a picture: what a matplotlib figure or a pandas table holds, as JSON that
somebody else can draw again.

Nothing here looks at pixels: it reads the artists of a figure's axes. A kind of chart that is in no
row of `_KINDS` is told as unknown, with its title; it is never guessed at. Objects of the code's
own making may answer anything: whoever calls this takes any exception for "no chart".
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from typing import Any

_MOST_POINTS = 20_000
_MOST_CELLS = 20_000


def table_json(frame: Any) -> str | None:
    """A data frame as a JSON object of its columns; None for one that is larger than anybody would
    read."""
    if len(frame) * max(1, len(frame.columns)) > _MOST_CELLS:
        return None
    columns = {str(name): [_plain(item) for item in frame[name].tolist()] for name in frame.columns}
    return json.dumps(columns, allow_nan=False)


def chart_json(figure: Any) -> str | None:
    """What a figure shows; None for one with nothing in it. Several axes make one chart of
    charts."""
    charts = [chart for chart in map(_chart, figure.axes) if chart is not None]
    if not charts:
        return None
    together = (
        charts[0]
        if len(charts) == 1
        else {"type": "superchart", "title": _suptitle(figure), "elements": charts}
    )
    return json.dumps(together, allow_nan=False)


def _suptitle(figure: Any) -> str:
    text = getattr(figure, "_suptitle", None)
    return str(text.get_text())[:1000] if text is not None else ""


def _chart(axes: Any) -> dict[str, Any] | None:
    if not axes.has_data() and not axes.patches:
        return None
    found = ((kind, read(axes)) for kind, read in _KINDS)
    kind, elements = next(
        ((kind, elements) for kind, elements in found if elements), ("unknown", [])
    )
    chart: dict[str, Any] = {"type": kind, "title": _text(axes.get_title()), "elements": elements}
    if kind not in ("pie", "unknown"):
        for name, axis in (("x", axes.xaxis), ("y", axes.yaxis)):
            chart |= {
                f"{name}_label": _text(axis.get_label_text()),
                f"{name}_unit": _unit(axis.get_label_text()),
            }
            if kind in ("line", "scatter"):
                chart |= {
                    f"{name}_scale": _scale(axis),
                    f"{name}_ticks": [_plain(tick) for tick in axis.get_ticklocs()[:1000]],
                    f"{name}_tick_labels": [
                        _text(label.get_text()) for label in axis.get_ticklabels()[:1000]
                    ],
                }
    return chart


# -- kinds, each with how it is recognized and read


def _wedges(axes: Any) -> list[dict[str, Any]]:
    wedges = [patch for patch in axes.patches if type(patch).__name__ == "Wedge"]
    labels = [_text(text.get_text()) for text in axes.texts]
    # With percentages there are two texts to a wedge.
    step = max(1, len(labels) // len(wedges)) if wedges else 1
    return [
        {
            "label": labels[place * step] if place * step < len(labels) else "",
            "angle": _plain(abs(wedge.theta2 - wedge.theta1)),
            "radius": _plain(wedge.r),
        }
        for place, wedge in enumerate(wedges[:_MOST_POINTS])
    ]


def _boxes(axes: Any) -> list[dict[str, Any]]:
    """Boxes with whiskers: closed lines of five points, lines up and down from their middles, and
    one across."""
    lines = [
        [(float(x), float(y)) for x, y in line.get_xydata()[:_MOST_POINTS]]
        for line in axes.lines[:1000]
    ]
    found: list[dict[str, Any]] = []
    labels = [_text(label.get_text()) for label in axes.get_xticklabels()]
    for corners in lines:
        if len(corners) != 5 or corners[0] != corners[-1]:
            continue
        left, right = min(x for x, _ in corners), max(x for x, _ in corners)
        low, high = min(y for _, y in corners), max(y for _, y in corners)
        middle = (left + right) / 2
        upright = [
            line
            for line in lines
            if len(line) == 2 and all(math.isclose(x, middle) for x, _ in line)
        ]
        level = [line for line in lines if len(line) == 2 and line[0][1] == line[1][1]]
        across = [
            line[0][1]
            for line in level
            if {round(x, 9) for x, _ in line} == {round(left, 9), round(right, 9)}
        ]
        ends = [y for line in upright for _, y in line] or [low, high]
        beyond = [
            y
            for line in lines
            for x, y in line
            if math.isclose(x, middle) and not min(ends) <= y <= max(ends)
        ]
        found.append(
            {
                "label": labels[len(found)] if len(found) < len(labels) else "",
                "min": _plain(min(ends)),
                "first_quartile": _plain(low),
                "median": _plain(across[0] if across else (low + high) / 2),
                "third_quartile": _plain(high),
                "max": _plain(max(ends)),
                "outliers": [_plain(y) for y in beyond],
            }
        )
    return found


def _bars(axes: Any) -> list[dict[str, Any]]:
    ticks, sideways = _tick_labels(axes.xaxis), _tick_labels(axes.yaxis)
    found = []
    for number, group in enumerate(
        group for group in axes.containers if type(group).__name__ == "BarContainer"
    ):
        is_sideways = getattr(group, "orientation", None) == "horizontal"
        name = str(group.get_label())
        for bar in group.patches[:_MOST_POINTS]:
            middle = (
                bar.get_y() + bar.get_height() / 2
                if is_sideways
                else bar.get_x() + bar.get_width() / 2
            )
            label = (sideways if is_sideways else ticks).get(round(float(middle), 6)) or _number(
                middle
            )
            value = bar.get_width() if is_sideways else bar.get_height()
            found.append(
                {
                    "label": label,
                    "value": _plain(value),
                    "group": _text(name) if not name.startswith("_") else f"Group {number}",
                }
            )
    return found


def _tick_labels(axis: Any) -> dict[float, str]:
    labels = zip(axis.get_ticklocs(), axis.get_ticklabels(), strict=False)
    return {round(float(place), 6): _text(label.get_text()) for place, label in labels}


def _scattered(axes: Any) -> list[dict[str, Any]]:
    groups = [group for group in axes.collections if type(group).__name__ == "PathCollection"]
    return [
        _points(group.get_label(), group.get_offsets(), number)
        for number, group in enumerate(groups)
    ]


def _lines(axes: Any) -> list[dict[str, Any]]:
    return [
        _points(line.get_label(), line.get_xydata(), number)
        for number, line in enumerate(axes.lines[:1000])
    ]


_KINDS: tuple[tuple[str, Callable[[Any], list[dict[str, Any]]]], ...] = (
    ("pie", _wedges),  # nothing else draws wedges
    ("box_and_whisker", _boxes),  # made of lines, so before them
    ("bar", _bars),
    ("scatter", _scattered),
    ("line", _lines),  # the last: lines are drawn onto charts of every kind
)


# -- values


def _points(label: Any, points: Any, number: int) -> dict[str, Any]:
    name = str(label)
    every = max(1, math.ceil(len(points) / _MOST_POINTS))
    return {
        "label": _text(name) if name and not name.startswith("_") else f"Line {number}",
        "points": [[_plain(x), _plain(y)] for x, y in points[::every]],
    }


def _plain(value: Any) -> Any:
    """A value as JSON has it. What JSON has no number for is null, and what is neither a number nor
    a text is its text."""
    if value is None or isinstance(value, (bool, str)):
        return value
    if isinstance(value, int):
        return int(value)
    try:
        number = float(value)
    except (TypeError, ValueError):
        return str(value)[:1000]
    return number if math.isfinite(number) else None


def _number(value: Any) -> str:
    return f"{float(value):g}"


def _text(text: Any) -> str:
    return str(text)[:1000]


def _unit(label: Any) -> str | None:
    """What stands in brackets at the end of an axis's label: `Time (s)`, `Weight [kg]`."""
    text = str(label)[:1000].rstrip()
    for opening, closing in ("()", "[]"):
        if text.endswith(closing) and opening in text:
            return text[text.rindex(opening) + 1 : -1].strip() or None
    return None


def _scale(axis: Any) -> str:
    if type(axis.get_major_formatter()).__name__.endswith("DateFormatter"):
        return "datetime"
    if type(axis.get_major_formatter()).__name__ == "StrCategoryFormatter":
        return "categorical"
    return str(axis.get_scale())
