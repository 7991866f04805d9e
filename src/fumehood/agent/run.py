"""One run of an agent: ask the model, run its code, tell it what came of it, until there is an
answer or no more steps."""

from __future__ import annotations

import asyncio
import contextvars
import functools
import itertools
import os
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

from fumehood import events
from fumehood.agent.answers import fix_final_answer_code
from fumehood.agent.aside import Aside, Call
from fumehood.agent.describing.steps import observation
from fumehood.agent.events import (
    CodeParsed,
    Event,
    OutputArrived,
    PlanningFinished,
    PlanningStarted,
    RunFinished,
    RunStarted,
    StepFinished,
    StepStarted,
    SummaryStarted,
    TextArrived,
)
from fumehood.agent.images import pictures_of
from fumehood.agent.metrics import Metrics
from fumehood.agent.parsing.parse import parse
from fumehood.agent.result import RunResult, State
from fumehood.agent.signals import comes_from_a_signal
from fumehood.agent.steps import ActionStep, FinalAnswerStep, PlanningStep, TaskStep, Timing
from fumehood.errors import (
    AgentError,
    AgentExecutionError,
    AgentGenerationError,
    AgentInterrupted,
    AgentMaxStepsError,
    AgentParsingError,
    AgentTimeout,
    JailUnavailable,
    ModelError,
    SandboxFailed,
)
from fumehood.executors.session_events import error_info
from fumehood.models.asking import ask
from fumehood.models.base import Cancellation, Cancelled
from fumehood.models.messages import ChatMessage, Image, TokenUsage
from fumehood.observing import RUN, has_contexts, in_contexts
from fumehood.policy import in_words
from fumehood.results import Execution

if TYPE_CHECKING:
    from fumehood.agent.code_agent import CodeAgent

STOP_SEQUENCES = ("\nObservation:",)
"""Where a model that has begun to invent the outcome of its own code is stopped. At the beginning
of a line: code may print the word."""

CURRENT: contextvars.ContextVar[Run | None] = contextvars.ContextVar("fumehood-run", default=None)
"""The run on whose behalf this is executed. Tools see it, so a managed agent knows whose member it
is."""

Reason = Literal["timeout", "interrupted"]


