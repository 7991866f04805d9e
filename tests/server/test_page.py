"""docs/server.md: the settings and the metrics that it names are those that there are."""

from __future__ import annotations

import re
from pathlib import Path

from fumehood.server.config_file import gather
from fumehood.server.metrics import Metrics
from fumehood.server.server import Server
from fumehood.server.settings import Settings

PAGE = (Path(__file__).parents[2] / "docs" / "server.md").read_text()
(CONFIG,) = re.findall(r"^```toml\n(.*?)^```", PAGE, flags=re.DOTALL | re.MULTILINE)


def test_the_settings_of_the_page_are_taken(tmp_path: Path) -> None:
    (tmp_path / "server.toml").write_text(CONFIG)
    for name in ("research", "website"):
        (tmp_path / f"{name}.key").write_text(f"{name}-0123456789abcdef0123456789abcdef\n")
        (tmp_path / f"{name}.key").chmod(0o600)
    given = gather(config=tmp_path / "server.toml", environment={})
    research, website = given.settings.keys
    assert (research.quotas.cells, website.quotas.cells, website.quotas.waiting) == (8, 2, 64)
    assert (research.on_fault, research.templates, website.policy.imports) == (
        "rollback",
        ("numbers",),
        (),
    )
    assert given.warnings == []


def test_the_metrics_of_the_page_are_those_that_there_are() -> None:
    counted = set(
        re.findall(
            r"^# TYPE (fumehood_\w+)",
            Metrics(Server(Settings(log="none"))).text().decode(),
            flags=re.MULTILINE,
        )
    )
    named = set(re.findall(r"`(fumehood_\w+)`", PAGE))
    bare = {name.removesuffix("_total") for name in named}
    there = {name.removesuffix("_total") for name in counted if not name.endswith("_created")}
    assert bare <= there
    assert there - bare <= {"fumehood_sandbox_created_seconds"}
