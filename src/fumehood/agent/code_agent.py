"""CodeAgent: solves a task by writing Python, which runs where it can do no harm."""

from __future__ import annotations

import asyncio
import contextvars
import inspect
import logging
import os
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal, Self, overload

from fumehood import asked
from fumehood.agent import managing
from fumehood.agent.describing.variables import describe_variables
from fumehood.agent.events import Event
from fumehood.agent.images import as_images
from fumehood.agent.memory import AgentMemory
from fumehood.agent.metrics import Metrics
from fumehood.agent.prompts import PromptTemplates, system_values
from fumehood.agent.result import RunResult
from fumehood.agent.run import Run
from fumehood.agent.steps import ActionStep, PlanningStep
from fumehood.agent.streaming import EventStream
from fumehood.errors import AgentError, PolicyError
from fumehood.executors.base import PythonExecutor
from fumehood.executors.places import make_executor
from fumehood.executors.session_events import OutputChecks, as_checks
from fumehood.models.adopting import as_model
from fumehood.models.base import Model
from fumehood.observing import Observer, Subscribers, Subscription, as_observers
from fumehood.packages.requirements import Packages
from fumehood.policy import Policy
from fumehood.tools.adopting import as_tools
from fumehood.tools.prompting import signature_text

DEFAULT_MAX_STEPS = 20


