"""What the model is told, from templates that one can read and replace: the files in `templates/`,
each named for when it is used.

    system           before anything else
    task             what it is asked
    plan             for a first plan, plan_again for the next ones, follow_plan after each
    summary          when the steps are used up
    managed_task     what a managed agent is asked, managed_report what its caller gets

`CodeAgent(prompt_templates={"system": "…"})` replaces some of them; a directory with files of these
names does too.
"""

from __future__ import annotations

import os
import platform
from collections.abc import Mapping
from functools import lru_cache
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fumehood.asked import dictionary, path_of, shown
from fumehood.errors import PolicyError
from fumehood.policy import Limits, Policy
from fumehood.wire.show import one_line

if TYPE_CHECKING:
    from jinja2 import Environment, Template

NAMES = (
    "system",
    "task",
    "plan",
    "plan_again",
    "follow_plan",
    "summary",
    "managed_task",
    "managed_report",
)


class PromptTemplates:
    """The templates of one agent. `source(name)` is the text of one, `render(name, …)` what comes
    of it."""

    def __init__(
        self, replaced: PromptTemplates | Mapping[str, str] | str | os.PathLike[str] | None = None
    ) -> None:
        if isinstance(replaced, PromptTemplates):
            replaced = replaced._sources
        elif isinstance(replaced, (str, os.PathLike)):
            replaced = _from_directory(path_of("prompt_templates", replaced))
        given = dictionary(
            "prompt_templates", replaced, "{'system': '…'}, or a directory of files", PolicyError
        )
        for name, text in given.items():
            if name not in NAMES:
                raise PolicyError(
                    f"there is no prompt template {shown(name)}; they are {', '.join(NAMES)}"
                )
            if not isinstance(text, str):
                raise PolicyError(
                    f"the prompt template {name!r} must be a text, not {type(text).__name__}"
                )
        self._sources: dict[str, str] = {name: given.get(name) or _built_in(name) for name in NAMES}
        self._compiled = {name: _compile(name, source) for name, source in self._sources.items()}

    def source(self, name: str) -> str:
        """The text of a template, as it was written."""
        return self._sources[name]

    def render(self, name: str, /, **values: Any) -> str:
        """Raises PolicyError for a template that uses what it is not given."""
        from jinja2 import TemplateError

        try:
            return self._compiled[name].render(**values).strip()
        except Exception as error:  # a template may reckon, call and divide
            said = (
                str(error)
                if isinstance(error, TemplateError)
                else f"{type(error).__name__}: {error}"
            )
            raise PolicyError(
                f"the prompt template {name!r} cannot be filled in:"
                f" {one_line(said, 300)}{_line_of(error)}"
            ) from None


def system_values(policy: Policy | None, *, isolated: bool, undoes_faults: bool) -> dict[str, Any]:
    """What a system prompt can say of the place where code runs. None for an executor that does not
    tell."""
    policy = policy or Policy()
    limits: Limits = policy.limits
    return {
        "python": platform.python_version().rpartition(".")[0],
        "authorized_imports": ("*" if "*" in policy.imports else list(policy.authorized_imports)),
        "limits": limits,
        "files": policy.files,
        "programs": policy.programs if type(policy.programs) is tuple else bool(policy.programs),
        "home": "/home/user",
        "guarded": policy.language == "guarded",
        "isolated": isolated,
        "undoes_faults": undoes_faults,
    }


def _from_directory(directory: Path) -> dict[str, str]:
    if not os.path.isdir(directory):  # no text is one, however long: the whole of a prompt, for one  # noqa: PTH112
        raise PolicyError(
            "prompt templates are a mapping of texts or a directory of files;"
            f" {shown(str(directory))} is no directory"
        )
    found = {}
    for path in sorted(directory.glob("*.md")):
        try:
            found[path.stem] = path.read_text(encoding="utf-8")
        except OSError as error:
            raise PolicyError(
                f"the prompt template {str(path)!r} cannot be read: {error.strerror}"
            ) from None
        except UnicodeDecodeError as error:
            raise PolicyError(
                f"the prompt template {str(path)!r} is not UTF-8: byte {error.start:,} is no part"
                " of a text"
            ) from None
    if not found:
        raise PolicyError(
            f"there is no prompt template in {str(directory)!r}; they are files named"
            f" {', '.join(f'{name}.md' for name in NAMES)}"
        )
    return found


@lru_cache
def _built_in(name: str) -> str:
    return (resources.files("fumehood.agent") / "templates" / f"{name}.md").read_text(
        encoding="utf-8"
    )


@lru_cache
def _environment() -> Environment:
    from jinja2 import (
        Environment,
        StrictUndefined,
    )  # late: many programs use executors and no agent

    environment = Environment(
        undefined=StrictUndefined, keep_trailing_newline=False
    )  # texts for a model, not for a browser
    environment.filters["plain"] = lambda number: (
        f"{number:,g}" if number < 1_000_000 else f"{number:,.0f}"
    )
    environment.filters["megabytes"] = lambda size: f"{size / (1 << 20):,.0f}"
    return environment


@lru_cache(maxsize=256)
def _compile(name: str, source: str) -> Template:
    from jinja2 import TemplateSyntaxError

    try:
        return _environment().from_string(source)
    except TemplateSyntaxError as error:
        raise PolicyError(
            f"the prompt template {name!r} is no template: line {error.lineno}: {error.message}"
        ) from None


def _line_of(error: BaseException) -> str:
    """Where in a template it happened: jinja2 makes frames that have its lines."""
    at, line = error.__traceback__, 0
    while at is not None:
        line = at.tb_lineno if at.tb_frame.f_code.co_filename == "<template>" else line
        at = at.tb_next
    return f" (line {line})" if line else ""
