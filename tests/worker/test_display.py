"""Rich results: what values look like, and what hostile ones cannot do. Runs without a jail.
Figures are in test_figures.py."""

from __future__ import annotations

import base64
import io
import json
import threading
from typing import Any

import pytest

from fumehood.errors import CellStopped
from fumehood.worker.display import METHODS, Bundle, Displays, last_value_bundle, mime_bundle

PNG = b"\x89PNG\r\n\x1a\n"


def offering(**methods: Any) -> Any:
    """An object whose type has these methods, each giving the value named."""

    def giving(value: Any) -> Any:
        return lambda self, **options: value

    return type(
        "Offering",
        (),
        {"__repr__": lambda self: "<offering>"}
        | {name: giving(value) for name, value in methods.items()},
    )()


def raising(error: BaseException) -> Any:
    def method(self: Any, **options: Any) -> Any:
        raise error

    return type(
        "Raising",
        (),
        {
            "__repr__": lambda self: "<raising>",
            "_repr_html_": method,
            "_repr_markdown_": lambda self: "fine",
        },
    )()


# -- what an object offers


@pytest.mark.parametrize(("method", "mime"), METHODS)
def test_each_method_gives_its_format(method: str, mime: str) -> None:
    data: Any = (
        PNG
        if mime in ("image/png", "image/jpeg")
        else {"a": 1}
        if mime == "application/json"
        else "<i>text</i>"
    )
    expected = json.dumps(data) if mime == "application/json" else data
    assert mime_bundle(offering(**{method: data})) == {"text/plain": "<offering>", mime: expected}


@pytest.mark.parametrize("method", [method for method, _ in METHODS])
@pytest.mark.parametrize(
    "wrong", [None, object(), {1, 2}, b"", 1j], ids=lambda wrong: type(wrong).__name__
)
def test_a_wrong_type_is_dropped_silently(method: str, wrong: Any) -> None:
    assert mime_bundle(offering(**{method: wrong})) == {"text/plain": "<offering>"}


def test_a_bundle_method_gives_several_formats_and_its_text_replaces_the_repr() -> None:
    formats = {
        "text/plain": "own",
        "TEXT/HTML": "<b>",
        "application/vnd.chart.v5+json": {"x": [1]},
        "image/png": PNG,
    }
    assert mime_bundle(offering(_repr_mimebundle_=formats)) == {
        "text/plain": "own",
        "text/html": "<b>",
        "application/vnd.chart.v5+json": '{"x": [1]}',
        "image/png": PNG,
    }


def test_metadata_beside_the_data_is_left_aside_and_a_bundle_comes_before_single_formats() -> None:
    assert (
        mime_bundle(offering(_repr_mimebundle_=({"text/html": "<b>"}, {"x": 1})))["text/html"]
        == "<b>"
    )
    assert mime_bundle(offering(_repr_png_=(PNG, {"width": 3})))["image/png"] == PNG
    bundle = mime_bundle(
        offering(
            _repr_mimebundle_={"text/html": "bundle"}, _repr_html_="single", _repr_latex_="$x$"
        )
    )
    assert (bundle["text/html"], bundle["text/latex"]) == ("bundle", "$x$")


@pytest.mark.parametrize(
    "result",
    [
        None,
        3,
        "text/html",
        [("text/html", "x")],
        {1: "x"},
        {"no type": "x"},
        {"a/b; c=d": "x"},
        {"text/html": 3},
    ],
)
def test_what_is_no_dict_of_formats_is_dropped(result: Any) -> None:
    assert mime_bundle(offering(_repr_mimebundle_=result)) == {"text/plain": "<offering>"}


def test_pictures_may_come_as_base64_and_other_text_is_no_picture() -> None:
    assert mime_bundle(offering(_repr_png_=base64.encodebytes(PNG).decode()))["image/png"] == PNG
    assert "image/png" not in mime_bundle(offering(_repr_png_="not base64!"))


def test_json_is_checked_however_it_comes() -> None:
    assert mime_bundle(offering(_repr_json_='{"a": 1}'))["application/json"] == '{"a": 1}'
    cycle: list[Any] = []
    cycle.append(cycle)
    for bad in ("{", "[" * 100_000, {"a": float("nan")}, {"a": object()}, cycle):
        assert mime_bundle(offering(_repr_json_=bad)) == {"text/plain": "<offering>"}


# -- where methods are looked for


def test_a_class_is_not_shown_as_its_instances_are() -> None:
    rich = offering(_repr_html_="instance")
    assert list(mime_bundle(type(rich))) == ["text/plain"]
    assert mime_bundle(rich)["text/html"] == "instance"


def test_what_only_the_instance_or_getattr_has_is_not_called() -> None:
    class Mock:
        def __getattr__(self, name: str) -> Any:
            raise AssertionError(f"asked for {name}")

    mock = Mock()
    mock.__dict__["_repr_html_"] = lambda: "instance"
    assert list(mime_bundle(mock)) == ["text/plain"]


