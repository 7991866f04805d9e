"""The numbers behind pictures and tables."""

from __future__ import annotations

import json
from typing import Any

import pytest

from fumehood.worker.display import chart_json, table_json

pyplot = pytest.importorskip("matplotlib.pyplot")
pandas = pytest.importorskip("pandas")


@pytest.fixture
def axes() -> Any:
    figure, axes = pyplot.subplots()
    yield axes
    pyplot.close(figure)


def chart(axes: Any) -> Any:
    text = chart_json(axes.figure)
    return None if text is None else json.loads(text)


def test_an_empty_figure_has_no_chart(axes: Any) -> None:
    assert chart(axes) is None


def test_lines_have_their_points_labels_scales_and_units(axes: Any) -> None:
    axes.plot([1, 2], [3, float("nan")], label="up")
    axes.plot([1], [1])
    axes.set_title("T")
    axes.set_xlabel("Time (s)")
    axes.set_ylabel("Weight [kg]")
    axes.set_yscale("log")
    found = chart(axes)
    assert (found["type"], found["title"], found["x_unit"], found["y_unit"], found["y_scale"]) == (
        "line",
        "T",
        "s",
        "kg",
        "log",
    )
    assert [(line["label"], line["points"]) for line in found["elements"]] == [
        ("up", [[1.0, 3.0], [2.0, None]]),
        ("Line 1", [[1.0, 1.0]]),
    ]


def test_points_bars_and_wedges_are_told_apart(axes: Any) -> None:
    axes.scatter([1, 2], [3, 4])
    assert chart(axes)["type"] == "scatter"
    axes.clear()
    axes.bar(["a", "b"], [1, 2], label="own")
    found = chart(axes)
    assert [(bar["label"], bar["value"], bar["group"]) for bar in found["elements"]] == [
        ("a", 1.0, "own"),
        ("b", 2.0, "own"),
    ]
    axes.clear()
    axes.barh(["a"], [5])
    assert chart(axes)["elements"] == [{"label": "a", "value": 5.0, "group": "Group 0"}]
    axes.clear()
    axes.pie([1, 3], labels=["a", "b"])
    assert [(part["label"], part["angle"]) for part in chart(axes)["elements"]] == [
        ("a", 90.0),
        ("b", 270.0),
    ]


def test_boxes_have_quartiles_whiskers_and_outliers(axes: Any) -> None:
    axes.boxplot([[1, 2, 3, 4, 20], [5, 6, 7]])
    first, second = chart(axes)["elements"]
    assert (
        first["min"],
        first["first_quartile"],
        first["median"],
        first["third_quartile"],
        first["max"],
    ) == (1, 2, 3, 4, 4)
    assert first["outliers"] == [20.0] and (second["median"], second["outliers"]) == (6.0, [])


def test_what_is_none_of_these_is_unknown(axes: Any) -> None:
    axes.imshow([[1, 2], [3, 4]])
    assert (chart(axes)["type"], chart(axes)["elements"]) == ("unknown", [])


def test_several_axes_make_a_chart_of_charts() -> None:
    figure, (one, other) = pyplot.subplots(1, 2)
    one.plot([1])
    other.bar(["a"], [1])
    figure.suptitle("Both")
    found = json.loads(chart_json(figure) or "")
    pyplot.close(figure)
    assert (found["type"], found["title"], [part["type"] for part in found["elements"]]) == (
        "superchart",
        "Both",
        ["line", "bar"],
    )


def test_many_points_are_thinned_out(axes: Any) -> None:
    axes.plot(range(100_000))
    assert len(chart(axes)["elements"][0]["points"]) <= 20_000


def test_a_table_is_its_columns(axes: Any) -> None:
    frame = pandas.DataFrame(
        {
            "a": [1, 2],
            "b": ["x", None],
            "c": [0.5, float("nan")],
            "d": pandas.to_datetime(["2026-01-01", "2026-01-02"]),
        }
    )
    found = json.loads(table_json(frame) or "")
    assert (found["a"], found["b"], found["c"]) == ([1, 2], ["x", None], [0.5, None])
    assert found["d"][0].startswith("2026-01-01")


def test_a_table_that_nobody_would_read_is_left_out() -> None:
    assert table_json(pandas.DataFrame({"a": range(30_000)})) is None