class Run:
    """One task of one agent. `go` runs it in the calling thread; `stop` ends it from any other."""

    def __init__(
        self,
        agent: CodeAgent,
        task: str,
        *,
        max_steps: int,
        timeout: float | None,
        variables: str = "",
        images: Sequence[Image] = (),
        observers: Sequence[Callable[[Event], object]] = (),
        streams: bool = False,
        loop: asyncio.AbstractEventLoop | None = None,
        lead: Run | None = None,
    ) -> None:
        """`variables` is what the model is told of the variables that were sent; `lead` the run of
        another agent that this works for."""
        self.agent = agent
        self.task = task
        self.lead = lead
        self.id = os.urandom(6).hex()
        self._model_calls = itertools.count(1)
        self._members: set[Run] = set()
        self._max_steps = max_steps
        self._timeout = timeout
        self._variables = variables
        self._images = tuple(images)
        self._observers = list(observers)
        self._streams = streams
        self._loop = loop
        self._reason: Reason | None = None
        self._cancel: Cancellation | None = None
        self._aside = Aside()
        self._call: Call | None = None
        self._in_cell = False
        self._steps: list[ActionStep | PlanningStep] = []
        self._metrics = Metrics(runs=1)
        self._failures = 0

    # -- the whole

    def go(self) -> RunResult:
        """Run to the end. Raises only what is not the run's own: an exception of a callback, a
        signal handler's, a broken jail's."""
        token = RUN.set(self.id)
        try:
            if self.agent.subscribers.is_empty and not has_contexts():
                return self._go()
            lead = self.lead.id if self.lead is not None else ""
            started = events.AgentRunStarted(
                at=time.time(),
                run=self.id,
                agent=self._name,
                model=self._model,
                task=self.task,
                max_steps=self._max_steps,
                lead=lead,
            )
            self.agent.subscribers.emit(started)
            with in_contexts(started):
                return self._go()
        finally:
            RUN.reset(token)

    def _go(self) -> RunResult:
        timing = Timing(time.time())
        started = time.perf_counter()
        timer = None
        if self._timeout is not None:
            timer = threading.Timer(self._timeout, self.stop, ["timeout"])
            timer.daemon = True
            timer.start()
        if self.lead is not None:
            self.lead.work_for(self)
        printing = self._observe_output()
        self._emit(RunStarted(self._name, self.task, self._max_steps, self._images))
        token = CURRENT.set(self)
        output, state, error = None, "error", None  # type: Any, State, BaseException | None
        try:
            output, state, error = self._work()
        except BaseException as raised:
            error = raised
            state = "interrupted" if isinstance(raised, KeyboardInterrupt) else "error"
            raise
        finally:
            CURRENT.reset(token)
            self._aside.leave()
            if timer is not None:
                timer.cancel()
            if self.lead is not None:
                self.lead._members.discard(self)
            printing()
            timing.end_time = time.time()
            self._metrics.execution_time = time.perf_counter() - started
            told = (
                error
                if error is None or isinstance(error, AgentError)
                else AgentError(f"{type(error).__name__}: {error}")
            )
            result = RunResult(self.task, output, state, self._steps, self._metrics, timing, told)
            self.agent.metrics.add(self._metrics)
            self.agent.finish(self)
            self._emit(RunFinished(result))
            self._tell_of_end(result)
        return result

    def _work(self) -> tuple[Any, State, AgentError | None]:
        agent = self.agent
        task = agent.prompt_templates.render("task", task=self.task, variables=self._variables)
        agent.memory.add(TaskStep(task, self._images))
        try:
            for number in range(1, self._max_steps + 1):
                if (
                    agent.planning_interval is not None
                    and (number - 1) % agent.planning_interval == 0
                ):
                    self._plan(number)
                step = self._step(number)
                if step.is_final_answer:
                    agent.memory.add(FinalAnswerStep(step.action_output))
                    return step.action_output, "success", None
            return self._summarise()
        except AgentTimeout as error:
            return None, "timeout", error
        except AgentInterrupted as error:
            return None, "interrupted", error
        except AgentGenerationError as error:
            return None, "error", error

    # -- a step

    def _step(self, number: int) -> ActionStep:
        """One round. Whatever happens in it, the step is remembered."""
        agent = self.agent
        step = ActionStep(number, Timing(time.time()))
        self._emit(StepStarted(number))
        try:
            self._think(step)
            self._act(step)
        except (AgentParsingError, AgentExecutionError) as error:
            step.error = error
            step.observations = step.observations or str(error)
        except BaseException as error:  # ends the run
            step.error = (
                error
                if isinstance(error, AgentError)
                else AgentError(f"{type(error).__name__}: {error}")
            )
            raise
        finally:
            step.timing.end_time = time.time()
            agent.memory.add(step)
            self._steps.append(step)
            self._metrics.count(step)
            self._emit(StepFinished(step))
            self._tell(
                events.AgentStepFinished,
                step=number,
                observation=step.observations,
                error=None if step.error is None else error_info(step.error),
                is_final_answer=step.is_final_answer,
            )
        agent.after_step(step)
        self._check()
        return step

    def _think(self, step: ActionStep) -> None:
        answer, step.model_seconds = self._ask("step", self.agent.memory.messages(), STOP_SEQUENCES)
        step.model_output = answer.content
        step.token_usage = answer.token_usage or TokenUsage()
        parsed = parse(answer.content)
        step.thought = parsed.thought
        step.code_action = fix_final_answer_code(parsed.code)

    def _act(self, step: ActionStep) -> None:
        assert step.code_action is not None
        self._emit(CodeParsed(step.step_number, step.thought, step.code_action))
        try:
            execution = self._execute(step.code_action)
        except JailUnavailable:
            raise  # no step will ever run
        except SandboxFailed as error:
            self._check()
            self._failures += 1
            if self._failures > 1:
                raise  # it does not come back by itself
            raise AgentExecutionError(
                f"the place where code runs failed, not the code: {error}"
            ) from error
        self._failures = 0
        step.execution = execution
        step.observations = observation(execution, self.agent.max_print_outputs_length)
        step.action_output = execution.value
        if self.agent.show_displays:
            step.observations_images = pictures_of(execution)
        self._check()
        if execution.error is not None:
            raise AgentExecutionError(execution.error.traceback or str(execution.error))
        if execution.is_final_answer:
            self._accept(step)

    def _accept(self, step: ActionStep) -> None:
        """Take the answer, if nobody who checks answers has anything against it."""
        refusal = self.agent.refusal_of(step.action_output)
        if refusal is None:
            step.is_final_answer = True
            return
        step.observations = f"The answer was not accepted: {refusal}\nGo on, and give another one."
        raise AgentExecutionError(f"the answer was not accepted: {refusal}")

    def _execute(self, code: str) -> Execution:
        executor = self.agent.python_executor
        self._in_cell = True
        try:
            self._check()
            if self._loop is not None:
                return asyncio.run_coroutine_threadsafe(executor.arun(code), self._loop).result()
            return executor.run(code)
        finally:
            self._in_cell = False
            for member in [*self._members]:
                member.stop("interrupted")  # whoever asked it is gone

    def _observe_output(self) -> Callable[[], None]:
        """Have what code prints told as it comes, if anybody listens and the executor can. Gives
        what puts it back."""
        executor: Any = self.agent.python_executor
        if not self._observers or not hasattr(executor, "on_output"):
            return lambda: None
        before = executor.on_output

        def printed(text: str) -> None:
            self._emit(OutputArrived(text))
            if before is not None:
                before(text)

        executor.on_output = printed

        def put_back() -> None:
            executor.on_output = before

        return put_back

    # -- plans and summaries

    def _plan(self, number: int) -> None:
        agent = self.agent
        timing = Timing(time.time())
        self._emit(PlanningStarted())
        template = "plan" if number == 1 else "plan_again"
        question = agent.prompt_templates.render(
            template,
            task=self.task,
            remaining_steps=self._max_steps - number + 1,
            tools=[*agent.tools],
            managed_agents=[*agent.managed_agents],
        )
        answer, _seconds = self._ask("plan", with_question(agent.memory.messages(), question))
        timing.end_time = time.time()
        step = PlanningStep(answer.content, timing, answer.token_usage or TokenUsage())
        agent.memory.add(step)
        self._steps.append(step)
        self._metrics.count(step)
        self._emit(PlanningFinished(step))
        agent.after_step(step)

    def _summarise(self) -> tuple[Any, State, AgentError]:
        error = AgentMaxStepsError(
            f"no final answer within {self._max_steps}"
            f" {'step' if self._max_steps == 1 else 'steps'}"
        )
        self._emit(SummaryStarted())
        question = self.agent.prompt_templates.render("summary", task=self.task)
        try:
            answer, seconds = self._ask(
                "summary", with_question(self.agent.memory.messages(), question)
            )
        except AgentGenerationError as failed:
            error.__cause__ = failed
            return None, "max_steps", error
        self._metrics.token_usage += answer.token_usage or TokenUsage()
        self._metrics.model_seconds += seconds
        self.agent.memory.add(FinalAnswerStep(answer.content))
        return answer.content, "max_steps", error

    # -- asking the model

    def _ask(
        self, purpose: str, messages: list[ChatMessage], stop_sequences: Sequence[str] = ()
    ) -> tuple[ChatMessage, float]:
        """The model's answer, and how long it took. It is asked in a thread of its own, so that
        nobody has to wait for a model that does not answer: a signal handler, a time limit and an
        interruption all end the wait, and the call is cancelled or left to itself."""
        cancel = self._cancel = Cancellation()
        on_text = (
            (lambda text: None if cancel.is_cancelled else self._emit(TextArrived(text)))
            if self._streams
            else None
        )
        started = time.perf_counter()
        self._check()
        question = functools.partial(
            ask,
            self.agent.model,
            messages,
            stop_sequences=stop_sequences,
            on_text=on_text,
            cancel=cancel,
        )
        if not self.agent.subscribers.is_empty or has_contexts():
            question = functools.partial(self._ask_and_tell, question, purpose, tuple(messages))
        call = self._call = self._aside.begin(question)
        try:
            self._check()  # who stops the run from here on finds the call
            call.done.wait()
            self._check()
        except BaseException:
            cancel.cancel()
            self._aside.leave()
            raise
        if isinstance(
            call.error, (ModelError, Cancelled)
        ):  # cancelled, but not by us: an interruption was found out above
            raise AgentGenerationError(f"the model gave no answer: {call.error}") from call.error
        if call.error is not None:
            raise call.error
        return call.result, time.perf_counter() - started

    def _ask_and_tell(
        self, question: Callable[[], ChatMessage], purpose: str, messages: tuple[ChatMessage, ...]
    ) -> ChatMessage:
        """In the thread in which the model is asked. One that is left to itself may tell of its end
        after the run's."""
        number = next(self._model_calls)
        called = events.ModelCalled(
            at=time.time(),
            run=self.id,
            call=number,
            model=self._model,
            purpose=purpose,
            messages=messages,
        )
        self.agent.subscribers.emit(called)
        began = time.perf_counter()
        with in_contexts(called):
            answer, error = ChatMessage("assistant", ""), None
            try:
                answer = question()
            except BaseException as raised:
                error = error_info(raised)
                raise
            finally:
                tokens = answer.token_usage or TokenUsage()
                self._tell(
                    events.ModelAnswered,
                    call=number,
                    model=self._model,
                    purpose=purpose,
                    text=answer.content,
                    input_tokens=tokens.input_tokens,
                    output_tokens=tokens.output_tokens,
                    finish_reason=answer.finish_reason or "",
                    error=error,
                    seconds=time.perf_counter() - began,
                )
            return answer

    # -- stopping

    def stop(self, reason: Reason) -> None:
        """End the run as soon as can be, from any thread: what it waits for, model, code or member,
        is given up."""
        if self._reason is None:
            self._reason = reason
        for member in [*self._members]:
            member.stop(reason)
        cancel = self._cancel
        if cancel is not None:
            cancel.cancel()
        if self._call is not None:
            self._call.done.set()
        # A cell that is just about to start has looked for a reason not to already, and cannot be
        # interrupted yet.
        while self._in_cell and not self.agent.python_executor.interrupt():
            time.sleep(0.001)

    def work_for(self, member: Run) -> None:
        """Another agent's run works for this one, and ends with it."""
        self._members.add(member)
        if self._reason is not None:
            member.stop(self._reason)

    def _check(self) -> None:
        if self._reason == "timeout":
            raise AgentTimeout(
                f"the run took longer than its {in_words(self._timeout)}; timeout gives it more"
                if self._timeout
                else "the run's time is used up"
            )
        if self._reason == "interrupted":
            raise AgentInterrupted("the run was interrupted")

    # -- telling whoever observes

    @property
    def _name(self) -> str:
        return self.agent.name or "agent"

    @property
    def _model(self) -> str:
        return self.agent.model.model_id or type(self.agent.model).__name__

    def _tell(self, kind: type[events.Event], **fields: Any) -> None:
        subscribers = self.agent.subscribers
        if not subscribers.is_empty:
            subscribers.emit(kind(at=time.time(), run=self.id, **fields))

    def _tell_of_end(self, result: RunResult) -> None:
        if not self.agent.subscribers.is_empty:
            self._tell(
                events.AgentRunFinished,
                agent=self._name,
                state=result.state,
                output=result.output,
                error=None if result.error is None else error_info(result.error),
                metrics=result.metrics.as_dict(),
                seconds=result.metrics.execution_time,
            )

    # -- telling whoever watches

    def observe(self, observer: Callable[[Event], object]) -> None:
        self._observers.append(observer)

    def _emit(self, event: Event) -> None:
        for observer in [*self._observers]:
            try:
                observer(event)
            except Exception as error:
                if comes_from_a_signal(error):
                    raise
                # Whoever watches must not break what is watched. It is told of no more, and the log
                # says why.
                self._observers.remove(observer)
                self.agent.log.exception(
                    "an observer of the agent failed and is told nothing more: %r", observer
                )


def with_question(messages: list[ChatMessage], question: str) -> list[ChatMessage]:
    """The conversation with one more thing said by the user."""
    last = messages[-1]
    if last.role == "user":
        return [*messages[:-1], replace(last, content=f"{last.content}\n\n{question}")]
    return [*messages, ChatMessage("user", question)]
