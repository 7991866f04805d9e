"""Validation: everything a cell gives out, shown to every validator before anybody else sees it.

For each place (value, logs, error, display) the texts are collected, looked at, and what has to go
is replaced; then the result is looked at again, until nothing is found: taking something out may
bring together what was apart. So what has been checked once can be checked again, and nothing
changes.

Whatever goes wrong here, the output is withheld, not let through.
"""

from __future__ import annotations

import bisect
import logging
import re
import traceback
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from fumehood.asked import whole
from fumehood.results import ErrorInfo, Execution, Finding
from fumehood.validation import documents, sizes
from fumehood.validation.personal import LABELS
from fumehood.validation.secrets import PREFIX, Secrets
from fumehood.validation.validators import (
    ACTIONS,
    MASK,
    Action,
    Match,
    MaxSize,
    Validator,
    validator_of,
)
from fumehood.validation.walking import LEAST_NUMBER, Walk

CHARACTERS = 4_000_000
"""How much text one place may hold and still be checked: a second or two of ordinary text, some
twenty of the most hostile."""

NOT_CHECKED = "not checked"

_ROUNDS = 4
_WITHHELD = re.compile(r"\[withheld: [^\[\]\n]{0,300}\]")
_log = logging.getLogger("fumehood.validation")
_log.addHandler(logging.NullHandler())  # nothing is printed unless asked


class _Mark(NamedTuple):
    """A part of one text that somebody found."""

    start: int
    end: int
    kind: str
    action: Action
    validator: str


class _TooMuch(Exception):
    """More text than may be looked at."""


class _Texts:
    """The texts of one place, in the order of a walk, each with the name that it stands under."""

    def __init__(self, most: int) -> None:
        self.texts: list[str] = []
        self.names: list[str] = []
        self._left = most

    def collect(self, text: str, name: str) -> None:
        self._left -= len(text) + len(name) + 1
        if self._left < 0:
            raise _TooMuch
        self.texts.append(text)
        self.names.append(name)

    def as_one(self) -> tuple[str, list[int]]:
        """All of them as one text, a line each, and where each begins."""
        if len(self.texts) == 1 and not self.names[0]:
            return self.texts[0], [0]
        parts, begins, length = [], [], 0
        for text, name in zip(self.texts, self.names, strict=True):
            line = f'{name}: "{text}"\n' if name else text + "\n"
            begins.append(length + (len(name) + 3 if name else 0))
            parts.append(line)
            length += len(line)
        return "".join(parts), begins