def test_a_hostile_metaclass_is_not_asked() -> None:
    class Meta(type):
        def __getattribute__(cls, name: str) -> Any:
            raise AssertionError(f"asked for {name}")

        def __instancecheck__(cls, instance: Any) -> bool:
            raise AssertionError("asked whether")

        def __eq__(cls, other: object) -> bool:
            raise AssertionError("asked whether equal")

        __hash__ = type.__hash__

    class Hostile(metaclass=Meta):
        def _repr_html_(self) -> str:
            return "html"

        def __getattribute__(self, name: str) -> Any:
            raise AssertionError(f"asked for {name}")

    assert mime_bundle(Hostile())["text/html"] == "html"
    assert list(mime_bundle(Hostile)) == ["text/plain"]


def test_a_method_set_to_none_or_inherited_is_understood() -> None:
    parent = type(offering(_repr_html_="parent"))
    assert mime_bundle(type("Child", (parent,), {})())["text/html"] == "parent"
    assert "text/html" not in mime_bundle(type("Mute", (parent,), {"_repr_html_": None})())


# -- methods that misbehave


@pytest.mark.parametrize(
    "error",
    [
        ValueError("no"),
        MemoryError(),
        SystemExit(1),
        KeyboardInterrupt(),
        GeneratorExit(),
        StopIteration(),
    ],
)
def test_a_method_that_raises_costs_its_own_format_and_is_named(error: BaseException) -> None:
    bundle = mime_bundle(raising(error))
    assert bundle["text/markdown"] == "fine"
    assert "text/html" not in bundle
    assert str(bundle["text/plain"]).startswith(
        f"<raising>\n[text/html left out: {type(error).__name__}"
    )


def test_not_implemented_is_not_worth_a_note_and_the_stop_of_a_cell_passes_through() -> None:
    assert mime_bundle(raising(NotImplementedError()))["text/plain"] == "<raising>"
    with pytest.raises(CellStopped):
        mime_bundle(raising(CellStopped()))


def test_an_error_that_lies_and_cannot_be_read_is_no_harm() -> None:
    class Unreadable(Exception):
        __class__ = CellStopped  # type: ignore[assignment]

        def __str__(self) -> str:
            raise RuntimeError

    assert "Unreadable" in mime_bundle(raising(Unreadable()))["text/plain"]


def test_a_repr_that_raises_or_is_huge_is_no_harm() -> None:
    class Bad:
        def __repr__(self) -> str:
            raise SystemExit

    class Huge:
        def __repr__(self) -> str:
            return "x" * 10_000_000

    assert "repr raised SystemExit" in mime_bundle(Bad())["text/plain"]
    assert len(mime_bundle(Huge())["text/plain"]) <= 20_000


def test_a_format_too_large_is_left_out_and_noted_and_the_next_one_kept() -> None:
    bundle = mime_bundle(
        offering(_repr_html_="x" * 2000, _repr_markdown_="small", _repr_png_=b"y" * 2000),
        max_bytes=1000,
    )
    assert bundle["text/markdown"] == "small"
    assert not {"text/html", "image/png"} & set(bundle)
    assert "[text/html left out: larger than the 1,000 bytes" in bundle["text/plain"]
    assert "[image/png left out: larger than the 995 bytes" in bundle["text/plain"]


def test_the_limit_holds_for_all_formats_together_and_counts_bytes_not_characters() -> None:
    assert set(
        mime_bundle(offering(_repr_html_="x" * 600, _repr_markdown_="y" * 600), max_bytes=1000)
    ) == {"text/plain", "text/html"}
    assert "text/html" not in mime_bundle(offering(_repr_html_="日" * 600), max_bytes=1000)


def test_json_that_grows_without_end_is_cut_off() -> None:
    bomb: list[Any] = ["x"]
    for _ in range(60):
        bomb = [bomb, bomb]
    bundle = mime_bundle(offering(_repr_json_=bomb), max_bytes=10_000)
    assert "application/json left out" in bundle["text/plain"]


def test_too_many_formats_are_cut_off() -> None:
    assert len(mime_bundle(offering(_repr_mimebundle_={f"x/y{n}": "z" for n in range(1000)}))) < 50


def test_data_comes_out_as_exact_types_that_can_be_encoded() -> None:
    class Text(str):
        def __len__(self) -> int:
            return 0

        def encode(self, *args: Any) -> bytes:
            raise AssertionError

    class Data(bytes):
        def __len__(self) -> int:
            return 0

    bundle = mime_bundle(
        offering(_repr_mimebundle_={Text("text/html"): Text("half \ud800"), "image/png": Data(PNG)})
    )
    assert {type(part) for item in bundle.items() for part in item} == {str, bytes}
    assert bundle["text/html"] == "half \\ud800"
    assert bundle["image/png"] == PNG
    assert "image/png" not in mime_bundle(offering(_repr_png_=Data(b"x" * 2000)), max_bytes=1000)


def test_an_object_that_lies_about_its_class_is_no_harm() -> None:
    class Liar:
        __class__ = str  # type: ignore[assignment]

    bundle = mime_bundle(
        offering(_repr_html_=Liar(), _repr_mimebundle_={Liar(): "x"}, _repr_latex_="$x$")
    )
    assert bundle["text/latex"] == "$x$"
    assert "text/html" not in bundle


