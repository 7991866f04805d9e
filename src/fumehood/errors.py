"""Every error fumehood raises. The type says whose fault it is; nobody has to parse a message.

FumehoodError
├── PolicyError (ValueError)        the caller asked for something that cannot be: a misspelt
                                    import, limits that disagree
├── StateFileError (ValueError)     a file of saved variables that cannot be read, or variables that
                                    cannot be written to one
├── PoolTimeout (TimeoutError)      every executor of a pool was out for as long as the caller would
                                    wait
├── MissingExtra (ImportError)      something optional is used and not installed; the text says what
                                    to install
├── AuditError (ValueError)         an audit log that cannot be written, or a file that is none
├── ToolError (ValueError)          a tool, or a set of tools, cannot be used as it is
├── ModelError                      a model gave no answer: its server refused, failed, or was not
                                    understood, after every retry
├── AgentError                      what an agent's run ends with, or a step goes wrong with
│   ├── AgentParsingError           the model's text holds no code, or no one piece of code
│   ├── AgentExecutionError         the code of a step failed
│   ├── AgentGenerationError        the model gave no answer
│   ├── AgentMaxStepsError          the steps were used up before there was an answer
│   ├── AgentTimeout (TimeoutError) the time of the run was used up
│   └── AgentInterrupted            somebody interrupted the run
└── InterpreterError                what `executor(code)` raises about a cell
    ├── CodeRaised                  the code raised; the same code with other data may work
    ├── CodeRefused                 a rule of the guarded language refused it; `.violations` says
                                    which
    ├── LimitReached                a limit was reached; `.fault` says which
    └── SandboxFailed               not the code's fault: the place it runs in failed
        ├── JailUnavailable         this machine cannot give the isolation that was asked for
        ├── NoRoom                  no descriptor, thread or process is left for it, here or on the
                                    machine; later there may be
        ├── SnapshotGone            a snapshot cannot be gone back to
        ├── InstallFailed           packages could not be had, or not be put into the sandbox;
                                    `.output` has the last lines
        ├── WorkerProtocolError     the sandbox sent something that is not the protocol; it has been
                                    ended
        ├── DockerFailed            the Docker engine refused or failed; `.status` is the status of
                                    its answer
        │   ├── DockerUnavailable   there is no engine to talk to: not installed, not running, not
                                    ours to use, not to be reached
        │   ├── ImageMissing        an image is not there and cannot be had
        │   ├── ImageBuildFailed    an image could not be built; `.output` has the last lines
        │   └── ContainerFailed     a container could not be started, or is gone
        ├── E2BFailed               the E2B service refused or failed; `.status` is the status of
                                    its answer
        │   ├── E2BUnavailable      it is not to be reached, too busy, or silent
        │   ├── E2BKeyRefused       there is no API key, or it is not taken
        │   ├── E2BQuotaReached     as many sandboxes, or requests, as the key may have
        │   └── E2BSandboxGone      a sandbox there could not be used any more: expired, killed, or
                                    the line to it broke
        └── RayFailed               a Ray cluster refused or failed
            ├── RayUnavailable      there is no cluster to talk to, or none of its nodes can be used
            └── NodeLost            a node of the cluster is gone, or what ran sandboxes on it, or
                                    the line to it broke

Forbidden                           raised *inside* a cell by a run-time guard; code may catch it,
                                    which gains it nothing
├── ForbiddenName (AttributeError)  a computed attribute name, or a name left out of a module
├── ForbiddenImport (ImportError)   a module that is not authorized
└── ForbiddenCall (RuntimeError)    a builtin or function that the sandbox does not offer

FinalAnswerException (BaseException)    how `final_answer(x)` stops a cell
CellStopped (BaseException)             how a limit or `interrupt()` stops a cell

FumehoodWarning (UserWarning)       every warning of fumehood
├── DangerousImport                 a policy authorizes a module that widens what code can do
├── DangerousContainer              a container is given more than containers get by default
└── ObserverFailed (RuntimeWarning) an observer raised, or fell too far behind; what it observes
                                    goes on
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from fumehood.results import ErrorInfo, Execution, Violation


class FumehoodError(Exception):
    """The root of everything fumehood raises to its caller."""


class PolicyError(FumehoodError, ValueError):
    """What was asked for cannot be: the text names the thing and what was probably meant."""


class PoolTimeout(FumehoodError, TimeoutError):
    """No executor of a pool was free in time. The pool is as it was; the text says how many are
    out."""


class MissingExtra(FumehoodError, ImportError):
    """Something optional was asked for whose package is not installed. One line, with the command
    that installs it."""


class AuditError(FumehoodError, ValueError):
    """An audit log cannot be written there, or a file is no audit log: the text names the file and
    what to do."""


class ToolError(FumehoodError, ValueError):
    """A tool cannot be used: the text says which, what is wrong with it and what it would need."""


class ModelError(FumehoodError):
    """A model gave no answer. `status` is the status of the last HTTP answer, if there was one."""

    def __init__(self, message: str, status: int | None = None) -> None:
        super().__init__(message)
        self.status = status


class AgentError(FumehoodError):
    """Something that ended a step or a run of an agent."""


class AgentParsingError(AgentError):
    """The model's text cannot be run; the message says to the model what to write instead."""


class AgentExecutionError(AgentError):
    """The code of a step failed. The message is what the executor said, for the model to read."""


class AgentGenerationError(AgentError):
    """The model gave no answer. `__cause__` is what it raised."""


class AgentMaxStepsError(AgentError):
    """The steps were used up. The answer, if there is one, is a summary of what was found."""


class AgentTimeout(AgentError, TimeoutError):
    """The time of a run was used up; what it has done so far is in the agent's memory."""


