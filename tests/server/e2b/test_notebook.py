"""run_code, as E2B's own SDK calls it: state, streams, displays, errors, contexts."""

from __future__ import annotations

import base64
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from e2b import NotFoundException, SandboxException, TimeoutException
from e2b_code_interpreter import Sandbox
from e2b_code_interpreter.charts import (
    BarChart,
    BoxAndWhiskerChart,
    LineChart,
    PieChart,
    ScatterChart,
    SuperChart,
)

from .service import Service


@pytest.fixture(scope="module")
def science(service: Service) -> Iterator[Sandbox]:
    """One that has the libraries loaded."""
    made = Sandbox.create("science", **service.options())
    yield made
    made.kill()


def test_variables_are_kept_from_cell_to_cell_and_cells_are_counted(sandbox: Sandbox) -> None:
    first = sandbox.run_code("kept = 41")
    assert (first.results, first.text, first.error) == ([], None, None)
    second = sandbox.run_code("kept + 1")
    assert second.text == "42" and second.results[0].is_main_result
    assert first.execution_count is not None and second.execution_count == first.execution_count + 1


@pytest.mark.parametrize(
    ("code", "text"),
    [
        pytest.param("'a text'", "a text", id="a text is shown without quotes"),
        pytest.param(
            "{'a': (1, 2.5)}", "{'a': (1, 2.5)}", id="other values are shown as Python writes them"
        ),
        pytest.param("None", None, id="None is not shown"),
        pytest.param("name = 3", None, id="an assignment is not shown"),
        pytest.param("3;", None, id="nothing is shown before a semicolon"),
        pytest.param("for number in range(3): number", None, id="nothing is shown of a loop"),
        pytest.param(
            "import asyncio\nawait asyncio.sleep(0, 'awaited')", "awaited", id="a cell may await"
        ),
        pytest.param(
            "%matplotlib inline\n7",
            "7",
            id="a magic that asks for what is so anyway is passed over",
        ),
    ],
)
def test_the_last_expression_is_the_main_result(
    sandbox: Sandbox, code: str, text: str | None
) -> None:
    execution = sandbox.run_code(code)
    assert execution.error is None and execution.text == text


def test_streams_come_apart_and_as_they_are_printed(sandbox: Sandbox) -> None:
    heard: list[tuple[str, str]] = []
    code = "import sys\nprint('one')\nprint('two', file=sys.stderr)\nprint('three')"
    execution = sandbox.run_code(
        code,
        on_stdout=lambda m: heard.append(("out", m.line)),
        on_stderr=lambda m: heard.append(("err", m.line)),
    )
    assert (
        "".join(execution.logs.stdout) == "one\nthree\n"
        and "".join(execution.logs.stderr) == "two\n"
    )
    assert [stream for stream, _ in heard if _.strip()] == ["out", "err", "out"]


def test_output_is_heard_while_the_cell_still_runs(sandbox: Sandbox) -> None:
    heard = threading.Event()
    code = (
        "import os, time\nprint('begun', flush=True)\nwhile not os.path.exists('go-on'):"
        " time.sleep(0.01)\n'done'"
    )
    outcome: list[Any] = []
    running = threading.Thread(
        target=lambda: outcome.append(sandbox.run_code(code, on_stdout=lambda _: heard.set()))
    )
    running.start()
    assert heard.wait(60)
    sandbox.files.write("go-on", "")  # files can be written meanwhile
    running.join(60)
    assert outcome[0].text == "done"


def test_an_error_has_its_name_its_value_and_its_traceback(sandbox: Sandbox) -> None:
    seen = []
    execution = sandbox.run_code(
        "def f():\n    raise ValueError('too bad')\nf()", on_error=seen.append
    )
    assert execution.error is not None and seen == [execution.error]
    assert (execution.error.name, execution.error.value) == ("ValueError", "too bad")
    assert (
        "line 2, in f" in execution.error.traceback and "fumehood" not in execution.error.traceback
    )
    assert sandbox.run_code("def broken(:").error.name == "SyntaxError"


DISPLAYS = {
    "html": (
        "class Shown:\n    def _repr_html_(self): return '<b>bold</b>'\nShown()",
        "<b>bold</b>",
    ),
    "markdown": (
        "class Shown:\n    def _repr_markdown_(self): return '# title'\nShown()",
        "# title",
    ),
    "svg": ("class Shown:\n    def _repr_svg_(self): return '<svg/>'\nShown()", "<svg/>"),
    "latex": ("class Shown:\n    def _repr_latex_(self): return '$x$'\nShown()", "$x$"),
    "json": ("class Shown:\n    def _repr_json_(self): return {'a': [1]}\nShown()", {"a": [1]}),
    "javascript": ("display({'application/javascript': 'f()'}, raw=True)", "f()"),
    "pdf": ("display({'application/pdf': b'%PDF'}, raw=True)", base64.b64encode(b"%PDF").decode()),
    "jpeg": (
        "display({'image/jpeg': b'\\xff\\xd8'}, raw=True)",
        base64.b64encode(b"\xff\xd8").decode(),
    ),
    "data": (
        "import pandas\npandas.DataFrame({'a': [1, 2], 'b': ['x', None]})",
        {"a": [1, 2], "b": ["x", None]},
    ),
}


@pytest.mark.parametrize("name", DISPLAYS)
def test_every_format_of_a_display_arrives_under_its_name(science: Sandbox, name: str) -> None:
    code, expected = DISPLAYS[name]
    (shown,) = science.run_code(code).results
    assert shown[name] == expected and name in shown.formats()


