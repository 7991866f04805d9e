"""docs/docker.md: its table of what a container is given is the real one."""

from __future__ import annotations

import re
from pathlib import Path

from fumehood.docker.hardening import TABLE

PAGE = (Path(__file__).parents[2] / "docs" / "docker.md").read_text()


def test_the_page_has_every_row_of_the_table_and_no_other() -> None:
    section = PAGE.partition("| setting | why |")[2].partition("\n\n")[0]
    found = re.findall(r"^\| `(\w+)` \| (.*) \|$", section, flags=re.MULTILINE)
    assert found == [(row.name.removeprefix("HostConfig."), row.reason) for row in TABLE]
