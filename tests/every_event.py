"""One event of each kind, for tests of what is logged, shown and read back."""

from __future__ import annotations

from fumehood import events
from fumehood.results import ErrorInfo, Execution, Finding, Violation


def every_event(text: str = "word") -> list[events.Event]:
    """One of each kind of event, with the same text wherever there is one."""
    at = {"at": 1_700_000_000.25, "session": f"s{text}", "run": f"r{text}"}
    in_cell = {**at, "cell": 1}
    error = ErrorInfo(text, text, text)
    policy = {"imports": [text], "mounts": [{"source": text}], "seed": 1}
    execution = Execution(
        value=text,
        logs=text,
        displays=({text: text},),
        error=error,
        fault="timeout",
        violations=(Violation(1, 1, text, text, text, text),),
        imports=(text,),
        tool_calls=(text,),
        rolled_back=True,
        findings=(Finding(text, text, "redact"),),
    )
    return [
        events.SessionOpened(**at, place=text, policy=policy, report=text, options={text: text},
                             python=text, fumehood=text, parent=text, cells=3),
        events.ToolsSent(**at, names=(text,)),
        events.VariablesSent(**at, variables={text: text}),
        events.VariableDeleted(**at, name=text),
        events.FileWritten(**at, path=text, content=text.encode("utf-8", "replace")),
        events.FileRemoved(**at, path=text),
        events.CommandStarted(**at, number=1, line=text, cwd=text, environment={text: text}, stdin=False),
        events.CommandEnded(**at, number=1, exit_code=1, error=text, stdout_bytes=1, stderr_bytes=2),
        events.FileRenamed(**at, path=text, to=text),
        events.DirectoryMade(**at, path=text),
        events.EnvironmentSet(**at, variables={text: text}),
        events.PackagesInstalled(**at, packages=(text,), modules=(text,)),
        events.SnapshotTaken(**at, snapshot=1, label=text),
        events.SnapshotRestored(**at, snapshot=1, label=text, of=text),
        events.Forked(**at, children=(text,)),
        events.OpenedBeside(**at, child=text),
        events.StateSaved(**at, path=text),
        events.StateLoaded(**at, path=text),
        events.SandboxDied(**at, kept=False),
        events.AgentRunStarted(**at, agent=text, model=text, task=text, max_steps=3, lead=text),
        events.ModelCalled(**at, call=1, model=text, purpose=text, messages=()),
        events.ModelAnswered(**at, call=1, model=text, purpose=text, text=text, input_tokens=1200,
                             output_tokens=34, finish_reason=text, error=error, seconds=1.5),
        events.CellSubmitted(**in_cell, code=f"# {text}"),
        events.ToolCalled(**in_cell, call=1, tool=text, args=(text,), kwargs={text: text}),
        events.ToolReturned(**in_cell, call=1, tool=text, value=text, error=error, seconds=0.1),
        events.ToolCalled(**in_cell, call=2, tool=text, args=(), kwargs={}),
        events.OutputFlagged(**in_cell, findings=(Finding(text, text, "report"),)),
        events.CellFinished(**in_cell, execution=execution),
        events.AgentStepFinished(**at, step=1, observation=text, error=error, is_final_answer=False),
        events.AgentRunFinished(**at, agent=text, state=text, output=text, error=error, metrics={},
                                seconds=2.0),
        events.SessionClosed(**at),
    ]  # fmt: skip