CHARTS = {
    "line": ("plt.plot([1, 2], [3, 4], label='up')\nplt.xlabel('Time (s)')", LineChart),
    "scatter": ("plt.scatter([1, 2], [3, 4])", ScatterChart),
    "bar": ("plt.bar(['a', 'b'], [3, 4])", BarChart),
    "pie": ("plt.pie([1, 3], labels=['a', 'b'])", PieChart),
    "box": ("plt.boxplot([[1, 2, 3, 4, 20]])", BoxAndWhiskerChart),
    "several": (
        "fig, axes = plt.subplots(1, 2)\naxes[0].plot([1, 2])\naxes[1].bar(['a'], [1])",
        SuperChart,
    ),
}


@pytest.mark.parametrize("name", CHARTS)
def test_a_figure_is_a_picture_and_the_numbers_of_its_chart(science: Sandbox, name: str) -> None:
    code, kind = CHARTS[name]
    execution = science.run_code(
        f"import matplotlib.pyplot as plt\n{code}\nplt.title('The title')\nplt.show()"
    )
    assert execution.error is None
    (shown,) = execution.results
    assert not shown.is_main_result and base64.b64decode(shown.png).startswith(b"\x89PNG")
    assert type(shown.chart) is kind
    if kind is LineChart:
        assert shown.chart.title == "The title" and shown.chart.x_unit == "s"
        assert (shown.chart.elements[0].label, shown.chart.elements[0].points) == (
            "up",
            [(1.0, 3.0), (2.0, 4.0)],
        )
    if kind is BarChart:
        assert [(bar.label, bar.value) for bar in shown.chart.elements] == [("a", 3.0), ("b", 4.0)]
    if kind is BoxAndWhiskerChart:
        (box,) = shown.chart.elements
        assert (box.min, box.median, box.max, box.outliers) == (1.0, 3.0, 4.0, [20.0])


def test_environment_of_a_sandbox_and_of_one_run(service: Service) -> None:
    with Sandbox.create(envs={"OWN": "always"}, **service.options()) as made:
        look = "import os\n(os.environ.get('OWN'), os.environ.get('ONCE'))"
        assert made.run_code(look).text == "('always', None)"
        assert made.run_code(look, envs={"ONCE": "now", "OWN": "other"}).text == "('other', 'now')"
        assert made.run_code(look).text == "('always', None)"


@pytest.mark.parametrize("language", ["js", "r", "bash"])
def test_other_languages_are_refused_in_one_line(sandbox: Sandbox, language: str) -> None:
    with pytest.raises(
        SandboxException,
        match=f"code in '{language}' cannot be run here: sandboxes of this server run Python$",
    ):
        sandbox.run_code("1", language=language)


def test_a_cell_that_takes_too_long_for_its_caller_is_stopped(sandbox: Sandbox) -> None:
    sandbox.run_code("before = 'kept'")
    with pytest.raises(TimeoutException, match="timed out"):
        sandbox.run_code("while True: pass", timeout=0.3)
    assert (
        sandbox.run_code("before", timeout=30).text == "kept"
    )  # it would wait for the other, if that still ran


def test_contexts_have_variables_of_their_own_and_the_same_files(sandbox: Sandbox) -> None:
    sandbox.run_code("shared = 'of the default'")
    context = sandbox.create_code_context()
    other = sandbox.create_code_context(cwd="/home/user")
    assert (context.language, context.cwd) == ("python", "/home/user")
    sandbox.run_code(
        "shared = 'of the context'\nopen('from-context', 'w').write('here')", context=context
    )
    assert sandbox.run_code("shared").text == "of the default"
    assert sandbox.run_code("shared", context=context).text == "of the context"
    assert sandbox.run_code("open('from-context').read()", context=other).text == "here"
    assert {"default", context.id, other.id} == {found.id for found in sandbox.list_code_contexts()}
    sandbox.restart_code_context(context)
    assert sandbox.run_code("shared", context=context).error.name == "NameError"
    sandbox.remove_code_context(context.id)
    sandbox.remove_code_context(other)
    with pytest.raises(NotFoundException, match="there is no context"):
        sandbox.run_code("1", context=context)
    with pytest.raises(NotFoundException, match="there is no context"):
        sandbox.remove_code_context(context)


def test_the_default_context_can_be_restarted_and_not_removed(service: Service) -> None:
    with Sandbox.create(**service.options()) as made:
        made.run_code("gone = 1")
        made.files.write("stays", "here")
        made.restart_code_context("default")
        fresh = made.run_code("gone")
        assert fresh.error.name == "NameError" and fresh.execution_count == 1
        assert made.files.read("stays") == "here"
        with pytest.raises(SandboxException, match="cannot be removed; restart it"):
            made.remove_code_context("default")


def test_a_sandbox_that_is_killed_while_it_runs_a_cell_is_said_to_be(service: Service) -> None:
    made = Sandbox.create(**service.options())
    begun = threading.Event()
    caught: list[BaseException] = []

    def run() -> None:
        try:
            made.run_code(
                "import time\nprint('on', flush=True)\ntime.sleep(60)",
                on_stdout=lambda _: begun.set(),
            )
        except BaseException as error:
            caught.append(error)

    running = threading.Thread(target=run)
    running.start()
    assert begun.wait(60)
    made.kill()
    running.join(60)
    assert not running.is_alive()
    assert not made.is_running()


def test_installing_what_is_there_is_answered_as_pip_does(sandbox: Sandbox) -> None:
    execution = sandbox.run_code("!pip install numpy")
    assert execution.error is None and "Requirement already satisfied: numpy" in "".join(
        execution.logs.stdout
    )
    execution = sandbox.run_code("%pip install no-such-package-anywhere")
    assert execution.error is None and "may install nothing" in "".join(execution.logs.stderr)