class AgentInterrupted(AgentError):
    """Somebody called `interrupt()`; what the run has done so far is in the agent's memory."""


class StateFileError(FumehoodError, ValueError):
    """A file of saved variables is damaged, or not one, or holds what cannot be made again here.
    Nothing of it was run on the host."""


class InterpreterError(FumehoodError):
    """A cell did not finish. The executor stays usable; `execution` holds all that is known, the
    logs included."""

    def __init__(self, message: str, execution: Execution | None = None) -> None:
        super().__init__(message)
        self.execution = execution

    @property
    def error(self) -> ErrorInfo | None:
        """The exception as the code's own frames tell it; None if nothing came back."""
        return self.execution.error if self.execution else None

    @property
    def logs(self) -> str:
        """What was printed until then."""
        return self.execution.logs if self.execution else ""


class CodeRaised(InterpreterError):
    """The code raised an exception that nobody in the code caught."""


class CodeRefused(InterpreterError):
    """A rule refused the code, before it ran or at the moment it reached for something
    forbidden."""

    @property
    def violations(self) -> tuple[Violation, ...]:
        """Every place where a rule is broken, all at once."""
        return self.execution.violations if self.execution else ()


class LimitReached(InterpreterError):
    """A limit was reached and enforced."""

    @property
    def fault(self) -> str | None:
        """Which limit it was, as in `Execution.fault`."""
        return self.execution.fault if self.execution else None


class SandboxFailed(InterpreterError):
    """The place where code runs failed; the code is not to blame."""


class JailUnavailable(SandboxFailed):
    """The isolation asked for cannot be had. fumehood fails closed: nothing was run."""


class NoRoom(SandboxFailed):
    """No descriptor, thread or process is left for it, in this process or on this machine. Nothing
    was run; later there may be room."""


class SnapshotGone(SandboxFailed):
    """A snapshot cannot be gone back to: it was discarded, or its process is dead."""


class InstallFailed(SandboxFailed):
    """Packages could not be fetched, or not be put into the sandbox, which is as it was. `output`
    has the last lines of what pip said."""

    def __init__(self, message: str, output: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.output = output


class WorkerProtocolError(SandboxFailed):
    """What came out of the sandbox breaks the protocol or its bounds. The sandbox is hostile or
    broken, and is ended."""


class DockerFailed(SandboxFailed):
    """The Docker engine refused something, or failed. `status` is the status of its answer, if
    there was one."""

    def __init__(
        self, message: str, execution: Execution | None = None, *, status: int | None = None
    ) -> None:
        super().__init__(message, execution)
        self.status = status


class DockerUnavailable(DockerFailed):
    """No Docker engine can be talked to. The text says which was tried, what is wrong with it, and
    what to do."""


class ImageMissing(DockerFailed):
    """An image is not there and cannot be pulled. Nothing was built or started."""


class ImageBuildFailed(DockerFailed):
    """An image could not be built. What was there before is still there; `output` has the last
    lines of what the build said."""

    def __init__(self, message: str, output: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.output = output


class ContainerFailed(DockerFailed):
    """A container could not be started, or is gone: the text says why. Nothing of it is left
    behind."""


class E2BFailed(SandboxFailed):
    """The E2B service refused something, or failed. `status` is the status of its answer, if there
    was one."""

    def __init__(
        self, message: str, execution: Execution | None = None, *, status: int | None = None
    ) -> None:
        super().__init__(message, execution)
        self.status = status


class E2BUnavailable(E2BFailed):
    """The service is not to be reached, is too busy, or does not answer. Nothing was run, and
    trying again later may help."""


class E2BKeyRefused(E2BFailed):
    """There is no API key, or the service does not take it."""


class E2BQuotaReached(E2BFailed):
    """The key has as many sandboxes, or has sent as many requests, as it may."""


class E2BSandboxGone(E2BFailed):
    """A sandbox of the service expired, was killed, or is out of reach: the text says which. The
    next use makes a new one."""


class RayFailed(SandboxFailed):
    """A Ray cluster refused something, or failed."""


class RayUnavailable(RayFailed):
    """There is no Ray cluster to talk to, or it has no node that can be used: the text says which
    was tried and what to do."""


class NodeLost(RayFailed):
    """A node of a Ray cluster is gone, or what ran sandboxes on it is, or it is out of reach: the
    text says which. The variables of its sandboxes are lost; the next use begins anew, on another
    node if there is one."""


class Forbidden(Exception):
    """A run-time guard said no. A mix-in: each kind is also the exception that plain Python would
    raise there."""


class ForbiddenName(Forbidden, AttributeError):
    """An attribute that the tables refuse, reached by a computed name or through a module view."""


class ForbiddenImport(Forbidden, ImportError):
    """A module, or a name in one, that is not authorized."""


class ForbiddenCall(Forbidden, RuntimeError):
    """A function that exists in Python and is not offered here."""


class FinalAnswerException(BaseException):
    """Raised by `final_answer(value)`. The answer is recorded before this is raised, so catching it
    changes nothing."""

    def __init__(self, value: Any = None) -> None:
        super().__init__(value)
        self.value = value


class CellStopped(BaseException):
    """Thrown into a running cell to end it. Not an `Exception`, so that `except Exception` does not
    hold it up."""


class FumehoodWarning(UserWarning):
    """The base of all warnings of this package."""


class ObserverFailed(FumehoodWarning, RuntimeWarning):
    """An observer failed, not the code it observes. The message says which and how."""


class DangerousImport(FumehoodWarning):
    """A policy authorizes a module that widens what code can do; the text says how."""


class DangerousContainer(FumehoodWarning):
    """A container is given more than containers get by default; the text says what that lets code
    do."""