# -- the value of a cell


@pytest.mark.parametrize(
    "value",
    [None, True, 1, 1.5, "text", b"data", [1], (1,), {1}, {"a": 1}, range(3), object(), len, int],
)
def test_a_value_with_nothing_richer_than_itself_has_no_bundle(value: Any) -> None:
    assert last_value_bundle(value) is None
    assert mime_bundle(value) == {"text/plain": repr(value)}


def test_a_value_with_a_richer_form_has_one_and_a_form_that_failed_is_named() -> None:
    assert last_value_bundle(offering(_repr_html_="<b>")) == {
        "text/plain": "<offering>",
        "text/html": "<b>",
    }
    bundle = last_value_bundle(offering(_repr_html_="x" * 2000), max_bytes=1000)
    assert bundle is not None and "left out" in bundle["text/plain"]


# -- display()


def test_display_is_a_function_without_an_owner_and_shows_each_object(
    displays: Displays, sent: list[Bundle]
) -> None:
    assert not hasattr(displays.display, "__self__")
    assert displays.display(1, "a", display_id=True) is None
    assert sent == [{"text/plain": "1"}, {"text/plain": "'a'"}]


def test_raw_formats_are_sent_as_they_are_once_checked(
    displays: Displays, sent: list[Bundle]
) -> None:
    displays.display({"text/html": "<b>", "image/png": 3}, raw=True)
    assert sent == [{"text/html": "<b>"}]
    with pytest.raises(TypeError, match="not int"):
        displays.display(3, raw=True)
    displays.display({"image/png": 3}, raw=True)
    assert sent[1:] == [{"text/plain": "{'image/png': 3}"}]


def test_surplus_displays_are_not_even_made_and_are_counted(
    displays: Displays, sent: list[Bundle]
) -> None:
    made = []

    class Counting:
        def _repr_html_(self) -> str:
            made.append(self)
            return ""

    assert displays.surplus == 0
    displays.display(*[Counting() for _ in range(5)])
    assert len(sent) == len(made) == 3
    assert displays.note == "[2 more displays left out: a cell may show 3]"
    displays.new_cell()
    assert displays.surplus == 0
    displays.display(1)
    assert len(sent) == 4


def test_displays_from_threads_keep_to_the_limit(sent: list[Bundle]) -> None:
    displays = Displays(sent.append, limit=50)
    threads = [threading.Thread(target=displays.display, args=range(20)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(sent) == 50


# -- pandas and PIL


@pytest.fixture
def pandas() -> Any:
    return pytest.importorskip("pandas", reason="pandas is not installed")


@pytest.fixture
def image_module() -> Any:
    return pytest.importorskip("PIL.Image", reason="pillow is not installed")


def test_frames_and_series_are_tables(pandas: Any) -> None:
    bundle = mime_bundle(pandas.DataFrame({"<a>": [1, 2]}))
    assert "<th>&lt;a&gt;</th>" in bundle["text/html"]
    assert "<a>" in bundle["text/plain"]
    assert "<td>7</td>" in mime_bundle(pandas.Series([7], name="n"))["text/html"]


def test_a_large_frame_is_cut_and_says_so_whatever_the_options_are(pandas: Any) -> None:
    frame = pandas.DataFrame([[0] * 300] * 5000)
    assert "5000 rows × 300 columns" in mime_bundle(frame)["text/html"]
    with pandas.option_context(
        "display.max_rows", None, "display.max_columns", None, "display.min_rows", None
    ):
        html = mime_bundle(frame[:1000])["text/html"]
        assert pandas.get_option("display.max_rows") is None
    assert html.count("<tr") < 210 and html.count("<td") < 210 * 60


def test_pandas_options_for_fewer_rows_or_no_html_hold(pandas: Any) -> None:
    with pandas.option_context("display.max_rows", 4, "display.min_rows", 2):
        assert (
            mime_bundle(pandas.DataFrame({"a": range(100)}))["text/html"].count("<tr") == 1 + 2 + 1
        )
    with pandas.option_context("display.notebook_repr_html", False):
        assert list(mime_bundle(pandas.DataFrame({"a": [1]}))) == ["text/plain"]


@pytest.mark.parametrize("mode", "1 L LA P PA RGB RGBA RGBX CMYK YCbCr LAB HSV I I;16 F".split())
def test_an_image_of_any_mode_is_a_png(image_module: Any, mode: str) -> None:
    bundle = mime_bundle(image_module.new(mode, (3, 2)))
    assert list(bundle) == ["text/plain", "image/png"]
    assert image_module.open(io.BytesIO(bundle["image/png"])).size == (3, 2)


def test_a_large_image_is_shown_smaller_and_stays_as_it_is(image_module: Any) -> None:
    image = image_module.new("L", (6000, 3000))
    width, height = image_module.open(io.BytesIO(mime_bundle(image)["image/png"])).size
    assert image.size == (6000, 3000)
    assert 3_900_000 < width * height <= 4_000_000 and width == pytest.approx(2 * height, abs=2)