class CodeAgent:
    """Solves tasks step by step: the model writes code, the code runs in a sandbox, and the model
    sees what came of it.

    tools, managed_agents          functions that code can call; they run here, not in the sandbox
    model                          a Model, or a function that takes messages and returns a text
    max_steps                      rounds of a run; after the last the model is asked for a summary
    additional_authorized_imports  modules that code may import beyond the default list
    files                          let code read and write files, in /home/user and /tmp
    programs                       let code execute programs: True, or a list of names
    packages                       packages that code may import, by name or as wheels; they are
                                   fetched for the place where it runs
    executor_type                  "local" (a jail on this machine), "inline" (no isolation),
                                   "docker", "e2b", "ray"
    executor, executor_kwargs      an executor of your own, which you close; or more arguments for
                                   the one that is made
    max_print_outputs_length       how many characters of output are kept, and shown to the model,
                                   of each step
    verbose, verbosity_level       print what happens: True or 1 each step, 2 with more detail
    instructions, prompt_templates more to tell the model; other texts to tell it with (see
    agent/prompts.py)
    planning_interval              make a plan before every so many steps
    name, description              what another agent knows this one by
    final_answer_checks            functions of (answer, memory) that return False or raise for an
                                   answer that is not good enough
    step_callbacks                 functions of (step) or (step, agent) called after each step; what
                                   they raise ends the run
    stream_outputs                 have the model's text come piece by piece
    timeout, step_timeout          seconds for a run, for the code of one step
    policy                         what code may do, in full; instead of imports and limits given
                                   one by one
    audit                          an observer, or several, of all that happens, in the sandbox too
                                   (events.py): an AuditLog, or a function
    validators                     look at what code gives out before anybody sees it, the model
                                   included (validation/)
    on_event                       called with each event of each run, as `stream=True` gives them
                                   (agent/events.py)
    provide_run_summary            as a managed agent, report how the answer was found
    show_displays                  show plots to the model, which must be able to see
    """

    def __init__(
        self,
        tools: Iterable[Any] | Mapping[str, Any] = (),
        model: Model | Callable[..., Any] | None = None,
        *,
        max_steps: int = DEFAULT_MAX_STEPS,
        additional_authorized_imports: Iterable[str] | None = None,
        files: bool = False,
        programs: bool | Iterable[str] = False,
        packages: Packages | Iterable[str | os.PathLike[str]] = (),
        executor_type: str | None = "local",
        executor: PythonExecutor | None = None,
        executor_kwargs: Mapping[str, Any] | None = None,
        max_print_outputs_length: int | None = None,
        verbose: bool = False,
        verbosity_level: int | None = None,
        instructions: str | None = None,
        prompt_templates: (
            PromptTemplates | Mapping[str, str] | str | os.PathLike[str] | None
        ) = None,
        planning_interval: int | None = None,
        managed_agents: Iterable[CodeAgent] | Mapping[str, CodeAgent] | None = None,
        name: str | None = None,
        description: str | None = None,
        final_answer_checks: Sequence[Callable[..., Any]] = (),
        step_callbacks: Sequence[Callable[..., Any]] = (),
        stream_outputs: bool = False,
        timeout: float | None = None,
        step_timeout: float | None = None,
        policy: Policy | None = None,
        audit: Observer | Iterable[Observer] | None = None,
        validators: Iterable[Any] | OutputChecks = (),
        on_event: Callable[[Event], object] | None = None,
        provide_run_summary: bool = False,
        show_displays: bool = False,
        return_full_result: bool = False,
    ) -> None:
        if model is None:
            raise TypeError(
                "an agent needs a model: a Model such as OpenAIModel, or a function that takes"
                " messages and returns a text"
            )
        self.max_steps = asked.whole("max_steps", max_steps)
        self.planning_interval = (
            None
            if planning_interval is None
            else asked.whole("planning_interval", planning_interval, unless=" or None")
        )
        self.timeout = asked.seconds("timeout", timeout)
        if max_print_outputs_length is not None:
            asked.whole("max_print_outputs_length", max_print_outputs_length, unless=" or None")
        self.model = as_model(model)
        self.name = asked.text("name", name)
        self.description = asked.text("description", description)
        self.instructions = asked.text("instructions", instructions)
        self.prompt_templates = PromptTemplates(prompt_templates)
        self.tools = as_tools(tools)
        self.managed_agents = managing.as_members(managed_agents, self.tools)
        self.final_answer_checks = asked.functions(
            "final_answer_checks", final_answer_checks, "answer, memory"
        )
        self.step_callbacks = asked.functions("step_callbacks", step_callbacks, "step, agent")
        self.stream_outputs = stream_outputs
        self.verbosity_level = (
            _level("verbose", verbose)
            if verbosity_level is None
            else _level("verbosity_level", verbosity_level)
        )
        if on_event is not None and not callable(on_event):
            raise PolicyError(
                "on_event must be a function that takes an event, or None, not"
                f" {asked.shown(on_event)}"
            )
        self.on_event = on_event
        self.subscribers = Subscribers()
        """Those who are told of runs. Use `observe`."""
        self.provide_run_summary = provide_run_summary
        self.show_displays = show_displays
        self.return_full_result = return_full_result
        self.log = logging.getLogger("fumehood.agent")
        self.metrics = Metrics()
        self.state: dict[str, Any] = {}
        """The variables that were sent with `additional_args`. What code has made is in
        `python_executor.state`."""
        self.turn = threading.RLock()
        """Held while the agent works for another, which may ask for it several times at once."""
        self._starting = threading.Lock()
        self._running: Run | None = None
        self.executor_type = executor_type or "local"
        self.executor_kwargs = asked.dictionary(
            "executor_kwargs", executor_kwargs, "{'on_error': 'rollback'}"
        )
        self._owns_executor = executor is None
        self.python_executor = self._executor(
            executor,
            {
                "additional_authorized_imports": additional_authorized_imports,
                "max_print_outputs_length": max_print_outputs_length,
                "timeout_seconds": asked.seconds("step_timeout", step_timeout),
                "policy": policy,
                "validators": as_checks(validators),
                "packages": packages or None,
                "files": files or None,
                "programs": programs or None,
            },
        )
        for observer in as_observers(audit):
            self.observe(observer)
        settled = getattr(self.python_executor, "policy", None) or Policy()
        self.additional_authorized_imports = list(settled.imports)
        self.authorized_imports = list(settled.authorized_imports)
        self.max_print_outputs_length = max_print_outputs_length or settled.limits.output_characters
        members = {name: managing.as_function(agent) for name, agent in self.managed_agents.items()}
        self.python_executor.send_tools({**self.tools, **members})
        self.memory = AgentMemory(self.system_prompt, self.prompt_templates.render("follow_plan"))

    def _executor(self, given: PythonExecutor | None, wanted: dict[str, Any]) -> PythonExecutor:
        options = {name: value for name, value in wanted.items() if value is not None}
        if given is None:
            return make_executor(self.executor_type, **{**options, **self.executor_kwargs})
        if not isinstance(given, PythonExecutor):
            hint = f"; executor_type={given!r} has one made" if isinstance(given, str) else ""
            raise TypeError(
                "executor must be a PythonExecutor, such as LocalPythonExecutor(), not"
                f" {asked.shown(given)}{hint}"
            )
        told = {
            "additional_authorized_imports": "",
            "timeout_seconds": "step_timeout",
            "policy": "",
            "validators": "",
            "packages": "",
            "files": "",
            "programs": "",
        }
        for name in [
            *(told[name] or name for name in options if name in told),
            *(["executor_kwargs"] if self.executor_kwargs else []),
        ]:
            raise PolicyError(
                f"{name} is for an executor that the agent makes, and this one is given: say it to"
                " the executor's own class"
            )
        return given

    # -- running

    @property
    def system_prompt(self) -> str:
        """What the model is told before anything else."""
        executor = self.python_executor
        isolated = getattr(executor, "isolation", "") != "inline"
        undoes = isolated and getattr(executor, "on_fault", "keep") == "rollback"
        return self.prompt_templates.render(
            "system",
            **system_values(
                getattr(executor, "policy", None), isolated=isolated, undoes_faults=undoes
            ),
            tools=[
                signature_text(tool) for name, tool in self.tools.items() if name != "final_answer"
            ],
            managed_agents=[
                signature_text(managing.as_function(agent))
                for agent in self.managed_agents.values()
            ],
            instructions=self.instructions,
            name=self.name,
        )

    @overload
    def run(
        self,
        task: str,
        stream: Literal[True],
        reset: bool = ...,
        images: Iterable[Any] | None = ...,
        additional_args: Mapping[str, Any] | None = ...,
        max_steps: int | None = ...,
        timeout: float | None = ...,
        return_full_result: bool | None = ...,
    ) -> EventStream: ...

    @overload
    def run(
        self,
        task: str,
        stream: Literal[False] = ...,
        reset: bool = ...,
        images: Iterable[Any] | None = ...,
        additional_args: Mapping[str, Any] | None = ...,
        max_steps: int | None = ...,
        timeout: float | None = ...,
        return_full_result: bool | None = ...,
    ) -> Any: ...

    def run(
        self,
        task: str,
        stream: bool = False,
        reset: bool = True,
        images: Iterable[Any] | None = None,
        additional_args: Mapping[str, Any] | None = None,
        max_steps: int | None = None,
        timeout: float | None = None,
        return_full_result: bool | None = None,
    ) -> Any:
        """Solve a task; gives the answer, or with `return_full_result` a RunResult.

        `stream` gives events instead, as they happen; the last is RunFinished. `reset=False` goes
        on with the conversation so far; variables are kept in any case. `additional_args` are sent
        to the sandbox and described to the model.

        Raises AgentTimeout, AgentInterrupted or AgentGenerationError for a run without an answer,
        unless the full result or events are asked for: these say it themselves. If the steps are
        used up, the answer is a summary in words, and the result's state tells.
        """
        options: dict[str, Any] = {
            "reset": reset,
            "images": images,
            "additional_args": additional_args,
            "max_steps": max_steps,
            "timeout": timeout,
        }
        if stream:
            return EventStream(self.start(task, **options, streams=True))
        result = self.start(task, **options).go()
        return self._given_back(result, return_full_result)

    async def arun(
        self,
        task: str,
        reset: bool = True,
        images: Iterable[Any] | None = None,
        additional_args: Mapping[str, Any] | None = None,
        max_steps: int | None = None,
        timeout: float | None = None,
        return_full_result: bool | None = None,
    ) -> Any:
        """`run` without blocking the event loop, on which asynchronous tools run. Cancelling
        interrupts the run."""
        loop = asyncio.get_running_loop()
        ended: asyncio.Future[RunResult] = loop.create_future()
        run = self.start(
            task,
            reset=reset,
            images=images,
            additional_args=additional_args,
            max_steps=max_steps,
            timeout=timeout,
            loop=loop,
        )

        def settle(result: RunResult | None, error: BaseException | None) -> None:
            if ended.done():
                return
            if error is not None:
                ended.set_exception(error)
            else:
                ended.set_result(result)  # type: ignore[arg-type]

        def work() -> None:
            # A thread of its own: one of the loop's few would wait for code that needs another of
            # them.
            try:
                result = run.go()
            except BaseException as error:
                loop.call_soon_threadsafe(settle, None, error)
            else:
                loop.call_soon_threadsafe(settle, result, None)

        context = contextvars.copy_context()
        threading.Thread(
            target=context.run, args=(work,), name="fumehood-agent", daemon=True
        ).start()
        try:
            result = await asyncio.shield(ended)
        except asyncio.CancelledError:
            await asyncio.to_thread(run.stop, "interrupted")
            await asyncio.wait([ended])
            ended.exception()  # seen, and of no interest any more
            raise
        return self._given_back(result, return_full_result)

    def start(
        self,
        task: str,
        *,
        reset: bool = True,
        images: Iterable[Any] | None = None,
        additional_args: Mapping[str, Any] | None = None,
        max_steps: int | None = None,
        timeout: float | None = None,
        streams: bool = False,
        loop: asyncio.AbstractEventLoop | None = None,
        lead: Run | None = None,
    ) -> Run:
        """A run that is ready to go. Everything wrong with what was asked is said here, before
        anything happens."""
        if not isinstance(task, str) or not task.strip():
            raise TypeError(f"a task is a text that says what to do, not {asked.shown(task)}")
        steps = self.max_steps if max_steps is None else asked.whole("max_steps", max_steps)
        seconds = self.timeout if timeout is None else asked.seconds("timeout", timeout)
        pictures = as_images(images)
        variables = asked.dictionary("additional_args", additional_args, "{'table': frame}")
        observers = [
            observe for observe in (self._printer(lead), self.on_event) if observe is not None
        ]
        run = Run(
            self,
            task,
            max_steps=steps,
            timeout=seconds,
            variables=describe_variables(variables) if variables else "",
            images=pictures,
            observers=observers,
            streams=streams or self.stream_outputs,
            loop=loop,
            lead=lead,
        )
        with self._starting:
            if self._running is not None:
                raise AgentError(
                    "this agent is at work already; wait for it, or make another agent"
                )
            self._running = run
        try:
            if variables:
                self.python_executor.send_variables(variables)
                self.state.update(variables)
            if reset:
                self.memory.reset()
            self.memory.system_prompt.system_prompt = self.system_prompt
        except BaseException:
            self.finish(run)
            raise
        return run

    def finish(self, run: Run) -> None:
        """A run is over, and another may begin."""
        with self._starting:
            if self._running is run:
                self._running = None

    def _given_back(self, result: RunResult, full: bool | None) -> Any:
        if self.return_full_result if full is None else full:
            return result
        if result.error is not None and result.state != "max_steps":
            raise result.error
        return result.output

    def interrupt(self) -> bool:
        """End the run that is going on, from any thread, wherever it is: in a model's call, in a
        cell. False if there is none."""
        run = self._running
        if run is None:
            return False
        run.stop("interrupted")
        return True

    def observe(self, observer: Observer) -> Subscription:
        """Tell an observer, a function that takes an event, all that happens from now on: to this
        agent, in its sandbox, and to the agents that it manages."""
        subscription = Subscription(observer)
        self.be_observed(subscription)
        return subscription

    def be_observed(self, subscription: Subscription) -> None:
        """Have somebody who watches already told of this agent too, and of those that it
        manages."""
        self.subscribers.join(subscription)
        self.python_executor.events.observe(subscription)
        for member in self.managed_agents.values():
            if hasattr(member, "be_observed"):  # agents of other kinds tell nothing
                member.be_observed(subscription)

    # -- what a run asks of its agent

    def after_step(self, step: ActionStep | PlanningStep) -> None:
        """Call the callbacks with a step that is over."""
        for callback in self.step_callbacks:
            _call(callback, step, agent=self)

    def refusal_of(self, answer: Any) -> str | None:
        """What the checks have against an answer; None if nothing."""
        for check in self.final_answer_checks:
            name = getattr(check, "__name__", type(check).__name__)
            try:
                passed = _call(check, answer, self.memory, agent=self)
            except Exception as error:
                return f"{name}: {error}" if str(error) else f"{name}: {type(error).__name__}"
            if not passed:
                return f"{name} returned {passed!r:.200}"
        return None

    def _printer(self, lead: Run | None) -> Callable[[Event], object] | None:
        if self.verbosity_level < 1:
            return None
        from fumehood.agent.console.printer import StepPrinter  # late: most runs print nothing

        depth = 0
        while lead is not None:
            depth, lead = depth + 1, lead.lead
        return StepPrinter(level=self.verbosity_level, label=self.name, depth=depth)

    # -- looking at it

    def replay(self, detailed: bool = False) -> None:
        """Print what happened again, from memory."""
        from fumehood.agent.console.replaying import replay

        replay(self.memory.steps, detailed=detailed)

    def visualize(self) -> None:
        """Print what the agent is made of, as a tree."""
        from fumehood.agent.picture import visualize

        visualize(self)

    # -- life

    def close(self) -> None:
        """End what goes on, and the executor if the agent made it. Managed agents are closed by
        whoever made them."""
        self.interrupt()
        if self._owns_executor:
            self.python_executor.close()

    cleanup = close

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *exc: object) -> None:
        await asyncio.to_thread(self.close)

    def __call__(self, task: str, additional_args: Mapping[str, Any] | None = None) -> Any:
        """As a member of a team: the report on a task."""
        return managing.report(self, task, dict(additional_args) if additional_args else None)

    def __repr__(self) -> str:
        named = f" {self.name!r}" if self.name else ""
        return (
            f"<CodeAgent{named}: {self.model.model_id or type(self.model).__name__},"
            f" {len(self.tools)} tools, {self.executor_type}>"
        )


def _call(function: Callable[..., Any], *args: Any, agent: CodeAgent) -> Any:
    """Call with as many arguments as it takes, and with the agent if it asks for one."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return function(*args)
    if any(
        parameter.kind is inspect.Parameter.VAR_KEYWORD or parameter.name == "agent"
        for parameter in parameters
    ):
        return function(*args, agent=agent)
    positional = [
        p
        for p in parameters
        if p.kind in (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    ]
    if any(parameter.kind is inspect.Parameter.VAR_POSITIONAL for parameter in parameters):
        return function(*args)
    return function(*(*args, agent)[: len(positional)])


def _level(name: str, given: Any) -> int:
    if not isinstance(given, int):  # True is 1, and other libraries have enums of such numbers
        raise PolicyError(
            f"{name} must be {'True or False' if name == 'verbose' else '0, 1 or 2'}, not"
            f" {asked.shown(given)}"
        )
    return int(given)
