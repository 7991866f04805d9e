"""What became of a program, and the verdict on it: refused, contained or escaped."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from fnmatch import fnmatchcase
from typing import Any, Literal

from fumehood.attack.configurations import Configuration
from fumehood.attack.corpus import Program

Verdict = Literal["refused", "contained", "escaped", "left out"]


@dataclass
class Outcome:
    """What a run gave away. Plain data, because it crosses a pipe."""

    ending: str = "nothing"
    """Of the last cell: held, escaped, error NAME, fault KIND, or nothing."""
    value: str = ""
    logs: str = ""
    error: str | None = None
    faults: list[str] = field(default_factory=list)
    """Of all cells."""
    violations: list[dict[str, Any]] = field(default_factory=list)
    loot: list[str] = field(default_factory=list)
    """What it obtained that no guarded code may have, in words."""
    host_changes: list[str] = field(default_factory=list)
    """What is no longer as it was in the process that a program ran in, inline."""
    steps: list[str] = field(default_factory=list)
    """What the host got when it did what the header says."""
    afterwards: str = "answers"
    """Whether the executor can still be used."""
    findings: list[str] = field(default_factory=list)
    """What the host sees from outside that must not be."""
    leaks: list[str] = field(default_factory=list)
    """Canaries that came out."""
    report: str = ""

    def as_data(self) -> dict[str, Any]:
        return asdict(self)

    def lacks(self, mechanism: str | None) -> bool:
        """Whether the jail's report calls a mechanism absent."""
        absent = [line for line in self.report.splitlines() if line.strip().startswith("absent")]
        return mechanism is not None and any(mechanism in line for line in absent)


def escapes(program: Program, outcome: Outcome, configuration: Configuration) -> list[str]:
    """Each thing by which a program got out, in words."""
    found = [*outcome.findings, *outcome.host_changes]
    found += [f"it learned {token}" for token in outcome.leaks]
    # What the rules do not hold is inside the jail, with it.
    if configuration.judges_objects and "limit" not in program.fields:
        found += outcome.loot
    allowed = program.allowed_with_programs if configuration.programs else ""
    if outcome.ending == "escaped" and not fnmatchcase(outcome.value, allowed):
        found.append(outcome.value)
    found += [step for step in outcome.steps if "ESCAPED" in step]
    if outcome.afterwards != "answers":
        found.append(f"the executor is of no use afterwards: it {outcome.afterwards}")
    return found


def judged(program: Program, outcome: Outcome, configuration: Configuration) -> tuple[Verdict, str]:
    """The verdict, and why. Of two that hold, the first to act is named: what was refused did not
    run."""
    if outcome.lacks(program.fields.get("needs")):
        return "left out", f"there is nothing to attack without a {program.fields['needs']}"
    if found := escapes(program, outcome, configuration):
        door = program.opened_without(programs=configuration.programs)
        if outcome.lacks(door):
            return "left out", f"is open without a {door}, as the report says"
        return "escaped", "; ".join(found)
    if "refused" in outcome.faults:
        names = dict.fromkeys(str(violation["name"]) for violation in outcome.violations)
        return "refused", ", ".join(names)
    ended = (
        outcome.ending if outcome.ending != "nothing" else outcome.error or "it obtained nothing"
    )
    return "contained", f"{ended}: {outcome.value}" if outcome.ending == "held" else ended