class Validation:
    """Made from validators, in the order in which they look. `characters` is how much text of one
    place is looked at; a place with more is withheld, and the finding says `not checked`. Safe to
    use from several threads at once."""

    def __init__(
        self, validators: Iterable[Any] | Any = (), *, characters: int = CHARACTERS
    ) -> None:
        if isinstance(validators, Validator | str | bytes | Mapping) or not isinstance(
            validators, Iterable
        ):
            validators = (validators,)
        self.validators: tuple[Validator, ...] = tuple(validator_of(given) for given in validators)
        self.characters: int = whole("characters", characters)
        active = [validator for validator in self.validators if validator.strictest != "allow"]
        self._finders = tuple(
            validator for validator in active if not isinstance(validator, MaxSize)
        )
        self._sizes = tuple(validator for validator in active if isinstance(validator, MaxSize))
        self.holds: bool = any(validator.strictest in ("redact", "refuse") for validator in active)
        """Whether output may have to be changed, so that it must not be shown before it was
        checked."""
        self._least = min((validator.least for validator in self._finders), default=1 << 60)
        labels = {
            *LABELS.values(),
            *(PREFIX + kind for kind in Secrets.kinds()),
            *(validator.name for validator in active),
        }
        self._marks = re.compile(
            rf"\[(?:{'|'.join(map(re.escape, sorted(labels, key=len, reverse=True)))})(?:"
            r" #\d{1,9})?\]"
        )

    def __repr__(self) -> str:
        return f"Validation({', '.join(validator.name for validator in self.validators)})"

    # -- for executors

    def check(self, execution: Execution) -> Execution:
        """The same execution if nothing was found. Otherwise one with `findings`, with what had to
        go replaced; or, if something is refused, one without value, output and displays whose error
        is `OutputRefused`. Never raises."""
        value, logs, error = execution.value, execution.logs, execution.error
        if (
            (not logs or len(logs) < self._least)
            and error is None
            and not execution.displays
            and not self._sizes
            and _is_dull(value)
        ):
            return execution
        found: Counter[Finding] = Counter()
        self._measure(execution, found)
        if not _is_dull(value):
            value = self._checked("value", value, found)
        if logs and len(logs) >= self._least:
            logs = self._checked("logs", logs, found)
        if error is not None:
            parts = (error.type, error.message, error.traceback)
            checked = self._checked("error", parts, found)
            if isinstance(checked, str):
                error = ErrorInfo("Withheld", checked, "", error.line)
            elif checked is not parts:
                error = ErrorInfo(str(checked[0]), str(checked[1]), str(checked[2]), error.line)
        displays = self._displays(execution.displays, found) if execution.displays else ()
        if not found:
            return execution
        findings = tuple(replace(finding, count=count) for finding, count in found.items())
        refused = [finding for finding in findings if finding.action == "refuse"]
        if refused:
            return _refused(execution, findings, refused)
        return replace(
            execution,
            value=value,
            logs=logs,
            error=error,
            displays=displays,
            findings=execution.findings + findings,
        )

    def clean(self, value: Any) -> Any:
        """A value as it may be written down: without what validators of values redact or refuse.
        The same object if there is nothing."""
        if _is_dull(value) or not self.holds:
            return value
        return self._checked("value", value, Counter(), cleans=True)

    # -- places

    def _displays(self, displays: tuple[Any, ...], found: Counter[Finding]) -> tuple[Any, ...]:
        parts = documents.opened(displays)
        contents = [part.content for part in parts]
        checked = self._checked("display", contents, found)
        if checked is contents:
            return displays
        return (
            ({"text/plain": checked},)
            if isinstance(checked, str)
            else documents.closed(displays, parts, checked)
        )

    def _measure(self, execution: Execution, found: Counter[Finding]) -> None:
        for validator in self._sizes:
            for where, most in validator.limits.items():
                if where == "value":
                    is_over, unit = self._is_larger(execution.value, most), "bytes"
                elif where == "logs":
                    is_over, unit = len(execution.logs) > most, "characters"
                else:
                    is_over, unit = sizes.display_bytes(execution.displays) > most, "bytes"
                if is_over:
                    action: Any = validator.action
                    found[
                        Finding(where, f"more than {most:,} {unit}", action, 1, validator.name)
                    ] += 1

    def _is_larger(self, value: Any, most: int) -> bool:
        try:
            return sizes.is_larger(value, most)
        except (
            Exception
        ) as error:  # what cannot be measured, inline for one, is not let through either
            _log.error("measuring the value failed with %s", type(error).__name__)
            return True

    def _checked(
        self, where: str, value: Any, found: Counter[Finding], cleans: bool = False
    ) -> Any:
        """The value as it may go on; a line in brackets if it may not. `found` gets what was found
        in it."""
        finders = [
            v
            for v in self._finders
            if where in v.where and not (cleans and v.strictest == "report")
        ]
        if not finders:
            return value
        strictest: Any = max((finder.strictest for finder in finders), key=ACTIONS.index)
        try:
            for number in range(_ROUNDS):
                texts = _Texts(self.characters)
                Walk(texts.collect, builds=False).value(value)
                if not texts.texts:
                    return value
                marks = self._look(texts, where, finders, found, reports=number == 0)
                if not marks:
                    return value
                if not cleans and any(
                    mark.action == "refuse" for some in marks.values() for mark in some
                ):
                    return value  # all of it will be withheld
                value = _rebuilt(value, texts.texts, marks)
            line = "what was found in it comes back when it is taken out"
        except _TooMuch:
            line = (
                f"it has more than {self.characters:,} characters, and none were checked;"
                " Validation(…, characters=…) raises the bound"
            )
        except _Failed as failed:
            line = (
                f"the validator {failed.name} failed with {failed.error}, so that this was not"
                " checked"
            )
            strictest = failed.action
        except RecursionError:
            line = "it is nested too deeply to be checked"
        except Exception as error:  # whatever it is, it is not let through
            _log.error("checking %s failed with %s", where, type(error).__name__)
            line = f"it could not be checked ({type(error).__name__})"
        found[Finding(where, NOT_CHECKED, strictest, 1, "Validation")] += 1
        return value if strictest == "report" else f"[withheld: {line}]"

    def _look(
        self,
        texts: _Texts,
        where: str,
        finders: Sequence[Validator],
        found: Counter[Finding],
        reports: bool,
    ) -> dict[int, list[_Mark]]:
        """What is to go, by the number of its text. Counts everything that was found."""
        marks: dict[int, list[_Mark]] = {}
        whole: tuple[str, list[int]] | None = None
        for finder in finders:
            try:
                if finder.reads_all:
                    whole = whole or texts.as_one()
                    self._look_at_all(*whole, texts.texts, finder, where, marks)
                else:
                    for number, text in enumerate(texts.texts):
                        if not _WITHHELD.fullmatch(text):
                            for match in finder.find(text, where):
                                self._mark(number, text, match, finder, marks)
            except Exception as error:
                if isinstance(error, (_TooMuch, RecursionError)):
                    raise
                # Not its text, which may hold what is to be kept back.
                _log.error(
                    "the validator %s failed with %s (%s)",
                    finder.name,
                    type(error).__name__,
                    _place_of(error),
                )
                if finder.strictest != "report":
                    raise _Failed(finder.name, type(error).__name__, finder.strictest) from None
                found[Finding(where, NOT_CHECKED, "report", 1, finder.name)] += int(reports)
        acting: dict[int, list[_Mark]] = {}
        for number, some in marks.items():
            for mark in _merged(some):
                if mark.action != "report":
                    acting.setdefault(number, []).append(mark)
                if mark.action != "report" or reports:
                    found[Finding(where, mark.kind, mark.action, 1, mark.validator)] += 1  # type: ignore[arg-type]
        return acting

    def _look_at_all(
        self,
        whole: str,
        begins: list[int],
        texts: list[str],
        finder: Validator,
        where: str,
        marks: dict[int, list[_Mark]],
    ) -> None:
        if len(whole) < finder.least:
            return
        if "[" in whole:
            whole = self._marks.sub(lambda mark: MASK * len(mark[0]), whole)
        for match in finder.find(whole, where):
            number = max(bisect.bisect_right(begins, match.start) - 1, 0)
            while number < len(texts) and begins[number] < match.end:
                start, end = (
                    max(match.start - begins[number], 0),
                    min(match.end - begins[number], len(texts[number])),
                )
                if start < end:
                    self._mark(number, texts[number], Match(start, end, match.kind), finder, marks)
                number += 1

    def _mark(
        self, number: int, text: str, match: Match, finder: Validator, marks: dict[int, list[_Mark]]
    ) -> None:
        action = finder.action_for(match.kind)
        if action == "allow" or match.end <= match.start or self._is_ours(text, match):
            return
        marks.setdefault(number, []).append(
            _Mark(match.start, match.end, match.kind, action, finder.name)
        )

    def _is_ours(self, text: str, match: Match) -> bool:
        """Whether what was found is what stands in place of something that was found before."""
        if "[" not in text:
            return False
        start, end = match.start, match.end
        own = f"[{match.kind}]"
        if text[start:end] == own:
            return True
        begin = text.rfind("[", max(start - 80, 0), start + 1)
        for mark in (
            self._marks.finditer(text, begin, min(end + 80, len(text))) if begin >= 0 else ()
        ):
            if mark.start() <= start and end <= mark.end():
                return True
            if mark.start() > start:
                break
        return begin >= 0 and text.startswith(own, begin) and end <= begin + len(own)


