"""pyplot's figures as displays, and matplotlib made ready for that. Runs without a jail."""

from __future__ import annotations

import importlib.util
import io
import os
import subprocess
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from fumehood.errors import CellStopped
from fumehood.language.guarded.session import InlineSession
from fumehood.policy import Policy
from fumehood.worker import display
from fumehood.worker.display import Bundle, Displays, load_matplotlib, mime_bundle

PNG = b"\x89PNG\r\n\x1a\n"
NEEDS_MATPLOTLIB = pytest.mark.skipif(
    importlib.util.find_spec("matplotlib") is None, reason="matplotlib is not installed"
)


@pytest.fixture
def plt(displays: Displays, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    pytest.importorskip("matplotlib", reason="matplotlib is not installed")
    for name in ("MPLBACKEND", "MPLCONFIGDIR"):
        monkeypatch.setenv(name, "")  # so that it is put back
    load_matplotlib()
    pyplot = sys.modules["matplotlib.pyplot"]
    pyplot.close("all")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield pyplot
    pyplot.close("all")
    pyplot.ioff()


def size_of(png: Any) -> tuple[int, int]:
    assert png[:8] == PNG
    return int.from_bytes(png[16:20]), int.from_bytes(png[20:24])


def test_a_figure_is_a_png(plt: Any) -> None:
    figure, axes = plt.subplots(figsize=(4, 3), dpi=100)
    axes.plot([1, 2])
    width, height = size_of(mime_bundle(figure)["image/png"])
    assert 300 < width < 450 and 200 < height < 350


def test_show_shows_the_open_figures_in_order_of_number(
    plt: Any, displays: Displays, sent: list[Bundle]
) -> None:
    for number in (3, 1, 2):
        plt.figure(number, figsize=(number, 1)).add_subplot()
    assert plt.show() is None
    assert [bundle["text/plain"] for bundle in sent] == [
        f"<Figure size {n}00x100 with 1 Axes>" for n in (1, 2, 3)
    ]
    displays.end_cell()
    assert (len(sent), plt.get_fignums()) == (3, [])


def test_code_can_look_at_a_shown_figure_and_what_is_drawn_next_is_a_new_one(
    plt: Any, displays: Displays, sent: list[Bundle], tmp_path: Path
) -> None:
    code = compile("plt.gca()", "<cell 1>", "eval")  # code of a cell is of no imported module
    plt.plot([1])
    plt.title("first")
    plt.show()
    plt.savefig(tmp_path / "saved.png")
    assert (eval(code, {"plt": plt}).get_title(), plt.get_fignums()) == ("first", [1])
    plt.title("second")
    plt.plot([2])
    plt.show()
    axes = eval(code, {"plt": plt})
    assert (axes.get_title(), len(axes.lines)) == ("second", 1)
    axes.set_title("later")
    displays.end_cell()
    assert (len(sent), plt.get_fignums()) == (2, [])


def test_figures_of_earlier_shows_do_not_pile_up(plt: Any, displays: Displays) -> None:
    for _ in range(30):
        plt.subplots()
        plt.show()
        assert len(plt.get_fignums()) == 1


def test_show_works_whatever_backend_the_code_asks_for(plt: Any, sent: list[Bundle]) -> None:
    for count, backend in enumerate(("Agg", "svg", "agg"), 1):
        plt.switch_backend(backend)
        plt.plot([1])
        plt.show()
        assert len(sent) == count and size_of(sent[-1]["image/png"])


def test_a_show_that_does_not_block_leaves_figures_open_and_they_are_shown_again_only_when_changed(
    plt: Any, sent: list[Bundle]
) -> None:
    plt.plot([1])
    plt.show(block=False)
    plt.show(block=False)
    assert (len(sent), plt.get_fignums()) == (1, [1])
    plt.title("changed")
    plt.show()
    assert (len(sent), plt.get_fignums()) == (2, [1])


@pytest.mark.parametrize("way", ["nothing", "show", "show itself", "display"])
def test_a_figure_that_is_the_value_too_is_shown_once(
    plt: Any, displays: Displays, sent: list[Bundle], way: str
) -> None:
    figure, _ = plt.subplots()
    if way == "show":
        plt.show()
    elif way == "show itself":
        figure.show()
    elif way == "display":
        displays.display(figure)
    displays.end_cell(figure)
    assert (len(sent), plt.get_fignums()) == (1, [])


def test_a_figure_that_was_only_saved_is_shown_and_can_be_the_value_of_a_later_cell(
    plt: Any, displays: Displays, sent: list[Bundle]
) -> None:
    figure, _ = plt.subplots()
    figure.savefig(io.BytesIO())
    displays.end_cell()
    assert len(sent) == 1
    displays.new_cell()
    displays.end_cell(figure)
    assert len(sent) == 2 and size_of(sent[1]["image/png"])


def test_axes_and_lines_as_values_add_nothing_to_their_figure(
    plt: Any, displays: Displays, sent: list[Bundle]
) -> None:
    displays.end_cell(plt.plot([1]))
    displays.end_cell(plt.gca())
    assert len(sent) == 2


def test_an_empty_figure_is_closed_and_not_shown(
    plt: Any, displays: Displays, sent: list[Bundle]
) -> None:
    plt.figure()
    displays.end_cell()
    assert (sent, plt.get_fignums()) == ([], [])
    assert list(mime_bundle(plt.figure())) == ["text/plain"]


def test_figures_over_the_limit_are_closed_and_counted(
    plt: Any, displays: Displays, sent: list[Bundle]
) -> None:
    for _ in range(5):
        plt.figure(figsize=(1, 1)).add_subplot()
    displays.end_cell()
    assert (len(sent), plt.get_fignums()) == (3, [])
    assert displays.note == "[2 more displays left out: a cell may show 3]"


def test_a_figure_that_cannot_be_drawn_says_why(
    plt: Any, displays: Displays, sent: list[Bundle]
) -> None:
    plt.title("$\\frac{$")
    displays.end_cell()
    assert "image/png left out: ValueError" in sent[0]["text/plain"]
    assert plt.get_fignums() == []


def test_what_drawing_warns_of_stands_by_the_picture_once(
    plt: Any, displays: Displays, sent: list[Bundle]
) -> None:
    plt.title("日日")
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        displays.end_cell()
    assert "image/png" in sent[0]
    assert str(sent[0]["text/plain"]).count("26085") == 1


def test_neither_a_large_figure_nor_text_far_away_makes_a_large_picture(
    plt: Any, displays: Displays, sent: list[Bundle]
) -> None:
    plt.figure(figsize=(400, 200)).add_subplot()
    plt.figure(figsize=(4, 3)).add_subplot().text(100, 0, "far")
    displays.end_cell()
    (wide, high), near = (size_of(bundle["image/png"]) for bundle in sent)
    assert wide * high <= 4_000_000
    assert near == (400, 300)


def test_a_hostile_figure_is_closed_and_stops_neither_the_others_nor_the_cell(
    plt: Any, displays: Displays, sent: list[Bundle]
) -> None:
    from matplotlib.figure import Figure

    class Hostile(Figure):
        def get_children(self) -> Any:
            raise SystemExit

        def savefig(self, *args: Any, **kwargs: Any) -> None:
            raise SystemExit

    hostile = plt.figure(1, FigureClass=Hostile)
    plt.figure(2).add_subplot()
    displays.end_cell(hostile)
    assert "SystemExit" in sent[1]["text/plain"]
    assert (len(sent), plt.get_fignums()) == (2, [])


def test_a_stop_while_figures_are_shown_closes_them_all(plt: Any) -> None:
    def stop(bundle: Bundle) -> None:
        raise CellStopped

    for _ in range(2):
        plt.figure().add_subplot()
    with pytest.raises(CellStopped):
        Displays(stop, 9).end_cell()
    assert plt.get_fignums() == []


def test_without_a_cell_show_does_nothing_and_figures_can_still_be_captured(
    plt: Any, sent: list[Bundle]
) -> None:
    display.show_with(None)
    plt.plot([1])
    plt.show()
    assert (sent, plt.get_fignums()) == ([], [1])
    Displays(sent.append, 100).show_figures()
    assert (len(sent), plt.get_fignums()) == (1, [])


@pytest.mark.parametrize(
    "code", ["plt.show()", "None", "fig = plt.gcf(); fig", "display(plt.gcf())"]
)
def test_guarded_code_plots(plt: Any, displays: Displays, sent: list[Bundle], code: str) -> None:
    session = InlineSession(Policy(imports=("matplotlib", "numpy")))
    session.add_tools({"display": displays.display})
    execution = session.run(
        f"import matplotlib.pyplot as plt\nplt.plot([1, 2], label='a')\nplt.legend()\n{code}"
    )
    displays.end_cell(execution.value)
    assert (execution.error, execution.logs) == (None, "")
    assert len(sent) == 1 and size_of(sent[0]["image/png"])


# -- getting matplotlib ready


def in_a_process(code: str, **environment: str) -> str:
    start = "import os, sys\nfrom fumehood.worker.display import *\n"
    clean = {
        name: value for name, value in os.environ.items() if not name.startswith("MPL")
    } | environment
    done = subprocess.run(
        [sys.executable, "-c", start + code], capture_output=True, text=True, env=clean, check=False
    )
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    return done.stdout.strip()


@pytest.mark.long
@NEEDS_MATPLOTLIB
def test_matplotlib_imported_later_shows_through_us_even_where_there_is_a_screen(
    tmp_path: Path,
) -> None:
    code = """
print(prepare_matplotlib(), "matplotlib" in sys.modules)
displays = Displays(lambda bundle: print(*bundle), 5)
displays.new_cell()
import matplotlib
matplotlib.use("Agg")
import matplotlib.pyplot as plt
plt.plot([1])
plt.show()
plt.plot([1]); plt.gcf().show()
"""
    assert in_a_process(code, DISPLAY=":99", TMPDIR=str(tmp_path)).splitlines() == [
        "None False",
        "text/plain image/png",
        "text/plain image/png",
    ]


@pytest.mark.long
@NEEDS_MATPLOTLIB
def test_loading_leaves_no_file_no_thread_no_figure_and_no_font_that_a_jail_lacks(
    tmp_path: Path,
) -> None:
    code = """
import threading
load_matplotlib()
import matplotlib, matplotlib.pyplot as plt
from matplotlib.font_manager import fontManager
print(plt.get_backend().lower(), plt.get_fignums(), threading.active_count())
print(all(font.fname.startswith(matplotlib.get_data_path()) for font in fontManager.ttflist) and len(fontManager.ttflist) > 0)
"""
    assert in_a_process(code, HOME=str(tmp_path), TMPDIR=str(tmp_path)).splitlines() == [
        "agg [] 1",
        "True",
    ]
    assert [*tmp_path.iterdir()] == []


def test_a_missing_matplotlib_is_no_harm() -> None:
    code = """
sys.modules["matplotlib"] = None
print(load_matplotlib(), Displays(print, 9).show_figures(), Displays(print, 3).end_cell(), "numpy" in sys.modules)
"""
    assert in_a_process(code) == "None None None False"
