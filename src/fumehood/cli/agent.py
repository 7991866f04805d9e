"""`fumehood agent`: a task for an agent, its steps on stderr, its answer on stdout."""

from __future__ import annotations

import contextlib
import importlib.util
import os
import signal
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Annotated

import typer

from fumehood.cli import displays, exit_codes, options, terminal
from fumehood.cli.render import print_json
from fumehood.cli.run import SaveDisplays
from fumehood.errors import AgentError, FumehoodError, ToolError
from fumehood.executors.places import PLACES
from fumehood.policy import Limits

if TYPE_CHECKING:
    from fumehood.agent.code_agent import CodeAgent
    from fumehood.agent.events import Event
    from fumehood.models.base import Model

# How a run ended, and what the command ends with.
STATES = {
    "success": 0,
    "error": exit_codes.CODE_FAILED,
    "max_steps": exit_codes.STEPS_USED_UP,
    "timeout": exit_codes.TIME_USED_UP,
    "interrupted": exit_codes.INTERRUPTED,
}

Task = Annotated[
    str,
    typer.Argument(
        metavar="TASK",
        help="What to do, in words; - to read it from standard input.",
        show_default=False,
    ),
]
ModelName = Annotated[
    str | None,
    typer.Option(
        "--model",
        "-m",
        metavar="MODEL",
        autocompletion=lambda: ["openai:", "litellm:", "hf:", "replay:"],
        help=(
            "openai:NAME, litellm:NAME, hf:NAME or replay:FILE. "
            "A bare NAME is openai's, or hf's if it has a slash and there is no --base-url."
        ),
        show_default="FUMEHOOD_MODEL in the environment",
    ),
]
Tools = Annotated[
    list[str] | None,
    typer.Option(
        "--tool",
        metavar="TOOL",
        autocompletion=lambda: ["web_search", "visit_webpage", "user_input", "mcp:"],
        help=(
            "web_search, visit_webpage, user_input, package.module:name, mcp:COMMAND or"
            " mcp:http://…; may be repeated."
        ),
        show_default=False,
    ),
]
Executor = Annotated[
    str,
    typer.Option(
        "--executor",
        metavar="TYPE",
        autocompletion=lambda: [(place.name, place.about) for place in PLACES.values()],
        help=(
            "Where code runs:"
            f" {', '.join(f'{place.name} ({place.about})' for place in PLACES.values())}."
        ),
    ),
]
MaxSteps = Annotated[
    int, typer.Option("--max-steps", metavar="N", min=1, help="How many steps the agent has.")
]
Timeout = Annotated[
    float | None,
    typer.Option(
        "--timeout",
        metavar="SECONDS",
        callback=options.positive,
        help="End the whole run after this time.",
        show_default=False,
    ),
]
StepTimeout = Annotated[
    float | None,
    typer.Option(
        "--step-timeout",
        metavar="SECONDS",
        callback=options.positive,
        help="Stop the code of a step after this time.",
        show_default=f"{Limits().cell_seconds:g}",
    ),
]
Verbose = Annotated[
    int,
    typer.Option(
        "--verbose", "-v", count=True, help="Show details of each step.", show_default=False
    ),
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Show nothing but the answer.")]
Stream = Annotated[
    bool, typer.Option("--stream", help="Show what the model writes while it writes.")
]
BaseUrl = Annotated[
    str | None,
    typer.Option(
        "--base-url",
        metavar="URL",
        help="The model's server, such as http://localhost:8000/v1.",
        show_default=False,
    ),
]
ApiKeyEnv = Annotated[
    str | None,
    typer.Option(
        "--api-key-env",
        metavar="NAME",
        help="The environment variable that has the server's key.",
        show_default=False,
    ),
]
Variables = Annotated[
    list[str] | None,
    typer.Option(
        "--var",
        metavar="NAME=FILE",
        help=(
            "Send a file as a variable: .json as what it holds, .csv as rows (with --import pandas,"
            " a DataFrame), else as text; may be repeated."
        ),
        show_default=False,
    ),
]
Images = Annotated[
    list[Path] | None,
    typer.Option(
        "--image",
        metavar="FILE",
        help="Show the model a picture; may be repeated.",
        show_default=False,
    ),
]
Record = Annotated[
    Path | None,
    typer.Option(
        "--record",
        metavar="FILE",
        help="Write what the model says to FILE, for --replay.",
        show_default=False,
    ),
]
Replay = Annotated[
    Path | None,
    typer.Option(
        "--replay",
        metavar="FILE",
        help="Let a recording speak in place of a model.",
        show_default=False,
    ),
]

Json = Annotated[
    bool,
    typer.Option("--json", help="Print the whole run as one JSON object, in place of the answer."),
]


def agent(
    task: Task,
    model: ModelName = None,
    imports: options.Imports = None,
    files: options.Files = False,
    programs: options.Programs = False,
    packages: options.With = None,
    build: options.Build = False,
    tools: Tools = None,
    executor: Executor = "local",
    max_steps: MaxSteps = 20,
    timeout: Timeout = None,
    step_timeout: StepTimeout = None,
    verbose: Verbose = 0,
    quiet: Quiet = False,
    stream: Stream = False,
    base_url: BaseUrl = None,
    api_key_env: ApiKeyEnv = None,
    variables: Variables = None,
    images: Images = None,
    save_displays: SaveDisplays = None,
    record: Record = None,
    replay: Replay = None,
    audit: options.Audit = None,
    json: Json = False,
) -> None:
    """Solve a task with an agent: a model writes Python, step by step, and the code runs in a
    sandbox.

    The answer goes to stdout, the steps to stderr. Ctrl-C ends the run in an orderly way, a second
    one at once.
    Exit code: 0 an answer, 1 none, 2 bad input, 3 there is no place to run code in, 4 the steps
    were used up, 5 the time was used up, 130 interrupted. If the steps were used up, what was found
    goes to stdout.

    Example: fumehood agent 'What is the 100th prime?' --model openai:gpt-5-mini
    """
    if verbose and quiet:
        terminal.fail("--verbose and --quiet contradict each other", terminal.BAD_INPUT)
    if replay is not None and model is not None:
        terminal.fail("--replay takes the place of --model: give one of them", terminal.BAD_INPUT)
    if save_displays is not None:
        displays.prepare(save_displays)
    from fumehood.agent.code_agent import CodeAgent  # late: no other command needs any of it
    from fumehood.cli.agent_inputs import read_task, variables_of
    from fumehood.cli.agent_json import answer_text, result_as_json
    from fumehood.cli.agent_models import model_of
    from fumehood.cli.agent_tools import tools_of

    watching = Watching(0 if quiet else 1 + verbose, save_displays)
    with terminal.interruptible(), options.audited(audit), contextlib.ExitStack() as held:
        with problems_as_lines(), options.warnings_as_lines():
            words = read_task(task)
            speaker = model_of(
                f"replay:{replay}" if replay else model or os.environ.get("FUMEHOOD_MODEL"),
                base_url,
                api_key_env,
            )
            if record is not None:
                speaker = recorded(speaker, record)
            sent = variables_of(
                variables or (),
                tables="pandas" in (imports or ())
                and importlib.util.find_spec("pandas") is not None,
            )
            given = tools_of(tools or (), watching.ask, held)
            made = held.enter_context(
                CodeAgent(
                    given,
                    speaker,
                    max_steps=max_steps,
                    additional_authorized_imports=imports,
                    executor_type=executor,
                    files=files,
                    programs=programs,
                    packages=options.packages_of(packages, build),
                    timeout=timeout,
                    step_timeout=step_timeout,
                    stream_outputs=stream,
                    on_event=watching,
                )
            )
        with problems_as_lines(), stopping(made):
            result = made.run(words, images=images, additional_args=sent, return_full_result=True)
    if json:
        print_json(result_as_json(result))
    elif result.output is not None or result.ok:
        terminal.write(answer_text(result.output), sys.stdout)
    if quiet and not result.ok:
        terminal.say(str(result.error or result.state))
    if watching.failed:
        raise typer.Exit(terminal.BAD_INPUT)
    raise typer.Exit(STATES.get(result.state, terminal.CODE_FAILED))


class Watching:
    """Called with each event of a run: shows it on stderr, and saves what is displayed as soon as
    it is there."""

    def __init__(self, level: int, directory: Path | None) -> None:
        from fumehood.agent.console.printer import StepPrinter

        # Not looked up when they are needed: while code runs in this very process, they are the
        # code's.
        self._stdin, self._stderr = sys.stdin, sys.stderr
        self._printer = StepPrinter(
            level if self._stderr is not None else 0, stream=self._stderr, shows_answer=False
        )
        self._directory = directory
        self._saved = 0
        self.failed = False

    def __call__(self, event: Event) -> None:
        from fumehood.agent.events import StepFinished

        self._printer(event)
        if self._directory is None or self.failed or not isinstance(event, StepFinished):
            return
        try:
            self._saved += len(
                displays.save(event.step.displays, self._directory, first=self._saved + 1)
            )
        except typer.Exit:  # it has said why; the run goes on
            self.failed = True

    def ask(self, question: str) -> str:
        """Ask whoever sits at the terminal, on stderr: stdout is for the answer to the task."""
        if self._stdin is None or not self._stdin.isatty():
            raise ToolError(
                "the user cannot be asked: standard input is not a terminal; go on without asking"
            )
        with self._printer.paused():
            terminal.write(f"\n{question}", self._stderr)
            self._stderr.write("> ")
            self._stderr.flush()
            line = self._stdin.readline()
        if not line:
            raise ToolError(
                "the user gave no answer: the end of the input was reached; go on without asking"
            )
        return line.rstrip("\r\n")


def recorded(model: Model, path: Path) -> Model:
    """The model, with what it says written to a file, which must be possible before anything is
    paid for."""
    from fumehood.models.replay import ReplayModel

    if path.is_dir() or not path.resolve().parent.is_dir():
        terminal.fail(f"{path}: a recording cannot be written there", terminal.BAD_INPUT)
    return ReplayModel.record(model, path)


@contextlib.contextmanager
def problems_as_lines() -> Iterator[None]:
    """What the library has to say about what it was given, or about the place where code runs, ends
    the command with one line."""
    try:
        with options.no_sandbox_as_line("--executor inline"):
            yield
    except AgentError as error:
        terminal.fail(str(error), terminal.CODE_FAILED)
    except FumehoodError as error:
        terminal.fail(str(error), terminal.BAD_INPUT)


@contextlib.contextmanager
def stopping(agent: CodeAgent) -> Iterator[None]:
    """Within this, the first Ctrl-C interrupts the run, and the second ends the process. Its
    sandboxes end with it."""
    came = 0
    over = threading.Event()

    def interrupt() -> None:
        # In a thread of its own: what the signal has interrupted may be what has to go on for the
        # run to end.
        terminal.say("interrupting; Ctrl-C again ends it at once")
        while not agent.interrupt() and not over.wait(0.01):
            pass

    def on_interrupt(number: int, frame: FrameType | None) -> None:
        nonlocal came
        came += 1
        if came > 1:
            signal.signal(signal.SIGINT, signal.SIG_DFL)
            signal.raise_signal(signal.SIGINT)
        threading.Thread(target=interrupt, daemon=True).start()

    before = signal.signal(signal.SIGINT, on_interrupt)
    try:
        yield
    finally:
        over.set()
        signal.signal(signal.SIGINT, before)