class _Failed(Exception):
    """A validator raised."""

    def __init__(self, name: str, error: str, action: Action) -> None:
        self.name, self.error, self.action = name, error, action


def _place_of(error: BaseException) -> str:
    """Where it was raised, for whoever wrote the validator."""
    last = traceback.extract_tb(error.__traceback__, limit=-1)
    return f"{last[0].filename}, line {last[0].lineno}" if last else "nobody knows where"


def _is_dull(value: Any) -> bool:
    """Nothing in it that anybody would look at."""
    kind = type(value)
    return (
        value is None
        or kind is bool
        or (kind is int or kind is float)
        and -LEAST_NUMBER < value < LEAST_NUMBER
    )


def _merged(marks: list[_Mark]) -> list[_Mark]:
    """Marks that overlap as one, under the name of the strictest, the first or the longest of
    them."""
    if len(marks) == 1:
        return marks
    merged: list[_Mark] = []
    for mark in sorted(marks, key=lambda mark: (mark.start, -mark.end)):
        if not merged or mark.start >= merged[-1].end:
            merged.append(mark)
            continue
        last = merged[-1]
        first = mark if ACTIONS.index(mark.action) > ACTIONS.index(last.action) else last
        merged[-1] = first._replace(start=last.start, end=max(last.end, mark.end))
    return merged


def _rebuilt(value: Any, texts: list[str], marks: dict[int, list[_Mark]]) -> Any:
    number = -1

    def leaf(text: str, name: str) -> str | None:
        nonlocal number
        number += 1
        if text != texts[number]:
            raise RuntimeError("the value has changed while it was checked")
        return _redacted(text, marks[number]) if number in marks else None

    return Walk(leaf, builds=True).value(value)


def _redacted(text: str, marks: list[_Mark]) -> str:
    parts, place = [], 0
    for mark in marks:
        parts += [text[place : mark.start], f"[{mark.kind}]"]
        place = mark.end
    return "".join((*parts, text[place:]))


def _refused(
    execution: Execution, findings: tuple[Finding, ...], refused: list[Finding]
) -> Execution:
    things = ", ".join(dict.fromkeys(f"{finding.kind} ({finding.where})" for finding in refused))
    message = (
        f"the output was withheld, for what it holds: {things}. Run the cell again without it:"
        " leave it out, count it, or show a part of it"
    )
    if execution.error is not None:
        message += (
            f" (the cell had failed, with {execution.error.type})"
            if execution.error.type.isidentifier()
            else " (the cell had failed)"
        )
    return replace(
        execution,
        value=None,
        logs="",
        displays=(),
        error=ErrorInfo("OutputRefused", message, f"OutputRefused: {message}"),
        fault="refused",
        is_final_answer=False,
        findings=execution.findings + findings,
    )
